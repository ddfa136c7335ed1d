#!/usr/bin/env bash
# Gets the libraries of the corpus: Debian's packages (Java archives into /usr/share/java, compilers of Groovy and Kotlin, Chromium;
# needs root), the archives that pyspark carries (LIBRARIES/java), npm packages (LIBRARIES/js/node_modules), and further versions of
# Node.js, which npm has as the package `node` (LIBRARIES/node).
#
#   benches/corpus/libraries.sh LIBRARIES
set -euo pipefail
here=$(realpath "$(dirname "$0")")
folder=$(realpath -m "${1:?the folder for libraries is missing}")
mkdir -p "$folder/java" "$folder/js"

xargs -r apt-get install -y -qq --no-install-recommends <"$here/debian.txt"

if ! compgen -G "$folder/java/spark-core*.jar" >/dev/null; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    pip download --no-deps --no-binary :all: --dest "$work" pyspark==3.5.3 2>/dev/null || pip download --no-deps --dest "$work" pyspark==3.5.3
    tar -xzf "$work"/pyspark-*.tar.gz -C "$work"
    mv "$work"/pyspark-*/deps/jars/*.jar "$folder/java/"
fi

cp "$here/package.json" "$folder/js/"
(cd "$folder/js" && npm install --no-audit --no-fund --silent)

for version in 18 20 22 24; do
    mkdir -p "$folder/node/$version"
    (cd "$folder/node/$version" && { [ -e package.json ] || npm init -y >/dev/null; } && npm install --no-audit --no-fund --silent "node@$version")
done
