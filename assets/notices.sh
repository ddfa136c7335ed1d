#!/usr/bin/env bash
# Writes licence.txt (heaplens and its fonts) and third-party.txt (notices of all crates linked into the program on a
# platform) to a folder. Needs cargo, and the network only for crates that are not in its cache.
#
#   assets/notices.sh --output FOLDER [--target TRIPLE]…
set -euo pipefail
# shellcheck source=assets/packaging.sh
source "$(dirname "$0")/packaging.sh"

output='' target=()
while (($#)); do
    (($# > 1)) || usage
    case $1 in
        --output) output=$2 ;;
        --target) target+=(--target "$2") ;;
        *) usage ;;
    esac
    shift 2
done
[[ -n $output ]] || usage
mkdir -p "$output"
output=$(realpath "$output")
cd "$top"

cat assets/licence.txt LICENSE-MIT LICENSE-APACHE assets/fonts/OFL.txt >"$output/licence.txt"

shopt -s extglob nocaseglob nullglob
crates=$(cargo tree --locked --package heaplens -e normal --prefix none -f '{p} {l}' ${target[@]+"${target[@]}"} |
    sed -e 's/ (proc-macro)//' -e 's/ (\*)$//' | sort -u)
while read -r name number licence; do
    [[ $name != heaplens* ]] || continue
    printf '=== %s %s: %s\n\n' "$name" "${number#v}" "$licence"
    for crate in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/"$name-${number#v}"; do
        for file in "$crate"/@(licen[cs]e|copying|copyright|notice|unlicense)* "$crate"/licen[cs]es/* "$crate"/fonts/*.txt; do
            [[ ! -f $file ]] || cat "$file"
        done
    done
done <<<"$crates" >"$output/third-party.txt"
