#!/bin/sh
# A shell sources the lines; each is KEY=VALUE or a comment, as systemd and containers want.
. "$(dirname "$0")/lib.sh"
plant three-level
export_to env "$scratch/machine.env"
grep -vE '^#' "$scratch/machine.env" | grep -vqE '^[A-Z0-9_]+=[a-z0-9.]+$' && fail "a line is neither"
(
    set -eu
    . "$scratch/machine.env"
    [ "$SONDE_L1D_SIZE" = 32768 ] && [ "$SONDE_L1D_SIZE_ORIGIN" = measured ]
    [ "$SONDE_L3_SIZE_ORIGIN" = declared ]
) || fail "the shell does not agree"
