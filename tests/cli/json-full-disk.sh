#!/bin/sh
# On a full disk the passport is still printed, and the failure is told.
. "$(dirname "$0")/lib.sh"
[ -c /dev/full ] || skip "there is no /dev/full here"
run 1 run clock $brief --json /dev/full
says err "/dev/full"
says out "clock"
