# What the tests of exports share: the helpers of the command line, and a planted passport.
. "$(dirname "$0")/../cli/lib.sh"

needs() { # needs PROGRAM PACKAGE
    command -v "$1" >/dev/null 2>&1 || skip "no $1 here (package $2)"
}

plant() { # plant MODEL: its passport, measured when this was built, into $scratch/a.json
    cp "${SONDE_PLANTED:?}/$1.json" "$scratch/a.json" || fail "no passport of $1"
}

export_to() { # export_to KIND FILE
    run 0 export --to "$1" -o "$2" "$scratch/a.json"
    [ -s "$2" ] || fail "the export to $1 is empty"
    [ -s "$scratch/out" ] && fail "something went to standard output too"
    return 0
}
