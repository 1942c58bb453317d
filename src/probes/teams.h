/* What the probes with threads share. */
#ifndef SONDE_PROBES_TEAMS_H
#define SONDE_PROBES_TEAMS_H

#include "probes/probe.h"

/* Teams are no larger: beyond, starting the threads takes longer than what is timed. */
enum { SONDE_TEAM_MAX = 64 };

/* 0, or -ENOTSUP with a line where fewer than two CPUs are allowed. */
int sonde_probe_need_two(const struct probe_context *context, struct message *why);
/* How many members the largest team has. */
size_t sonde_probe_team_most(const struct probe_context *context);
/* `members` of the allowed CPUs, evenly spread (two: the first and the last); NULL: out
 * of memory. */
const struct team *sonde_probe_team(const struct probe_context *context,
                                    struct plan *plan, size_t members);
/* A point of a team on a zeroed block, `spacing` bytes between the members. */
struct point *sonde_probe_team_point(struct plan *plan, unsigned series,
                                     const char *kernel, const struct team *team,
                                     uint64_t spacing);
/* The point at `first` (and `second`, when the series has two axes) with figures; NULL.
 */
const struct series_point *sonde_probe_team_at(const struct series *series, double first,
                                               double second);
/* Why there is no figure at that place, for people. */
const char *sonde_probe_team_why(const struct series *series, double first,
                                 double second);

#endif
