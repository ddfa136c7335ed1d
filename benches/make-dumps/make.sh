#!/bin/bash
# Creates the large heap dumps for the benchmarks. They are not in the repository.
#
# Usage: [JAVA17_HOME=...] benches/make-dumps/make.sh OUTDIR [NAME...]
#   NAME   list-5m, array-10m, small-1m, medium-20m or large-85m; all but large-85m if none is given
# OUTDIR needs about 2 GB, large-85m 5 GB more; that one also needs 10 GB of memory.
#
# Runs with an empty environment, because a heap dump contains that of its process.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,/^set/s/^# \?//p' "$0" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
java17=${JAVA17_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}

classes=$(mktemp -d)
trap 'rm -rf "$classes"' EXIT
"$java17/bin/javac" -d "$classes" "$here/MakeDumps.java"

# make NAME SHAPE COUNT HEAP
make() {
    rm -f "$out/$1.hprof"
    # Serial GC: one thread, and the dumps of two runs are laid out alike.
    (cd "$out" && env -i PATH=/usr/bin:/bin LANG=C.UTF-8 "$java17/bin/java" -XX:+UseSerialGC "-Xmx$4" \
        -cp "$classes" big.MakeDumps "$2" "$3" "$1.hprof")
    ls -l "$out/$1.hprof"
}

[ $# -gt 0 ] || set -- list-5m array-10m small-1m medium-20m
for name in "$@"; do
    case $name in
        list-5m) make "$name" list 5000000 1g ;;
        array-10m) make "$name" array 10000000 1g ;;
        small-1m) make "$name" shop 1000000 512m ;;
        medium-20m) make "$name" shop 20000000 4g ;;
        large-85m) make "$name" shop 85000000 10g ;;
        *) echo "no dump is called $name" >&2; exit 2 ;;
    esac
done
