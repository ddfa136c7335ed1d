#!/bin/sh
# Compiles the programs into a folder. Usage: build.sh BUILD
# Environment: JDK_17 (compiler), JDK_25 (optional), NODE_INCLUDE (headers of Node), NETTY_JARS (class path, optional).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
mkdir -p "$build/classes" "$build/generated"

# Sources of plug-ins and rules are generated: hundreds of methods would hide the few that matter.
"$JDK_17/bin/java" "$here/jvm/Generate.java" "$build/generated"

# Netty is optional: without its jars, the program of pooled buffers is left out.
sources=$(find "$here/jvm" "$build/generated" -name '*.java' ! -name Generate.java)
if [ -z "${NETTY_JARS:-}" ]; then
    sources=$(printf '%s\n' "$sources" | grep -v /gateway/)
fi
# One release for all: the same bytes of classes run on all JVMs.
"$JDK_17/bin/javac" --release 17 -cp "${NETTY_JARS:-}" -d "$build/classes" $sources

# Foreign memory is an interface of the class library since JDK 22.
if [ -n "${JDK_25:-}" ]; then
    "$JDK_25/bin/javac" --release 22 -cp "$build/classes" -d "$build/classes" $(find "$here/jvm-25" -name '*.java')
fi

if [ -n "${NODE_INCLUDE:-}" ]; then
    cc -O1 -shared -fPIC -I"$NODE_INCLUDE" "$here/addon/imaging.c" -o "$build/imaging.node"
fi
