#!/usr/bin/env bash
# Prints the changes of a release from CHANGELOG.md. Fails if the tag is not the version of Cargo.toml, CHANGELOG.md and the
# AppStream metadata.
#
#   assets/release-notes.sh TAG
set -euo pipefail
# shellcheck source=assets/packaging.sh
source "$(dirname "$0")/packaging.sh"
[[ $# == 1 && $1 != -* ]] || usage
cd "$top"
failed() { echo "$0: $*" >&2; exit 1; }
[[ $1 == "v$version" ]] || failed "the tag is $1, but the version in Cargo.toml is $version"
metadata=assets/desktop/app.heaplens.heaplens.metainfo.xml
grep -q "<release version=\"$version\"" $metadata || failed "$metadata has no release $version"
notes=$(awk -v title="## $version (" '/^## /{ inside = index($0, title) == 1; next } inside' CHANGELOG.md)
[[ -n $notes ]] || failed "CHANGELOG.md has no section \"## $version (DATE)\""
echo "$notes"
