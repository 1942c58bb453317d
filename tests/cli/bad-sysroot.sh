#!/bin/sh
# A sysroot that cannot be read is refused, by facts and by run.
. "$(dirname "$0")/lib.sh"
run 1 facts --sysroot "$scratch/nothing"
refused "$scratch/nothing"
run 1 run --sysroot "$scratch/nothing"
refused "$scratch/nothing"
