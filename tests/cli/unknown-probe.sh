#!/bin/sh
# A probe that does not exist is refused, with the nearest name.
. "$(dirname "$0")/lib.sh"
run 2 run nosuch
refused "no probe 'nosuch'"
run 2 run latencyy
refused "did you mean 'latency'"
