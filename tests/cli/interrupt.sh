#!/bin/sh
# Ctrl-C ends the probe, keeps what is done, exits 130, within a second.
. "$(dirname "$0")/lib.sh"
for signal in INT TERM HUP; do
    # In the background INT is ignored by the shell's children; env resets that.
    python3 - "$signal" "$scratch" $SONDE run clock latency --json "$scratch/part.json" --budget 30 <<'PY' || fail "SIG$signal"
import signal, subprocess, sys, time
number = getattr(signal, "SIG" + sys.argv[1])
out = open(sys.argv[2] + "/out", "wb")
err = open(sys.argv[2] + "/err", "wb")
child = subprocess.Popen(sys.argv[3:], stdout=out, stderr=err,
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
time.sleep(3)
child.send_signal(number)
status = child.wait(timeout=20)
sys.exit(0 if status == 130 else f"exit {status}")
PY
    valid_json "$scratch/part.json"
    says out "clock"
    grep -q '"latency"' "$scratch/part.json" || fail "the interrupted probe left no trace"
done
