#!/bin/sh
# CPUs that are not there, and lists that are none, are refused.
. "$(dirname "$0")/lib.sh"
run 2 run --cpu 9999
refused "9999"
run 2 run --cpu 0-
refused "0-"
run 2 run --cpu x
refused "x"
run 2 run --cpu ""
refused "cpu"
run 2 run --cpu 3-1
refused "3-1"
