/* Trees made by hand: a few files below a temporary folder. */
#ifndef SONDE_TESTS_PLANTED_H
#define SONDE_TESTS_PLANTED_H

struct planted {
    char root[64];
};

/* A fresh folder with an empty /sys and /proc; ends the test program when it cannot. */
void planted_open(struct planted *tree);
/* Writes `content` to `path` ("/sys/..."), making the folders above it. */
void planted_write(const struct planted *tree, const char *path, const char *content);
/* A symbolic link at `path` that points to `target` as it is. */
void planted_link(const struct planted *tree, const char *path, const char *target);
/* Removes all of it. */
void planted_close(struct planted *tree);

#endif
