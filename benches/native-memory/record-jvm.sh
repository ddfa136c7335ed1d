#!/bin/bash
# Records one JVM program. Usage: record-jvm.sh OUT BUILD NAME CLASS JDK_HOME [OPTION...]
# OUT gets the files of the process with NMT, OUT/without-nmt those of the same program without
# (its dump has live objects only).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/process.sh"
name=$3 class=$4 jdk=$5
build=$(cd "$2" && pwd)
mkdir -p "$1"
top=$(cd "$1" && pwd)
shift 5

record() {
    out=$1
    shift
    mkdir -p "$out"
    work=$(mktemp -d)
    trap 'end_program; rm -rf "$work"' EXIT
    start_program "$jdk/bin/java" "$@" -cp "$build/classes:${NETTY_JARS:-}" bench.Main "$class" "$work"
    record_kernel
    jcmd_text nmt.txt VM.native_memory summary
    jcmd_text flags.txt VM.flags
    jcmd_text heap_info.txt GC.heap_info
    jcmd_text metaspace.txt VM.metaspace
    jcmd_text codecache.txt Compiler.codecache
    # Bytes by class loader and by compiled method, to compare estimates with. In JDK 17,
    # sizes of VM.classloader_stats are words of 8 bytes, in JDK 25 bytes.
    jcmd_text classloader_stats.txt VM.classloader_stats
    jcmd_text metaspace_loaders.txt VM.metaspace show-loaders
    jcmd_text codelist.txt Compiler.codelist
    jcmd_text threads.txt Thread.print -e
    # Mappings with their NMT category. JDK 24 and newer.
    if "$jdk/bin/jcmd" "$pid" help | grep -qx System.map; then
        jcmd_text system_map.txt System.map
    fi
}

jcmd_text() {
    file=$1
    shift
    "$jdk/bin/jcmd" "$pid" "$@" >"$out/$file" 2>&1 || echo "$name: jcmd $* failed" >&2
}

finish() {
    end_program
    rm -rf "$work"
    trap - EXIT
}

record "$top" -XX:NativeMemoryTracking=summary "$@"
# With unreachable objects: the native memory of garbage is part of the RSS recorded above.
rm -f "$top/dump.hprof"
"$jdk/bin/jcmd" "$pid" GC.heap_dump -all "$top/dump.hprof" >/dev/null
send truth "$top/truth.json"
send fix "$top/freed.json"
finish
record "$top/without-nmt" "$@"
# Live objects only, as most tools dump by default: garbage of the RSS is missing in this dump.
rm -f "$out/dump.hprof"
"$jdk/bin/jcmd" "$pid" GC.heap_dump "$out/dump.hprof" >/dev/null
finish
grep -h -E 'VmRSS|RssAnon' "$top/status" "$top/without-nmt/status" | tr -s '\t\n ' ' '
echo "$name: recorded"
