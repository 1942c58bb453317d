#!/bin/sh
# --version tells what is built in; --help names every command.
. "$(dirname "$0")/lib.sh"
run 0 --version
says out "hwloc"
says out "libpfm4"
says out "pages"
run 0 --help
for command in run list facts analyze report; do says out "$command"; done
run 0 run --help
says out "--simulate"
run 0 list
for probe in clock traps ways latency; do says out "$probe"; done
