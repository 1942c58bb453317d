/* A message of the rooms below as the line that callers of the library get. */
#ifndef SONDE_LIBRARY_PROBLEM_H
#define SONDE_LIBRARY_PROBLEM_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Copies what was said (or the text of the errno), and answers `error`. */
static inline int library_problem(const struct message *why, int error, char *problem,
                                  size_t size)
{
    if (problem && size)
        snprintf(problem, size, "%s", why->text[0] ? why->text : strerror(-error));
    return error;
}

#endif
