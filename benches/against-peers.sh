#!/bin/bash
# Opens heap dumps with heaplens and with each installed peer, one after the other, and writes a table of wall time,
# processor time and peak resident memory (including mapped files) to benches/runs/.
#
# Usage: [RUNS=3] [MAT_HOME=...] benches/against-peers.sh DUMP...
# Peers: Eclipse MAT (MAT_HOME, ParseHeapDump.sh), hprof-analyzer, hprof-slurp (on the PATH). Missing
# peers are listed in the table. Minimum of RUNS runs, with warm page cache and without stored analyses.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,/^set/s/^# \?//p' "$0" >&2; exit 2; }
command -v /usr/bin/time >/dev/null || { echo "GNU time not found. Install it (Debian: apt-get install time)" >&2; exit 1; }
runs=${RUNS:-3}
heaplens=${HEAPLENS:-$here/../target/release/heaplens}
[ -x "$heaplens" ] || (cd "$here/.." && cargo build --release)
out=$here/runs/$(date +%F)-peers.md
scratch=$(mktemp -d "${TMPDIR:-/tmp}/peers.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# least COMMAND...: "wall | processor | memory" of the fastest run, or dashes if it fails.
least() {
    local best="" line
    for _ in $(seq "$runs"); do
        rm -rf "$scratch/cache" "$scratch/index"
        /usr/bin/time -o "$scratch/time" -f '%e %U %S %M' "$@" >/dev/null 2>&1 || { echo "– | – | –"; return; }
        line=$(awk '{ printf "%.2f %.2f %d", $1, $2 + $3, $4 / 1024 }' "$scratch/time")
        if [ -z "$best" ] || awk -v a="$line" -v b="$best" 'BEGIN { split(a, x); split(b, y); exit !(x[1] < y[1]) }'; then
            best=$line
        fi
    done
    awk '{ printf "%s s | %s s | %s MiB", $1, $2, $3 }' <<<"$best"
}

# MAT writes its index to the folder of the dump, so it gets a link in a scratch folder.
mat() { mkdir -p "$scratch/index" && ln -s "$1" "$scratch/index/dump.hprof" && "$MAT_HOME/ParseHeapDump.sh" "$scratch/index/dump.hprof"; }
export -f mat
export scratch

{
    echo "# $(date +%F), comparison with peers"
    echo
    echo "Machine: $(nproc) cores of $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), $(awk '/MemTotal/{printf "%d GiB", $2 / 1048576}' /proc/meminfo)."
    echo "Command: \`RUNS=$runs benches/against-peers.sh DUMP...\`; minimum wall time of the runs, warm page cache."
    for dump in "$@"; do
        dump=$(realpath "$dump")
        cat "$dump" >/dev/null
        printf '\n## %s\n\n| | wall | processor | peak resident |\n|---|--:|--:|--:|\n' "$(basename "$dump")"
        echo "| heaplens, everything exact, stored | $(least "$heaplens" summary "$dump" --cache-dir "$scratch/cache") |"
        for peer in hprof-analyzer hprof-slurp; do
            case $peer in
                hprof-slurp) run=(hprof-slurp "$dump") what="hprof-slurp, histogram only" ;;
                *) run=("$peer" "$dump") what=$peer ;;
            esac
            if command -v "$peer" >/dev/null; then echo "| $what | $(least "${run[@]}") |"; else echo "| $what | not installed | | |"; fi
        done
        if [ -n "${MAT_HOME:-}" ]; then
            echo "| Eclipse MAT | $(least bash -c "mat '$dump'") |"
        else
            echo "| Eclipse MAT | not installed | | |"
        fi
    done
} | tee "$out"
