/* No declaration: the stride is in bytes. */
long plain(const long *p, long n, long stride)
{
    unsigned long total = 0;

    for (long i = 0; i < n; i++, p += stride / 8)
        total += (unsigned long)*p;
    return (long)total;
}
