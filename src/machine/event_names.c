/* Names of events by libpfm4: the one file that knows it.
 *
 * libpfm4 keeps its tables in itself and is made ready once more at every call, which it
 * allows. What can fool it: it knows events of the processor it runs on only, so a name
 * that is good elsewhere is unknown here. */
#include "machine/counters.h"

#include "config.h"

#include <errno.h>
#include <stdio.h>

#if SONDE_HAVE_LIBPFM

#include <perfmon/pfmlib_perf_event.h>

int sonde_machine_event_find(const char *name, struct counter_event *event)
{
    struct perf_event_attr attr = {0};
    pfm_perf_encode_arg_t argument = {.attr = &attr, .size = sizeof argument};

    if (pfm_initialize() != PFM_SUCCESS ||
        pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT, &argument) !=
            PFM_SUCCESS)
        return -ENOENT;
    snprintf(event->name, sizeof event->name, "%s", name);
    event->type = attr.type;
    event->config = attr.config;
    event->config1 = attr.config1;
    event->config2 = attr.config2;
    return 0;
}

#else

int sonde_machine_event_find(const char *name, struct counter_event *event)
{
    (void)name;
    (void)event;
    return -ENOTSUP;
}

#endif
