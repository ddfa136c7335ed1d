#!/usr/bin/env bash
# Writes heaplens-VERSION-TRIPLE.cdx.json, the crates linked into the program on a platform as a CycloneDX 1.5 bill of
# materials. Needs cargo-cyclonedx (cargo install --locked cargo-cyclonedx).
#
#   assets/sbom.sh --target TRIPLE [--output FOLDER]
set -euo pipefail
# shellcheck source=assets/packaging.sh
source "$(dirname "$0")/packaging.sh"

target='' output=.
while (($#)); do
    (($# > 1)) || usage
    case $1 in
        --target) target=$2 ;;
        --output) output=$2 ;;
        *) usage ;;
    esac
    shift 2
done
[[ -n $target ]] || usage
command -v cargo-cyclonedx >/dev/null || { echo "$0: cargo-cyclonedx not found" >&2; usage; }
mkdir -p "$output"
output=$(realpath "$output")
cd "$top"

# It writes beside the manifest only, with the path of this folder.
written=heaplens_bin.cdx.json
trap 'rm -f "$written"' EXIT
cargo cyclonedx --quiet --format json --spec-version 1.5 --describe binaries --no-build-deps --target "$target"
sed "s,file://$top,file:///heaplens,g" "$written" >"$output/heaplens-$version-$target.cdx.json"
ls "$output/heaplens-$version-$target.cdx.json"
