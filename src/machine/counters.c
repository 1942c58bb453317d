/* Hardware counters of the calling thread.
 *
 *   group 0: cycles (leader), instructions, l1-misses
 *   group 1: tlb-misses (leader), ...
 *
 * An event joins the group opened last as long as the kernel accepts it there, which it
 * does when the core can count all of them at once; else it leads the next group. Only
 * user mode is counted, as far as the kernel can tell the modes apart. Which group is
 * next goes by multiples of the golden ratio: strictly in turn, samples that come in a
 * period (one to warm up, one that counts) would meet the same group again and again.
 *
 * What can fool it: a generic name stands for what the kernel's driver chose, and that
 * differs between cores (a first-level miss may or may not include prefetches); a counter
 * that opens may count nothing in a virtual machine. */
#include "machine/counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CACHE_MISSES(cache)                                                              \
    (PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_READ << 8 |                    \
     PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

static const struct counter_event neutral[] = {
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, 0},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 0, 0},
    {"l1-misses", PERF_TYPE_HW_CACHE, CACHE_MISSES(L1D), 0, 0},
    {"llc-misses", PERF_TYPE_HW_CACHE, CACHE_MISSES(LL), 0, 0},
    {"tlb-misses", PERF_TYPE_HW_CACHE, CACHE_MISSES(DTLB), 0, 0},
    {"mispredictions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, 0, 0},
};

/* --- names -----------------------------------------------------------------------------
 */

static int find_event(const char *name, struct counter_event *event, struct message *why)
{
    int error;

    for (size_t i = 0; i < sizeof neutral / sizeof *neutral; i++)
        if (strcmp(neutral[i].name, name) == 0) {
            *event = neutral[i];
            return 0;
        }
    error = sonde_machine_event_find(name, event);
    if (error == 0)
        return 0;
    return sonde_base_fail(
        why, -EINVAL,
        "no counter is named '%.60s': cycles, instructions, l1-misses, "
        "llc-misses, tlb-misses, mispredictions%s",
        name,
        error == -ENOTSUP ? " (this build has no libpfm4 for others)"
                          : ", or a name that libpfm4 knows of this processor");
}

static int add_event(struct counter_list *list, const char *name, struct message *why)
{
    struct counter_event event = {.type = 0};
    int error = find_event(name, &event, why);

    if (error)
        return error;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->events[i].name, name) == 0)
            return sonde_base_fail(why, -EINVAL, "the counter '%s' is named twice", name);
    if (list->count == COUNTERS_MAX)
        return sonde_base_fail(why, -EINVAL, "more than %d counters", COUNTERS_MAX);
    list->events[list->count++] = event;
    return 0;
}

int sonde_machine_counters_parse(struct counter_list *list, const char *text,
                                 struct message *why)
{
    int error = 0;

    list->count = 0;
    while (!error) {
        char name[COUNTER_NAME];
        size_t length = strcspn(text, ",");

        if (length == 0 || length >= sizeof name)
            return sonde_base_fail(why, -EINVAL,
                                   "'%.60s' begins with no name of a counter", text);
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        error = add_event(list, name, why);
        if (!text[length])
            break;
        text += length + 1;
    }
    return error;
}

/* --- what the kernel says --------------------------------------------------------------
 */

static int open_event(const struct counter_event *event, int leader)
{
    struct perf_event_attr attr = {
        .type = event->type,
        .size = sizeof attr,
        .config = event->config,
        .config1 = event->config1,
        .config2 = event->config2,
        .disabled = leader < 0,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
                       PERF_FORMAT_TOTAL_TIME_RUNNING,
    };
    long file = syscall(SYS_perf_event_open, &attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);

    return file < 0 ? -errno : (int)file;
}

int sonde_machine_counters_try(void)
{
    int file = open_event(&neutral[0], -1);

    if (file < 0)
        return file;
    close(file);
    return 0;
}

static const struct refusal {
    int code;
    const char *name, *meaning;
} refusals[] = {
    {ENOENT, "ENOENT", "the machine offers no hardware counters"},
    {EOPNOTSUPP, "EOPNOTSUPP", "the machine offers no such counter"},
    {EACCES, "EACCES", "forbidden to this process"},
    {EPERM, "EPERM", "forbidden to this process"},
    {ENOSYS, "ENOSYS", "no such system call, or filtered"},
    {ENODEV, "ENODEV", "no counter unit"},
    {EINVAL, "EINVAL", "the processor has no such event"},
    {0, "another error", "the attempt failed"},
};

void sonde_machine_counters_reason(int code, const char *paranoid, char *out, size_t size)
{
    const struct refusal *refusal = refusals;

    while (refusal->code && refusal->code != -code)
        refusal++;
    snprintf(out, size, "%s (%s, perf_event_paranoid %s)", refusal->meaning,
             refusal->name, paranoid);
}

/* --- groups ----------------------------------------------------------------------------
 */

struct group {
    int files[COUNTERS_MAX];     /* files[0] is the leader's */
    size_t events[COUNTERS_MAX]; /* their places in the list */
    size_t count;
};

struct counters {
    struct group groups[COUNTERS_MAX];
    size_t group_count, turn, event_count;
    uint64_t phase;
};

/* 2^64 over the golden ratio: its multiples are spread evenly, and so is every second,
 * every third, ... of them (Weyl's sequence). */
static const uint64_t golden_step = 0x9e3779b97f4a7c15;

size_t sonde_machine_counters_turn(uint64_t *phase, size_t groups)
{
    *phase += golden_step;
    return (size_t)((*phase >> 32) * groups >> 32);
}

/* Joins the last group, or leads the next; 0 or a negative errno. */
static int place_event(struct counters *counters, const struct counter_event *event,
                       size_t place)
{
    struct group *group =
        counters->group_count ? &counters->groups[counters->group_count - 1] : NULL;
    int file = group ? open_event(event, group->files[0]) : -EINVAL;

    if (file < 0) {
        group = &counters->groups[counters->group_count];
        file = open_event(event, -1);
        if (file < 0)
            return file;
        counters->group_count++;
    }
    group->files[group->count] = file;
    group->events[group->count++] = place;
    return 0;
}

static void read_paranoid(char *line, size_t size)
{
    FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");

    snprintf(line, size, "unknown");
    if (file && fgets(line, (int)size, file))
        line[strcspn(line, "\n")] = '\0';
    if (file)
        fclose(file);
}

int sonde_machine_counters_open(const struct counter_list *list,
                                struct counters **counters, struct message *why)
{
    char paranoid[16], reason[160], missing[120] = "";
    int first = 0;

    *counters = calloc(1, sizeof **counters);
    if (!*counters)
        return sonde_base_fail(why, -ENOMEM, "out of memory for counters");
    (*counters)->event_count = list->count;
    /* Short-lived processes that count do not all begin with the same group. */
    (*counters)->phase = golden_step * (uint64_t)getpid();
    for (size_t i = 0; i < list->count; i++) {
        int error = place_event(*counters, &list->events[i], i);
        size_t used = strlen(missing);

        if (!error)
            continue;
        first = first ? first : error;
        snprintf(missing + used, sizeof missing - used, "%s%s", used ? ", " : "",
                 list->events[i].name);
    }
    if (!first)
        return 0;
    read_paranoid(paranoid, sizeof paranoid);
    sonde_machine_counters_reason(first, paranoid, reason, sizeof reason);
    sonde_base_fail(why, first, "%s: %s", missing, reason);
    if ((*counters)->group_count)
        return 0;
    sonde_machine_counters_close(*counters);
    *counters = NULL;
    return first;
}

void sonde_machine_counters_close(struct counters *counters)
{
    if (!counters)
        return;
    for (size_t g = 0; g < counters->group_count; g++)
        for (size_t i = counters->groups[g].count; i-- > 0;)
            close(counters->groups[g].files[i]);
    free(counters);
}

void sonde_machine_counters_begin(struct counters *counters)
{
    int leader;

    counters->turn = sonde_machine_counters_turn(&counters->phase, counters->group_count);
    leader = counters->groups[counters->turn].files[0];
    ioctl(leader, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
    ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
}

void sonde_machine_counters_end(struct counters *counters, double *values)
{
    const struct group *group = &counters->groups[counters->turn];
    struct {
        uint64_t count, enabled, running, value[COUNTERS_MAX];
    } data = {0};
    ssize_t got;

    ioctl(group->files[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
    for (size_t i = 0; i < counters->event_count; i++)
        values[i] = NAN;
    got = read(group->files[0], &data, sizeof data);
    if (got < (ssize_t)(3 * sizeof(uint64_t)) || data.count != group->count ||
        data.running == 0 || data.running != data.enabled)
        return;
    for (size_t i = 0; i < group->count; i++)
        values[group->events[i]] = (double)data.value[i];
}
