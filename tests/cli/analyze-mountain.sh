#!/bin/sh
# A slice of a mountain lists its cliffs; what is no mountain is refused with file and line.
. "$(dirname "$0")/lib.sh"
mountain() { # mountain ROW: the fourth row of throughput, JSON
    printf '{"hardware": "Planted", "date": "2024-01-01",\n"sizes": [4096, 8192, 16384, '
    printf '32768, 65536, 131072],\n"strides": [1, 8],\n"throughput": [\n'
    printf '[9000, 4000],\n[9010, 4010],\n[9000, 3990],\n%s,\n[8990, 1000],\n[9000, 1005]]}\n' "$1"
}
mountain '[9000, 1010]' >"$scratch/good.json"
run 0 analyze --stride 8 "$scratch/good.json"
says out 'Planted, stride 8 (words of 8 bytes), 6 sizes'
says out '16 KiB *4.01 GB/s *32 KiB *1.01 GB/s *25 %\|16 KiB *3.99 GB/s *32 KiB *1.01 GB/s *25 %'
[ "$(grep -c GB/s "$scratch/out")" -eq 1 ] || fail "not exactly one cliff"
run 0 analyze --stride 1 "$scratch/good.json"
says out 'no cliff: 9'
run 1 analyze --stride 7 "$scratch/good.json"
refused 'good.json: stride 7 is not there, but 1, 8'
run 2 analyze --stride eight "$scratch/good.json"
refused '--stride eight is no number above 0'
printf '4096,1\n8192,2\n' >"$scratch/curve.csv"
run 1 analyze --stride 8 "$scratch/curve.csv"
refused 'curve.csv: no mountain in it'

mountain '[9000]' >"$scratch/ragged.json"
run 1 analyze "$scratch/ragged.json"
refused 'ragged.json:8: throughput\[3\] has 1 cells'
mountain '[9000, -5]' >"$scratch/negative.json"
run 1 analyze "$scratch/negative.json"
refused 'negative.json:8: throughput\[3\]\[1\] is -5'
mountain '[9000, NaN]' >"$scratch/nan.json"
run 1 analyze "$scratch/nan.json"
refused 'nan.json:8: no JSON'
printf 'size_bytes,stride_elems,throughput_MBps\n4096,1,5\n8192,1\n' >"$scratch/ragged.csv"
run 1 analyze "$scratch/ragged.csv"
refused 'ragged.csv:3: 2 cells where the heading has 3'
printf 'size_bytes,stride_elems,throughput_MBps\n4096,1,5\nWarning: slow,1,2\n' >"$scratch/text.csv"
run 1 analyze "$scratch/text.csv"
refused "text.csv:3: 'Warning: slow' is no size"
printf ',,\n5,,\n5,-6,\n' >"$scratch/negative.csv"
run 1 analyze "$scratch/negative.csv"
refused "negative.csv:3: '-6' is no latency"

# Sparse: nothing of its 2 GiB is read.
truncate -s 2G "$scratch/huge.json"
run 1 analyze "$scratch/huge.json"
refused 'huge.json: larger than 64 MiB'
head -c 3000 /dev/urandom >"$scratch/binary"
printf 'a\nb\n\001\002' >"$scratch/control"
run 1 analyze "$scratch/binary"
refused 'binary'
run 1 analyze "$scratch/control"
refused 'control:3: binary, not text'
: >"$scratch/empty"
run 1 analyze --format mountain "$scratch/empty"
refused 'empty: empty'
