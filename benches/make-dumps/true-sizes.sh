#!/bin/bash
# Dumps one program under many object layouts, each with the class histogram of the JVM taken right
# after, and prints the deviation of `--sizes auto` from it.
#
# Usage: JAVA17_HOME=... JAVA25_HOME=... benches/make-dumps/true-sizes.sh FOLDER [NAME...]
#   FOLDER   folder for the dumps; existing ones are reused
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mkdir -p "$1" && cd "$1" && pwd)
shift
wanted=" $* "
: "${JAVA17_HOME:?}" "${JAVA25_HOME:?}"

mkdir -p "$folder/app" "$folder/plugin"
"$JAVA17_HOME/bin/javac" -g -XDstringConcat=inline -encoding UTF-8 -d "$folder/app" "$root/fixtures/java/OrderDesk.java"
"$JAVA17_HOME/bin/javac" -g -XDstringConcat=inline -encoding UTF-8 -d "$folder/plugin" "$root/fixtures/java/TaxRules.java"

# dump NAME JAVA_HOME OPTIONS...
dump() {
    local name=$1 home=$2
    shift 2
    if [ "$wanted" != "  " ] && [[ "$wanted" != *" $name "* ]]; then return; fi
    if [ -e "$folder/$name.histogram.txt" ]; then return; fi
    echo "making $name: $*" >&2
    cd "$folder"
    rm -f in out "$name.hprof"
    mkfifo in out
    "$home/bin/java" -Xmx256m "$@" -cp app desk.OrderDesk plugin/desk/plugin/TaxRules.class <in >out &
    local job=$! line pid=
    exec 7>in 8<out
    while read -r line <&8; do
        case $line in
            "READY after "*) pid=${line##* }; break ;;
            READY*) echo >&7 ;;
        esac
    done
    "$home/bin/jcmd" "$pid" GC.heap_dump "$folder/$name.hprof" >&2
    "$home/bin/jcmd" "$pid" GC.class_histogram | tail -n +2 >"$name.histogram.partial"
    echo "$*" >"$name.options.txt"
    exec 7>&-
    wait "$job"
    exec 8<&-
    mv "$name.histogram.partial" "$name.histogram.txt"
    rm -f in out
    cd "$root"
}

dump jdk17-g1           "$JAVA17_HOME" -XX:+UseG1GC
dump jdk17-serial       "$JAVA17_HOME" -XX:+UseSerialGC
dump jdk17-parallel     "$JAVA17_HOME" -XX:+UseParallelGC
dump jdk17-zgc          "$JAVA17_HOME" -XX:+UseZGC
dump jdk17-nocoops      "$JAVA17_HOME" -XX:+UseG1GC -XX:-UseCompressedOops
dump jdk17-noccp        "$JAVA17_HOME" -XX:+UseG1GC -XX:-UseCompressedClassPointers
dump jdk17-noccp-nocoops "$JAVA17_HOME" -XX:+UseSerialGC -XX:-UseCompressedClassPointers -XX:-UseCompressedOops
dump jdk17-align16      "$JAVA17_HOME" -XX:+UseG1GC -XX:ObjectAlignmentInBytes=16
dump jdk25-g1           "$JAVA25_HOME" -XX:+UseG1GC
dump jdk25-serial       "$JAVA25_HOME" -XX:+UseSerialGC
dump jdk25-parallel     "$JAVA25_HOME" -XX:+UseParallelGC
dump jdk25-zgc          "$JAVA25_HOME" -XX:+UseZGC
dump jdk25-nocoops      "$JAVA25_HOME" -XX:+UseG1GC -XX:-UseCompressedOops
dump jdk25-noccp        "$JAVA25_HOME" -XX:+UseG1GC -XX:-UseCompressedClassPointers
dump jdk25-noccp-nocoops "$JAVA25_HOME" -XX:+UseSerialGC -XX:-UseCompressedClassPointers -XX:-UseCompressedOops
dump jdk25-compact      "$JAVA25_HOME" -XX:+UseG1GC -XX:+UseCompactObjectHeaders
dump jdk25-compact-zgc  "$JAVA25_HOME" -XX:+UseZGC -XX:+UseCompactObjectHeaders
dump jdk25-align16      "$JAVA25_HOME" -XX:+UseG1GC -XX:ObjectAlignmentInBytes=16
dump jdk25-align32-compact "$JAVA25_HOME" -XX:+UseSerialGC -XX:ObjectAlignmentInBytes=32 -XX:+UseCompactObjectHeaders
rm -rf "$folder/app" "$folder/plugin"

cd "$root"
HEAPLENS_TRUE_SIZES=$folder cargo test --release -p heaplens_dump --test readers true_sizes -- --ignored --nocapture
