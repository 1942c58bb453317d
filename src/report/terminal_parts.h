/* The parts of the terminal's passport, one file each. All take passports of one machine:
 * one, or one per kind of core. */
#ifndef SONDE_REPORT_TERMINAL_PARTS_H
#define SONDE_REPORT_TERMINAL_PARTS_H

#include "base/units.h"
#include "passport/passport.h"
#include "report/canvas.h"

#include <stdbool.h>
#include <stddef.h>

struct vantages {
    const struct passport *rows;
    size_t count;
    bool whole; /* show everything, not what matters of it */
};

/* What machine this is, and how well its clocks serve. */
void sonde_report_header(struct canvas *canvas, const struct vantages *vantages);
/* One line per level: measured beside declared, latency, bar; then what disagrees. */
void sonde_report_levels(struct canvas *canvas, const struct vantages *vantages);
/* Pictures of what was measured over two axes: a row a place on the first, a shade a
 * place on the second, from the series alone. */
void sonde_report_surfaces(struct canvas *canvas, const struct vantages *vantages);
/* Both designs of the costs by stride, side by side. */
void sonde_report_strides(struct canvas *canvas, const struct vantages *vantages);
/* Operations by the kind of their registers. */
void sonde_report_arithmetic(struct canvas *canvas, const struct vantages *vantages);
/* Does that table say it already? */
bool sonde_report_in_arithmetic(const char *name);
/* Does such a picture say it already? */
bool sonde_report_in_surface(const char *name);
/* Further findings, a line each or the few that matter in a block a probe, and the
 * controls. */
void sonde_report_findings(struct canvas *canvas, const struct vantages *vantages);
/* Draws the block of each probe; counts what it shows and what there is. */
struct shown_count {
    size_t shown, all;
};
struct shown_count sonde_report_blocks(struct canvas *canvas,
                                       const struct passport *passport);
/* What could not be measured, and why; probes that did not finish. */
void sonde_report_gaps(struct canvas *canvas, const struct vantages *vantages);
void sonde_report_warnings(struct canvas *canvas, const struct vantages *vantages);
/* What this means for your code: only sentences that a finding stands behind. */
void sonde_report_advice(struct canvas *canvas, const struct vantages *vantages);
/* The same sentences of one passport, one call each, for other reports. */
struct advice_rule;
void sonde_report_advice_each(const struct passport *passport,
                              void (*take)(void *self, const struct advice_rule *rule,
                                           const char *sentence),
                              void *self);

/* --- shared by the parts --------------------------------------------------------------
 */

struct value_text {
    char text[80];
};

/* A number with its unit, the two glued together. */
struct value_text sonde_report_number(double value, const char *unit);
struct value_text sonde_report_range(double low, double high, const char *unit);
/* The value of a finding as people read it: a number (sizes snapped where the interval
 * holds the round one), a range where the value is not sure, its text, or "not
 * measurable". */
struct value_text sonde_report_value(const struct finding *finding);
/* The size that sonde_report_value shows for a finding in bytes; NaN where it shows a
 * range. */
double sonde_report_size(const struct finding *finding);
/* Where it shows a range, the end of it that is surely had; else the same size. */
double sonde_report_size_least(const struct finding *finding);
/* As people read it: the end that is surely had, or the one that is surely enough, as the
 * range has it. */
struct value_text sonde_report_size_least_text(const struct finding *finding);
struct value_text sonde_report_size_most_text(const struct finding *finding);
/* Is there a number, a range or a text? */
bool sonde_report_known(const struct finding *finding);
/* Is it the one of its name that is shown, and no other part of the report shows it? */
bool sonde_report_is_further(const struct passport *passport,
                             const struct finding *finding);
/* Is this one of the level's findings, which the table of levels shows? */
bool sonde_report_of_level(const char *name);
/* Does the line of the clocks in the header show it? */
bool sonde_report_in_header(const struct passport *passport, const char *name);
/* "performance (CPU 0)", for headings where kinds of core differ. */
struct value_text sonde_report_vantage(const struct passport *passport);

#endif
