/* Arithmetic on the terminal: a row an operation, a column a kind of registers, so that
 * float32 stands beside float64 and every width beside the next.
 *
 * Each cell holds the cycles until a result can be used and how many of them finish in a
 * cycle. Columns and rows without a figure are left out; why there is none is said with
 * the other gaps. It is drawn of the findings arith.<operation>[.<registers>].* alone;
 * their intervals stay in the passport. */
#include "report/table.h"
#include "report/terminal_parts.h"

#include <stdio.h>
#include <string.h>

static const char prefix[] = "arith.";
static const char *const figures[] = {".latency_cycles", ".throughput"};

static const struct {
    const char *name, *title;
} operations[] = {
    {"add", "integer add"},
    {"add32", "int32 add"},
    {"mul", "integer multiply"},
    {"mul32", "int32 multiply"},
    {"div", "integer divide"},
    {"fadd", "float64 add"},
    {"fadd32", "float32 add"},
    {"fmul", "float64 multiply"},
    {"fmul32", "float32 multiply"},
    {"fma", "float64 fused"},
    {"fma32", "float32 fused"},
    {"fdiv", "float64 divide"},
    {"fdiv32", "float32 divide"},
    {"fsqrt", "float64 root"},
    {"fsqrt32", "float32 root"},
    {"sin", "sin()"},
    {"exp", "exp()"},
    {"pow", "pow()"},
};

static const struct {
    const char *name, *title;
} registers[] = {{"", "scalar"},
                 {".v128", "128-bit"},
                 {".v256", "256-bit"},
                 {".v512", "512-bit"},
                 {".sve", "SVE"}};

enum {
    OPERATIONS = sizeof operations / sizeof operations[0],
    REGISTERS = sizeof registers / sizeof registers[0]
};

/* Any of the figures of an operation, or none: "3.00 / 2.00". */
struct figures {
    struct value_text text;
    bool any;
};

bool sonde_report_in_arithmetic(const char *name)
{
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        size_t length = strlen(name), own = strlen(figures[i]);

        if (strncmp(name, prefix, strlen(prefix)) == 0 && length > own &&
            strcmp(name + length - own, figures[i]) == 0)
            return true;
    }
    return false;
}

static struct figures read_figures(const struct passport *passport, size_t operation,
                                   size_t kind)
{
    char parts[2][16] = {"?", "?"}, name[64];
    struct figures out = {.any = false};

    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        const struct finding *finding;

        snprintf(name, sizeof name, "%s%s%s%s", prefix, operations[operation].name,
                 registers[kind].name, figures[i]);
        finding = sonde_passport_finding(passport, name);
        if (!finding || !sonde_report_known(finding))
            continue;
        out.any = true;
        snprintf(parts[i], sizeof parts[i], finding->value < 0.1 ? "%.3f" : "%.2f",
                 finding->value);
    }
    snprintf(out.text.text, sizeof out.text.text, "%s" GLUE "/" GLUE "%s", parts[0],
             parts[1]);
    return out;
}

/* The kinds of registers with any figure; returns how many. */
static size_t choose_kinds(const struct passport *passport, size_t *kinds)
{
    size_t count = 0;

    for (size_t kind = 0; kind < REGISTERS; kind++)
        for (size_t i = 0; i < OPERATIONS; i++)
            if (read_figures(passport, i, kind).any) {
                kinds[count++] = kind;
                break;
            }
    return count;
}

static void add_row(struct table *table, const struct passport *passport,
                    size_t operation, const size_t *kinds, size_t count)
{
    bool begun = false;

    for (size_t i = 0; i < count; i++) {
        struct figures figures_here = read_figures(passport, operation, kinds[i]);

        if (!figures_here.any)
            continue;
        if (!begun)
            sonde_report_row(table);
        if (!begun)
            sonde_report_cell(table, 0, "%s", operations[operation].title);
        begun = true;
        sonde_report_cell(table, (unsigned)(i + 1), "%s", figures_here.text.text);
    }
}

static void draw(struct canvas *canvas, const struct passport *passport)
{
    struct table_column columns[1 + REGISTERS] = {{"", false, 2, 0}};
    size_t kinds[REGISTERS], count = choose_kinds(passport, kinds);
    struct table table;

    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++)
        columns[i + 1] =
            (struct table_column){registers[kinds[i]].title, true, 2, (unsigned)i};
    if (sonde_report_table_open(&table, columns, (unsigned)(count + 1), true)) {
        canvas->out->failed = true;
    } else {
        for (size_t i = 0; i < OPERATIONS; i++)
            add_row(&table, passport, i, kinds, count);
        sonde_report_heading(canvas, "arithmetic: cycles to a result / results a cycle");
        sonde_report_table_draw(&table, canvas);
    }
    sonde_report_table_close(&table);
}

void sonde_report_arithmetic(struct canvas *canvas, const struct vantages *vantages)
{
    for (size_t i = 0; i < vantages->count; i++)
        draw(canvas, &vantages->rows[i]);
}
