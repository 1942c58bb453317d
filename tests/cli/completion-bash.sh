#!/bin/sh
# bash parses the completions, and they complete.
#   completion-bash.sh SONDE PAGES
. "$(dirname "$0")/lib.sh"
command -v bash >/dev/null 2>&1 || skip "no bash here"
${SONDE##* } bash >"$scratch/sonde" || fail "no completions"
bash -n "$scratch/sonde" || fail "bash cannot parse them"
complete() { # complete EXPECTED WORD...
    expected=$1
    shift
    # shellcheck disable=SC2016
    got=$(bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sonde; echo "${COMPREPLY[@]}"' \
        "$scratch/sonde" "$@")
    [ "$got" = "$expected" ] || fail "'$*' completes to '$got', not '$expected'"
}
complete bench sonde ben
complete --simulate sonde run --simul
complete latency sonde run laten
complete kernels sonde list ker
complete --counters sonde bench --count
complete latency sonde explain laten
