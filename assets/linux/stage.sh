#!/usr/bin/env bash
# Writes the files that every Linux package installs to FOLDER/usr, and the line numbers of backtraces to heaplens.debug in
# the folder DEBUG. Needs binutils, gzip and cargo.
#
#   assets/linux/stage.sh --root FOLDER --debug DEBUG [--binary PATH] [--generator PATH]
#
# Without --binary, heaplens is built. It also generates man pages and completions; give --generator if the binary is for
# another architecture.
set -euo pipefail
# shellcheck source=assets/packaging.sh
source "$(dirname "$0")/../packaging.sh"

root='' debug='' binary='' generator=''
while (($#)); do
    (($# > 1)) || usage
    case $1 in
        --root) root=$(realpath "$2") ;;
        --debug) debug=$(realpath "$2") ;;
        --binary) binary=$(realpath -e "$2") ;;
        --generator) generator=$(realpath -e "$2") ;;
        *) usage ;;
    esac
    shift 2
done
[[ -n $root && -n $debug ]] || usage
need 'binutils gzip' objcopy gzip
mkdir -p "$root" "$debug"
cd "$top"
binary=${binary:-$(assets/compile.sh)}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
put() { install -D -m 644 "$1" "$root/$2"; }
packed() { mkdir -p "$(dirname "$root/$1")"; gzip -9n >"$root/$1"; }

install -D -m 755 "$binary" "$root/usr/bin/heaplens"
# The program without line numbers, which a debugger finds in the file beside the package.
objcopy --only-keep-debug "$root/usr/bin/heaplens" "$debug/heaplens.debug"
chmod 644 "$debug/heaplens.debug"
(cd "$debug" && objcopy --strip-all --remove-section=.comment --remove-section=.note \
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
    packed "usr/share/man/man1/${page##*/}.gz" <"$page"
done
mkdir -p "$root"/usr/share/{bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}
"$generator" generate completions bash >"$root/usr/share/bash-completion/completions/heaplens"
"$generator" generate completions zsh >"$root/usr/share/zsh/site-functions/_heaplens"
"$generator" generate completions fish >"$root/usr/share/fish/vendor_completions.d/heaplens.fish"

assets/notices.sh --output "$work/notices"
put "$work/notices/licence.txt" usr/share/doc/heaplens/licence.txt
packed usr/share/doc/heaplens/third-party.txt.gz <"$work/notices/third-party.txt"
packed usr/share/doc/heaplens/changelog.gz <CHANGELOG.md
