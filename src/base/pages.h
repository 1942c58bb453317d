/* The page of this system. */
#ifndef SONDE_BASE_PAGES_H
#define SONDE_BASE_PAGES_H

#include <stddef.h>

/* Bytes of a page, as the C library tells, or else the kernel; 0: neither does. */
size_t sonde_base_page_bytes(void);

#endif
