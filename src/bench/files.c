/* From paths to kernels: compile, read the symbols, and ask the declarations. The object
 * is loaded in a child, since its constructors are somebody else's code. */
#include "base/text.h"
#include "bench/child.h"
#include "bench/kernel_file.h"

#include "sonde.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char prefix[] = "sonde_kernel_";
static const double load_timeout_s = 20;

/* What the child tells of one declared kernel. */
struct told {
    char name[BENCH_NAME_MAX];
    char texts[5][BENCH_TEXT_MAX]; /* parameters, buffer, elements, bytes, operations */
    bool own_setup, own_check;
    unsigned line;
    char problem[96];
};

struct asking {
    struct child_trace trace;
    const char *object;
    const struct bench_symbol *symbols;
    size_t symbol_count;
    char problem[200]; /* of the whole object */
    size_t count;
    struct told rows[BENCH_KERNELS_MAX];
};

/* --- in the child ---------------------------------------------------------------------
 */

static void tell_text(struct told *told, size_t which, const char *text)
{
    const char *known = text ? text : "";

    if (strlen(known) >= sizeof told->texts[which])
        snprintf(told->problem, sizeof told->problem, "a text of %zu bytes is too long",
                 strlen(known));
    else
        strcpy(told->texts[which], known);
}

static void tell(const struct sonde_kernel *kernel, struct told *told)
{
    if (kernel->version != SONDE_KERNEL_VERSION) {
        snprintf(told->problem, sizeof told->problem,
                 "was declared by version %u of sonde.h, not %d", kernel->version,
                 SONDE_KERNEL_VERSION);
        return;
    }
    snprintf(told->name, sizeof told->name, "%s", kernel->name ? kernel->name : "");
    tell_text(told, 0, kernel->parameters);
    tell_text(told, 1, kernel->buffer);
    tell_text(told, 2, kernel->elements);
    tell_text(told, 3, kernel->bytes);
    tell_text(told, 4, kernel->operations);
    told->line = kernel->line;
    told->own_setup = kernel->setup != NULL;
    told->own_check = kernel->check != NULL;
}

static void ask_child(void *argument)
{
    struct asking *asking = argument;
    void *object = dlopen(asking->object, RTLD_NOW | RTLD_LOCAL);

    if (!object) {
        snprintf(asking->problem, sizeof asking->problem, "%s", dlerror());
        return;
    }
    for (size_t i = 0; i < asking->symbol_count; i++) {
        const struct bench_symbol *symbol = &asking->symbols[i];
        const void *address;

        if (symbol->function || strncmp(symbol->name, prefix, sizeof prefix - 1) != 0 ||
            asking->count == BENCH_KERNELS_MAX)
            continue;
        address = dlsym(object, symbol->name);
        if (address)
            tell(address, &asking->rows[asking->count++]);
    }
}

/* --- in the parent --------------------------------------------------------------------
 */

static const struct bench_symbol *function_of(const struct bench_symbol *symbols,
                                              size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (symbols[i].function && strcmp(symbols[i].name, name) == 0)
            return &symbols[i];
    return NULL;
}

/* Of what objdump says, only the lines of instructions. */
static char *keep_instructions(char *said)
{
    struct text kept = {0};
    char *rest = said, *line;

    while (rest && (line = strsep(&rest, "\n")))
        if (strstr(line, ":\t"))
            sonde_base_text_print(&kept, "%s\n", sonde_base_trim(line));
    free(said);
    return kept.data;
}

static void disassemble(const char *object, struct bench_kernel *kernel)
{
    char select[BENCH_NAME_MAX + 32];
    char *words[] = {
        (char *)"objdump", (char *)"-d", (char *)"--no-show-raw-insn", select,
        (char *)object,    NULL};

    snprintf(select, sizeof select, "--disassemble=%s", kernel->name);
    if (sonde_bench_command(words, &kernel->disassembly))
        kernel->disassembly = NULL;
    else
        kernel->disassembly = keep_instructions(kernel->disassembly);
}

static int add_kernel(struct bench_files *files, size_t file, const char *name,
                      const struct bench_symbol *function, struct bench_kernel **added,
                      struct message *why)
{
    struct bench_kernel *kernel = &files->kernels[files->kernel_count];

    if (files->kernel_count == BENCH_KERNELS_MAX)
        return sonde_base_fail(why, -E2BIG, "more than %d kernels", BENCH_KERNELS_MAX);
    if (strlen(name) >= sizeof kernel->name)
        return sonde_base_fail(why, -EINVAL, "%s: the name '%.60s' is too long",
                               files->files[file].path, name);
    if (sonde_bench_kernel_find(files, name))
        return sonde_base_fail(why, -EEXIST,
                               "two kernels are named %s: choose one by --kernel, or "
                               "rename it",
                               name);
    memset(kernel, 0, sizeof *kernel);
    strcpy(kernel->name, name);
    kernel->file = file;
    kernel->code_bytes = function ? function->size : 0;
    kernel->hash = function ? function->hash : 0;
    disassemble(files->files[file].object, kernel);
    files->kernel_count++;
    *added = kernel;
    return 0;
}

static bool is_wanted(const char *name, const char *const *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, wanted[i]) == 0)
            return true;
    return count == 0;
}

static int add_declared(struct bench_files *files, size_t file, const struct told *told,
                        const struct bench_symbol *function, struct message *why)
{
    struct bench_kernel *kernel;
    int error;

    if (told->problem[0])
        return sonde_base_fail(why, -EINVAL, "%s: kernel %s: %s", files->files[file].path,
                               told->name, told->problem);
    error = add_kernel(files, file, told->name, function, &kernel, why);
    if (error)
        return error;
    kernel->declared = true;
    strcpy(kernel->parameter_text, told->texts[0]);
    strcpy(kernel->buffer, told->texts[1]);
    strcpy(kernel->elements, told->texts[2]);
    strcpy(kernel->bytes, told->texts[3]);
    strcpy(kernel->operations, told->texts[4]);
    kernel->own_setup = told->own_setup;
    kernel->own_check = told->own_check;
    return sonde_bench_parameters(kernel, why);
}

/* long kernel(const long *p, long n, long stride), the stride in bytes. */
static int add_undeclared(struct bench_files *files, size_t file,
                          const struct bench_symbol *function, struct message *why)
{
    struct bench_kernel *kernel;
    int error = add_kernel(files, file, function->name, function, &kernel, why);

    if (error)
        return error;
    strcpy(kernel->parameter_text, "n=1..2^30:4096 stride=8..2^20/8:8,64");
    strcpy(kernel->buffer, "n*stride");
    strcpy(kernel->elements, "n");
    strcpy(kernel->bytes, "8*n");
    strcpy(kernel->operations, "n");
    return sonde_bench_parameters(kernel, why);
}

static int add_all_declared(struct bench_files *files, size_t file,
                            const struct asking *asking, const char *const *wanted,
                            size_t wanted_count, struct message *why)
{
    int error = 0;

    for (size_t i = 0; i < asking->count && !error; i++)
        if (is_wanted(asking->rows[i].name, wanted, wanted_count))
            error = add_declared(
                files, file, &asking->rows[i],
                function_of(asking->symbols, asking->symbol_count, asking->rows[i].name),
                why);
    return error;
}

/* A library may hold hundreds of functions that are no kernels: there one must choose. */
static int add_all_undeclared(struct bench_files *files, size_t file,
                              const struct asking *asking, const char *const *wanted,
                              size_t wanted_count, struct message *why)
{
    enum bench_source source;
    size_t functions = 0;
    int error = sonde_bench_source(files->files[file].path, &source);

    for (size_t i = 0; i < asking->symbol_count; i++)
        functions += asking->symbols[i].function;
    if (!error && source == SOURCE_SHARED && !wanted_count && functions > 1)
        return sonde_base_fail(why, -EINVAL,
                               "%s declares no kernel and has %zu functions: choose by "
                               "--kernel NAME",
                               files->files[file].path, functions);
    for (size_t i = 0; i < asking->symbol_count && !error; i++)
        if (asking->symbols[i].function &&
            is_wanted(asking->symbols[i].name, wanted, wanted_count))
            error = add_undeclared(files, file, &asking->symbols[i], why);
    return error;
}

static int by_line(const void *left, const void *right)
{
    const struct told *a = left, *b = right;

    return (a->line > b->line) - (a->line < b->line);
}

static int ask(struct bench_files *files, size_t file, struct asking *asking,
               struct message *why)
{
    const char *path = files->files[file].path;
    struct child_outcome outcome;
    int error = sonde_bench_child(ask_child, asking, &asking->trace, load_timeout_s, NULL,
                                  &outcome);

    if (error)
        return sonde_base_fail(why, error, "no process for %s: %s", path,
                               strerror(-error));
    if (outcome.end == CHILD_SIGNALLED)
        return sonde_base_fail(why, -ECANCELED, "%s cannot be loaded: %s in it", path,
                               strsignal(outcome.number));
    if (outcome.end != CHILD_DONE)
        return sonde_base_fail(why, -ECANCELED, "%s cannot be loaded: it %s", path,
                               outcome.end == CHILD_TIMED_OUT ? "hangs" : "exits");
    if (asking->problem[0])
        return sonde_base_fail(why, -ENOEXEC, "%s cannot be loaded: %s", path,
                               asking->problem);
    qsort(asking->rows, asking->count, sizeof asking->rows[0], by_line);
    return 0;
}

static int read_kernels(struct bench_files *files, size_t file, const char *const *wanted,
                        size_t wanted_count, struct message *why)
{
    struct asking *asking = sonde_bench_shared_open(sizeof *asking);
    struct bench_symbol *symbols = NULL;
    size_t before = files->kernel_count;
    int error;

    if (!asking)
        return sonde_base_fail(why, -ENOMEM, "out of memory");
    asking->object = files->files[file].object;
    error = sonde_bench_symbols(asking->object, &symbols, &asking->symbol_count, why);
    asking->symbols = symbols;
    if (!error)
        error = ask(files, file, asking, why);
    if (!error && asking->count)
        error = add_all_declared(files, file, asking, wanted, wanted_count, why);
    else if (!error)
        error = add_all_undeclared(files, file, asking, wanted, wanted_count, why);
    if (!error && files->kernel_count == before && !wanted_count)
        error = sonde_base_fail(why, -ENOENT, "%s holds no global function",
                                files->files[file].path);
    free(symbols);
    sonde_bench_shared_close(asking, sizeof *asking);
    return error;
}

/* --- the folder -----------------------------------------------------------------------
 */

static char *join(const char *folder, const char *name)
{
    struct text path = {0};

    sonde_base_text_print(&path, "%s/%s", folder, name);
    return path.data;
}

static int make_folder(struct bench_files *files, struct message *why)
{
    const char *parent = getenv("TMPDIR");
    char *header;
    int error;

    files->folder = join(parent && *parent ? parent : "/tmp", "sonde-XXXXXX");
    if (!files->folder || !mkdtemp(files->folder)) {
        error = sonde_base_fail(why, files->folder ? -errno : -ENOMEM,
                                "no private folder can be made: %s", strerror(errno));
        free(files->folder);
        files->folder = NULL;
        return error;
    }
    header = join(files->folder, "sonde.h");
    if (!header)
        return sonde_base_fail(why, -ENOMEM, "out of memory");
    error =
        sonde_base_write_file(header, sonde_bench_header,
                              (size_t)(sonde_bench_header_end - sonde_bench_header), why);
    free(header);
    return error;
}

static int make_object(struct bench_files *files, size_t file, const char *flags,
                       struct message *why)
{
    struct bench_file *row = &files->files[file];
    enum bench_source source;
    char name[32];

    if (access(row->path, R_OK))
        return sonde_base_fail(why, -errno, "%s cannot be read: %s", row->path,
                               strerror(errno));
    if (sonde_bench_source(row->path, &source))
        return sonde_base_fail(
            why, -EINVAL, "%s ends in none of .S, .c, .o, .so: what is it?", row->path);
    if (source == SOURCE_SHARED) {
        row->object = realpath(row->path, NULL);
        return row->object ? 0
                           : sonde_base_fail(why, -errno, "%s cannot be read: %s",
                                             row->path, strerror(errno));
    }
    snprintf(name, sizeof name, "%zu.so", file);
    row->object = join(files->folder, name);
    if (!row->object)
        return sonde_base_fail(why, -ENOMEM, "out of memory");
    return sonde_bench_compile(row->path, source, files->folder, flags, row->object, why);
}

static int check_wanted(const struct bench_files *files, const char *const *wanted,
                        size_t count, struct message *why)
{
    for (size_t i = 0; i < count; i++)
        if (!sonde_bench_kernel_find(files, wanted[i]))
            return sonde_base_fail(why, -EINVAL, "no file has a kernel '%.60s'",
                                   wanted[i]);
    return 0;
}

int sonde_bench_files_open(struct bench_files *files, char *const *paths, size_t count,
                           const char *flags, const char *const *wanted,
                           size_t wanted_count, struct message *why)
{
    int error;

    *files = (struct bench_files){0};
    files->files = calloc(count, sizeof *files->files);
    files->kernels = calloc(BENCH_KERNELS_MAX, sizeof *files->kernels);
    if (!files->files || !files->kernels)
        return sonde_base_fail(why, -ENOMEM, "out of memory");
    error = make_folder(files, why);
    for (size_t i = 0; i < count && !error; i++) {
        files->files[i].path = paths[i];
        files->file_count = i + 1;
        error = make_object(files, i, flags, why);
        if (!error)
            error = read_kernels(files, i, wanted, wanted_count, why);
    }
    return error ? error : check_wanted(files, wanted, wanted_count, why);
}

void sonde_bench_files_close(struct bench_files *files)
{
    char *header = files->folder ? join(files->folder, "sonde.h") : NULL;

    for (size_t i = 0; i < files->file_count; i++) {
        char *object = files->files[i].object;

        if (object && files->folder &&
            strncmp(object, files->folder, strlen(files->folder)) == 0)
            unlink(object);
        free(object);
    }
    if (header)
        unlink(header);
    if (files->folder)
        rmdir(files->folder);
    for (size_t i = 0; files->kernels && i < files->kernel_count; i++)
        free(files->kernels[i].disassembly);
    free(header);
    free(files->folder);
    free(files->files);
    free(files->kernels);
    *files = (struct bench_files){0};
}

const struct bench_kernel *sonde_bench_kernel_find(const struct bench_files *files,
                                                   const char *name)
{
    for (size_t i = 0; i < files->kernel_count; i++)
        if (strcmp(files->kernels[i].name, name) == 0)
            return &files->kernels[i];
    return NULL;
}
