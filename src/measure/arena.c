/* Memory for measuring.
 *
 * Mapped at a 2 MiB boundary (the huge page of x86-64 and of 4 KiB aarch64 kernels, so
 * that transparent huge pages can be granted at all), advised, and touched, so that no
 * sample pays a page fault. Asked is not granted: what really backs it is read from smaps
 * by the caller. */
#include "measure/arena.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

static const size_t huge_bytes = 2 << 20;

static int advice_of(enum page_kind pages)
{
    return pages == PAGES_HUGE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE;
}

static int map_once(struct arena *arena, enum page_kind pages, size_t bytes)
{
    size_t map_bytes = bytes + huge_bytes;
    void *map =
        mmap(NULL, map_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (map == MAP_FAILED)
        return -errno;
    arena->map = map;
    arena->map_bytes = map_bytes;
    arena->base =
        (char *)(((uintptr_t)map + huge_bytes - 1) & ~(uintptr_t)(huge_bytes - 1));
    arena->bytes = bytes;
    /* Advice may be refused (a kernel without huge pages); then the pages are as they
     * are, and the backing tells. */
    if (pages != PAGES_DEFAULT)
        (void)madvise(arena->base, bytes, advice_of(pages));
    memset(arena->base, 1, bytes);
    return 0;
}

int sonde_measure_arena_open(struct arena *arena, enum page_kind pages, size_t bytes,
                             size_t page_bytes)
{
    *arena = (struct arena){0};
    for (; bytes >= page_bytes; bytes /= 2) {
        bytes = (bytes + page_bytes - 1) / page_bytes * page_bytes;
        if (map_once(arena, pages, bytes) == 0)
            return 0;
    }
    return -ENOMEM;
}

void sonde_measure_arena_close(struct arena *arena)
{
    if (arena->map)
        munmap(arena->map, arena->map_bytes);
    *arena = (struct arena){0};
}
