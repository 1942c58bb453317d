#!/bin/sh
# One page from passports, whole or not at all; without the page built in it is refused.
. "$(dirname "$0")/lib.sh"
run 0 run clock $brief --quiet --json "$scratch/a.json"
run 2 report "$scratch/a.json"
refused "wants -o FILE"
run 2 report -o "$scratch/a.html"
refused "wants a passport"
$SONDE --version | grep -q '^pages.*yes' || {
    run 1 report "$scratch/a.json" -o "$scratch/a.html"
    refused "cannot write pages"
    run 1 run clock $brief --html "$scratch/a.html"
    refused "cannot write pages"
    [ -e "$scratch/a.html" ] && fail "it wrote a page all the same"
    exit 0
}
run 0 report "$scratch/a.json" -o "$scratch/a.html" --output "$scratch/b.html"
[ -s "$scratch/out" ] && fail "it printed"
head -c 15 "$scratch/a.html" | grep -q '^<!doctype html>' || fail "no page"
tail -n 1 "$scratch/a.html" | grep -q '</html>' || fail "the page is not whole"
cmp -s "$scratch/a.html" "$scratch/b.html" || fail "two targets differ"
grep -q '@@' "$scratch/a.html" && fail "a mark of the template was left"
[ "$(ls "$scratch" | grep -vc '^\(out\|err\|a.json\|[ab].html\)$')" -eq 0 ] || fail "files left over"
run 0 report "$scratch/a.json" -o -
cmp -s "$scratch/out" "$scratch/a.html" || fail "standard output differs from the file"
# A bad file among good ones: nothing is written.
echo '{"schema": 1' >"$scratch/bad.json"
run 1 report "$scratch/a.json" "$scratch/bad.json" -o "$scratch/c.html"
refused "bad.json"
[ -e "$scratch/c.html" ] && fail "half of a page"
run 1 report "$scratch/a.json" -o "$scratch/none/c.html"
refused "cannot be written"
# While measuring.
run 0 run clock $brief --html "$scratch/d.html" --html "$scratch/e.html"
says out "core clock"
cmp -s "$scratch/d.html" "$scratch/e.html" || fail "two targets of a run differ"
run 0 run clock $brief --html -
head -c 15 "$scratch/out" | grep -q '^<!doctype html>' || fail "the page is not on standard output"
run 2 run clock $brief --html - --json -
refused "only one file"
