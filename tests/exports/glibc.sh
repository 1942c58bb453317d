#!/bin/sh
# glibc's own loader takes the tunables: the cache and the threshold both.
. "$(dirname "$0")/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip "only x86-64 has these tunables"
loader=/lib64/ld-linux-x86-64.so.2
"$loader" --list-tunables >"$scratch/before" 2>/dev/null || skip "no glibc that lists its tunables"
plant three-level
# The planted machine is of no instruction set of its own: that of the program counts.
export_to glibc "$scratch/glibc.env"
grep -q '^# x86_data_cache_size: measured' "$scratch/glibc.env" || fail "no word on its origin"
# shellcheck disable=SC2046
env $(grep -v '^#' "$scratch/glibc.env") "$loader" --list-tunables >"$scratch/after"
value() { # value FILE NAME: in decimal
    printf '%d\n' "$(sed -n "s/^glibc\.cpu\.$2: \(0x[0-9a-f]*\).*/\1/p" "$1")"
}
[ "$(value "$scratch/after" x86_data_cache_size)" -eq 32768 ] || fail "the first level is not taken"
shared=$(value "$scratch/after" x86_shared_cache_size)
threshold=$(value "$scratch/after" x86_non_temporal_threshold)
[ "$shared" -gt 3000000 ] && [ "$shared" -lt 4500000 ] || fail "the shared cache is $shared"
[ "$threshold" -eq $((shared * 3 / 4)) ] || fail "the threshold is $threshold of $shared"
