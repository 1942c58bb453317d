#!/bin/sh
# Runs a program as another core would: on-core.sh CORE PROGRAM [ARGUMENT...]
# 77 where no emulator is installed.
core=$1
shift
if ! command -v qemu-x86_64 >/dev/null 2>&1; then
    echo "skipped: no qemu-x86_64 here"
    exit 77
fi
exec qemu-x86_64 -cpu "$core" "$@"
