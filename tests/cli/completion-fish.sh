#!/bin/sh
# fish parses the completions, and they complete.
#   completion-fish.sh SONDE PAGES
. "$(dirname "$0")/lib.sh"
command -v fish >/dev/null 2>&1 || skip "no fish here"
${SONDE##* } fish >"$scratch/sonde.fish" || fail "no completions"
HOME=$scratch
XDG_CONFIG_HOME=$scratch
export HOME XDG_CONFIG_HOME
fish --no-execute "$scratch/sonde.fish" 2>"$scratch/err" || fail "fish cannot parse them"
complete() { # complete EXPECTED LINE
    got=$(fish -c "source $scratch/sonde.fish; complete -C '$2'" 2>"$scratch/err" | cut -f1 | tr '\n' ' ')
    case " $got" in *" $1 "*) ;; *) fail "'$2' completes to '$got', not '$1'" ;; esac
}
complete bench 'sonde ben'
complete --simulate 'sonde run --simul'
complete latency 'sonde run laten'
complete kernels 'sonde list ker'
complete --counters 'sonde bench --count'
complete latency 'sonde explain laten'
