#!/bin/sh
# A locale with a decimal comma changes no number.
. "$(dirname "$0")/lib.sh"
locale -a 2>/dev/null | grep -qi '^de_DE' || {
    command -v localedef >/dev/null && localedef -i de_DE -f UTF-8 "$scratch/de_DE.UTF-8" 2>/dev/null &&
        export LOCPATH="$scratch"
}
model=$models/two-level.json
[ -f "$model" ] || fail "no model"
LC_ALL=C run 0 run --simulate "$model" --json "$scratch/c.json" $brief
mv "$scratch/out" "$scratch/out-c"
LC_ALL=de_DE.UTF-8 $SONDE run --simulate "$model" --json "$scratch/de.json" $brief >"$scratch/out" 2>"$scratch/err"
[ $? -eq 0 ] || fail "exit"
cmp -s "$scratch/c.json" "$scratch/de.json" || fail "the JSON depends on the locale"
grep -q '[0-9],[0-9]' "$scratch/out" && fail "a decimal comma"
LC_ALL=de_DE.UTF-8 run 2 run --budget 1,5
refused "1,5"
