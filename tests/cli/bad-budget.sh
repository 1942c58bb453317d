#!/bin/sh
# A budget that is no positive number of seconds is refused.
. "$(dirname "$0")/lib.sh"
for budget in -1 0 nan inf x 1e99 ""; do
    run 2 run --budget "$budget"
    refused "budget"
done
