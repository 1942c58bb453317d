/* Makes and removes small trees for the tests. Nothing here can be fooled: whatever fails
 * ends the program, since a half-made tree would test nothing. */
#include "planted.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void need(int ok, const char *what)
{
    if (ok)
        return;
    perror(what);
    exit(1);
}

static void make_parents(const char *path)
{
    char folder[512];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(folder, 0755);
        *slash = '/';
    }
}

void planted_open(struct planted *tree)
{
    char path[128];
    snprintf(tree->root, sizeof tree->root, "/tmp/sonde-tree-XXXXXX");
    need(mkdtemp(tree->root) != NULL, "mkdtemp");
    snprintf(path, sizeof path, "%s/sys", tree->root);
    need(mkdir(path, 0755) == 0, path);
    snprintf(path, sizeof path, "%s/proc", tree->root);
    need(mkdir(path, 0755) == 0, path);
}

void planted_write(const struct planted *tree, const char *path, const char *content)
{
    char full[512];
    snprintf(full, sizeof full, "%s%s", tree->root, path);
    make_parents(full);
    FILE *file = fopen(full, "w");
    need(file != NULL, full);
    need(fputs(content, file) >= 0 && fclose(file) == 0, full);
}

void planted_link(const struct planted *tree, const char *path, const char *target)
{
    char full[512];
    snprintf(full, sizeof full, "%s%s", tree->root, path);
    make_parents(full);
    need(symlink(target, full) == 0, full);
}

static int remove_entry(const char *path, const struct stat *status, int kind,
                        struct FTW *where)
{
    (void)status;
    (void)kind;
    (void)where;
    return remove(path);
}

void planted_close(struct planted *tree)
{
    nftw(tree->root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    tree->root[0] = '\0';
}
