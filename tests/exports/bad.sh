#!/bin/sh
# What sonde export refuses, in one line each.
. "$(dirname "$0")/lib.sh"
run 2 export "$scratch/a.json"
refused '--to KIND'
run 2 export --to markdwon "$scratch/a.json"
refused "did you mean 'markdown'"
run 2 export --to gcc
refused 'wants a passport'
run 1 export --to gcc "$scratch/none.json"
refused 'none.json'
run 0 facts --json "$scratch/a.json"
run 0 export --to markdown "$scratch/a.json"
# A passport in which nothing is known is no source of settings.
printf '{"schema": 1, "tool": {"version": "0"}, "probes": {}}' >"$scratch/b.json"
for kind in gcc glibc c-header cmake env kerncraft hwloc-xml csv-series mountain; do
    run 1 export --to $kind -o "$scratch/x" "$scratch/b.json"
    refused "no $kind is written"
    [ -e "$scratch/x" ] && fail "$kind left a file"
done
exit 0
