#!/bin/sh
# With an empty /sys/devices/system/cpu it degrades, says so, and measures.
. "$(dirname "$0")/lib.sh"
[ "$(id -u)" -eq 0 ] || skip "hiding a folder needs root"
command -v unshare >/dev/null || skip "there is no unshare"
mkdir "$scratch/empty"
unshare -m sh -c "mount --bind $scratch/empty /sys/devices/system/cpu" 2>/dev/null || skip "no mount namespace here"
unshare -m sh -c "mount --bind $scratch/empty /sys/devices/system/cpu && exec $SONDE run clock $brief --json $scratch/a.json" >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status -eq 0 ] || fail "exit $status"
valid_json "$scratch/a.json"
unshare -m sh -c "mount --bind $scratch/empty /sys/devices/system/cpu && exec $SONDE facts" >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status -eq 0 ] || fail "facts: exit $status"
