#!/bin/bash
# Builds the programs and records each of them. Usage: run.sh OUT [PROGRAM...]
# Environment:
#   JDK_17, JDK_25  homes of JDKs; the first is needed to compile, either may be left out to run
#   NODE            Node to run (default: node)
#   NODE_INCLUDE    folder of node_api.h; without: no native-addon, and freed RSS is less exact
#   NETTY_JARS      class path of netty-buffer and netty-common 4.1; without: no pooled-buffers
#   JVM_OPTIONS     options of all JVM programs (default: G1 and 512 MB of heap, so that runs on
#                   small machines, where the JVM chooses the serial collector, compare)
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,11p' "$0"; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
wanted=" $* "
build=$out/.build
options=${JVM_OPTIONS:--XX:+UseG1GC -Xmx512m}
node=$(command -v "${NODE:-node}")
failed=0
export NETTY_JARS=${NETTY_JARS:-}
"$here/build.sh" "$build" || exit 1

# Records into a hidden folder first: OUT has complete runs only.
record() {
    folder=$1
    shift
    rm -rf "$out/.partial"
    if "$@"; then
        rm -rf "${out:?}/$folder"
        mv "$out/.partial" "$out/$folder"
    else
        echo "$folder: failed" >&2
        failed=1
    fi
}

is_wanted() { [ "$wanted" = "  " ] || [[ $wanted == *" $1 "* ]]; }

jvm() {
    is_wanted "$1" || return 0
    for version in 17 25; do
        home=JDK_$version
        [ -n "${!home:-}" ] || continue
        record "$1-$version" "$here/record-jvm.sh" "$out/.partial" "$build" "$1" "$2" "${!home}" $options
    done
}

node() {
    is_wanted "$1" || return 0
    version=$("$node" -p 'process.versions.node.split(".")[0]')
    record "$1-node$version" "$here/record-node.sh" "$out/.partial" "$build" "$1" "$node"
}

jvm direct-buffers maps.DirectBuffers
jvm heap shop.Heap
jvm threads jobs.Threads
jvm metaspace plugins.Metaspace
jvm mapped-files logs.MappedFiles
jvm inflaters archive.Inflaters
jvm code-cache rules.CodeCache
[ -z "$NETTY_JARS" ] || jvm pooled-buffers gateway.PooledBuffers
jvm connections crawler.Connections
JDK_17= jvm segments series.Segments
if is_wanted defaults; then
    record direct-buffers-17-defaults \
        "$here/record-jvm.sh" "$out/.partial" "$build" direct-buffers maps.DirectBuffers "$JDK_17"
fi
for program in buffers array-buffers workers external-strings wasm-memories sockets; do
    node "$program"
done
[ -z "${NODE_INCLUDE:-}" ] || node native-addon
exit "$failed"
