/* Untouched memory: a private mapping, or what calloc() gives; and one page, many times.
 *
 * A mapping is advised before anything touches it, so that its pages are of the kind
 * asked for as far as the system grants them. calloc() is asked for whole pages and one
 * more, since what it returns begins beside its own book-keeping; that first page is not
 * handed out.
 *
 * What can fool it: a C library that serves large requests from memory it already has
 * (then it wrote the zeros itself, and the first touch costs nothing: which is what a
 * program gets); a system without advice, where the pages are as they are. */
#include "measure/mapping.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The huge page of x86-64 and of 4 KiB aarch64 kernels: what a huge page can start at. */
static const size_t huge_bytes = 2 << 20;

/* Above what the common C library ever serves from memory it keeps (it raises its own
 * threshold up to 32 MiB): such blocks are mapped for the purpose. */
static const size_t calloc_bytes = 48 << 20;

static char *align_up(void *start, size_t bytes)
{
    return (char *)(((uintptr_t)start + bytes - 1) & ~(uintptr_t)(bytes - 1));
}

static void advise(void *start, size_t bytes, enum page_kind pages)
{
    if (pages != PAGES_DEFAULT)
        (void)madvise(start, bytes,
                      pages == PAGES_HUGE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

static int map_fresh(struct mapping *mapping, const struct layout *layout)
{
    size_t bytes = (size_t)layout->bytes + huge_bytes;
    void *map =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (map == MAP_FAILED)
        return -ENOMEM;
    advise(map, bytes, layout->pages);
    *mapping =
        (struct mapping){.base = align_up(map, huge_bytes), .map = map, .bytes = bytes};
    return 0;
}

/* The large block, or where that is refused one that is just large enough. */
static int take_calloc(struct mapping *mapping, const struct layout *layout,
                       size_t page_bytes)
{
    size_t bytes = (size_t)layout->bytes + 2 * page_bytes;

    if (bytes < calloc_bytes)
        mapping->heap = calloc(1, calloc_bytes);
    if (!mapping->heap)
        mapping->heap = calloc(1, bytes);
    if (!mapping->heap)
        return -ENOMEM;
    mapping->base = align_up((char *)mapping->heap + 1, page_bytes);
    advise(mapping->base, (size_t)layout->bytes, layout->pages);
    return 0;
}

/* One file of memory, all of it at each of the addresses. */
static int map_views(struct mapping *mapping, const struct layout *layout)
{
    size_t bytes = (size_t)layout->view_bytes;
    int file = memfd_create("sonde-views", MFD_CLOEXEC);
    bool mapped = file >= 0 && ftruncate(file, (off_t)layout->view_bytes) == 0;

    for (unsigned i = 0; mapped && i < layout->views; i++)
        mapped = mmap(mapping->base + i * bytes, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
    if (file >= 0)
        close(file);
    return mapped ? 0 : -ENOTSUP;
}

/* The stretch starts at a multiple of the length of the most views: what a core makes of
 * the address bits that number the views is then the same wherever it lies. */
static int open_views(struct mapping *mapping, const struct layout *layout)
{
    size_t span = (size_t)layout->view_bytes * VIEWS_MAX;
    void *map = mmap(NULL, 2 * span, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int error;

    if (map == MAP_FAILED)
        return -ENOMEM;
    *mapping =
        (struct mapping){.base = align_up(map, span), .map = map, .bytes = 2 * span};
    error = map_views(mapping, layout);
    if (error)
        sonde_measure_mapping_close(mapping);
    return error;
}

int sonde_measure_mapping_open(struct mapping *mapping, const struct layout *layout,
                               size_t page_bytes)
{
    *mapping = (struct mapping){0};
    if (layout->views)
        return open_views(mapping, layout);
    if (layout->source == SOURCE_CALLOC)
        return take_calloc(mapping, layout, page_bytes);
    return map_fresh(mapping, layout);
}

void sonde_measure_mapping_close(struct mapping *mapping)
{
    if (mapping->map)
        munmap(mapping->map, mapping->bytes);
    free(mapping->heap);
    *mapping = (struct mapping){0};
}
