/* Curves of other tools: what is understood, and what is refused with its line. */
#include "support.h"

#include "base/text.h"
#include "passport/passport.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writes a file and reads it as any reader would; the name is put in for "FILE". */
static int read_bytes(struct passport_list *list, const void *bytes, size_t length,
                      const char *format, struct message *why)
{
    char path[] = "/tmp/sonde-test-csv-XXXXXX";
    int file = mkstemp(path), rc;

    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, length), (ssize_t)length);
    close(file);
    rc = sonde_passport_read(list, path, format, why);
    unlink(path);
    if (rc && strncmp(why->text, path, strlen(path)) == 0)
        memmove(why->text, why->text + strlen(path),
                strlen(why->text) - strlen(path) + 1);
    return rc;
}

static const struct series *read_series(struct passport_list *list, const char *text)
{
    struct message why = {{0}};

    if (read_bytes(list, text, strlen(text), NULL, &why) != 0)
        fail_msg("'%s' refused: %s", text, why.text);
    assert_int_equal(list->count, 1);
    return sonde_measure_series_find(
        &sonde_passport_probe(&list->rows[0], "latency")->series, "random");
}

struct pair {
    double size, latency;
};

static void expect(const char *text, const struct pair *pairs, size_t count)
{
    struct passport_list list = {0};
    const struct series *series = read_series(&list, text);

    assert_int_equal(series->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(series->points[i].at[0] == pairs[i].size);
        assert_true(fabs(series->points[i].best / pairs[i].latency - 1) < 1e-12);
        assert_int_equal(series->points[i].n, 1);
    }
    sonde_passport_list_free(&list);
}

static const struct pair two[] = {{4096, 1.25}, {49152, 3.5}};

static void test_accepted(void **state)
{
    static const char *const texts[] = {
        "4096,1.25\n49152,3.5\n",
        "4096,1.25\n49152,3.5",       /* no newline at the end */
        "4096,1.25\r\n49152,3.5\r\n", /* of a spreadsheet */
        ("\xef\xbb\xbf"
         "4096,1.25\n49152,3.5\n"), /* the same, with its mark */
        "size,latency\n4096,1.25\n49152,3.5\n",
        "# remark\n\nsize_bytes,latency_ns\n4096,1.25 # here too\n\n49152,3.5\n",
        "\"size\",\"latency\"\n\"4096\",\"1.25\"\n\"49152\",\"3.5\"\n",
        "4K;1.25\n48 KiB;3.5\n",
        "4k\t1.25\n48kib\t3.5\n",
        "Size (KiB);Latency (ns)\n4;1.25\n48;3.5\n",
        "size_kb,time_us\n4,0.00125\n48,0.0035\n",
        " 49152 , 3.5 \n 4096 , 1.25 \n", /* sorted */
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        expect(texts[i], two, 2);
}

static void test_series(void **state)
{
    struct passport_list list = {0};
    const struct series *series = read_series(&list, "size,latency\n1M,2\n");

    (void)state;
    assert_string_equal(series->axes[0].name, "size");
    assert_string_equal(series->axes[0].unit, "bytes");
    assert_string_equal(series->axes[0].scale, "log2");
    assert_string_equal(series->quantity, "latency");
    assert_string_equal(series->unit, "ns");
    assert_true(isnan(series->points[0].cycles));
    assert_null(list.rows[0].machine.model);
    assert_true(isnan(list.rows[0].machine.cpus_online));
    sonde_passport_list_free(&list);
}

static void test_cycles(void **state)
{
    struct passport_list list = {0};
    const struct series *series = read_series(&list, "size,cycles\n1M,14\n");

    (void)state;
    assert_string_equal(series->unit, "cycles");
    assert_true(series->points[0].cycles == 14);
    sonde_passport_list_free(&list);
}

struct bad {
    const char *text, *says;
};

static void refuse_bytes(const void *bytes, size_t length, const char *format,
                         const char *says)
{
    struct passport_list list = {0};
    struct message why = {{0}};

    assert_int_equal(read_bytes(&list, bytes, length, format, &why), -EINVAL);
    if (strncmp(why.text, says, strlen(says)) != 0 || strchr(why.text, '\n'))
        fail_msg("'%s' does not begin with '%s'", why.text, says);
    for (const char *c = why.text; *c; c++)
        assert_true((unsigned char)*c >= 0x20);
    assert_int_equal(list.count, 0);
}

static void test_refused(void **state)
{
    static const struct bad rows[] = {
        {"", ": empty"},
        {" \n\t\n", ": empty"},
        {"# nothing but remarks, really\n", ": no line of size,latency"},
        {"size,latency\n", ": no line of size,latency"},
        {"1024,1\n2048\n", ":2: 1 cells in '2048'"},
        {"1024,1\n2048,2,3\n", ":2: 3 cells in '2048,2,3'"},
        {"1024,1\n2048,2,\n", ":2: 3 cells"},
        {"1024,1\n,\n", ":2: '' is no size"},
        {"1024,1\n2048,\n", ":2: '' is no latency"},
        {"1024,1\nhello,2\n", ":2: 'hello' is no size"},
        {"1024,1\n2048,fast\n", ":2: 'fast' is no latency"},
        {"1024,1\nsize,latency\n",
         ":2: 'size' is no size"}, /* a header must come first */
        {"size,latency\nsize,latency\n", ":2: 'size' is no size"},
        {"cores,latency\n1,1\n", ":1: 'cores' is no size"},
        {"size,bandwidth\n1,1\n", ":1: 'bandwidth' is no latency"},
        {"1024,-1\n", ":1: '-1' is no latency: it must be above 0"},
        {"1024,0\n", ":1: '0' is no latency: it must be above 0"},
        {"0,1\n", ":1: '0' is no size: it must be above 0"},
        {"-4096,1\n", ":1: '-4096' is no size: it must be above 0"},
        {"0.25,1\n", ":1: '0.25' is no size in bytes"},
        {"1e300,1\n", ":1: '1e300' is no size in bytes"},
        {"99999999T,1\n", ":1: '99999999T' is larger than any memory"},
        {"1024,nan\n", ":1: 'nan' is no latency"},
        {"nan,1\n", ":1: 'nan' is no size"},
        {"1024,inf\n", ":1: 'inf' is no latency"},
        {"1024,1e999\n", ":1: '1e999' is no latency"},
        {"1024,0x10\n", ":1: '0x10' is no latency"},
        {"1024;1,08\n", ":1: '1,08' is no latency"}, /* a decimal comma */
        {"1024,1.0.0\n", ":1: '1.0.0' is no latency"},
        {"1024,1\n1K,2\n", ":2: the size of line 1 again (1024 bytes)"},
        {"2048,1\n1024,1\n2048,1\n", ":3: the size of line 1 again (2048 bytes)"},
        {"just a sentence\n", ":1: 1 cells in 'just a sentence'"},
        {"unknown size,3\n", ":1: '3' is no latency, nor the name of one"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        refuse_bytes(rows[i].text, strlen(rows[i].text), "csv", rows[i].says);
}

static void test_refused_bytes(void **state)
{
    static const char utf16[] = "1\0,\0"
                                "2\0\n";
    static const char elf[] = "\x7f"
                              "ELF\2\1\1,\n";
    static const char nul[] = "1024,1\n20\0"
                              "48,2\n";
    static const char escape[] = "1024,\xff\xfe\xe2\x80\xae\n";

    (void)state;
    refuse_bytes(utf16, sizeof utf16 - 1, NULL, ":1: binary, not text");
    refuse_bytes(elf, sizeof elf - 1, NULL, ":1: binary, not text");
    refuse_bytes(nul, sizeof nul - 1, NULL, ":2: binary, not text");
    refuse_bytes("a\x1b[31m,1\n", 9, NULL, ":1: binary, not text");
    refuse_bytes(escape, sizeof escape - 1, NULL, ":1: '\?\?\?' is no latency");
}

static void test_long_cell(void **state)
{
    char text[5000];

    (void)state;
    memset(text, '9', sizeof text);
    text[sizeof text - 3] = ',';
    text[sizeof text - 1] = '\n';
    refuse_bytes(text, sizeof text, NULL, ":1: '9999999999999999");
}

static void test_recognised(void **state)
{
    static const char *const passport = "  [{\"schema\": 1}]";
    struct passport_list list = {0};
    struct message why = {{0}};

    (void)state;
    assert_int_equal(read_bytes(&list, passport, strlen(passport), NULL, &why), 0);
    assert_int_equal(list.count, 1);
    refuse_bytes("<html>,</html>", 14, NULL, ": in no form that");
    refuse_bytes(passport, strlen(passport), "csv", ":1: 1 cells");
    refuse_bytes("1024,1\n", 7, "passport", ":1: not valid JSON");
    refuse_bytes("1024,1\n", 7, "xml",
                 "no format is named 'xml': choose one of passport, csv");
    sonde_passport_list_free(&list);
}

static void test_no_file(void **state)
{
    struct passport_list list = {0};
    struct message why = {{0}};

    (void)state;
    assert_int_equal(sonde_passport_read(&list, "/no/such/file", NULL, &why), -ENOENT);
    assert_string_equal(why.text, "/no/such/file: No such file or directory");
    assert_true(sonde_passport_read(&list, "/", NULL, &why) < 0);
    assert_string_equal(why.text, "/: Is a directory");
}

/* 64 MiB and a byte, of which none takes room on the disk. */
static void test_too_large(void **state)
{
    char path[] = "/tmp/sonde-test-csv-XXXXXX";
    int file = mkstemp(path);
    struct passport_list list = {0};
    struct message why = {{0}};

    (void)state;
    assert_int_equal(ftruncate(file, (64 << 20) + 1), 0);
    close(file);
    assert_int_equal(sonde_passport_read(&list, path, NULL, &why), -EINVAL);
    assert_non_null(strstr(why.text, "larger than 64 MiB"));
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),      cmocka_unit_test(test_series),
        cmocka_unit_test(test_cycles),        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_refused_bytes), cmocka_unit_test(test_long_cell),
        cmocka_unit_test(test_recognised),    cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_too_large),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
