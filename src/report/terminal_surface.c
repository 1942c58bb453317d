/* A measured surface on the terminal: a row a place on the first axis, a shade a place on
 * the second, and the figures at both ends of the row.
 *
 *   throughput, by size and stride            8 B      120 B
 *      16 KiB  ████████████▓▓▓         45.2 GB/s  40.1 GB/s
 *     128 MiB  ▓▒▒░░░░                 10.1 GB/s   0.7 GB/s
 *
 * Shades are steps of the logarithm between the least and the most of the picture. It is
 * drawn of any series that has two axes of numbers and is a rate; all it knows is the
 * series, and the findings that list cliffs. A place without figures is a dot. */
#include "report/terminal_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 18, CELLS_MOST = 64, CELL_WIDE = 3, LABEL = 9, FIGURE = 11 };

static const char *const shades[] = {" ", "░", "▒", "▓", "█"};
enum { SHADES = sizeof shades / sizeof shades[0] };

struct surface {
    const struct series *series;
    double *first, *second; /* distinct places; owned */
    size_t rows, cells;
    double least, most;
};

/* --- the series -----------------------------------------------------------------------
 */

static bool is_numeric(const struct axis *axis)
{
    return axis->scale && strcmp(axis->scale, "category") != 0;
}

static bool drawable(const struct series *series)
{
    return series->axis_count == 2 && is_numeric(&series->axes[0]) &&
           is_numeric(&series->axes[1]) && series->unit &&
           strcmp(series->unit, "bytes/s") == 0 && series->count >= 4;
}

static bool known(const struct series_point *point)
{
    return point->best > 0 && isfinite(point->best) && isfinite(point->at[0]) &&
           isfinite(point->at[1]);
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

static size_t distinct(const struct series *series, unsigned axis, double *places)
{
    size_t count = 0, kept = 0;

    for (size_t i = 0; i < series->count; i++)
        if (known(&series->points[i]))
            places[count++] = series->points[i].at[axis];
    qsort(places, count, sizeof *places, ascending);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || places[i] != places[kept - 1])
            places[kept++] = places[i];
    return kept;
}

static bool open_surface(struct surface *surface, const struct series *series)
{
    *surface = (struct surface){.series = series, .least = INFINITY};
    surface->first = malloc((series->count + 1) * sizeof *surface->first);
    surface->second = malloc((series->count + 1) * sizeof *surface->second);
    if (!surface->first || !surface->second)
        return false;
    surface->rows = distinct(series, 0, surface->first);
    surface->cells = distinct(series, 1, surface->second);
    for (size_t i = 0; i < series->count; i++)
        if (known(&series->points[i])) {
            surface->least = fmin(surface->least, series->points[i].best);
            surface->most = fmax(surface->most, series->points[i].best);
        }
    return true;
}

static void close_surface(struct surface *surface)
{
    free(surface->first);
    free(surface->second);
}

static double value_at(const struct surface *surface, double first, double second)
{
    for (size_t i = 0; i < surface->series->count; i++) {
        const struct series_point *point = &surface->series->points[i];

        if (known(point) && point->at[0] == first && point->at[1] == second)
            return point->best;
    }
    return NAN;
}

/* --- the picture ----------------------------------------------------------------------
 */

static const char *shade_of(const struct surface *surface, double value)
{
    double share = log(value / surface->least) / log(surface->most / surface->least);
    double step = floor(share * SHADES);

    if (!(value > 0))
        return "·";
    if (!(share >= 0)) /* all alike */
        return shades[SHADES - 1];
    return shades[step >= SHADES ? SHADES - 1 : (size_t)step];
}

static void put_right(struct text *line, const char *text, size_t width)
{
    size_t own = sonde_report_width(text);

    sonde_base_text_print(line, "%*s%s", (int)(width > own ? width - own : 0), "", text);
}

/* Cells of three columns where they fit, else of one. */
static size_t cell_width(const struct surface *surface, const struct canvas *canvas)
{
    size_t room = canvas->columns - LABEL - 2 - 2 * FIGURE - 1;

    for (size_t width = CELL_WIDE; width > 1; width--)
        if (surface->cells * width <= room)
            return width;
    return 1;
}

static size_t cells_shown(const struct surface *surface, const struct canvas *canvas)
{
    size_t room = canvas->columns - LABEL - 2 - 2 * FIGURE - 1;

    room = room > CELLS_MOST ? CELLS_MOST : room;
    return surface->cells < room ? surface->cells : room;
}

static void finish(struct canvas *canvas, struct text *line)
{
    if (line->failed || !line->data)
        canvas->out->failed = true;
    else
        sonde_report_line(canvas, line->data);
    sonde_base_text_free(line);
}

static void draw_titles(const struct surface *surface, struct canvas *canvas)
{
    const struct axis *first = &surface->series->axes[0];
    const struct axis *second = &surface->series->axes[1];
    size_t cells = cells_shown(surface, canvas), width = cell_width(surface, canvas);
    struct text line = {0};

    sonde_base_text_print(&line, INK_DIM);
    put_right(&line, first->name ? first->name : "", LABEL);
    sonde_base_text_print(&line, "  %-*.*s", (int)(cells * width), (int)(cells * width),
                          second->name ? second->name : "");
    put_right(
        &line,
        sonde_report_number(surface->second[0], second->unit ? second->unit : "").text,
        FIGURE);
    if (cells > 1)
        put_right(&line,
                  sonde_report_number(surface->second[cells - 1],
                                      second->unit ? second->unit : "")
                      .text,
                  FIGURE);
    sonde_base_text_print(&line, INK_PLAIN);
    finish(canvas, &line);
}

static void put_value(const struct surface *surface, struct text *line, double value)
{
    put_right(line,
              isfinite(value) ? sonde_report_number(value, surface->series->unit).text
                              : "-",
              FIGURE);
}

static void draw_row(const struct surface *surface, struct canvas *canvas, double place)
{
    const char *unit = surface->series->axes[0].unit;
    size_t cells = cells_shown(surface, canvas), width = cell_width(surface, canvas);
    struct text line = {0};

    put_right(&line, sonde_report_number(place, unit ? unit : "").text, LABEL);
    sonde_base_text_print(&line, "  " INK_BAR);
    for (size_t k = 0; k < cells; k++) {
        double value = value_at(surface, place, surface->second[k]);

        for (size_t i = 0; i < width; i++)
            sonde_base_text_print(&line, "%s", shade_of(surface, value));
    }
    sonde_base_text_print(&line, INK_PLAIN);
    put_value(surface, &line, value_at(surface, place, surface->second[0]));
    if (cells > 1)
        put_value(surface, &line, value_at(surface, place, surface->second[cells - 1]));
    finish(canvas, &line);
}

/* --- cliffs ---------------------------------------------------------------------------
 */

static const char cliffs_prefix[] = "mountain.cliffs.";

bool sonde_report_in_surface(const char *name)
{
    return strncmp(name, cliffs_prefix, strlen(cliffs_prefix)) == 0;
}

static bool lists_cliffs(const struct finding *finding)
{
    return finding->name && finding->text && sonde_report_in_surface(finding->name);
}

/* Strides in a row that have the same cliffs share a line. */
static void say_cliffs(struct canvas *canvas, const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *first = &findings->rows[i];
        size_t last = i;

        if (!lists_cliffs(first))
            continue;
        while (last + 1 < findings->count && lists_cliffs(&findings->rows[last + 1]) &&
               strcmp(findings->rows[last + 1].text, first->text) == 0)
            last++;
        if (last > i)
            sonde_report_say(canvas, "  ", "cliffs at strides %s to %s bytes: %s",
                             first->name + strlen(cliffs_prefix),
                             findings->rows[last].name + strlen(cliffs_prefix),
                             first->text);
        else
            sonde_report_say(canvas, "  ", "cliffs at stride %s bytes: %s",
                             first->name + strlen(cliffs_prefix), first->text);
        i = last;
    }
}

/* --- all of it ------------------------------------------------------------------------
 */

/* Rows beyond what a screen holds are thinned evenly; the last one stays. */
static void draw(const struct surface *surface, struct canvas *canvas)
{
    size_t every = (surface->rows + ROWS_MOST - 1) / ROWS_MOST;

    draw_titles(surface, canvas);
    for (size_t i = 0; i < surface->rows; i++)
        if ((surface->rows - 1 - i) % every == 0)
            draw_row(surface, canvas, surface->first[i]);
}

static void draw_series(struct canvas *canvas, const struct vantages *vantages,
                        const struct passport *passport, const struct series *series)
{
    struct surface surface;
    char heading[160];

    if (!drawable(series))
        return;
    if (!open_surface(&surface, series)) {
        canvas->out->failed = true;
    } else if (surface.rows >= 2 && surface.cells >= 2) {
        snprintf(heading, sizeof heading, "%s: %s%s%s", series->name ? series->name : "",
                 series->quantity ? series->quantity : "",
                 vantages->count > 1 ? ", " : "",
                 vantages->count > 1 ? sonde_report_vantage(passport).text : "");
        sonde_report_heading(canvas, heading);
        draw(&surface, canvas);
    }
    close_surface(&surface);
}

void sonde_report_surfaces(struct canvas *canvas, const struct vantages *vantages)
{
    for (size_t v = 0; v < vantages->count; v++) {
        const struct passport *passport = &vantages->rows[v];

        for (size_t p = 0; p < passport->probe_count; p++) {
            const struct probe_result *probe = &passport->probes[p];

            for (size_t s = 0; s < probe->series.count; s++)
                draw_series(canvas, vantages, passport, &probe->series.rows[s]);
            say_cliffs(canvas, &probe->findings);
        }
    }
}
