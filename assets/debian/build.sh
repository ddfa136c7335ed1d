#!/usr/bin/env bash
# Builds heaplens_VERSION-1_ARCHITECTURE.deb and, beside it, heaplens.debug with the line numbers of backtraces. Needs
# dpkg-dev, gzip, binutils and cargo. Reproducible: the same source, compiler and SOURCE_DATE_EPOCH give the same bytes.
#
#   assets/debian/build.sh [--binary PATH] [--generator PATH] [--output FOLDER] [--maintainer 'NAME <ADDRESS>']
#
# Without --binary, heaplens is built (cargo build --profile dist --locked). It also generates man pages and completions;
# give --generator if the binary is for another architecture.
set -euo pipefail
export LC_ALL=C TZ=UTC
umask 022

binary='' generator='' output=. maintainer=${DEBFULLNAME:+$DEBFULLNAME <${DEBEMAIL:-}>}
while (($#)); do
    case $1 in
        --binary) binary=$(realpath "$2") ;;
        --generator) generator=$(realpath "$2") ;;
        --output) output=$2 ;;
        --maintainer) maintainer=$2 ;;
        *) sed -n '2,9s/^#\( \|$\)//p' "$0" >&2; exit 2 ;;
    esac
    shift 2
done
mkdir -p "$output"
output=$(realpath "$output")
cd "$(dirname "$0")/../.."
for tool in dpkg-deb dpkg-shlibdeps dpkg-architecture gzip objcopy; do
    command -v $tool >/dev/null || { echo "$0: $tool not found. Install it: apt-get install dpkg-dev gzip binutils" >&2; exit 1; }
done

# Timestamp of all files in the package: time of the commit, or of the last change of the manifest.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y Cargo.toml)}
export SOURCE_DATE_EPOCH
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
architecture=$(dpkg-architecture -qDEB_HOST_ARCH)
maintainer=${maintainer:-The authors of heaplens <heaplens@example.org>}

if [[ -z $binary ]]; then
    # Paths of this machine must not be in the binary: they are private and not reproducible.
    crates=${CARGO_HOME:-$HOME/.cargo}
    export RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=$PWD=heaplens --remap-path-prefix=$crates=cargo"
    cargo build --profile dist --locked --bin heaplens
    binary=${CARGO_TARGET_DIR:-target}/dist/heaplens
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
put() { install -D -m 644 "$1" "$root/$2"; }
packed() { mkdir -p "$(dirname "$root/$1")"; gzip -9n >"$root/$1"; }

install -D -m 755 "$binary" "$root/usr/bin/heaplens"
# The program without line numbers, which a debugger finds in the file beside the package.
objcopy --only-keep-debug "$root/usr/bin/heaplens" "$output/heaplens.debug"
chmod 644 "$output/heaplens.debug"
(cd "$output" && objcopy --strip-all --remove-section=.comment --remove-section=.note \
    --add-gnu-debuglink=heaplens.debug "$root/usr/bin/heaplens")

put assets/desktop/heaplens.desktop usr/share/applications/heaplens.desktop
put assets/desktop/heaplens-mime.xml usr/share/mime/packages/heaplens.xml
put assets/desktop/app.heaplens.heaplens.metainfo.xml usr/share/metainfo/app.heaplens.heaplens.metainfo.xml
icons=usr/share/icons/hicolor
put assets/heaplens.svg $icons/scalable/apps/heaplens.svg
put assets/heaplens.png $icons/256x256/apps/heaplens.png
for icon in assets/desktop/icons/*.png; do
    size=$(basename "$icon" .png)
    put "$icon" "$icons/${size}x$size/apps/heaplens.png"
done

generator=${generator:-$root/usr/bin/heaplens}
"$generator" generate man "$work/man"
for page in "$work"/man/*.1; do
    packed "usr/share/man/man1/$(basename "$page").gz" <"$page"
done
mkdir -p "$root"/usr/share/{bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
"$generator" generate completions bash >"$root/usr/share/bash-completion/completions/heaplens"
"$generator" generate completions zsh >"$root/usr/share/zsh/vendor-completions/_heaplens"
"$generator" generate completions fish >"$root/usr/share/fish/vendor_completions.d/heaplens.fish"

doc=usr/share/doc/heaplens
put assets/debian/copyright $doc/copyright
put assets/debian/lintian-overrides usr/share/lintian/overrides/heaplens
packed $doc/changelog.gz <CHANGELOG.md
packed $doc/changelog.Debian.gz <<END
heaplens ($version-1) unstable; urgency=medium

  * Release of heaplens $version; see changelog.gz for changes.

 -- $maintainer  $(date -R -d "@$SOURCE_DATE_EPOCH")
END

# Licence notices of the crates linked into the program on this platform.
crates=$(cargo tree --locked --offline --package heaplens -e normal --prefix none -f '{p} {l}' | sed 's/ (proc-macro)//; s/ (\*)$//' | sort -u)
while read -r name number licence; do
    [[ $name != heaplens* ]] || continue
    printf '=== %s %s: %s\n\n' "$name" "${number#v}" "$licence"
    find "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/"$name-${number#v}" -maxdepth 1 -type f \
        -iregex '.*/\(licen[cs]e\|copying\|copyright\|notice\|unlicense\)[^/]*' -print0 | sort -z | xargs -0r cat
done <<<"$crates" >"$work/notices"
packed $doc/third-party.txt.gz <"$work/notices"

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
find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
package=$output/heaplens_$version-1_$architecture.deb
dpkg-deb --root-owner-group -Zxz -z9 --build "$root" "$package"
