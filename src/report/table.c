/* A table that fits.
 *
 * A column in which no row has anything is left out too. The last column may be cut by
 * the canvas, when even the columns that are never dropped are too wide together. */
#include "report/table.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A bar shorter than this tells nothing; a longer one adds nothing. */
enum { BAR_LEAST = 5, BAR_MOST = 40, BAR_GAP = 2 };

int sonde_report_table_open(struct table *table, const struct table_column *columns,
                            unsigned count, bool titled)
{
    *table = (struct table){.columns = columns, .count = count, .titled = titled};
    table->cells = calloc(TABLE_ROWS_MAX, sizeof *table->cells);
    table->bars = calloc(TABLE_ROWS_MAX, sizeof *table->bars);
    return table->cells && table->bars ? 0 : -ENOMEM;
}

void sonde_report_table_close(struct table *table)
{
    for (size_t row = 0; row < table->rows; row++)
        for (unsigned column = 0; column < table->count; column++)
            free(table->cells[row][column]);
    free(table->cells);
    free(table->bars);
    *table = (struct table){0};
}

void sonde_report_row(struct table *table)
{
    table->full = table->rows == TABLE_ROWS_MAX;
    if (!table->full)
        table->bars[table->rows++] = NAN;
}

void sonde_report_cell(struct table *table, unsigned column, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;

    if (table->full || table->rows == 0)
        return;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    free(table->cells[table->rows - 1][column]);
    table->cells[table->rows - 1][column] = text;
}

void sonde_report_bar(struct table *table, double share)
{
    if (!table->full && table->rows > 0)
        table->bars[table->rows - 1] = share;
}

/* --- fitting --------------------------------------------------------------------------
 */

static size_t content_width(const struct table *table, unsigned column)
{
    size_t widest = 0;

    for (size_t row = 0; row < table->rows; row++) {
        const char *cell = table->cells[row][column];
        size_t width = cell ? sonde_report_width(cell) : 0;

        widest = width > widest ? width : widest;
    }
    if (widest > 0 && table->titled) {
        size_t title = sonde_report_width(table->columns[column].title);

        widest = title > widest ? title : widest;
    }
    return widest;
}

static size_t total_width(const struct table *table, const size_t *widths)
{
    size_t total = 0;

    for (unsigned column = 0; column < table->count; column++)
        if (widths[column])
            total += widths[column] + table->columns[column].gap;
    return total;
}

/* The shown column that is missed least, or `count`. */
static unsigned least_needed(const struct table *table, const size_t *widths)
{
    unsigned worst = table->count;

    for (unsigned column = 0; column < table->count; column++)
        if (widths[column] && table->columns[column].rank &&
            (worst == table->count ||
             table->columns[column].rank > table->columns[worst].rank))
            worst = column;
    return worst;
}

/* Widths of the columns, 0 where one is left out. */
static void fit(const struct table *table, size_t columns, size_t *widths)
{
    for (unsigned column = 0; column < table->count; column++)
        widths[column] = content_width(table, column);
    while (total_width(table, widths) > columns) {
        unsigned worst = least_needed(table, widths);

        if (worst == table->count)
            break;
        widths[worst] = 0;
    }
}

/* --- drawing --------------------------------------------------------------------------
 */

static void spaces(struct text *line, size_t count)
{
    sonde_base_text_print(line, "%*s", (int)count, "");
}

static void add_cell(struct text *line, const struct table_column *column,
                     const char *cell, size_t width)
{
    size_t own = sonde_report_width(cell);
    size_t pad = width > own ? width - own : 0;

    spaces(line, column->gap);
    if (column->right)
        spaces(line, pad);
    sonde_base_text_print(line, "%s", cell);
    if (!column->right)
        spaces(line, pad);
}

/* Eighths of a column, so that small values still differ; never quite nothing. */
static void add_bar(struct text *line, double share, size_t room)
{
    static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    size_t eighths = (size_t)lround(share * (double)room * 8);

    eighths = eighths < 1 ? 1 : eighths;
    spaces(line, BAR_GAP);
    sonde_base_text_print(line, INK_BAR);
    for (; eighths >= 8; eighths -= 8)
        sonde_base_text_print(line, "█");
    sonde_base_text_print(line, "%s" INK_PLAIN, parts[eighths]);
}

static void draw_titles(const struct table *table, struct canvas *canvas,
                        const size_t *widths)
{
    struct text line = {0};

    sonde_base_text_print(&line, INK_DIM);
    for (unsigned column = 0; column < table->count; column++)
        if (widths[column])
            add_cell(&line, &table->columns[column], table->columns[column].title,
                     widths[column]);
    while (line.length > 0 && line.data[line.length - 1] == ' ')
        line.data[--line.length] = '\0';
    sonde_base_text_print(&line, INK_PLAIN);
    if (line.failed)
        canvas->out->failed = true;
    else
        sonde_report_line(canvas, line.data);
    sonde_base_text_free(&line);
}

static void draw_row(const struct table *table, size_t row, struct canvas *canvas,
                     const size_t *widths, size_t bar_room)
{
    struct text line = {0};
    double share = table->bars[row];

    for (unsigned column = 0; column < table->count; column++) {
        const char *cell = table->cells[row][column];

        if (widths[column])
            add_cell(&line, &table->columns[column], cell ? cell : "", widths[column]);
    }
    if (bar_room && isfinite(share))
        add_bar(&line, share > 1 ? 1 : share, bar_room);
    if (line.failed)
        canvas->out->failed = true;
    else if (line.data)
        sonde_report_line(canvas, line.data);
    sonde_base_text_free(&line);
}

void sonde_report_table_draw(const struct table *table, struct canvas *canvas)
{
    size_t widths[TABLE_COLUMNS_MAX] = {0}, used, bar_room = 0;

    if (table->rows == 0)
        return;
    fit(table, canvas->columns, widths);
    used = total_width(table, widths) + BAR_GAP;
    if (used + BAR_LEAST <= canvas->columns)
        bar_room = canvas->columns - used;
    bar_room = bar_room > BAR_MOST ? BAR_MOST : bar_room;
    if (table->titled)
        draw_titles(table, canvas, widths);
    for (size_t row = 0; row < table->rows; row++)
        draw_row(table, row, canvas, widths, bar_room);
    if (table->full)
        sonde_report_say(canvas, "", "(further rows are left out)");
}
