/* Files with kernels: compiled where they are source, and what they declare. */
#ifndef SONDE_BENCH_KERNEL_FILE_H
#define SONDE_BENCH_KERNEL_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BENCH_PARAMETERS_MAX = 4,
    BENCH_KERNELS_MAX = 64,
    BENCH_NAME_MAX = 48,
    BENCH_TEXT_MAX = 160,
};

struct bench_parameter {
    char name[BENCH_NAME_MAX];
    long from, to, multiple;
    char defaults[BENCH_TEXT_MAX]; /* a list as of --param; "": `from` */
};

struct bench_kernel {
    char name[BENCH_NAME_MAX];
    size_t file;   /* index of its file */
    bool declared; /* by SONDE_KERNEL; otherwise (p, n, stride) is taken for granted */
    bool own_setup, own_check;
    char parameter_text[BENCH_TEXT_MAX], buffer[BENCH_TEXT_MAX], elements[BENCH_TEXT_MAX],
        bytes[BENCH_TEXT_MAX], operations[BENCH_TEXT_MAX];
    struct bench_parameter parameters[BENCH_PARAMETERS_MAX];
    size_t parameter_count;
    size_t code_bytes; /* of the function, by its symbol; 0: not told */
    uint64_t hash;     /* FNV-1a of them */
    char *disassembly; /* owned; NULL: no objdump, or it could not */
};

struct bench_file {
    const char *path; /* as given */
    char *object;     /* the shared object to load; owned */
};

/* Files, the private folder that they are compiled into, and all their kernels. */
struct bench_files {
    char *folder; /* owned; removed at the end */
    struct bench_file *files;
    size_t file_count;
    struct bench_kernel *kernels; /* BENCH_KERNELS_MAX of them */
    size_t kernel_count;
};

/* What sort of thing a path is, by its ending; -EINVAL for any other. */
enum bench_source { SOURCE_ASSEMBLY, SOURCE_C, SOURCE_OBJECT, SOURCE_SHARED };
int sonde_bench_source(const char *path, enum bench_source *source);

/* Compiles and reads all files. `flags` (may be NULL) is added to CFLAGS. `wanted` names
 * functions or kernels to take, all of them when `wanted_count` is 0. Compilers speak on
 * standard error. Close in any case. 0, or a negative errno with one line. */
int sonde_bench_files_open(struct bench_files *files, char *const *paths, size_t count,
                           const char *flags, const char *const *wanted,
                           size_t wanted_count, struct message *why);
void sonde_bench_files_close(struct bench_files *files);
/* By name; NULL: none. */
const struct bench_kernel *sonde_bench_kernel_find(const struct bench_files *files,
                                                   const char *name);

/* --- compile.c -----------------------------------------------------------------------
 */

/* Makes `object` of the source or object file. */
int sonde_bench_compile(const char *path, enum bench_source source, const char *folder,
                        const char *flags, const char *object, struct message *why);
/* Runs a program (words[0], found along PATH) to its end, its standard output in
 * `*output` (malloc'd) when `output` is not NULL, else on standard error. 0 when it exits
 * with 0; -ENOENT: it is not there; -ECANCELED: another status or a signal. */
int sonde_bench_command(char *const *words, char **output);
/* The header that kernels include, as text. */
extern const char sonde_bench_header[];
extern const char sonde_bench_header_end[];

/* --- symbols.c -----------------------------------------------------------------------
 */

struct bench_symbol {
    char name[BENCH_NAME_MAX + 16];
    bool function; /* otherwise an object */
    size_t size;
    uint64_t hash; /* of its bytes in the file, FNV-1a; 0: not in the file */
};

/* The global symbols that a shared object defines, in the order of their addresses; those
 * with longer names are left out. `*symbols` is malloc'd. -ENOEXEC: no shared object of
 * this kind of machine. */
int sonde_bench_symbols(const char *object, struct bench_symbol **symbols, size_t *count,
                        struct message *why);

/* --- parameters.c --------------------------------------------------------------------
 */

/* Reads the declaration "n=1..2^24:4096 stride=8..4096/8:8,64". */
int sonde_bench_parameters(struct bench_kernel *kernel, struct message *why);
/* The values of a list ("8,64,2^10..2^20": doubling), each held against what `parameter`
 * allows. `*values` is malloc'd. */
int sonde_bench_values(const struct bench_parameter *parameter, const char *list,
                       long **values, size_t *count, struct message *why);

#endif
