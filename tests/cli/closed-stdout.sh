#!/bin/sh
# A closed standard output is refused at once; a closed pipe is told.
. "$(dirname "$0")/lib.sh"
$SONDE run clock $brief >&- 2>"$scratch/err"
[ $? -eq 1 ] || fail "a closed standard output does not exit 1"
[ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "not one line"
grep -q 'standard output is closed' "$scratch/err" || fail "it does not say what is closed"
{ $SONDE run clock $brief 2>"$scratch/err"; echo $? >"$scratch/status"; } | true
[ "$(cat "$scratch/status")" -eq 1 ] || fail "a closed pipe exits $(cat "$scratch/status")"
grep -q 'standard output' "$scratch/err" || fail "a closed pipe is not told"
