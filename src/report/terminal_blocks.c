/* The findings of a passport of many probes: a block a probe, of the few that matter.
 *
 *   tlb        first level, pages           64 ✓  a miss of it             7.00 cyc
 *              second level, pages        1920 ✓  a page walk              71.4 cyc
 *
 * Which those are, names.def says: a row that is a KEY has a brief title. What
 * contradicts a declaration is always shown, and explained below the blocks. A probe none
 * of whose findings is a KEY shows its first ones, so that a new probe is seen before
 * anybody has chosen. What can fool it: a title that is longer than its cell is cut. */
#include "report/terminal_parts.h"

#include "infer/names.h"
#include "report/sentences.h"

#include <string.h>

/* Columns: two cells beside the name of a probe fill a terminal of 80. */
enum { NAME_WIDE = 11, CELL_LEAST = 33, CELL_MOST = 40, CELL_GAP = 2, MARK_WIDE = 2 };
/* Of a probe without a KEY, how many are shown. */
enum { FIRST_ONES = 2 };

struct grid {
    struct canvas *canvas;
    size_t wide, per_line; /* columns of a cell, cells of a line */
    struct text line;
    size_t cells; /* in the line */
};

static struct grid open_grid(struct canvas *canvas)
{
    size_t room = canvas->columns - NAME_WIDE + CELL_GAP;
    struct grid grid = {.canvas = canvas, .per_line = room / (CELL_LEAST + CELL_GAP)};

    grid.wide = room / grid.per_line - CELL_GAP;
    grid.wide = grid.wide > CELL_MOST ? CELL_MOST : grid.wide;
    return grid;
}

static void end_line(struct grid *grid)
{
    if (grid->line.failed)
        grid->canvas->out->failed = true;
    else if (grid->cells)
        sonde_report_line(grid->canvas, grid->line.data);
    sonde_base_text_free(&grid->line);
    grid->cells = 0;
}

static void pad(struct text *line, size_t used, size_t width)
{
    sonde_base_text_print(line, "%*s", used < width ? (int)(width - used) : 0, "");
}

/* `name` stands at the head of a line only. */
static void begin_cell(struct grid *grid, const char *name)
{
    struct text cut = {0};

    if (grid->cells == grid->per_line)
        end_line(grid);
    if (grid->cells++) {
        pad(&grid->line, 0, CELL_GAP);
        return;
    }
    sonde_report_cut(&cut, name, NAME_WIDE - 1);
    sonde_base_text_print(&grid->line, INK_DIM "%s" INK_PLAIN, cut.data ? cut.data : "");
    pad(&grid->line, sonde_report_width(cut.data ? cut.data : ""), NAME_WIDE);
    grid->line.failed = grid->line.failed || cut.failed;
    sonde_base_text_free(&cut);
}

static const char *mark_of(const struct finding *finding)
{
    if (finding->verdict == VERDICT_AGREES)
        return INK_GOOD "✓" INK_PLAIN;
    return finding->verdict == VERDICT_CONTRADICTS ? INK_BAD "✗" INK_PLAIN : "";
}

/* The title at the left, the value at the right, the mark behind it. */
static void put_cell(struct grid *grid, const char *name, const char *title,
                     const struct finding *finding)
{
    size_t room = grid->wide - MARK_WIDE;
    struct text value = {0}, left = {0};
    const char *mark = mark_of(finding);

    begin_cell(grid, name);
    sonde_report_cut(&value, sonde_report_value(finding).text, room * 2 / 3);
    if (value.data && !value.failed) {
        size_t taken = sonde_report_width(value.data);

        sonde_report_cut(&left, title, room - taken - 1);
        if (left.data)
            sonde_base_text_print(&grid->line, "%s", left.data);
        pad(&grid->line, sonde_report_width(left.data ? left.data : ""), room - taken);
        sonde_base_text_print(&grid->line, "%s %s", value.data, mark);
        pad(&grid->line, *mark ? 1 : 0, 1);
    }
    grid->line.failed = grid->line.failed || value.failed || left.failed;
    sonde_base_text_free(&value);
    sonde_base_text_free(&left);
}

/* The title of what is shown whatever else is; NULL: not one of these. */
static const char *brief_of(const struct finding *finding, char *title, size_t size)
{
    const struct finding_name *name = sonde_infer_name(finding->name);

    if (name && name->brief)
        return name->brief;
    if (finding->verdict != VERDICT_CONTRADICTS)
        return NULL;
    return sonde_infer_title(finding->name, title, size);
}

static bool has_brief(const struct passport *passport, const struct findings *findings)
{
    char title[64];

    for (size_t i = 0; i < findings->count; i++)
        if (sonde_report_is_further(passport, &findings->rows[i]) &&
            brief_of(&findings->rows[i], title, sizeof title))
            return true;
    return false;
}

static void draw_block(struct grid *grid, const struct passport *passport,
                       const struct probe_result *probe, struct shown_count *count)
{
    size_t first_ones = has_brief(passport, &probe->findings) ? 0 : FIRST_ONES, shown = 0;

    for (size_t i = 0; i < probe->findings.count; i++) {
        const struct finding *finding = &probe->findings.rows[i];
        char title[64];
        const char *brief;

        if (!sonde_report_is_further(passport, finding))
            continue;
        count->all++;
        brief = brief_of(finding, title, sizeof title);
        if (!brief && shown < first_ones)
            brief = sonde_infer_title(finding->name, title, sizeof title);
        if (brief)
            put_cell(grid, shown++ ? "" : probe->name, brief, finding);
    }
    count->shown += shown;
    end_line(grid);
}

/* Contradictions that the table of levels does not explain. */
static void explain(struct canvas *canvas, const struct passport *passport)
{
    struct sentences sentences = {0};
    struct vantages alone = {passport, 1, false};

    for (size_t p = 0; p < passport->probe_count; p++) {
        const struct findings *findings = &passport->probes[p].findings;

        for (size_t i = 0; i < findings->count; i++)
            if (sonde_report_is_further(passport, &findings->rows[i]))
                sonde_report_contradiction(&sentences, 0, &findings->rows[i]);
    }
    sonde_report_sentences_draw(&sentences, &alone, NULL, canvas);
}

struct shown_count sonde_report_blocks(struct canvas *canvas,
                                       const struct passport *passport)
{
    struct grid grid = open_grid(canvas);
    struct shown_count count = {0};

    for (size_t p = 0; p < passport->probe_count; p++)
        draw_block(&grid, passport, &passport->probes[p], &count);
    explain(canvas, passport);
    return count;
}
