/* The headers that cmocka wants included before its own, in one place. */
#ifndef SONDE_TESTS_UNIT_SUPPORT_H
#define SONDE_TESTS_UNIT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* True when a locale with a decimal comma could be set; tests then see what it breaks.
 * The caller sets "C" back. */
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>

static inline bool set_comma_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                        "fr_FR.utf8"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_ALL, names[i]) != NULL)
            return true;
    printf("no locale with a decimal comma is installed\n");
    return false;
}

#endif
