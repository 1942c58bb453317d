#!/bin/sh
# What is no curve is refused in one line that names the file and the line.
. "$(dirname "$0")/lib.sh"
printf '4096,1\n8192,fast\n' >"$scratch/text.csv"
printf '4096,1\n' >"$scratch/good.csv"
: >"$scratch/empty.csv"
printf '{"schema": 1, "probes": 3}' >"$scratch/bad.json"
run 1 analyze "$scratch/text.csv"
refused "text.csv:2: 'fast' is no latency"
run 1 analyze "$scratch/good.csv" "$scratch/text.csv"
refused 'text.csv:2:'
run 1 analyze "$scratch/empty.csv"
refused 'empty.csv: empty'
run 1 analyze "$scratch/bad.json"
refused 'bad.json: probes is no object'
run 1 analyze "$scratch/nosuch"
refused 'nosuch: No such file'
run 1 analyze "$scratch"
refused 'Is a directory'
run 1 analyze --json "$scratch/no/such/x.json" "$scratch/good.csv"
refused 'cannot be written'
run 2 analyze
refused 'wants a file'
run 2 analyze --format xml "$scratch/good.csv"
refused "no format is named 'xml'"
run 2 analyze --color sometimes "$scratch/good.csv"
refused 'always, never, auto'
