#!/bin/sh
# A file that cannot be written is refused before anything is measured.
. "$(dirname "$0")/lib.sh"
run 1 run --json /no/such/dir/x
refused "/no/such/dir/x"
run 1 run --json "$scratch"
refused "$scratch"
run 2 run --json ""
refused "empty name"
