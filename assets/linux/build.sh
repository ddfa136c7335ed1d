#!/usr/bin/env bash
# Builds heaplens-VERSION-1.ARCHITECTURE.rpm for Fedora, RHEL and openSUSE, heaplens-VERSION-ARCHITECTURE-linux.tar.gz for other
# distributions, and beside them heaplens.debug with the line numbers of backtraces. Needs rpm, binutils, gzip and cargo.
# Reproducible: the same source, compiler and SOURCE_DATE_EPOCH give the same bytes.
#
#   assets/linux/build.sh [--binary PATH] [--generator PATH] [--architecture NAME] [--output FOLDER]
#
# Without --binary, heaplens is built. It also generates man pages and completions; give --generator and --architecture
# (x86_64, aarch64) if the binary is for another architecture.
set -euo pipefail
# shellcheck source=assets/packaging.sh
source "$(dirname "$0")/../packaging.sh"

output=. program=() architecture=$(uname -m)
while (($#)); do
    (($# > 1)) || usage
    case $1 in
        --binary | --generator) program+=("$1" "$(realpath -e "$2")") ;;
        --architecture) architecture=$2 ;;
        --output) output=$2 ;;
        *) usage ;;
    esac
    shift 2
done
need rpm rpmbuild
mkdir -p "$output"
output=$(realpath "$output")
cd "$top"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
assets/linux/stage.sh --root "$work/root" --debug "$output" "${program[@]}"
date_tree "$work/root"

# Unpacked to ~/.local or /usr/local, everything is where desktops and shells look for it.
archive=$output/heaplens-$version-$architecture-linux.tar.gz
tar --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --transform="s,^usr,heaplens-$version," \
    -C "$work/root" -c usr | gzip -9n >"$archive"

# All files, and the folders that no package of the system is sure to have.
(cd "$work/root" && find usr -type f -printf '/%p\n' &&
    find usr/share/doc/heaplens usr/share/zsh usr/share/fish -type d -printf '%%dir /%p\n') |
    sed -E 's,^/usr/share/man/,%doc &,; s,^/(.*/(licence|third-party)\.txt),%license /\1,' | sort >"$work/files"
rpmbuild --quiet -bb --target "$architecture" --define "_topdir $work/rpm" --define "tree $work/root" \
    --define "file_list $work/files" --define "package_version $version" assets/linux/heaplens.spec
mv "$work/rpm/RPMS/$architecture"/*.rpm "$output/"
ls "$archive" "$output"/heaplens-"$version"-1*."$architecture".rpm
