/* Files of other tools: what becomes of a small one of each, and what is refused, with
 * its line. */
#include "support.h"

#include "base/text.h"
#include "passport/passport.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int read_text(struct passport_list *list, const char *text, const char *format,
                     struct message *why)
{
    char path[] = "/tmp/sonde-test-readers-XXXXXX";
    int file = mkstemp(path), rc;

    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    rc = sonde_passport_read(list, path, format, why);
    unlink(path);
    if (rc && strncmp(why->text, path, strlen(path)) == 0)
        memmove(why->text, why->text + strlen(path),
                strlen(why->text) - strlen(path) + 1);
    return rc;
}

/* Reads it by its content, and again by its name: the same must come out. */
static void accept(struct passport_list *list, const char *text, const char *format)
{
    struct passport_list forced = {0};
    struct message why = {{0}};
    char *one, *other;
    size_t length;

    *list = (struct passport_list){0};
    if (read_text(list, text, NULL, &why) || read_text(&forced, text, format, &why))
        fail_msg("refused: %s", why.text);
    assert_int_equal(sonde_passport_to_json(list, true, &one, &length), 0);
    assert_int_equal(sonde_passport_to_json(&forced, true, &other, &length), 0);
    assert_string_equal(one, other);
    free(one);
    free(other);
    sonde_passport_list_free(&forced);
}

struct refusal {
    const char *text, *why; /* how the complaint goes on behind the name of the file */
};

static void refuse_all(const struct refusal *rows, size_t count, const char *format)
{
    for (size_t i = 0; i < count; i++) {
        struct passport_list list = {0};
        struct message why = {{0}};

        if (read_text(&list, rows[i].text, format, &why) != -EINVAL)
            fail_msg("%zu is not refused: %s", i, rows[i].text);
        if (strncmp(why.text, rows[i].why, strlen(rows[i].why)) != 0)
            fail_msg("%zu: '%s' does not begin with '%s'", i, why.text, rows[i].why);
        assert_int_equal(list.count, 0);
        sonde_passport_list_free(&list);
    }
}
#define REFUSE(rows, format) refuse_all(rows, sizeof rows / sizeof *rows, format)

static const struct series *series_of(const struct passport_list *list, size_t passport,
                                      const char *probe, const char *name)
{
    const struct probe_result *result =
        sonde_passport_probe(&list->rows[passport], probe);
    const struct series *series =
        result ? sonde_measure_series_find(&result->series, name) : NULL;

    if (!series)
        fail_msg("no series %s in %s", name, probe);
    return series;
}

static void expect_point(const struct series *series, size_t i, double x, double value)
{
    assert_true(i < series->count);
    assert_true(series->points[i].at[0] == x);
    assert_true(fabs(series->points[i].best / value - 1) < 1e-9);
    assert_int_equal(series->points[i].n, 1);
}

static double declared(const struct passport *passport, const char *name)
{
    return sonde_machine_declared(&passport->facts, name).value;
}

/* --- InstLatx64 --- */

#define INSTLAT_HEAD                                                                     \
    "Some Board Arch:X64 CPUCount:4 NUMA:0 Freq: 2000.00MHz Priority:080\r\n"            \
    "CPU#000 Type: \"Other core\"\r\n"                                                   \
    "CPU#000 L1D cache:     16KB,    64 byte cache line,  4 way, SMask:1\r\n"            \
    "CPU#001 Type: \" Planted  core \"\r\n"                                              \
    "CPU#001 L1I cache:     64KB,    64 byte cache line,  2 way, SMask:2\r\n"            \
    "CPU#001 L1D cache:     32KB,    64 byte cache line,  8 way, SMask:2\r\n"            \
    "CPU#001 L2  cache:    512KB,    64 byte cache line, 16 way, SMask:2, x\r\n"         \
    "NGMemLat #  0 Pmask:0x0000000000000002 Thread(s):  1\r\n"                           \
    "Page_Random Tests\r\n"                                                              \
    "Stride:      32   64  128   1K\r\n"

static void instlat(void **state)
{
    static const struct refusal bad[] = {
        {INSTLAT_HEAD "  2 KB 4 -4 4\n", ":11: '-4' is no latency"},
        {INSTLAT_HEAD "  2 KB 4 nan\n", ":11: 'nan' is no latency"},
        {INSTLAT_HEAD "  2 KB 4 4\n  2 KB 4 4\n", ":12: 2 KB again"},
        {"Page_Random Tests\n  2 KB 4\n", ":2: 'Stride:' is missing"},
        {"NGMemLat #  0 Pmask:0x1\n", ":1: the file ends without a table"},
    };
    struct passport_list list;
    const struct series *series;

    (void)state;
    accept(&list,
           INSTLAT_HEAD "       2 KB   4    4    4\r\n"
                        "      64 KB  10   12   14   16\r\n"
                        "Random_Full Tests\r\n"
                        "Stride:      32   64  128\r\n"
                        "       2 KB   4    5    6\r\n",
           "instlat");
    assert_int_equal(list.count, 1);
    assert_string_equal(list.rows[0].machine.model, "Planted  core");
    assert_true(list.rows[0].vantage.cpu == 1);
    assert_true(declared(&list.rows[0], "l1d.size") == 32768);
    assert_true(declared(&list.rows[0], "l2.ways") == 16);
    series = series_of(&list, 0, "latency", "windowed");
    assert_int_equal(series->count, 2);
    expect_point(series, 0, 2048, 2);
    expect_point(series, 1, 65536, 6);
    assert_true(series->points[1].cycles == 12);
    expect_point(series_of(&list, 0, "latency", "wide"), 1, 65536, 7);
    expect_point(series_of(&list, 0, "latency", "random"), 0, 2048, 2.5);
    sonde_passport_list_free(&list);
    REFUSE(bad, "instlat");
}

/* --- sbc-bench --- */

#define RAMLAT(cpu) "Executing ramlat on " cpu ", results in ns:\n\n"
#define RAMLAT_HEAD "       size:  1x32  2x32  1x64 1xPTR\n"

static void sbc_bench(void **state)
{
    static const struct refusal bad[] = {
        {RAMLAT("cpu0") RAMLAT_HEAD " 4k: 1 1 -1\n", ":4: '-1' is no latency"},
        {RAMLAT("cpu0") RAMLAT_HEAD " 4k: 1 1\n", ":4: 1 of 3 cells are missing"},
        {RAMLAT("cpu0") RAMLAT_HEAD " 8k: 1 1 1\n 4k: 1 1 1\n", ":5: '4k' is out of"},
        {RAMLAT("cpu0") RAMLAT_HEAD "\n", ":4: a table of ramlat without rows"},
        {RAMLAT("cpu0") " size: 1x32\n", ":3: no heading with a column"},
        {"sbc-bench v1 Board (date)\n", ": no table of a core"},
    };
    struct passport_list list;

    (void)state;
    accept(&list,
           "sbc-bench v0.9 Planted Board 5 (Sat, 25 Jun 2022)\n"
           "Executing benchmark on cpu0 (Small):\n"
           "block size : single random read / dual random read, [MADV_NOHUGEPAGE]\n"
           "      1024 :    0.0 ns          /     0.0 ns \n"
           "     65536 :    9.3 ns          /    13.2 ns \n\n" RAMLAT("cpu0 (Small)")
               RAMLAT_HEAD "         4k: 9.9 9.9 1.5 9.9\n        64k: 9.9 9.9 7.5\n\n"
                           "######\n" RAMLAT("cpu4 (Big)") RAMLAT_HEAD
           "  4k: 9 9 1.25\n\n" RAMLAT("cpu6 (Big)") RAMLAT_HEAD "  4k: 9 9 1.5\n",
           "sbc-bench");
    assert_int_equal(list.count, 3);
    assert_string_equal(list.rows[0].machine.model, "Planted Board 5");
    assert_string_equal(list.rows[0].vantage.kind, "Small");
    assert_string_equal(list.rows[1].vantage.kind, "Big");
    assert_string_equal(list.rows[2].vantage.kind, "Big cpu6");
    assert_true(list.rows[2].vantage.cpu == 6);
    expect_point(series_of(&list, 0, "latency", "random"), 1, 65536, 7.5);
    expect_point(series_of(&list, 0, "latency", "above-l1"), 1, 65536, 9.3);
    expect_point(series_of(&list, 1, "latency", "random"), 0, 4096, 1.25);
    sonde_passport_list_free(&list);
    REFUSE(bad, "sbc-bench");
}

/* --- mountains --- */

#define MOUNTAIN(cells)                                                                  \
    "{\"hardware\": \"Planted\", \"date\": \"2024-01-01\",\n"                            \
    " \"sizes\": [4096, 8192],\n \"strides\": [1, 8],\n"                                 \
    " \"caches\": {\"L1d\": 32768, \"L3\": 0},\n"                                        \
    " \"throughput\": [\n  [100, 90],\n  " cells "]}\n"

static void mountain(void **state)
{
    static const struct refusal bad[] = {
        {MOUNTAIN("[80]"), ":7: throughput[1] has 1 cells where 'strides' has 2"},
        {MOUNTAIN("[80, -3]"), ":7: throughput[1][1] is -3: it must be above 0"},
        {MOUNTAIN("[80,\n\"fast\"]"), ":8: throughput[1][1] is no number"},
        {MOUNTAIN("[80, NaN]"), ":7: no JSON"},
        {MOUNTAIN("[80, 60], [1, 2]"), ":6: 'throughput' has 3 rows where 'sizes' has 2"},
        {"{\"sizes\": [4096],\n\"strides\": [],\n\"throughput\": [[1]]}",
         ":2: 'strides' is no array"},
        {"{\"sizes\": [4096,\n4096], \"strides\": [1], \"throughput\": [[1], [1]]}",
         ":2: sizes[1] is sizes[0] again"},
        {"{\"sizes\": [0], \"strides\": [1], \"throughput\": [[1]]}",
         ":1: sizes[0] is no number above 0"},
        {"[1]", ":1: a mountain is a JSON object"},
    };
    struct passport_list list;
    const struct series *series;

    (void)state;
    accept(&list, MOUNTAIN("[80, null]"), "mountain");
    series = series_of(&list, 0, "mountain", "mountain");
    assert_int_equal(series->count, 3);
    expect_point(series, 2, 8192, 80e6);
    assert_true(series->points[1].at[1] == 64);
    assert_string_equal(list.rows[0].machine.model, "Planted");
    assert_string_equal(list.rows[0].machine.date, "2024-01-01");
    assert_true(declared(&list.rows[0], "l1d.size") == 32768);
    assert_true(isnan(declared(&list.rows[0], "l3.size")));
    sonde_passport_list_free(&list);
    REFUSE(bad, "mountain");
}

static void mountain_csv(void **state)
{
    static const struct refusal bad[] = {
        {"size_bytes,stride_elems,throughput_MBps\n4096,1\n", ":2: 2 cells where"},
        {"size_bytes,stride_elems,throughput_MBps\n4096,1,fast\n", ":2: 'fast' is no"},
        {"size_bytes,stride_elems,throughput_MBps\n4096,1,-2\n", ":2: '-2' is no"},
        {"size_bytes,stride_elems,throughput_MBps\n4096,1,nan\n", ":2: 'nan' is no"},
        {"size_bytes,stride_elems,throughput_MBps\n4096,1,2\n4096,1,2\n",
         ":3: size 4096 and stride 8 bytes again"},
        {"size_bytes,stride_elems,throughput_MBps\n", ":1: a heading without rows"},
        {"size_bytes,throughput_MBps\n", ":1: the heading must name"},
    };
    struct passport_list list;

    (void)state;
    accept(&list,
           "size_bytes,stride_elems,stride_bytes,throughput_MBps,seconds,device\n"
           "4096,1,8,250.5,0.1,\"Planted GPU\"\n8192,2,16,100,0.1,\"Planted GPU\"\n",
           "mountain-csv");
    expect_point(series_of(&list, 0, "mountain", "mountain"), 1, 8192, 100e6);
    assert_string_equal(series_of(&list, 0, "mountain", "mountain")->axes[1].unit,
                        "bytes");
    assert_string_equal(list.rows[0].machine.model, "Planted GPU");
    assert_int_equal(list.rows[0].warning_count, 1);
    sonde_passport_list_free(&list);
    REFUSE(bad, "mountain-csv");
}

static void csapp(void **state)
{
    static const struct refusal bad[] = {
        {"\ts1\ts2\n8k\t5\n", ":2: 1 cells in a row of 2 strides"},
        {"\ts1\ts2\n8k\t5\t6\t7\n", ":2: 3 cells in a row of 2 strides"},
        {"\ts1\ts2\n8k\t5\t-6\n", ":2: '-6' is no throughput"},
        {"\ts1\tx2\n", ":1: 'x2' is no stride"},
        {"\ts1\ts2\neight\t5\t6\n", ":2: 'eight' is no size"},
        {"\ts1\ts2\n8k\t5\t6\n8k\t5\t6\n", ":3: size 8192 and stride 8 bytes again"},
        {"Memory mountain (MB/sec)\n", ":1: the file ends without rows"},
    };
    struct passport_list list;

    (void)state;
    accept(&list,
           "Clock frequency is approx. 2112.0 MHz\nMemory mountain (MB/sec)\n"
           "\ts1\ts2\t\n16k\t10\t20\t\n8k\t30\t40\n",
           "csapp");
    expect_point(series_of(&list, 0, "mountain", "mountain"), 1, 16384, 20e6);
    sonde_passport_list_free(&list);
    REFUSE(bad, "csapp");
}

/* --- latencies --- */

static void lmbench(void **state)
{
    static const struct refusal bad[] = {
        {"\"stride=64\n0.00049 x\n", ":2: 'x' is no latency"},
        {"\"stride=64\n0.00049 1 2\n", ":2: '2' is a cell too many"},
        {"\"stride=64\n0.00098 1\n0.00049 1\n", ":3: '0.00049' is out of order"},
        {"\"stride=64\n0.00049 0\n", ":2: '0' is no latency in ns: it must be above 0"},
        {"\"stride=64\n\"stride=64\n", ":2: stride 64 again"},
        {"\"stride=64\n", ":1: stride 64 has no rows"},
        {"0.00049 1\n", ":1: the file ends without a block"},
    };
    struct passport_list list;

    (void)state;
    accept(&list,
           "\"stride=16\n0.00049 9\n\n\"stride=128\"\n0.00049 1.5 # L1\n0.02344 4\n"
           "\"stride=256\n0.00049 9\n",
           "lmbench");
    expect_point(series_of(&list, 0, "latency", "strided"), 0, 512, 1.5);
    expect_point(series_of(&list, 0, "latency", "strided"), 1, 24576, 4);
    expect_point(series_of(&list, 0, "latency", "stride 16"), 0, 512, 9);
    assert_string_equal(list.rows[0].warnings[0].code, "walk-unknown");
    sonde_passport_list_free(&list);
    REFUSE(bad, "lmbench");
}

#define CHASE(memory, stride, result)                                                    \
    "nr_threads = 1\npage_size = 4096\ntotal_memory = " memory                           \
    " (x MiB)\nstride = " stride                                                         \
    "\ntlb_locality = 65536\nchase = simple\nsamples (one column per thread, ...):\n"    \
    "  9.999  avg=9.999\n" result "\n"

static void multichase(void **state)
{
    static const struct refusal bad[] = {
        {CHASE("4096", "256", " 1.0") CHASE("8192", "64", " 1.0"),
         ":18: a run of stride 64 behind one of 256"},
        {CHASE("4096", "256", " 1.0") CHASE("4096", "256", " 1.0"),
         ":18: total_memory 4096 again"},
        {CHASE("4096", "256", " fast"), ":9: 'fast' is no latency"},
        {CHASE("-1", "256", " 1"), ":3: '-1' is no total_memory"},
        {"total_memory = 4096 (x)\n", ":1: the file ends without a result"},
        {" 87.3\n", ":1: '87.3' is a result without total_memory"},
    };
    struct passport_list list;

    (void)state;
    accept(&list,
           CHASE("131072", "256", " 5.5") CHASE("4096", "256", "1700000000.123 1.25"),
           "multichase");
    expect_point(series_of(&list, 0, "latency", "windowed"), 0, 4096, 1.25);
    expect_point(series_of(&list, 0, "latency", "windowed"), 1, 131072, 5.5);
    sonde_passport_list_free(&list);
    accept(&list, CHASE("4096", "256", " 1.25"), "multichase");
    expect_point(series_of(&list, 0, "latency", "random"), 0, 4096, 1.25);
    sonde_passport_list_free(&list);
    REFUSE(bad, "multichase");
}

#define TINY "block size : single random read / dual random read, [MADV_NOHUGEPAGE]\n"

static void tinymembench(void **state)
{
    static const struct refusal bad[] = {
        {TINY " 1024 : fast ns / 1 ns\n", ":2: '1024 : fast ns / 1 ns' is no row"},
        {TINY " 1024 : -1.0 ns / 1 ns\n", ":2: '1024 : -1.0 ns / 1 ns' is no row"},
        {TINY " 2048 : 1 ns / 1 ns\n 1024 : 1 ns / 1 ns\n", ":3: 1024 is out of order"},
        {TINY "\n" TINY, ":3: a table of the same pages again"},
        {"tinymembench v0.4.9\n", ":1: the file ends without a table"},
    };
    struct passport_list list;
    const struct series *series;

    (void)state;
    accept(&list,
           "tinymembench v0.4.9\n\n" TINY "  1024 :  0.0 ns  /  0.0 ns \n"
           " 65536 :  9.3 ns  / 13.2 ns \n",
           "tinymembench");
    series = series_of(&list, 0, "latency", "above-l1");
    assert_true(series->points[0].best == 0);
    expect_point(series, 1, 65536, 9.3);
    sonde_passport_list_free(&list);
    REFUSE(bad, "tinymembench");
}

/* --- between CPUs, under load --- */

static void core_to_core(void **state)
{
    static const struct refusal bad[] = {
        {"CPU: planted\n,,\n5,,\n", ":1: 'CPU: planted': 1 cells where"},
        {",,\n5,,\nProgress 50 %\n", ":3: 'Progress 50 %': 1 cells where the matrix has"},
        {",,\n5,,\n7,-3,\n", ":3: '-3' is no latency in ns"},
        {",,\n5,,\n7,0,\n", ":3: '0' is no latency between two CPUs"},
        {",,\n5,,\n7,nan,\n", ":3: 'nan' is no latency in ns"},
        {",,\n5,,\n,7,\n", ":3: cell 1 is empty, below the diagonal"},
        {",,\n5,,\n", ":2: the file ends after 2 rows of a square of 3"},
        {",\n5,\n5,\n", ":3: more rows than the 2 of the square"},
        {",\n\n5,\n", ":2: an empty line"},
    };
    struct passport_list list;
    const struct series *pairs;

    (void)state;
    accept(&list, ",,\n5.5,,\n7,8.25,", "core-to-core");
    pairs = series_of(&list, 0, "c2c", "pairs");
    assert_int_equal(pairs->count, 3);
    expect_point(pairs, 2, 2, 8.25);
    assert_true(pairs->points[2].at[1] == 1);
    assert_true(list.rows[0].machine.cpus_online == 3);
    sonde_passport_list_free(&list);
    REFUSE(bad, "core-to-core");
}

#define INJECT "Inject\tLatency\tBandwidth\nDelay\t(ns)\tMB/sec\n=======\n"

static void mlc(void **state)
{
    static const struct refusal bad[] = {
        {INJECT " 00000 100 5\n 00002 -3 5\n", ":5: '-3' is no latency"},
        {INJECT " 00002 100 5\n 00000 100 5\n", ":5: delay 0 is out of order"},
        {INJECT " 00002 100\n", ":4: '' is no bandwidth"},
        {INJECT " 00002 100 5 6\n", ":4: '6' is a cell too many"},
        {INJECT "\n", ":4: no rows below"},
        {"Measuring idle latencies (in ns)...\nNuma node 0 1\n 0 100\n",
         ":3: 1 cells where 2 nodes have memory"},
        {"Measuring idle latencies (in ns)...\n", ":1: no idle latencies"},
        {"Memory Latency Checker\n", ":1: the file ends without a table"},
    };
    struct passport_list list;

    (void)state;
    accept(&list,
           "Intel(R) Memory Latency Checker - v3.11\n"
           "Measuring idle latencies for random access (in ns)...\n"
           "\t\tNuma node\nNuma node\t 0\t 1\n  0\t 100.5\t 200\n\n" INJECT
           " 00000\t300.5\t  5000.0\n 00100\t100\t1000\n\nMore\n",
           "mlc");
    expect_point(series_of(&list, 0, "loaded", "latency"), 0, 0, 300.5);
    expect_point(series_of(&list, 0, "loaded", "bandwidth"), 1, 100, 1e9);
    assert_int_equal(series_of(&list, 0, "loaded", "idle")->count, 2);
    assert_true(series_of(&list, 0, "loaded", "idle")->points[1].at[1] == 1);
    sonde_passport_list_free(&list);
    REFUSE(bad, "mlc");
}

/* --- all of them --- */

/* Every row of the table has a name of its own, a summary, and refuses what is empty of
 * its form. */
static void every_reader_refuses_prose(void **state)
{
    static const char prose[] = "the quick brown fox\njumps over the lazy dog\n";
    size_t count;
    const struct reader *readers = sonde_passport_readers(&count);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        struct passport_list list = {0};
        struct message why = {{0}};

        assert_true(readers[i].summary && *readers[i].summary);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(readers[i].name, readers[k].name);
        assert_true(readers[i].recognise(prose, strlen(prose)) <= 10);
        assert_int_equal(readers[i].recognise("", 0), 0);
        assert_int_equal(readers[i].read(&list, prose, strlen(prose), "prose", &why),
                         -EINVAL);
        assert_true(strncmp(why.text, "prose", 5) == 0);
        assert_int_equal(list.count, 0);
        sonde_passport_list_free(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instlat),
        cmocka_unit_test(sbc_bench),
        cmocka_unit_test(mountain),
        cmocka_unit_test(mountain_csv),
        cmocka_unit_test(csapp),
        cmocka_unit_test(lmbench),
        cmocka_unit_test(multichase),
        cmocka_unit_test(tinymembench),
        cmocka_unit_test(core_to_core),
        cmocka_unit_test(mlc),
        cmocka_unit_test(every_reader_refuses_prose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
