#!/bin/sh
# A model that is broken is refused in one line that names it.
. "$(dirname "$0")/lib.sh"
run 77 run --simulate "$scratch/nothing.json"
refused "nothing.json"
echo '{"levels": [' >"$scratch/half.json"
run 77 run --simulate "$scratch/half.json"
refused "half.json"
echo '{"levels": [{"name": "l1d", "size": -1}]}' >"$scratch/negative.json"
run 77 run --simulate "$scratch/negative.json"
refused "negative.json"
: >"$scratch/empty.json"
run 77 run --simulate "$scratch/empty.json"
refused "empty.json"
