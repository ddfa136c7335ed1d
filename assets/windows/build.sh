#!/usr/bin/env bash
# Builds heaplens-VERSION-x86_64-setup.exe, an installer for the current user, and heaplens-VERSION-x86_64-windows.zip, which is
# used without installing. Needs nsis, zip and cargo (for the notices); runs on Linux. Reproducible, if not signed.
#
#   assets/windows/build.sh --binary heaplens.exe [--output FOLDER]
#
# Program, installer and uninstaller are signed if a certificate is given: see assets/windows/sign.sh.
set -euo pipefail
# shellcheck source=assets/packaging.sh
source "$(dirname "$0")/../packaging.sh"

binary='' output=.
while (($#)); do
    (($# > 1)) || usage
    case $1 in
        --binary) binary=$(realpath -e "$2") ;;
        --output) output=$2 ;;
        *) usage ;;
    esac
    shift 2
done
[[ -n $binary ]] || usage
[[ $(head -c 2 "$binary") == MZ ]] || { echo "$0: $binary is no Windows program" >&2; exit 1; }
need 'nsis zip' makensis zip
mkdir -p "$output"
output=$(realpath "$output")
cd "$top"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
files=$work/heaplens-$version
assets/notices.sh --target x86_64-pc-windows-msvc --output "$files"
# Notepad of older Windows shows line ends of Unix as one line.
sed -i 's/\r*$/\r/' "$files"/*.txt
sed "s/VERSION/$version/; s/$/\r/" assets/windows/readme.txt >"$files/README.txt"
install -m 755 "$binary" "$files/heaplens.exe"
assets/windows/sign.sh "$files/heaplens.exe"

zip_tree "$files" "$output/heaplens-$version-x86_64-windows.zip"
setup=$output/heaplens-$version-x86_64-setup.exe
makensis -V2 -WX "-DVERSION=$version" "-DFILES=$files" "-DSIZE_KB=$(du -sk --apparent-size "$files" | cut -f1)" \
    "-DOUTPUT=$setup" "-DSIGN=$top/assets/windows/sign.sh" assets/windows/installer.nsi
ls "$output/heaplens-$version-x86_64-windows.zip" "$setup"
