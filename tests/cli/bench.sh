# Helpers of the tests of `sonde bench`; read after lib.sh.
kernels=$here/kernels
examples=$here/../../examples
# shellcheck disable=SC2086
isa=$($SONDE --version | sed -n '1s/.*(\([^,]*\),.*/\1/p')
case $isa in
x86_64 | aarch64) ;;
*) skip "no assembly for $isa" ;;
esac
command -v "${CC:-cc}" >/dev/null 2>&1 || skip "no C compiler here"
fast="--samples 5"

valid_schema() { # valid_schema FILE
    valid_json "$1"
    /usr/bin/python3 - "$1" "$here/../../docs/passport.schema.json" <<'PY' || fail "$1 does not follow the schema"
import json, sys
try:
    import jsonschema
except ImportError:
    sys.exit(0)
jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))
PY
}
