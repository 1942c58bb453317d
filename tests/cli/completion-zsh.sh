#!/bin/sh
# zsh parses the completions, and they complete what is typed in a terminal.
#   completion-zsh.sh SONDE PAGES
. "$(dirname "$0")/lib.sh"
command -v zsh >/dev/null 2>&1 || skip "no zsh here"
mkdir "$scratch/functions"
${SONDE##* } zsh >"$scratch/functions/_sonde" || fail "no completions"
zsh -n "$scratch/functions/_sonde" || fail "zsh cannot parse them"
# An interactive shell in a terminal of its own: a line and a tab are typed, then a key
# that shows what the line has become.
cat >"$scratch/type" <<'ZSH'
zmodload zsh/zpty || exit 77
zpty shell "HOME=$1 TERM=dumb zsh -f -i"
zpty -w shell "PS1=; fpath=($1/functions \$fpath); autoload -Uz compinit; compinit -u -D"
zpty -w shell 'show() { print -r -- "<<$BUFFER>>" }; zle -N show; bindkey "^X" show'
zpty -w shell 'print rea""dy'
zpty -r -m shell line '*ready*' || exit 1
zpty -w -n shell "$2"$'\t\x18'
zpty -r -m shell line '*<<*>>*' || exit 1
print -r -- "$line"
zpty -d shell
ZSH
complete() { # complete EXPECTED LINE
    timeout 60 zsh -f "$scratch/type" "$scratch" "$2" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 77 ] && skip "this zsh has no module zpty"
    [ $status -eq 0 ] || fail "nothing could be typed"
    got=$(tr -d '\r' <"$scratch/out" | sed -n 's/.*<<\(.*\)>>.*/\1/p' | tail -n 1)
    [ "${got% }" = "$1" ] || fail "'$2' completes to '$got', not '$1'"
}
complete 'sonde bench' 'sonde ben'
complete 'sonde run --simulate' 'sonde run --simul'
complete 'sonde run latency' 'sonde run laten'
complete 'sonde list kernels' 'sonde list ker'
complete 'sonde bench --counters' 'sonde bench --count'
complete 'sonde explain latency' 'sonde explain laten'
