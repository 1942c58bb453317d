# Helpers of the command-line tests. Each script is run with the program (and its wrapper,
# when it is of another ISA) as arguments; exit 0 passed, 77 skipped with a reason, 1 failed.
set -u
SONDE="$*"
here=$(cd "$(dirname "$0")" && pwd)
models=$here/../simulated/models
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
LC_ALL=C
export LC_ALL

fail() {
    echo "FAILED: $*"
    for stream in out err; do
        [ -f "$scratch/$stream" ] && { echo "--- std$stream"; head -c 3000 "$scratch/$stream"; }
    done
    exit 1
}

skip() {
    echo "skipped: $*"
    exit 77
}

# run STATUS ARGUMENT...: runs sonde, keeps its streams, expects the exit status.
run() {
    expected=$1
    shift
    # shellcheck disable=SC2086
    $SONDE "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    [ "$status" -eq "$expected" ] || fail "'sonde $*' exits $status, not $expected"
}

# One line on standard error that begins with "sonde: " and matches; nothing on the other.
refused() {
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "not exactly one line of complaint"
    grep -q '^sonde: ' "$scratch/err" || fail "the complaint does not begin with 'sonde: '"
    grep -q -- "$1" "$scratch/err" || fail "the complaint does not say '$1'"
    [ -s "$scratch/out" ] && fail "a refused command printed something"
    return 0
}

says() { # says STREAM PATTERN
    grep -q -- "$2" "$scratch/$1" || fail "std$1 does not say '$2'"
}

# A short real measurement: what every script that must measure uses.
brief="--budget 1 --seed 7"

valid_json() {
    command -v python3 >/dev/null 2>&1 || return 0
    python3 - "$1" <<'PY' || fail "$1 is no valid passport"
import json, sys
def strict(text):
    raise ValueError("not JSON: " + text)
data = json.load(open(sys.argv[1]), parse_constant=strict)
for passport in data if isinstance(data, list) else [data]:
    assert passport["probes"] is not None and passport["tool"]["version"]
PY
}

finding() { # finding FILE NAME FIELD: of the first passport; empty when null
    python3 - "$1" "$2" "$3" <<'PY'
import json, sys
data = json.load(open(sys.argv[1]))
passport = data[0] if isinstance(data, list) else data
for probe in passport["probes"].values():
    if sys.argv[2] in probe["findings"]:
        value = probe["findings"][sys.argv[2]][sys.argv[3]]
        print("" if value is None else value)
        break
PY
}

# lying HOW: from now on sonde runs on a C library that lies (lies.c names how).
SONDE_BARE=$SONDE
lying() {
    [ -f "${SONDE_LIES:-}" ] || skip "there is no library that lies"
    # Sanitizers want to be the first library of a program.
    SONDE="env LD_PRELOAD=$SONDE_LIES SONDE_LIE=$1 \
           ASAN_OPTIONS=verify_asan_link_order=0:${ASAN_OPTIONS:-} $SONDE_BARE"
}

# make_cpuset WORD: a new cpuset of this machine in $group, for the caller to fill and to
# remove; skips where there is none to be made, or only one CPU.
make_cpuset() {
    [ "$(id -u)" -eq 0 ] || skip "making a cpuset needs root"
    [ "$(nproc)" -ge 2 ] || skip "needs two CPUs"
    root=/sys/fs/cgroup/cpuset
    if [ -f $root/cpuset.cpus ]; then
        group=$root/sonde-$1-$$
        mkdir "$group" 2>/dev/null || skip "no cpuset can be made"
        cat $root/cpuset.mems >"$group/cpuset.mems"
    elif grep -qw cpuset /sys/fs/cgroup/cgroup.controllers 2>/dev/null; then
        group=/sys/fs/cgroup/sonde-$1-$$
        mkdir "$group" 2>/dev/null || skip "no cpuset can be made"
    else
        skip "there is no cpuset controller"
    fi
}
