/* The planted machine as data: what a model file says, checked and completed. The grammar
 * is in docs/SIMULATE.md; the names here are those of the file. */
#ifndef SONDE_MEASURE_SIMULATION_MODEL_H
#define SONDE_MEASURE_SIMULATION_MODEL_H

#include "base/error.h"
#include "machine/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIM_LEVELS_MAX = 6, SIM_MISS_MAX = 512 };

struct sim_level {
    char name[16];
    uint64_t size_bytes, ways;
    double latency_cycles, parallel; /* parallel: loads it answers at once */
    double bytes_per_cycle;          /* that the way to the level above carries */
    bool shared, exclusive, random;  /* random: replacement; otherwise LRU */
    bool inclusive;                  /* holds what those above hold, and takes it along */
    uint64_t sets;
    /* Lines of one set that survive a cycle: the ways, less what a neighbour holds, more
     * what an exclusive level gains from the one above it. */
    double room;
    float *miss; /* random replacement: share of misses by lines in a set; owned */
};

struct sim_model {
    char name[64], cpu[160], virtualization[48], emulation[96];
    double core_hz, tick_hz, timer_step_ns, timer_cost_ns, tick_drift_ppm;
    uint64_t page_bytes, huge_bytes, granule_bytes, line_bytes;
    struct sim_level levels[SIM_LEVELS_MAX];
    size_t level_count;
    struct {
        double latency_ns, bytes, installed_bytes, parallel;
    } memory;
    struct {
        double l1_entries, l2_entries, l1_miss_cycles, walk_cycles;
    } translation;
    struct {
        double add_cycles, multiply_cycles, width;
        double fadd_cycles, fmul_cycles, fma_cycles, float_pipes, subnormal_cycles;
    } chains;
    struct {
        double sigma, quiet_share, jitter;
        double spike_probability, spike_ns;
        double drift_amplitude, drift_period_s;
        double steals_per_s, steal_ns, pulse_faults;
    } noise;
    struct {
        double last_level_share, slowdown, on_s, off_s;
    } neighbour;
    struct {
        double granule_bytes, sibling_ns, cluster_ns, far_ns;
        unsigned siblings, cluster; /* CPUs that share a core, a cluster */
        unsigned numbered_apart;    /* from a CPU to its next sibling */
        double together, in_place;  /* part of the time; part of the samples */
        double start_ns;            /* of a thread of a new team */
    } threads;
    struct {
        double mispredict_cycles, remembers, return_stack, targets;
        double taken, taken_apart; /* branches; the widest spacing at which all fit */
    } branches;
    struct {
        double count, cpus;      /* cpus: in a row, on one node */
        double far_ns, far_rate; /* for each node further; far_rate: of the rate */
    } nodes;
    struct {
        double load_ports, store_ports, vector_load_ports, vector_bytes;
        double cache_bytes_per_cycle;
        double memory_rate, memory_rate_all, miscount; /* bytes/s; as a ratio */
        bool no_allocate;
    } bandwidth;
    struct {
        double latency_cycles, renamed_cycles, failure_cycles, alias_cycles;
        double split_cycles, page_split_cycles;
    } forward;
    struct {
        double syscall_ns, vdso_ns, map_ns, signal_ns, thread_ns, process_ns, exec_ns;
        double switch_ns, wake_ns, intercept_ns;
    } system;
    struct {
        double reach_bytes, restart_lines;
        bool descending, regions; /* regions: lines of a page in any order */
    } prefetch;
    struct {
        double per_cycle, in_flight; /* loads that hit; lines under way at once */
    } loads;
    bool way_predictor; /* finds lines of the first level by their last address alone */
    double prefetch_factor, page_fault_ns, recycled_fault_ns, huge_fault_ns;
    double counters; /* that the core counts at once; 0: it has none */
};

/* Reads and checks the model of the kind of core number `kind`, and fills the machine and
 * the facts it declares. On failure one line names file, key and remedy, and nothing is
 * left to free: -ENOENT and the like for the file, -EINVAL for what it says, -ENOMEM. */
int sonde_measure_simulation_read(const char *path, unsigned kind,
                                  struct sim_model *model, struct machine *machine,
                                  struct facts *facts, struct message *why);
void sonde_measure_simulation_free(struct sim_model *model);

#endif
