#!/bin/sh
# A seed that is no whole number is refused.
. "$(dirname "$0")/lib.sh"
for seed in -1 x 1.5 99999999999999999999999; do
    run 2 run --seed "$seed"
    refused "seed"
done
