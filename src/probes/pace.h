/* How much of its wish each probe of a session gets. Pure. */
#ifndef SONDE_PROBES_PACE_H
#define SONDE_PROBES_PACE_H

struct pace {
    double budget_s;    /* of the whole */
    double wish_s;      /* of all probes together */
    double passed_s;    /* since the first one began */
    double wish_left_s; /* of those that have not run yet, the next one included */
};

/* Seconds that the next probe gets for each it wishes. */
double sonde_probe_pace(const struct pace *pace);

#endif
