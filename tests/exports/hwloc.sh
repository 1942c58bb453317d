#!/bin/sh
# lstopo reads the topologies: levels, both kinds of core, latencies and distances.
. "$(dirname "$0")/lib.sh"
needs lstopo hwloc-nox
read_back() {
    lstopo -i "$scratch/a.xml" --of console -v >"$scratch/out" 2>"$scratch/err" || fail "lstopo refuses it"
    grep -qi 'error\|invalid\|ignor' "$scratch/err" && fail "lstopo complains"
    return 0
}
plant hybrid
export_to hwloc-xml "$scratch/a.xml"
read_back
says out 'L1dCache L#0 (size=48KB linesize=64 ways=12 SondeSize="measured'
says out 'L1dCache L#5 (size=32KB'
says out 'L3Cache L#1 (size=4096KB.*SondeMeasured effective='
[ "$(grep -c 'PU L#' "$scratch/out")" -eq 6 ] || fail "not six processing units"
plant threads
export_to hwloc-xml "$scratch/a.xml"
read_back
says out 'SondeCoreToCorePicoseconds kind 6) between 8 PUs'
says out 'SondeMeasured latency=90'
lstopo -i "$scratch/a.xml" --memattrs 2>/dev/null | grep -A1 "name .Latency'" | grep -q '= 9[0-9] from' ||
    fail "no latency among the memory attributes"
