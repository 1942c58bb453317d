#!/bin/sh
# The probe of docs/CONTRIBUTING.md compiles against the headers of this tree.
. "$(dirname "$0")/lib.sh"
root=$here/../..
command -v "${CC:-cc}" >/dev/null 2>&1 || skip "no C compiler here"
sed -n '/^```c$/,/^```$/p' "$root/docs/CONTRIBUTING.md" | sed '1d;$d' >"$scratch/hop.c"
[ "$(wc -l <"$scratch/hop.c")" -gt 50 ] || fail "the example is not found"
"${CC:-cc}" -std=c17 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -I"$root" -I"$root/src" \
    -fsyntax-only "$scratch/hop.c" || fail "the example does not compile"
