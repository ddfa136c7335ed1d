#!/usr/bin/env bash
# Makes the dumps of the programs for the Java virtual machine: DIR/KEY/before.hprof, a.hprof, b.hprof and c.hprof.
#
#   benches/names/make-jvm.sh DIR [KEY…]
#
# `a` and `b` run on Java 17 with G1; `b` does more unrelated work first, so that addresses differ. `c` runs on Java 25 with the parallel collector
# and without the shared archive of classes, and where there is one with another version of the library. What is there is not made again.
# Libraries and compilers are packages of Debian (needs root) and the archives in two versions of pyspark; they go to DIR/libraries.
set -euo pipefail
here=$(realpath "$(dirname "$0")")
target=$(realpath -m "${1:?the folder for dumps is missing}")
shift
libraries=${NAMES_LIBRARIES:-$target/libraries}
java17=$(ls -d /usr/lib/jvm/*17*/bin | head -1)
java25=$(ls -d /usr/lib/jvm/*25*/bin 2>/dev/null | head -1 || true)
debian="openjdk-17-jdk-headless kotlin clojure groovy libclojure-java libguava-java libcaffeine-java libnetty-java librx-java
    libreactive-streams-java libbyte-buddy-java libspring-context-java libspring-aop-java libcglib-java libasm-java libtomcat10-embed-java libjetty9-extra-java libhibernate3-java
    libh2-java libhikaricp-java libkotlinx-coroutines-java libkotlinx-atomicfu-java libslf4j-java libcommons-collections3-java"

mkdir -p "$libraries"
missing=$(for package in $debian; do dpkg -s "$package" >/dev/null 2>&1 || echo "$package"; done)
[ -z "$missing" ] || apt-get install -y -qq --no-install-recommends $missing
for version in 3.5.3 4.0.0; do
    [ -e "$libraries/pyspark-$version" ] && continue
    mkdir -p "$libraries/download"
    # Building a source package is not needed: its archive has the jars.
    pip download --quiet --no-deps --dest "$libraries/download" "pyspark==$version"
    mkdir "$libraries/pyspark-$version.part"
    tar -xzf "$libraries/download/pyspark-$version.tar.gz" -C "$libraries/pyspark-$version.part" --strip-components=3 --wildcards 'pyspark-*/deps/jars/*.jar'
    mv "$libraries/pyspark-$version.part" "$libraries/pyspark-$version"
    rm -r "$libraries/download"
done

# The files of patterns such as `guava.jar`, joined to a class path: in Debian's folder, else in a version of pyspark.
class_path() {
    local pattern file path=""
    for pattern in "$@"; do
        file=$(find /usr/share/java "$libraries"/pyspark-*/ -maxdepth 1 -name "$pattern" | head -1)
        [ -n "$file" ] || { echo "no $pattern" >&2; return 1; }
        path+=":$file"
    done
    echo "${path#:}"
}

# compile KEY FOLDER PATH SCALA: the program and what all share, into FOLDER.
compile() {
    local sources
    mkdir -p "$2"
    "$java17/javac" -nowarn -proc:none -d "$2" "$here/programs/shared/names/Run.java"
    sources=$(find "$here/programs/$1/src" -type f)
    case $language in
        java) "$java17/javac" -nowarn -proc:none -d "$2" -cp "$2:$3" $sources ;;
        scala) "$java17/java" -cp "$(find "$libraries/pyspark-$4" -name 'scala-*.jar' -o -name 'jline*.jar' | tr '\n' ':')" scala.tools.nsc.Main -nowarn -d "$2" -cp "$2:$3" $sources ;;
        kotlin) kotlinc -nowarn -d "$2" -cp "$2:$3" $sources ;;
        # Debian's script groovyc needs JAVA_HOME: its class is called instead.
        groovy) "$java17/java" -cp "$2:$3" org.codehaus.groovy.tools.FileSystemCompiler -cp "$2:$3" -d "$2" $sources ;;
        clojure)
            cp -r "$here/programs/$1/src/." "$2/"
            if [ -n "$compile" ]; then
                "$java17/java" "-Dclojure.compile.path=$2" -cp "$2:$3" clojure.main -e "(compile '$compile)" >/dev/null
            fi ;;
    esac
}

# run KEY RUN JAVA FOLDER PATH OPTION…
run() {
    local key=$1 name=$2 java=$3 command=("$main")
    [ -e "$target/$key/$name.hprof" ] && return
    [ "$language" != clojure ] || [ -n "$compile" ] || command=(clojure.main -m "$main")
    mkdir -p "$target/$key"
    (cd "$work" && nice -n 5 timeout 300 "$java/java" "-Xmx$heap" "-Djava.io.tmpdir=$work" "${@:6}" $options "-Dnames.run=$name" "-Dnames.folder=$work" -cp "$4:$5" "${command[@]}" >"$work/$name.log" 2>&1) ||
        { echo "$key $name: failed" >&2; tail -20 "$work/$name.log" >&2; return 1; }
    mv "$work"/*.hprof "$target/$key/"
}

make_key() {
    local language main jars="" jars_c="" options="" java_c=25 compile="" heap=256m spark="" spark_c="" work path path_c scala=3.5.3 scala_c=3.5.3 java classes_c
    . "$here/programs/$1/program.conf"
    for name in before a b c; do [ -e "$target/$1/$name.hprof" ] || break; done
    [ ! -e "$target/$1/$name.hprof" ] || return 0
    work=$(mktemp -d)
    trap "rm -rf '$work'" RETURN
    [ "$language" != scala ] || scala_c=4.0.0
    if [ -n "$spark" ]; then
        path="$libraries/pyspark-$spark/*" path_c="$libraries/pyspark-$spark_c/*"
    else
        path=$(class_path $jars) && path_c=$(class_path ${jars_c:-$jars}) || return 1
    fi
    compile "$1" "$work/classes" "$path" $scala || return 1
    classes_c=$work/classes
    if [ "$path" != "$path_c" ]; then
        classes_c=$work/classes-c
        compile "$1" "$classes_c" "$path_c" $scala_c || return 1
    fi
    java=$java25
    [ "$java_c" = 25 ] && [ -n "$java25" ] || java=$java17
    run "$1" a "$java17" "$work/classes" "$path" -XX:+UseG1GC &&
        run "$1" b "$java17" "$work/classes" "$path" -XX:+UseG1GC &&
        run "$1" c "$java" "$classes_c" "$path_c" -XX:+UseParallelGC -Xshare:off && echo "$1: made"
}

failed=0
[ $# -gt 0 ] || set -- $(cd "$here/programs" && dirname */program.conf)
for key in "$@"; do
    make_key "$key" || { failed=1; echo "$key: not made" >&2; }
done
exit $failed
