/* Costs of a pointer chase on planted caches and translation.
 *
 * A ring is walked over and over, so what counts is the steady state of a cycle. With LRU
 * a line is still there when its turn comes again if and only if the lines of its set met
 * in between are fewer than the places of the set. Three ways to count lines by set:
 *
 *   closed form   the set follows from address bits that translation leaves alone (the
 *                 first level, or a span within one page frame): lines over sets, evenly
 *   by colour     frames are random: pages are counted by the index bits of their frame,
 *                 since all pages of a dense ring put one line into each set of theirs
 *   by node       sparse, skewed, shifted and paired rings: every node's set, from its
 *                 own address; the second of a pair hits where it shares the first's line
 *
 * Several walks at once share a level's answers evenly, up to as many as it gives at
 * once. What it leaves out: hashed indices, bandwidth, and the joint distribution of
 * misses over levels in dense rings, where a line that misses a level is taken to have
 * missed those above (true once a ring exceeds them). */
#include "measure/simulation_cache.h"

#include "base/random.h"
#include "measure/ring.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounds of the fixed point: m falls monotonically from 1 and settles to 1e-9 in far
 * fewer, except at lines = ways + 1, where 200 give 1e-4. */
enum { FIXED_POINT_ROUNDS = 200 };

struct walk {
    const struct sim_model *model;
    const struct layout *layout;
    struct sim_sets *sets;
    struct random_source random;
    uint64_t base, frame_bytes;
    double miss[SIM_LEVELS_MAX]; /* share of steps that miss level i and all above */
    double window_bytes;         /* NaN: the ring is one window */
};

int sonde_measure_simulation_sets_open(const struct sim_model *model,
                                       struct sim_sets *sets)
{
    *sets = (struct sim_sets){{NULL}};
    for (size_t i = 0; i < model->level_count; i++) {
        sets->count[i] = malloc((size_t)model->levels[i].sets * sizeof *sets->count[i]);
        if (!sets->count[i]) {
            sonde_measure_simulation_sets_close(sets);
            return -ENOMEM;
        }
    }
    return 0;
}

void sonde_measure_simulation_sets_close(struct sim_sets *sets)
{
    for (size_t i = 0; i < SIM_LEVELS_MAX; i++)
        free(sets->count[i]);
    *sets = (struct sim_sets){{NULL}};
}

/* --- replacement ----------------------------------------------------------------------
 */

/* Visits that lie anywhere: with v of them on the circle of a cycle, a gap is longer than
 * g with probability (1-g)^(v-1), and meets 1-(1-g)^v of the lines. Visits inside one
 * window: a gap meets, on average over its place, an even share of the window's lines,
 * and one visit in v has the whole cycle behind it. */
double sonde_measure_simulation_lru_miss(double lines, double room, double visits,
                                         double near)
{
    double far_miss = lines > room ? 1 : 0;

    if (visits <= 1 || lines <= room)
        return far_miss;
    if (isnan(near))
        return pow(1 - room / lines, (visits - 1) / visits);
    near = fmin(near, lines);
    return (far_miss + (visits - 1) * fmax(0, 1 - room / near)) / visits;
}

double sonde_measure_simulation_random_miss(double lines, double room)
{
    double survival = 1 - 1 / room, miss = 1;

    if (lines <= room)
        return 0;
    if (room <= 1)
        return 1;
    for (int i = 0; i < FIXED_POINT_ROUNDS; i++)
        miss = 1 - pow(survival, lines * miss);
    return miss;
}

static double random_miss(const struct sim_level *level, double lines)
{
    if (lines <= level->room)
        return 0;
    return (double)level->miss[lines < SIM_MISS_MAX ? (size_t)lines : SIM_MISS_MAX - 1];
}

static double visits_per_line(const struct walk *walk)
{
    double line = (double)walk->model->line_bytes, pitch = (double)walk->layout->pitch;

    return pitch < line ? fmin(line / pitch, (double)walk->layout->nodes) : 1;
}

/* Lines of one set that a window holds: at least the one in question. */
static double lines_near(const struct walk *walk, const struct sim_level *level)
{
    double way = (double)(level->sets * walk->model->line_bytes);

    return fmax(1, walk->window_bytes / way);
}

static double miss_share(const struct walk *walk, const struct sim_level *level,
                         double lines)
{
    double visits = visits_per_line(walk);
    double near = isnan(walk->window_bytes) ? NAN : lines_near(walk, level);

    if (!level->random)
        return sonde_measure_simulation_lru_miss(lines, level->room, visits, near);
    if (visits <= 1 || isnan(near))
        return random_miss(level, lines);
    return (random_miss(level, lines) +
            (visits - 1) * random_miss(level, fmin(near, lines))) /
           visits;
}

/* --- counting lines by set
 * -------------------------------------------------------------- */

static uint64_t span_of(const struct walk *walk, const struct sim_level *level)
{
    return level->sets * walk->model->line_bytes;
}

/* The first level is indexed by the program's own addresses; others by physical ones,
 * which agree with them inside a frame. */
static bool index_is_virtual(const struct walk *walk, size_t level)
{
    return level == 0 || span_of(walk, &walk->model->levels[level]) <= walk->frame_bytes;
}

/* `lines` lines at even distances over `places` sets: some hold one more than others. */
static double closed_form(const struct walk *walk, const struct sim_level *level)
{
    uint64_t pitch = walk->layout->pitch, line = walk->model->line_bytes;
    uint64_t nodes = walk->layout->nodes;
    uint64_t lines = nodes, places = span_of(walk, level) / pitch, fewer, fuller;

    if (pitch <= line) {
        lines = (walk->base % line + nodes * pitch + line - 1) / line;
        places = level->sets;
    }
    fewer = lines / places;
    fuller = lines % places;
    return ((double)(fuller * (fewer + 1)) * miss_share(walk, level, (double)fewer + 1) +
            (double)((places - fuller) * fewer) *
                miss_share(walk, level, (double)fewer)) /
           (double)lines;
}

/* Draws the frames of `pages` pages and counts them by colour at every level that has
 * colours; the colour of the last page is left in `last`. */
static void count_colours(struct walk *walk, uint64_t pages, size_t *last)
{
    const struct sim_model *model = walk->model;

    for (size_t i = 0; i < model->level_count; i++)
        if (!index_is_virtual(walk, i))
            memset(walk->sets->count[i], 0,
                   (size_t)(span_of(walk, &model->levels[i]) / walk->frame_bytes) *
                       sizeof *walk->sets->count[i]);
    for (uint64_t page = 0; page < pages; page++) {
        uint64_t frame = sonde_base_random_next(&walk->random);

        for (size_t i = 0; i < model->level_count; i++) {
            if (index_is_virtual(walk, i))
                continue;
            last[i] =
                (size_t)(frame &
                         (span_of(walk, &model->levels[i]) / walk->frame_bytes - 1));
            walk->sets->count[i][last[i]]++;
        }
    }
}

static double misses_of_colour(const struct walk *walk, size_t level, size_t colour)
{
    double pages = walk->sets->count[level][colour];

    return pages > 0 ? pages * miss_share(walk, &walk->model->levels[level], pages) : 0;
}

/* `part` of the last page is used: sets in that part see it, the others do not. */
static double by_colour(struct walk *walk, size_t level, uint64_t pages, size_t last,
                        double part)
{
    uint64_t colours = span_of(walk, &walk->model->levels[level]) / walk->frame_bytes;
    double with = 0, without;

    for (size_t colour = 0; colour < colours; colour++)
        with += misses_of_colour(walk, level, colour);
    without = with - misses_of_colour(walk, level, last);
    walk->sets->count[level][last]--;
    without += misses_of_colour(walk, level, last);
    return (part * with + (1 - part) * without) /
           (part * (double)pages + (1 - part) * (double)(pages - 1));
}

static void walk_dense(struct walk *walk)
{
    uint64_t bytes = walk->layout->nodes * walk->layout->pitch;
    uint64_t pages = (bytes + walk->frame_bytes - 1) / walk->frame_bytes;
    double part =
        (double)(bytes - (pages - 1) * walk->frame_bytes) / (double)walk->frame_bytes;
    size_t last[SIM_LEVELS_MAX] = {0};

    count_colours(walk, pages, last);
    for (size_t i = 0; i < walk->model->level_count; i++)
        walk->miss[i] = index_is_virtual(walk, i)
                            ? closed_form(walk, &walk->model->levels[i])
                            : by_colour(walk, i, pages, last[i], part);
}

static bool is_power_of_two(uint64_t value)
{
    return value && (value & (value - 1)) == 0;
}

/* All pages of the ring look alike, and all sets that are used at all are used alike. */
static bool is_dense(const struct walk *walk)
{
    uint64_t pitch = walk->layout->pitch;
    uint64_t alike = walk->frame_bytes;

    if (walk->layout->places || walk->layout->row)
        return false;
    for (size_t i = 0; i < walk->model->level_count; i++)
        if (span_of(walk, &walk->model->levels[i]) < alike)
            alike = span_of(walk, &walk->model->levels[i]);
    return is_power_of_two(pitch) && pitch <= alike && walk->layout->skew == 0 &&
           walk->layout->pair == 0 && walk->layout->shift == 0;
}

/* --- sparse rings: node by node
 * --------------------------------------------------------- */

static uint64_t frame_of(const struct walk *walk, uint64_t page)
{
    struct random_source random = sonde_base_random_fork(&walk->random, page);

    return sonde_base_random_next(&random);
}

static size_t set_of(const struct walk *walk, size_t level, uint64_t address,
                     uint64_t frame)
{
    uint64_t line = walk->model->line_bytes;

    if (!index_is_virtual(walk, level))
        address = frame * walk->frame_bytes + address % walk->frame_bytes; /* may wrap:
                                                          only low bits count */
    return (size_t)(address / line & (walk->model->levels[level].sets - 1));
}

struct step {
    uint64_t line, page, frame;
};

/* Pointers in a node: one, or a pair. */
static unsigned pointers(const struct walk *walk)
{
    return walk->layout->pair ? 2 : 1;
}

/* The line and frame of a node's first or second pointer; false when it lies in the line
 * of the pointer before. */
static bool next_node(const struct walk *walk, uint64_t node, unsigned pointer,
                      struct step *step, uint64_t *address)
{
    uint64_t page, line;

    *address = walk->base + sonde_measure_ring_offset(walk->layout, node) +
               pointer * walk->layout->pair;
    page = *address / walk->frame_bytes;
    line = *address / walk->model->line_bytes;
    if (page != step->page)
        step->frame = frame_of(walk, page);
    step->page = page;
    if (line == step->line)
        return false;
    step->line = line;
    return true;
}

static void count_nodes(struct walk *walk)
{
    struct step step = {UINT64_MAX, UINT64_MAX, 0};
    uint64_t address;

    for (size_t i = 0; i < walk->model->level_count; i++)
        memset(walk->sets->count[i], 0,
               (size_t)walk->model->levels[i].sets * sizeof *walk->sets->count[i]);
    for (uint64_t node = 0; node < walk->layout->nodes; node++)
        for (unsigned pointer = 0; pointer < pointers(walk); pointer++)
            if (next_node(walk, node, pointer, &step, &address))
                for (size_t i = 0; i < walk->model->level_count; i++)
                    walk->sets->count[i][set_of(walk, i, address, step.frame)]++;
}

/* Adds what a visit misses to the means. */
static void visit(struct walk *walk, uint64_t address, uint64_t frame)
{
    double reach = 1, visits = (double)sonde_measure_ring_steps(walk->layout);

    for (size_t i = 0; i < walk->model->level_count; i++) {
        double lines = walk->sets->count[i][set_of(walk, i, address, frame)];

        reach = fmin(reach, miss_share(walk, &walk->model->levels[i], lines));
        walk->miss[i] += reach / visits;
    }
}

static void walk_sparse(struct walk *walk)
{
    struct step step = {UINT64_MAX, UINT64_MAX, 0};
    uint64_t nodes = walk->layout->nodes, address;

    count_nodes(walk);
    for (uint64_t node = 0; node < nodes; node++)
        for (unsigned pointer = 0; pointer < pointers(walk); pointer++)
            if (next_node(walk, node, pointer, &step, &address) || pointer == 0)
                visit(walk, address, step.frame);
}

/* --- translation and the sum
 * ------------------------------------------------------------ */

/* Pages are to a translation buffer what lines are to a set that holds them all. */
static double translation_cycles(const struct walk *walk)
{
    const struct sim_model *model = walk->model;
    double pitch = (double)walk->layout->pitch, frame = (double)walk->frame_bytes;
    /* Row after row comes by the same pages. */
    double nodes = (double)(walk->layout->row ? walk->layout->row : walk->layout->nodes);
    double visits = pitch < frame ? fmin(frame / pitch, nodes) : 1;
    double pages = ceil(nodes / visits), near = NAN;

    if (!isnan(walk->window_bytes))
        near = fmax(1, walk->window_bytes / frame);
    /* The second of a pair finds the page of the first at hand. */
    return (model->translation.l1_miss_cycles *
                sonde_measure_simulation_lru_miss(pages, model->translation.l1_entries,
                                                  visits, near) +
            model->translation.walk_cycles *
                sonde_measure_simulation_lru_miss(pages, model->translation.l2_entries,
                                                  visits, near)) /
           pointers(walk);
}

/* Share of the loads that a prefetcher saw coming. */
static double share_ahead(const struct walk *walk)
{
    const struct layout *layout = walk->layout;
    double page = (double)walk->model->page_bytes;
    double lines = (double)layout->window / (double)layout->pitch;
    bool reaches = (double)layout->pitch <= walk->model->prefetch.reach_bytes;

    switch (layout->order) {
    case ORDER_ASCENDING:
        return reaches;
    case ORDER_DESCENDING:
        return reaches && walk->model->prefetch.descending;
    case ORDER_SCATTERED:
        return reaches ? 1 - fmin(1, walk->model->prefetch.restart_lines / lines) : 0;
    case ORDER_RANDOM:
        return walk->model->prefetch.regions && layout->window &&
               (double)layout->window <= page;
    }
    return 0;
}

/* A prefetcher brings lines of a walk into the first level ahead of time. */
static double latency_ahead(const struct walk *walk, double latency_cycles)
{
    double share = share_ahead(walk);
    double ahead = fmax(walk->model->levels[0].latency_cycles,
                        latency_cycles / walk->model->prefetch_factor);

    return share * ahead + (1 - share) * latency_cycles;
}

/* How many of its misses a level answers at once. */
static double overlap(const struct walk *walk, double parallel)
{
    return fmin(fmax(1, (double)walk->layout->cursors), parallel);
}

/* A walk of the page table waits with the load that needs it. */
static double overlap_of_translation(const struct walk *walk)
{
    const struct sim_model *model = walk->model;
    double parallel = model->levels[0].parallel;

    for (size_t i = 0; i < model->level_count; i++)
        if (walk->miss[i] > 0.5)
            parallel = i + 1 < model->level_count ? model->levels[i + 1].parallel
                                                  : model->memory.parallel;
    return overlap(walk, parallel);
}

static struct sim_cost add_up(const struct walk *walk)
{
    const struct sim_model *model = walk->model;
    struct sim_cost cost = {translation_cycles(walk) / overlap_of_translation(walk), 0};
    double memory_cycles = model->memory.latency_ns * model->core_hz * 1e-9;
    double reach = 1;

    for (size_t i = 0; i < model->level_count; i++) {
        double on = fmin(reach, walk->miss[i]);

        cost.cycles += (reach - on) *
                       latency_ahead(walk, model->levels[i].latency_cycles) /
                       overlap(walk, model->levels[i].parallel);
        reach = on;
    }
    cost.ns = reach * latency_ahead(walk, memory_cycles) / model->core_hz * 1e9 /
              overlap(walk, model->memory.parallel);
    return cost;
}

static double window_of(const struct layout *layout, const struct sim_model *model)
{
    if (layout->order == ORDER_ASCENDING)
        return (double)model->line_bytes; /* neighbours in a line follow each other */
    if (layout->window && layout->window < layout->nodes * layout->pitch)
        return (double)layout->window;
    return NAN;
}

/* One page at several addresses: everything is in the first level, but a core that finds
 * a line there only by the address it was last used by asks the second one otherwise. */
static struct sim_cost views_cost(const struct sim_model *model,
                                  const struct layout *layout)
{
    double first = model->levels[0].latency_cycles;
    double second = model->level_count > 1
                        ? model->levels[1].latency_cycles
                        : model->memory.latency_ns * model->core_hz * 1e-9;
    double share = 0;

    if (model->way_predictor)
        share = sonde_measure_ring_switching(layout, layout->seed, model->line_bytes);
    return (struct sim_cost){first + share * (second - first), 0};
}

static struct walk walk_ring(const struct sim_model *model, struct sim_sets *sets,
                             const struct layout *layout, uint64_t base, uint64_t seed)
{
    struct walk walk = {
        .model = model,
        .layout = layout,
        .sets = sets,
        .base = base,
        .frame_bytes =
            layout->pages == PAGES_HUGE ? model->granule_bytes : model->page_bytes,
        .window_bytes = window_of(layout, model),
    };

    sonde_base_random_seed(&walk.random, seed);
    if (is_dense(&walk))
        walk_dense(&walk);
    else
        walk_sparse(&walk);
    return walk;
}

struct sim_cost sonde_measure_simulation_chase(const struct sim_model *model,
                                               struct sim_sets *sets,
                                               const struct layout *layout, uint64_t base,
                                               uint64_t seed)
{
    struct walk walk;

    if (layout->views)
        return views_cost(model, layout);
    walk = walk_ring(model, sets, layout, base, seed);
    return add_up(&walk);
}

void sonde_measure_simulation_misses(const struct sim_model *model, struct sim_sets *sets,
                                     const struct layout *layout, uint64_t base,
                                     uint64_t seed, double *miss)
{
    struct walk walk = walk_ring(model, sets, layout, base, seed);

    memcpy(miss, walk.miss, model->level_count * sizeof *miss);
}
