#!/usr/bin/env bash
# Checks licences, known vulnerabilities, duplicate versions and sources of all dependencies with cargo-deny, by the
# rules of deny.toml. The advisories are those of advisories.txt, whose date is printed: nothing but the crates
# themselves is fetched.
#
#   tests/supply/deny.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
version=0.20.2
# Not optimized: its release profile, with fat LTO, takes minutes, and the check itself 10 processor seconds either way.
cargo deny --version 2>/dev/null | grep -qF "$version" ||
    CARGO_PROFILE_DEV_DEBUG=0 cargo install cargo-deny --debug --locked --quiet --version "$version"

# cargo-deny reads advisories from a checkout of the database: a file for each, whose folder has this name for the
# usual address of the database.
HEAPLENS_ADVISORIES=$(mktemp -d)
export HEAPLENS_ADVISORIES
trap 'rm -rf "$HEAPLENS_ADVISORIES"' EXIT
database=$HEAPLENS_ADVISORIES/advisory-db-3157b0e258782691
mkdir -p "$database/.git" "$database/crates"
: >"$database/.git/FETCH_HEAD"
awk -F ' \\| ' -v to="$database/crates/" '
    /^#/ || NF < 7 { next }
    {
        file = to $2 ".md"
        print "```toml\n[advisory]\nid = \"" $2 "\"\npackage = \"" $1 "\"\ndate = \"" $3 "\"" >file
        if ($4 != "vulnerability") print "informational = \"" $4 "\"" >file
        print "[versions]\npatched = [" $5 "]\nunaffected = [" $6 "]\n```\n\n# " $7 >file
        close(file)
    }' tests/supply/advisories.txt
date=$(sed -n 's/^# As of \([0-9-]*\)\..*/\1/p' tests/supply/advisories.txt)
check() { # MANIFEST [CHECK...]
    cargo fetch --locked --quiet --manifest-path "$1" # of all systems
    cargo deny --offline --locked --manifest-path "$1" --config tests/supply/deny.toml \
        check --hide-inclusion-graph "${@:2}"
}
check Cargo.toml
check fuzz/Cargo.toml advisories
echo "advisories of $date ($(ls "$database/crates" | wc -l) entries): none applies"
