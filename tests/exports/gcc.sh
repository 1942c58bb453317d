#!/bin/sh
# GCC takes the options, from a file and on the command line, and believes them.
. "$(dirname "$0")/lib.sh"
needs gcc gcc
plant three-level
export_to gcc "$scratch/options"
echo 'int main(void) { return 0; }' >"$scratch/a.c"
gcc "@$scratch/options" -O2 -Wall -Werror -o "$scratch/a" "$scratch/a.c" || fail "gcc refuses @FILE"
# shellcheck disable=SC2046
gcc $($SONDE export --to gcc "$scratch/a.json") -O2 -o "$scratch/a" "$scratch/a.c" ||
    fail "gcc refuses the options"
gcc "@$scratch/options" -Q --help=params >"$scratch/params" || fail "gcc has no list of parameters"
for pair in l1-cache-size=:32 l1-cache-line-size=:64 l2-cache-size=:512; do
    grep -qE -- "--param=${pair%%:*}[[:space:]]+${pair##*:}$" "$scratch/params" ||
        fail "gcc does not believe $pair"
done
grep -q -- '-DSONDE_GCC_l1_cache_size_measured' "$scratch/options" || fail "no word on its origin"
