#!/usr/bin/env bash
# Writes SHA256SUMS with the checksums of all files of a release to its folder. `sha256sum --check SHA256SUMS` verifies them.
#
#   assets/checksums.sh FOLDER
set -euo pipefail
# shellcheck source=assets/packaging.sh
source "$(dirname "$0")/packaging.sh"
[[ $# == 1 && -d $1 ]] || usage
cd "$1"
rm -f SHA256SUMS
files=(*)
[[ -f ${files[0]} ]] || { echo "$0: $1 has no files" >&2; exit 1; }
sha256sum -- "${files[@]}" | tee SHA256SUMS
