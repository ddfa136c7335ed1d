#!/bin/bash
# Records one Node program. Usage: record-node.sh OUT BUILD PROGRAM NODE
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/process.sh"
name=$3 node=$4
build=$(cd "$2" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'end_program; rm -rf "$work"' EXIT
start_program "$node" --expose-gc "$here/node/main.js" "$name" "$work" "$build/imaging.node"
record_kernel
send state "$out/node.json"
# A diagnostic report, as people have it from a crash.
send report "$out/report.json"
send snapshot "$out/dump.heapsnapshot"
send truth "$out/truth.json"
send fix "$out/freed.json"
end_program
rm -rf "$work"
trap - EXIT
grep -h -E 'VmRSS|RssAnon' "$out/status" | tr -s '\t\n ' ' '
echo "$name: recorded"
