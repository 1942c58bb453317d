/* One line for a person, carried beside an errno.
 *
 * Functions that can fail return 0 or a negative errno and take a `struct message *`
 * (which may be NULL) where they say what went wrong: the thing, its value, the remedy.
 * The library never prints; only src/cli turns a message into output. */
#ifndef SONDE_BASE_ERROR_H
#define SONDE_BASE_ERROR_H

struct message {
    char text[400];
};

/* Formats into `message` (ignored when NULL; cut to fit, never across lines) and returns
 * `code`, so that `return sonde_base_fail(why, -EINVAL, "...")` reads as one thought. */
__attribute__((format(printf, 3, 4))) int
sonde_base_fail(struct message *message, int code, const char *format, ...);

#endif
