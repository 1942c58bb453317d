/* Counters where there are none: loaded ahead of the C library, it answers the calls that
 * sonde makes to count events.
 *
 * The core it stands for counts two events at once, and what it counts is the work that
 * kernels of the tests say they did: `counting_work`, times a factor per event. What it
 * cannot show: what a driver really counts. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SHOWN __attribute__((visibility("default")))

enum { FILES = 1024, AT_ONCE = 2 };

SHOWN unsigned long counting_work;
SHOWN long syscall(long number, ...);
SHOWN int ioctl(int file, unsigned long request, ...);
SHOWN ssize_t read(int file, void *data, size_t size);
SHOWN int close(int file);

struct counted {
    unsigned known, leader, times; /* counts so many times the work */
    unsigned long from, total;
};
static struct counted counted[FILES];

/* The function of that name in the C library, into the pointer at `function`. */
static void find_next(const char *name, void *function, size_t size)
{
    void *address = dlsym(RTLD_NEXT, name);

    memcpy(function, &address, size);
}

static unsigned members(unsigned leader)
{
    unsigned count = 0;

    for (unsigned i = 0; i < FILES; i++)
        count += counted[i].known && counted[i].leader == leader;
    return count;
}

static unsigned times_of(const struct perf_event_attr *attr)
{
    if (attr->type == PERF_TYPE_HARDWARE && attr->config == PERF_COUNT_HW_CPU_CYCLES)
        return 2;
    if (attr->type == PERF_TYPE_HARDWARE && attr->config == PERF_COUNT_HW_INSTRUCTIONS)
        return 3;
    return attr->type == PERF_TYPE_HW_CACHE ? 5 : 0;
}

static long open_event(const struct perf_event_attr *attr, int leader)
{
    unsigned times = times_of(attr);
    int file;

    if (!times || (leader >= 0 && members((unsigned)leader) == AT_ONCE)) {
        errno = times ? EINVAL : ENOENT;
        return -1;
    }
    file = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (file < 0 || file >= FILES)
        return -1;
    counted[file] =
        (struct counted){1, leader < 0 ? (unsigned)file : (unsigned)leader, times, 0, 0};
    return file;
}

long syscall(long number, ...)
{
    long (*next)(long, ...);
    long words[6];
    va_list list;

    va_start(list, number);
    for (int i = 0; i < 6; i++)
        words[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_perf_event_open)
        return open_event((const struct perf_event_attr *)words[0], (int)words[3]);
    find_next("syscall", &next, sizeof next);
    return next(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

static void change_group(unsigned leader, unsigned long request)
{
    for (unsigned i = 0; i < FILES; i++) {
        struct counted *row = &counted[i];

        if (!row->known || row->leader != leader)
            continue;
        if (request == PERF_EVENT_IOC_RESET)
            row->total = 0;
        else if (request == PERF_EVENT_IOC_ENABLE)
            row->from = counting_work;
        else if (request == PERF_EVENT_IOC_DISABLE)
            row->total += counting_work - row->from;
    }
}

int ioctl(int file, unsigned long request, ...)
{
    int (*next)(int, unsigned long, ...);
    va_list list;
    void *word;

    va_start(list, request);
    word = va_arg(list, void *);
    va_end(list);
    if (file >= 0 && file < FILES && counted[file].known) {
        change_group((unsigned)file, request);
        return 0;
    }
    find_next("ioctl", &next, sizeof next);
    return next(file, request, word);
}

ssize_t read(int file, void *data, size_t size)
{
    ssize_t (*next)(int, void *, size_t);
    uint64_t *words = data;
    size_t count = 3;

    if (file < 0 || file >= FILES || !counted[file].known) {
        find_next("read", &next, sizeof next);
        return next(file, data, size);
    }
    words[0] = members((unsigned)file);
    words[1] = words[2] = 1000; /* counted all of the time */
    for (unsigned i = 0; i < FILES; i++)
        if (counted[i].known && counted[i].leader == (unsigned)file)
            words[count++] = counted[i].total * counted[i].times;
    return (ssize_t)(count * sizeof *words);
}

int close(int file)
{
    int (*next)(int);

    if (file >= 0 && file < FILES)
        counted[file].known = 0;
    find_next("close", &next, sizeof next);
    return next(file);
}
