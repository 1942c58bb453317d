#!/bin/sh
# An interrupt ends a repeated measurement in order: whole runs stay, the exit status is 130.
. "$(dirname "$0")/lib.sh"
# shellcheck disable=SC2086
$SONDE run --simulate "$models/three-level.json" --repeat 1000 --quiet --json "$scratch/a.json" chain &
pid=$!
waited=0
while [ ! -s "$scratch/a.json" ] && [ $waited -lt 300 ]; do
    sleep 0.1
    waited=$((waited + 1))
done
kill -INT $pid
wait $pid
status=$?
[ $status -eq 130 ] || fail "exit status $status"
valid_json "$scratch/a.json"
