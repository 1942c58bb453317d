#!/bin/sh
# Man pages and completions: every command and every option of --help is there.
#   pages.sh SONDE PAGES
. "$(dirname "$0")/lib.sh"
pages=${SONDE##* }
SONDE=${SONDE% *}
commands=$($SONDE --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
[ "$(echo "$commands" | wc -w)" -ge 5 ] || fail "hardly a command: $commands"
for shell in bash zsh fish; do
    $pages $shell >"$scratch/$shell" || fail "no completions for $shell"
done
$pages man >"$scratch/sonde.1" || fail "no page of the program"
for command in $commands; do
    grep -q "sonde.-$command" "$scratch/sonde.1" || fail "sonde(1) does not name $command"
    $pages man "$command" >"$scratch/page" || fail "no page of $command"
    for option in $($SONDE "$command" --help | sed -n 's/^  \(-[a-z], \)\{0,1\}--\([a-z-]*\).*/\2/p'); do
        roff=$(echo "$option" | sed 's/-/\\\\-/g')
        grep -q "^.B \(.-[a-z], \)\{0,1\}.-.-$roff" "$scratch/page" || fail "sonde-$command(1) lacks --$option"
        for shell in bash zsh fish; do
            grep -q -e "--$option" -e "-l $option" "$scratch/$shell" || fail "$shell lacks --$option"
        done
    done
    if command -v man >/dev/null 2>&1; then
        man --warnings -E UTF-8 -l "$scratch/page" 2>"$scratch/err" >/dev/null
        [ -s "$scratch/err" ] && fail "man complains"
    fi
done
if $pages man nothing >/dev/null 2>&1; then fail "a page of no command"; fi
