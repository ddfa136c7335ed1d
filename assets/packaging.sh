# Sourced by the packaging scripts: version and time of a package, messages of usage and of missing tools.
# shellcheck shell=bash disable=SC2034 # variables are for the scripts
export LC_ALL=C TZ=UTC
umask 022
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$top/Cargo.toml" | head -1)

# Time of all files in a package: that of the commit, or of the last change of the manifest.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct 2>/dev/null || date -r "$top/Cargo.toml" +%s)}

# Prints the comment at the head of the script.
usage() {
    sed -n -E '2,/^[^#]/s/^# ?//p' "$0" >&2
    exit 2
}

# need 'DEBIAN PACKAGES' TOOL…
need() {
    local packages=$1 tool
    shift
    for tool; do
        command -v "$tool" >/dev/null || { echo "$0: $tool not found. Install it: apt-get install $packages" >&2; exit 1; }
    done
}

# Sets the times of a tree.
date_tree() { find "$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +; }

# zip_tree FOLDER ARCHIVE: a reproducible archive of FOLDER, with its name as the only top entry.
zip_tree() {
    date_tree "$1"
    rm -f "$2"
    (cd "$(dirname "$1")" && find "$(basename "$1")" | sort | zip -q -X -9 -@ "$2")
}
