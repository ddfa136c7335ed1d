#!/usr/bin/env bash
# Builds heaplens_VERSION-1_ARCHITECTURE.deb and, beside it, heaplens.debug with the line numbers of backtraces. Needs
# dpkg-dev, gzip, binutils and cargo. Reproducible: the same source, compiler and SOURCE_DATE_EPOCH give the same bytes.
#
#   assets/debian/build.sh [--binary PATH] [--generator PATH] [--output FOLDER] [--maintainer 'NAME <ADDRESS>']
#
# Without --binary, heaplens is built. It also generates man pages and completions; give --generator if the binary is for
# another architecture.
set -euo pipefail
# shellcheck source=assets/packaging.sh
source "$(dirname "$0")/../packaging.sh"

output=. maintainer=${DEBFULLNAME:+$DEBFULLNAME <${DEBEMAIL:-}>} program=()
while (($#)); do
    (($# > 1)) || usage
    case $1 in
        --binary | --generator) program+=("$1" "$(realpath -e "$2")") ;;
        --output) output=$2 ;;
        --maintainer) maintainer=$2 ;;
        *) usage ;;
    esac
    shift 2
done
need dpkg-dev dpkg-deb dpkg-shlibdeps dpkg-architecture
mkdir -p "$output"
output=$(realpath "$output")
cd "$top"
architecture=$(dpkg-architecture -qDEB_HOST_ARCH)
maintainer=${maintainer:-The authors of heaplens <heaplens@example.org>}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
assets/linux/stage.sh --root "$root" --debug "$output" "${program[@]}"

# What Debian has in places of its own.
share=$root/usr/share
mv "$share/zsh/site-functions" "$share/zsh/vendor-completions"
rm "$share/doc/heaplens/licence.txt"
install -D -m 644 assets/debian/copyright "$share/doc/heaplens/copyright"
install -D -m 644 assets/debian/lintian-overrides "$share/lintian/overrides/heaplens"
gzip -9n >"$share/doc/heaplens/changelog.Debian.gz" <<END
heaplens ($version-1) unstable; urgency=medium

  * Release of heaplens $version; see changelog.gz for changes.

 -- $maintainer  $(date -R -d "@$SOURCE_DATE_EPOCH")
END

# Libraries that the program links; those of the window are loaded when it opens and not needed on a server.
mkdir -p "$work/debian" && touch "$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O root/usr/bin/heaplens 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
x11='libx11-6, libx11-xcb1, libxcursor1, libxi6, libxkbcommon-x11-0, libgl1'
wayland='libwayland-client0, libwayland-egl1, libxkbcommon0, libegl1'
others='libdbus-1-3, libfontconfig1, shared-mime-info' # Open dialog, system fonts, file types

mkdir -p "$root/DEBIAN"
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
cat >"$root/DEBIAN/control" <<END
Package: heaplens
Version: $version-1
Section: devel
Priority: optional
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Depends: $depends
Recommends: $x11, $wayland, $others
Suggests: xdg-desktop-portal
Description: heap dump analyzer
 Opens heap dumps of HotSpot and Android (HPROF), V8 (Node.js, Chrome,
 Electron), ArkTS, and of IBM and OpenJ9 virtual machines, and shows what
 retains memory: dominator tree with exact retained sizes, paths from GC
 roots, leak suspects with the reference to cut, comparison of dumps, wasted
 memory.
 .
 Window and command line give the same results. The libraries of the window
 are recommended, not required: without them the command line is complete.
END
chmod 644 "$root"/DEBIAN/*
date_tree "$root"
package=$output/heaplens_$version-1_$architecture.deb
dpkg-deb --root-owner-group -Zxz -z9 --build "$root" "$package"
