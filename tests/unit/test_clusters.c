/* Groups of CPUs from planted and from published matrices.
 *
 * With the directory of published matrices in SONDE_MATRICES those of named parts are
 * read too; without it that part is skipped. */
#include "support.h"

#include "base/random.h"
#include "infer/clusters.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CPUS = 16 };

static void plant(double *ways, double noise, uint64_t seed)
{
    struct random_source random;

    sonde_base_random_seed(&random, seed);
    for (size_t a = 0; a < CPUS; a++)
        for (size_t b = 0; b < CPUS; b++) {
            double way = a / 2 == b / 2 ? 8 : a / 4 == b / 4 ? 25 : 90;
            double disturbed = (double)sonde_base_random_below(&random, 1000) / 1000;

            ways[a * CPUS + b] = a > b ? way * (1 + noise * disturbed) : NAN;
        }
}

static void siblings_and_clusters_come_back(void **state)
{
    double *ways = calloc(CPUS * CPUS, sizeof *ways);

    (void)state;
    assert_non_null(ways);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct clusters clusters;

        plant(ways, 0.2, seed);
        assert_int_equal(sonde_infer_clusters(ways, CPUS, &clusters), 0);
        assert_int_equal(clusters.count, 2);
        assert_int_equal(clusters.levels[0].groups, 8);
        assert_int_equal(clusters.levels[0].largest, 2);
        assert_int_equal(clusters.levels[1].groups, 4);
        assert_int_equal(clusters.levels[1].smallest, 4);
        for (size_t i = 0; i < CPUS; i++)
            assert_int_equal(clusters.levels[1].group[i], i / 4 * 4);
        sonde_infer_clusters_free(&clusters);
    }
    free(ways);
}

static void a_matrix_without_order_has_no_groups(void **state)
{
    double *ways = calloc(CPUS * CPUS, sizeof *ways);
    struct random_source random;
    struct clusters clusters;

    (void)state;
    assert_non_null(ways);
    sonde_base_random_seed(&random, 7);
    for (size_t i = 0; i < CPUS * CPUS; i++)
        ways[i] = sonde_base_random_below(&random, 2) ? 20 : 90;
    assert_int_equal(sonde_infer_clusters(ways, CPUS, &clusters), 0);
    assert_int_equal(clusters.count, 0);
    ways[1] = -3;
    assert_int_equal(sonde_infer_clusters(ways, CPUS, &clusters), -EINVAL);
    free(ways);
}

/* --- published ones --- */

/* Cells into `ways`; the number of CPUs, or 0 when a line is no row of the matrix. */
static size_t read_matrix(const char *name, double **ways)
{
    char path[512], line[12288];
    size_t count = 0, rows = 0;
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", getenv("SONDE_MATRICES"), name);
    file = fopen(path, "r");
    *ways = NULL;
    if (!file)
        return 0;
    while (fgets(line, sizeof line, file)) {
        char *cell = line;
        size_t cells = 1;

        for (char *c = line; *c; c++)
            cells += *c == ',';
        if (!count) {
            count = cells;
            *ways = calloc(count * count, sizeof **ways);
        }
        if (cells != count || rows == count) {
            rows = 0;
            break;
        }
        for (size_t i = 0; i < count; i++) {
            char *end;
            double way = strtod(cell, &end);

            (*ways)[rows * count + i] = end == cell ? NAN : way;
            cell = end + strcspn(end, ",");
            cell += *cell == ',';
        }
        rows++;
    }
    fclose(file);
    return rows == count ? count : 0;
}

static const struct {
    const char *name;
    size_t siblings, groups, members; /* sibling pairs; groups of `members`; 0: none */
} published[] = {
    {"kcores-AMD_Ryzen_9_5900X_by-smarkwell.csv", 12, 2, 12},
    {"kcores-AMD_Ryzen_5_3500X_6-Core_Processor_by-roxxel.csv", 0, 2, 3},
    {"nviennot-Intel_Core_i7-6700K.csv", 4, 0, 0},
    {"kcores-AMD_Custom_APU_0405_(Valve_Steam_Deck_APU)_Zen_2_4_cores_SMT_enabled_by-"
     "arthomnix.csv",
     4, 0, 0},
    {"kcores-Dual_AMD_EPYC_7302_16-Core_Processor_by-herver.csv", 32, 0, 0},
};

static void check_published(size_t index)
{
    double *ways;
    size_t count = read_matrix(published[index].name, &ways), pairs = 0;
    struct clusters clusters;
    bool found = published[index].groups == 0;

    assert_true(count > 1);
    assert_int_equal(sonde_infer_clusters(ways, count, &clusters), 0);
    for (size_t i = 0; i < clusters.count; i++) {
        const struct cluster_level *level = &clusters.levels[i];

        if (level->largest == 2 && level->smallest == 2)
            pairs = level->groups;
        found = found || (level->groups == published[index].groups &&
                          level->largest == published[index].members &&
                          level->smallest == published[index].members);
    }
    if (pairs != published[index].siblings || !found)
        fail_msg("%s: %zu sibling pairs, groups %s", published[index].name, pairs,
                 found ? "found" : "not found");
    sonde_infer_clusters_free(&clusters);
    free(ways);
}

static void published_matrices(void **state)
{
    (void)state;
    if (!getenv("SONDE_MATRICES")) {
        printf("SONDE_MATRICES is not set: no published matrices\n");
        skip();
    }
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++)
        check_published(i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(siblings_and_clusters_come_back),
        cmocka_unit_test(a_matrix_without_order_has_no_groups),
        cmocka_unit_test(published_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
