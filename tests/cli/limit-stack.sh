#!/bin/sh
# A stack of 256 KiB is enough.
. "$(dirname "$0")/lib.sh"
(ulimit -s 256 && $SONDE --version) >/dev/null 2>&1 || skip "this build cannot start with a stack of 256 KiB"
(ulimit -s 256 && exec $SONDE run $brief) >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status -eq 0 ] || fail "exit $status"
