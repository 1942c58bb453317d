/* A model file becomes a planted machine: read, checked against bounds, checked against
 * itself, completed (sets, room, tables).
 *
 * A model with kinds of cores is read once per kind: keys of the kind come first, those
 * of the file fill the rest. Checked against itself: ways divide sizes, sets are powers
 * of two, levels grow in size and in latency, memory is slower than all of them. What can
 * fool it: a model may be consistent and yet unlike any machine; that is its author's. */
#include "measure/simulation_model.h"

#include "machine/counters.h"

#include "measure/simulation_cache.h"
#include "measure/simulation_declare.h"
#include "measure/simulation_json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define get   sonde_measure_simulation_number
#define fault sonde_measure_simulation_fault

/* Bounds are wide: from the slowest and smallest hardware in use to beyond the largest,
 * so that only slips of the pen are caught. */
static const double kib = 1024, gib = 1024.0 * 1024 * 1024;
static const double year_s = 3e7;

static const char *const model_keys[] = {"name",
                                         "comment",
                                         "cpu",
                                         "cpus",
                                         "core_hz",
                                         "timer",
                                         "page_bytes",
                                         "line_bytes",
                                         "huge_bytes",
                                         "granule_bytes",
                                         "levels",
                                         "memory",
                                         "translation",
                                         "chains",
                                         "noise",
                                         "neighbour",
                                         "threads",
                                         "branches",
                                         "bandwidth",
                                         "loads",
                                         "declared",
                                         "kinds",
                                         "emulation",
                                         "virtualization",
                                         "prefetch",
                                         "system",
                                         "forward",
                                         "prefetch_factor",
                                         "counters",
                                         "page_fault_ns",
                                         "recycled_fault_ns",
                                         "huge_fault_ns",
                                         "way_predictor",
                                         "nodes",
                                         NULL};
static const char *const kind_keys[] = {
    "name",          "cpus",          "core_hz",
    "line_bytes",    "granule_bytes", "levels",
    "memory",        "translation",   "chains",
    "noise",         "neighbour",     "branches",
    "bandwidth",     "declared",      "prefetch",
    "forward",       "counters",      "prefetch_factor",
    "page_fault_ns", "loads",         "recycled_fault_ns",
    "huge_fault_ns", "way_predictor", NULL};
static const char *const level_keys[] = {"name",        "size_bytes", "ways",
                                         "shared",      "exclusive",  "latency_cycles",
                                         "replacement", "parallel",   "bytes_per_cycle",
                                         "inclusive",   NULL};
static const char *const timer_keys[] = {"tick_hz", "step_ns", "cost_ns",
                                         "tick_drift_ppm", NULL};
static const char *const memory_keys[] = {"latency_ns", "bytes", "installed_bytes",
                                          "parallel", NULL};
static const char *const translation_keys[] = {"l1_entries", "l2_entries",
                                               "l1_miss_cycles", "walk_cycles", NULL};
static const char *const chain_keys[] = {"add_cycles",  "multiply_cycles",  "width",
                                         "fadd_cycles", "fmul_cycles",      "fma_cycles",
                                         "float_pipes", "subnormal_cycles", NULL};
static const char *const noise_keys[] = {"sigma",
                                         "quiet_share",
                                         "jitter",
                                         "spike_probability",
                                         "spike_ns",
                                         "drift_amplitude",
                                         "drift_period_s",
                                         "steals_per_s",
                                         "steal_ns",
                                         "pulse_faults",
                                         NULL};
static const char *const thread_keys[] = {
    "granule_bytes", "siblings", "numbered_apart", "cluster",  "sibling_ns", "cluster_ns",
    "far_ns",        "together", "in_place",       "start_ns", NULL};
static const char *const load_keys[] = {"per_cycle", "in_flight", NULL};
static const char *const branch_keys[] = {
    "mispredict_cycles", "remembers", "return_stack", "targets", "taken",
    "taken_apart",       NULL};
static const char *const bandwidth_keys[] = {"load_ports",        "store_ports",
                                             "vector_bytes",      "cache_bytes_per_cycle",
                                             "memory_rate",       "memory_rate_all",
                                             "miscount",          "no_allocate",
                                             "vector_load_ports", NULL};
static const char *const neighbour_keys[] = {"last_level_share", "slowdown", "on_s",
                                             "off_s", NULL};

/* --- parts of the file
 * ------------------------------------------------------------------ */

static void read_timer(struct sim_reader *reader, struct sim_model *model)
{
    struct sim_reader outer = *reader;

    if (sonde_measure_simulation_enter(reader, "timer", true)) {
        sonde_measure_simulation_known(reader, timer_keys);
        model->tick_hz = get(reader, "tick_hz", 1e3, 1e11, NAN);
        model->timer_step_ns = get(reader, "step_ns", 1e-3, 1e9, NAN);
        model->timer_cost_ns = get(reader, "cost_ns", 0, 1e6, NAN);
        model->tick_drift_ppm = get(reader, "tick_drift_ppm", 0, 1e6, 0);
    }
    sonde_measure_simulation_leave(reader, &outer);
}

static void read_memory(struct sim_reader *reader, struct sim_model *model)
{
    struct sim_reader outer = *reader;

    if (sonde_measure_simulation_enter(reader, "memory", true)) {
        sonde_measure_simulation_known(reader, memory_keys);
        model->memory.latency_ns = get(reader, "latency_ns", 0.1, 1e6, NAN);
        model->memory.bytes = get(reader, "bytes", 64 * kib, 1e6 * gib, NAN);
        model->memory.installed_bytes =
            get(reader, "installed_bytes", model->memory.bytes, 1e6 * gib,
                model->memory.bytes);
        model->memory.parallel = get(reader, "parallel", 1, 1e6, 24);
    }
    sonde_measure_simulation_leave(reader, &outer);
}

static void read_translation(struct sim_reader *reader, struct sim_model *model)
{
    struct sim_reader outer = *reader;

    if (sonde_measure_simulation_enter(reader, "translation", true)) {
        sonde_measure_simulation_known(reader, translation_keys);
        model->translation.l1_entries = get(reader, "l1_entries", 1, 1e6, NAN);
        model->translation.l2_entries = get(reader, "l2_entries", 0, 1e7, NAN);
        model->translation.l1_miss_cycles = get(reader, "l1_miss_cycles", 0, 1e4, NAN);
        model->translation.walk_cycles = get(reader, "walk_cycles", 0, 1e5, NAN);
    }
    sonde_measure_simulation_leave(reader, &outer);
}

static void read_floating(struct sim_reader *reader, struct sim_model *model)
{
    model->chains.fadd_cycles = get(reader, "fadd_cycles", 0.1, 1e3, 3);
    model->chains.fmul_cycles = get(reader, "fmul_cycles", 0.1, 1e3, 3);
    model->chains.fma_cycles = get(reader, "fma_cycles", 0.1, 1e3, 4);
    model->chains.float_pipes = get(reader, "float_pipes", 0.1, 64, 2);
    model->chains.subnormal_cycles = get(reader, "subnormal_cycles", 0, 1e4, 0);
}

static void read_chains(struct sim_reader *reader, struct sim_model *model)
{
    struct sim_reader outer = *reader;

    model->chains.add_cycles = 1;
    model->chains.multiply_cycles = 3;
    model->chains.width = 4;
    model->chains.fadd_cycles = model->chains.fmul_cycles = 3;
    model->chains.fma_cycles = 4;
    model->chains.float_pipes = 2;
    model->chains.subnormal_cycles = 0;
    if (sonde_measure_simulation_enter(reader, "chains", false)) {
        sonde_measure_simulation_known(reader, chain_keys);
        model->chains.add_cycles = get(reader, "add_cycles", 0.1, 1e3, 1);
        model->chains.multiply_cycles = get(reader, "multiply_cycles", 0.1, 1e3, 3);
        model->chains.width = get(reader, "width", 0.1, 64, 4);
        read_floating(reader, model);
    }
    sonde_measure_simulation_leave(reader, &outer);
}

static void read_noise(struct sim_reader *reader, struct sim_model *model)
{
    struct sim_reader outer = *reader;

    model->noise.drift_period_s = 1;
    if (sonde_measure_simulation_enter(reader, "noise", false)) {
        sonde_measure_simulation_known(reader, noise_keys);
        model->noise.sigma = get(reader, "sigma", 0, 10, 0);
        model->noise.quiet_share = get(reader, "quiet_share", 0, 1, 0.5);
        model->noise.jitter = get(reader, "jitter", 0, 0.5, 0);
        model->noise.spike_probability = get(reader, "spike_probability", 0, 1, 0);
        model->noise.spike_ns = get(reader, "spike_ns", 0, 1e9, 0);
        model->noise.drift_amplitude = get(reader, "drift_amplitude", 0, 0.9, 0);
        model->noise.drift_period_s = get(reader, "drift_period_s", 1e-3, year_s, 1);
        model->noise.steals_per_s = get(reader, "steals_per_s", 0, 1e5, 0);
        model->noise.pulse_faults = get(reader, "pulse_faults", 0, 1, 0);
        model->noise.steal_ns = get(reader, "steal_ns", 0, 1e9, 0);
    }
    sonde_measure_simulation_leave(reader, &outer);
}

static void read_neighbour(struct sim_reader *reader, struct sim_model *model)
{
    struct sim_reader outer = *reader;

    model->neighbour.slowdown = 1;
    if (sonde_measure_simulation_enter(reader, "neighbour", false)) {
        sonde_measure_simulation_known(reader, neighbour_keys);
        model->neighbour.last_level_share = get(reader, "last_level_share", 0, 0.95, 0);
        model->neighbour.slowdown = get(reader, "slowdown", 1, 100, 1);
        model->neighbour.on_s = get(reader, "on_s", 0, year_s, 0);
        model->neighbour.off_s = get(reader, "off_s", 0, year_s, 0);
    }
    sonde_measure_simulation_leave(reader, &outer);
}

static void read_threads(struct sim_reader *reader, struct sim_model *model)
{
    struct sim_reader outer = *reader;

    model->threads.granule_bytes = (double)model->line_bytes;
    model->threads.siblings = model->threads.cluster = 1;
    model->threads.numbered_apart = 1;
    model->threads.sibling_ns = 8;
    model->threads.cluster_ns = model->threads.far_ns = 40;
    model->threads.together = model->threads.in_place = 1;
    if (sonde_measure_simulation_enter(reader, "threads", false)) {
        sonde_measure_simulation_known(reader, thread_keys);
        model->threads.granule_bytes =
            get(reader, "granule_bytes", 8, 4096, (double)model->line_bytes);
        model->threads.siblings = (unsigned)get(reader, "siblings", 1, 16, 1);
        model->threads.numbered_apart =
            (unsigned)get(reader, "numbered_apart", 1, 65536, 1);
        model->threads.cluster = (unsigned)get(reader, "cluster", model->threads.siblings,
                                               65536, model->threads.siblings);
        model->threads.sibling_ns = get(reader, "sibling_ns", 0.1, 1e6, 8);
        model->threads.cluster_ns = get(reader, "cluster_ns", 0.1, 1e6, 40);
        model->threads.far_ns = get(reader, "far_ns", model->threads.cluster_ns, 1e6,
                                    model->threads.cluster_ns);
        model->threads.together = get(reader, "together", 0, 1, 1);
        model->threads.in_place = get(reader, "in_place", 0, 1, 1);
        model->threads.start_ns = get(reader, "start_ns", 0, 1e9, 0);
    }
    sonde_measure_simulation_leave(reader, &outer);
}

static void read_branches(struct sim_reader *reader, struct sim_model *model)
{
    struct sim_reader outer = *reader;

    model->branches.mispredict_cycles = 15;
    model->branches.remembers = 4096;
    model->branches.return_stack = 32;
    model->branches.targets = 512;
    model->branches.taken = 4096;
    model->branches.taken_apart = 64;
    if (sonde_measure_simulation_enter(reader, "branches", false)) {
        sonde_measure_simulation_known(reader, branch_keys);
        model->branches.mispredict_cycles = get(reader, "mispredict_cycles", 0, 1e3, 15);
        model->branches.remembers = get(reader, "remembers", 0, 1e9, 4096);
        model->branches.return_stack = get(reader, "return_stack", 0, 1e6, 32);
        model->branches.targets = get(reader, "targets", 1, 1e6, 512);
        model->branches.taken = get(reader, "taken", 1, 1e6, 4096);
        model->branches.taken_apart = get(reader, "taken_apart", 1, 4096, 64);
    }
    sonde_measure_simulation_leave(reader, &outer);
}

static void read_rates(struct sim_reader *reader, struct sim_model *model)
{
    model->bandwidth.load_ports = get(reader, "load_ports", 0.1, 64, 2);
    model->bandwidth.store_ports = get(reader, "store_ports", 0.1, 64, 1);
    model->bandwidth.vector_bytes = get(reader, "vector_bytes", 8, 64, 16);
    model->bandwidth.cache_bytes_per_cycle =
        get(reader, "cache_bytes_per_cycle", 0.1, 1e3, 24);
    model->bandwidth.memory_rate = get(reader, "memory_rate", 1e6, 1e13, 2e10);
    model->bandwidth.memory_rate_all = get(reader, "memory_rate_all", 1e6, 1e14, 3e10);
    model->bandwidth.vector_load_ports =
        get(reader, "vector_load_ports", 0.1, 16, model->bandwidth.load_ports);
    model->bandwidth.miscount = get(reader, "miscount", 0.01, 100, 1);
    model->bandwidth.no_allocate = sonde_measure_simulation_flag(reader, "no_allocate");
}

static void read_bandwidth(struct sim_reader *reader, struct sim_model *model)
{
    struct sim_reader outer = *reader;

    if (sonde_measure_simulation_enter(reader, "bandwidth", false)) {
        sonde_measure_simulation_known(reader, bandwidth_keys);
        read_rates(reader, model);
    } else {
        model->bandwidth.load_ports = model->bandwidth.vector_load_ports = 2;
        model->bandwidth.store_ports = 1;
        model->bandwidth.vector_bytes = 16;
        model->bandwidth.cache_bytes_per_cycle = 24;
        model->bandwidth.memory_rate = 2e10;
        model->bandwidth.memory_rate_all = 3e10;
        model->bandwidth.miscount = 1;
    }
    sonde_measure_simulation_leave(reader, &outer);
}

static void read_forward(struct sim_reader *reader, struct sim_model *model)
{
    static const char *const keys[] = {"latency_cycles",
                                       "renamed_cycles",
                                       "failure_cycles",
                                       "alias_cycles",
                                       "split_cycles",
                                       "page_split_cycles",
                                       NULL};
    struct sim_reader outer = *reader;

    model->forward.latency_cycles = model->forward.renamed_cycles = 5;
    model->forward.failure_cycles = 14;
    model->forward.split_cycles = model->forward.page_split_cycles = 1;
    if (sonde_measure_simulation_enter(reader, "forward", false)) {
        sonde_measure_simulation_known(reader, keys);
        model->forward.latency_cycles = get(reader, "latency_cycles", 0, 1e3, 5);
        model->forward.renamed_cycles = get(reader, "renamed_cycles", 0, 1e3, 5);
        model->forward.failure_cycles = get(reader, "failure_cycles", 0, 1e4, 14);
        model->forward.alias_cycles = get(reader, "alias_cycles", 0, 1e4, 0);
        model->forward.split_cycles = get(reader, "split_cycles", 0, 1e4, 1);
        model->forward.page_split_cycles = get(reader, "page_split_cycles", 0, 1e4, 1);
    }
    sonde_measure_simulation_leave(reader, &outer);
}

static void read_system(struct sim_reader *reader, struct sim_model *model)
{
    const struct {
        const char *key;
        double *value, otherwise;
    } rows[] = {
        {"syscall_ns", &model->system.syscall_ns, 200},
        {"vdso_ns", &model->system.vdso_ns, 25},
        {"map_ns", &model->system.map_ns, 900},
        {"signal_ns", &model->system.signal_ns, 1500},
        {"thread_ns", &model->system.thread_ns, 20e3},
        {"process_ns", &model->system.process_ns, 150e3},
        {"exec_ns", &model->system.exec_ns, 600e3},
        {"switch_ns", &model->system.switch_ns, 1500},
        {"wake_ns", &model->system.wake_ns, 3000},
        {"intercept_ns", &model->system.intercept_ns, 0},
    };
    enum { ROWS = sizeof rows / sizeof rows[0] };
    const char *keys[ROWS + 1] = {NULL};
    struct sim_reader outer = *reader;
    bool there;

    for (size_t i = 0; i < ROWS; i++) {
        keys[i] = rows[i].key;
        *rows[i].value = rows[i].otherwise;
    }
    there = sonde_measure_simulation_enter(reader, "system", false);
    if (there)
        sonde_measure_simulation_known(reader, keys);
    for (size_t i = 0; there && i < ROWS; i++)
        *rows[i].value = get(reader, rows[i].key, 0, 1e12, rows[i].otherwise);
    sonde_measure_simulation_leave(reader, &outer);
}

static void read_prefetch(struct sim_reader *reader, struct sim_model *model)
{
    static const char *const keys[] = {"reach_bytes", "restart_lines", "descending",
                                       "regions", NULL};
    struct sim_reader outer = *reader;

    model->prefetch.reach_bytes = 2048;
    model->prefetch.restart_lines = 2;
    model->prefetch.descending = true;
    if (sonde_measure_simulation_enter(reader, "prefetch", false)) {
        sonde_measure_simulation_known(reader, keys);
        model->prefetch.reach_bytes = get(reader, "reach_bytes", 0, 1e9, 2048);
        model->prefetch.restart_lines = get(reader, "restart_lines", 0, 1e6, 2);
        model->prefetch.descending = sonde_measure_simulation_flag(reader, "descending");
        model->prefetch.regions = sonde_measure_simulation_flag(reader, "regions");
    }
    sonde_measure_simulation_leave(reader, &outer);
}

static void read_nodes(struct sim_reader *reader, struct sim_model *model)
{
    static const char *const keys[] = {"count", "cpus", "far_ns", "far_rate", NULL};
    struct sim_reader outer = *reader;

    model->nodes.count = model->nodes.far_rate = 1;
    model->nodes.cpus = SONDE_CPU_MAX;
    if (sonde_measure_simulation_enter(reader, "nodes", false)) {
        sonde_measure_simulation_known(reader, keys);
        model->nodes.count = get(reader, "count", 1, SONDE_NODES_MAX, NAN);
        model->nodes.cpus = get(reader, "cpus", 1, SONDE_CPU_MAX, NAN);
        model->nodes.far_ns = get(reader, "far_ns", 0, 1e6, 0);
        model->nodes.far_rate = get(reader, "far_rate", 1e-3, 1, 1);
    }
    sonde_measure_simulation_leave(reader, &outer);
}

static void read_loads(struct sim_reader *reader, struct sim_model *model)
{
    struct sim_reader outer = *reader;

    model->loads.per_cycle = 3;
    model->loads.in_flight = 10;
    if (sonde_measure_simulation_enter(reader, "loads", false)) {
        sonde_measure_simulation_known(reader, load_keys);
        model->loads.per_cycle = get(reader, "per_cycle", 0.1, 16, 3);
        model->loads.in_flight = get(reader, "in_flight", 1, 1000, 10);
    }
    sonde_measure_simulation_leave(reader, &outer);
}

/* --- levels
 * ----------------------------------------------------------------------------- */

static void read_replacement(struct sim_reader *reader, struct sim_level *level)
{
    char name[16];

    sonde_measure_simulation_text(reader, "replacement", "lru", name, sizeof name);
    level->random = strcmp(name, "random") == 0;
    if (!level->random && strcmp(name, "lru") != 0)
        fault(reader, "replacement", "\"%s\" is not known; give \"lru\" or \"random\"",
              name);
}

static void read_level(struct sim_reader *reader, const struct sim_model *model,
                       struct sim_level *level)
{
    double ways, size;

    sonde_measure_simulation_known(reader, level_keys);
    sonde_measure_simulation_text(reader, "name", NULL, level->name, sizeof level->name);
    size = get(reader, "size_bytes", 512, 16 * gib, NAN);
    ways = get(reader, "ways", 1, 128, NAN);
    level->latency_cycles = get(reader, "latency_cycles", 0.1, 1e6, NAN);
    level->parallel = get(reader, "parallel", 1, 1e6, 12);
    level->bytes_per_cycle = get(reader, "bytes_per_cycle", 0.1, 1024, 32);
    level->shared = sonde_measure_simulation_flag(reader, "shared");
    level->exclusive = sonde_measure_simulation_flag(reader, "exclusive");
    level->inclusive = sonde_measure_simulation_flag(reader, "inclusive");
    if (level->inclusive && level->exclusive)
        fault(reader, "inclusive", "a level is not exclusive as well; give one of them");
    read_replacement(reader, level);
    if (reader->error)
        return;
    level->size_bytes = (uint64_t)size;
    level->ways = (uint64_t)ways;
    level->sets = level->size_bytes / (level->ways * model->line_bytes);
    if ((double)level->ways != ways || (double)level->size_bytes != size ||
        level->sets * level->ways * model->line_bytes != level->size_bytes)
        fault(reader, "ways",
              "%.15g ways of %llu-byte lines do not divide %.15g bytes; give a size that "
              "is a multiple of both",
              ways, (unsigned long long)model->line_bytes, size);
    else if (level->sets & (level->sets - 1))
        fault(reader, "size_bytes",
              "%llu bytes in %llu ways make %llu sets; give sizes and ways that make a "
              "power of two",
              (unsigned long long)level->size_bytes, (unsigned long long)level->ways,
              (unsigned long long)level->sets);
}

/* Each level is larger and slower than the one above it. */
static void check_growth(struct sim_reader *reader, const struct sim_level *above,
                         const struct sim_level *level)
{
    if (level->size_bytes <= above->size_bytes)
        fault(
            reader, "size_bytes",
            "%llu bytes are no more than the %llu of %s above; list the levels from the "
            "smallest",
            (unsigned long long)level->size_bytes, (unsigned long long)above->size_bytes,
            above->name);
    else if (level->latency_cycles <= above->latency_cycles)
        fault(reader, "latency_cycles",
              "%.15g cycles are no more than the %.15g of %s above; give more",
              level->latency_cycles, above->latency_cycles, above->name);
}

static void read_levels(struct sim_reader *reader, struct sim_model *model)
{
    size_t count = sonde_measure_simulation_count(reader, "levels");

    if (count == 0 || count > SIM_LEVELS_MAX) {
        fault(reader, "levels", "%zu levels; give 1 to %d", count, SIM_LEVELS_MAX);
        return;
    }
    for (size_t i = 0; i < count && !reader->error; i++) {
        struct sim_reader outer = *reader;

        if (sonde_measure_simulation_enter_item(reader, "levels", i))
            read_level(reader, model, &model->levels[i]);
        if (i > 0 && !reader->error)
            check_growth(reader, &model->levels[i - 1], &model->levels[i]);
        if (i == 0 && model->levels[0].exclusive)
            fault(reader, "exclusive", "nothing lies above the first level; give false");
        sonde_measure_simulation_leave(reader, &outer);
        model->level_count = i + 1;
    }
}

/* --- the whole
 * -------------------------------------------------------------------------- */

static void read_pages(struct sim_reader *reader, struct sim_model *model)
{
    model->page_bytes =
        sonde_measure_simulation_power(reader, "page_bytes", 4096, 65536, 4096);
    model->huge_bytes =
        sonde_measure_simulation_power(reader, "huge_bytes", 65536, 1 << 30, 2 << 20);
    model->granule_bytes = sonde_measure_simulation_power(reader, "granule_bytes", 4096,
                                                          1 << 30, model->page_bytes);
    model->line_bytes =
        sonde_measure_simulation_power(reader, "line_bytes", 16, 4096, 64);
}

static void check_whole(struct sim_reader *reader, const struct sim_model *model)
{
    const struct sim_level *last;

    if (reader->error)
        return;
    last = &model->levels[model->level_count - 1];
    if (model->memory.latency_ns * model->core_hz * 1e-9 <= last->latency_cycles)
        fault(reader, "memory.latency_ns",
              "%.15g ns are no more than the %.15g cycles of %s; give more",
              model->memory.latency_ns, last->latency_cycles, last->name);
    if (model->granule_bytes < model->page_bytes ||
        model->granule_bytes > model->huge_bytes)
        fault(reader, "granule_bytes",
              "%llu bytes; give page_bytes, huge_bytes or between",
              (unsigned long long)model->granule_bytes);
    if (model->neighbour.last_level_share > 0 && !last->shared)
        fault(reader, "neighbour.last_level_share",
              "%s is not shared; give 0, or \"shared\": true to the last level",
              last->name);
}

static void read_all(struct sim_reader *reader, struct sim_model *model)
{
    sonde_measure_simulation_text(reader, "cpu", NULL, model->cpu, sizeof model->cpu);
    sonde_measure_simulation_text(reader, "virtualization", "", model->virtualization,
                                  sizeof model->virtualization);
    sonde_measure_simulation_text(reader, "emulation", "", model->emulation,
                                  sizeof model->emulation);
    model->core_hz = get(reader, "core_hz", 1e6, 2e10, NAN);
    read_timer(reader, model);
    read_pages(reader, model);
    if (!reader->error)
        read_levels(reader, model);
    read_memory(reader, model);
    read_translation(reader, model);
    read_chains(reader, model);
    read_noise(reader, model);
    read_neighbour(reader, model);
    read_threads(reader, model);
    read_branches(reader, model);
    read_bandwidth(reader, model);
    read_prefetch(reader, model);
    read_forward(reader, model);
    read_system(reader, model);
    read_loads(reader, model);
    read_nodes(reader, model);
    model->counters = get(reader, "counters", 0, COUNTERS_MAX, 0);
    model->prefetch_factor = get(reader, "prefetch_factor", 1, 1e3, 4);
    model->page_fault_ns = get(reader, "page_fault_ns", 0, 1e9, 1000);
    model->recycled_fault_ns =
        get(reader, "recycled_fault_ns", 0, 1e9, model->page_fault_ns);
    model->huge_fault_ns =
        get(reader, "huge_fault_ns", 0, 1e10, 100 * model->page_fault_ns);
    model->way_predictor = sonde_measure_simulation_flag(reader, "way_predictor");
    check_whole(reader, model);
}

static double room_of(const struct sim_model *model, size_t index)
{
    const struct sim_level *level = &model->levels[index];
    double room = (double)level->ways;

    if (index + 1 == model->level_count)
        room *= 1 - model->neighbour.last_level_share;
    /* A line is in this level or in the one above, never in both. */
    if (level->exclusive)
        room += (double)level->ways * (double)model->levels[index - 1].size_bytes /
                (double)level->size_bytes;
    return room;
}

static int complete(struct sim_model *model)
{
    for (size_t i = 0; i < model->level_count; i++) {
        struct sim_level *level = &model->levels[i];

        level->room = room_of(model, i);
        if (!level->random)
            continue;
        level->miss = malloc(SIM_MISS_MAX * sizeof *level->miss);
        if (!level->miss)
            return -ENOMEM;
        for (size_t lines = 0; lines < SIM_MISS_MAX; lines++)
            level->miss[lines] =
                (float)sonde_measure_simulation_random_miss((double)lines, level->room);
    }
    return 0;
}

/* Keys of a kind come before those of the file. */
static void choose_kind(struct sim_reader *reader, unsigned kind)
{
    size_t count = sonde_measure_simulation_count(reader, "kinds");
    bool declared = json_object_get(reader->top, "kinds") != NULL;

    sonde_measure_simulation_known(reader, model_keys);
    if ((declared && count == 0) || kind >= (count ? count : 1))
        fault(reader, "kinds", "kind %u is asked for and there are %zu; give more", kind,
              count);
    if (count && sonde_measure_simulation_enter_item(reader, "kinds", kind)) {
        sonde_measure_simulation_known(reader, kind_keys);
        reader->second = reader->top;
    }
}

void sonde_measure_simulation_free(struct sim_model *model)
{
    for (size_t i = 0; i < SIM_LEVELS_MAX; i++)
        free(model->levels[i].miss);
    *model = (struct sim_model){.name = ""};
}

int sonde_measure_simulation_read(const char *path, unsigned kind,
                                  struct sim_model *model, struct machine *machine,
                                  struct facts *facts, struct message *why)
{
    struct sim_reader reader;
    int error = sonde_measure_simulation_parse(&reader, path, why);

    *model = (struct sim_model){.name = ""};
    if (error)
        return error;
    sonde_measure_simulation_text(&reader, "name", NULL, model->name, sizeof model->name);
    choose_kind(&reader, kind);
    if (!reader.error)
        read_all(&reader, model);
    error = reader.error ? reader.error : complete(model);
    if (!error)
        error = sonde_measure_simulation_declare(&reader, model, machine, facts);
    if (error == -ENOMEM)
        sonde_base_fail(why, error, "%s: out of memory for the model", path);
    if (error)
        sonde_measure_simulation_free(model);
    json_decref(reader.top);
    return error;
}
