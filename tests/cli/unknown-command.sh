#!/bin/sh
# A command that does not exist is refused, with the nearest name.
. "$(dirname "$0")/lib.sh"
run 2 rum
refused "did you mean 'run'"
run 2 run --nosuch
refused "no option '--nosuch'"
run 2 run --json
refused "wants a value"
