/* Sound while it is tried and in the first passes; then it crashes. How often the file
 * was loaded is kept in the file that LATE_LOADS names. */
#include <sonde.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* It is asked what it declares, and each of its kernels is tried; two passes follow. */
enum { SOUND_LOADS = 1 + 2 + 2 };

static long loads;

__attribute__((constructor)) static void count_loads(void)
{
    const char *path = getenv("LATE_LOADS");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;

    if (file < 0 || write(file, "x", 1) != 1)
        return;
    loads = (long)lseek(file, 0, SEEK_END);
    close(file);
}

long late(volatile long *p)
{
    if (loads > SOUND_LOADS)
        p[0] = *(volatile long *)loads;
    return p[0];
}

long steady(const volatile long *p)
{
    return p[0] + p[1];
}

SONDE_KERNEL(late, "", "64", "", "", "");
SONDE_KERNEL(steady, "", "64", "", "", "");
