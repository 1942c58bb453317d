#!/bin/sh
# What people and spreadsheets get to see of planted machines, to the byte:
#   check.sh MODEL SONDE...
# To renew the files after a change that was meant: SONDE_GOLDEN=write meson test -C build
# --suite golden, and read the difference.
golden=$(cd "$(dirname "$0")" && pwd)
model=$1
shift
. "$golden/../cli/lib.sh"
compare() { # compare NAME: with what is in $scratch/out
    [ "${SONDE_GOLDEN:-}" = write ] && cp "$scratch/out" "$golden/$model.$1"
    diff -u "$golden/$model.$1" "$scratch/out" || fail "$model.$1 differs"
}
COLUMNS=80
LC_ALL=C.UTF-8
export COLUMNS
run 0 run --simulate "$models/$model.json" --seed 3 --color never --json "$scratch/a.json" \
    clock ways latency line
compare txt
[ "$model" = three-level ] && { # once is enough: it costs as much again
    run 0 run --simulate "$models/$model.json" --seed 3 --color never -v clock ways latency line
    compare all.txt
}
run 0 export --to markdown "$scratch/a.json"
compare md
run 0 export --to csv "$scratch/a.json"
compare csv
