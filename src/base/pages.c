/* The page of this system: never assumed, since kernels with pages of 16 and 64 KiB
 * exist.
 *
 * The C library is asked first. Where it says 0 or -1, the kernel told every process in
 * its auxiliary vector. What can fool it: a library that says another size than the
 * kernel's; a larger one does no harm, since it is a multiple. */
#include "base/pages.h"

#include <sys/auxv.h>
#include <unistd.h>

size_t sonde_base_page_bytes(void)
{
    long bytes = sysconf(_SC_PAGESIZE);

    return bytes > 0 ? (size_t)bytes : (size_t)getauxval(AT_PAGESZ);
}
