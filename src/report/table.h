/* A table that fits: columns as wide as their content, the least needed dropped until the
 * rest fits the canvas, and bars in what room is left. */
#ifndef SONDE_REPORT_TABLE_H
#define SONDE_REPORT_TABLE_H

#include "report/canvas.h"

enum { TABLE_COLUMNS_MAX = 12, TABLE_ROWS_MAX = 1024 };

struct table_column {
    const char *title;
    bool right;    /* aligned to the right */
    unsigned gap;  /* spaces before it */
    unsigned rank; /* dropped in falling order of rank; 0: never */
};

struct table {
    const struct table_column *columns;
    unsigned count;
    size_t rows; /* rows beyond TABLE_ROWS_MAX are left out, which `full` says */
    bool full;
    bool titled;                       /* titles are drawn */
    char *(*cells)[TABLE_COLUMNS_MAX]; /* owned */
    double *bars;                      /* one a row, 0 to 1; NaN: none; owned */
};

/* 0 or -ENOMEM. Close it in both cases. */
int sonde_report_table_open(struct table *table, const struct table_column *columns,
                            unsigned count, bool titled);
void sonde_report_table_close(struct table *table);
/* Begins a row; its cells are empty and it has no bar. */
void sonde_report_row(struct table *table);
/* Sets a cell of the row begun last. */
__attribute__((format(printf, 3, 4))) void
sonde_report_cell(struct table *table, unsigned column, const char *format, ...);
void sonde_report_bar(struct table *table, double share);
void sonde_report_table_draw(const struct table *table, struct canvas *canvas);

#endif
