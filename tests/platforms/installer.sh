#!/usr/bin/env bash
# Installs heaplens with the Windows installer, checks files, program, file types, links and Path, installs it again, uninstalls
# it, and compares the registry with that before. Exit status 0 if all checks passed.
#
#   tests/platforms/installer.sh --setup SETUP.exe [--root ROOT]
#
# Needs wine and xvfb, those in the Debian system ROOT if given (then root, too). On Windows it runs in Git Bash, on the
# current user's registry: use a machine for tests.
set -euo pipefail

types=$(dirname "$0")/../../assets/desktop/heaplens-mime.xml
setup='' root=''
while (($#)); do
    case $1 in
        --setup) setup=$(realpath -e "$2") ;;
        --root) root=$(realpath -e "$2") ;;
        *) setup='' && break ;;
    esac
    shift 2
done
[[ -n $setup ]] || { sed -n '5s/^# *//p' "$0" >&2; exit 2; }

work=$(mktemp -d "$root/tmp/installer.XXXXXX")
inside=${work#"$root"}
cp "$setup" "$work/setup.exe"
if [[ $(uname -s) == MINGW* ]]; then
    trap 'rm -rf "$work"' EXIT
    windows() { MSYS2_ARG_CONV_EXCL='*' "$@"; }
    to_unix() { cygpath -u "$1"; }
    temporary=$(cygpath -w "$work")
else
    system=(env -i PATH=/usr/bin:/bin HOME="$inside" WINEPREFIX="$inside/prefix" WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=')
    if [[ -n $root ]]; then
        # shellcheck source=tests/platforms/inside.sh
        source "$(dirname "$0")/inside.sh"
        begin_inside "$root"
        system=(chroot "$root" "${system[@]}")
    fi
    ended() {
        windows wineboot --kill || true
        until rm -rf "$work" 2>/dev/null; do sleep 0.5; done
        [[ -z $root ]] || end_inside
    }
    trap ended EXIT
    windows() { "${system[@]}" xvfb-run -a wine "$@" 2>/dev/null </dev/null; }
    to_unix() { echo "$root$("${system[@]}" winepath -u "$1" 2>/dev/null)"; }
    temporary=Z:${inside//\//\\}
    echo "── wine"
    windows wineboot --init
fi
failed() { echo "$*" >&2; exit 1; }

# The parts of the registry that the installer may change, as text.
registry() {
    local key
    for key in 'Software\Classes' 'Software\RegisteredApplications' 'Software\heaplens' Environment \
        'Software\Microsoft\Windows\CurrentVersion\Uninstall'; do
        rm -f "$work/key.reg"
        windows reg export "HKCU\\$key" "$temporary\\key.reg" /y >/dev/null 2>&1 || continue
        # What Windows itself writes at any time is left out.
        iconv -f UTF-16 -t UTF-8 "$work/key.reg" | tr -d '\r' | awk '/^\[/ { skipped = /\\Local Settings[]\\]/ } !skipped'
    done
}
# has KEY LINE: the last exported registry has the line below the key.
has() {
    awk -v key="[HKEY_CURRENT_USER\\$1]" '/^\[/ { inside = $0 == key } inside' "$work/registry" | grep -qxF -- "$2" ||
        failed "[$1] lacks $2"
}
path() { windows reg query 'HKCU\Environment' /v Path | tr -d '\r' | sed -n 's/^ *Path *REG_EXPAND_SZ *//p'; }

echo "── an owner of .phd, another program for .hprof, a Path of more than 3,000 characters"
windows reg add 'HKCU\Software\Classes\.phd' /ve /d other.phd /f >/dev/null
windows reg add 'HKCU\Software\Classes\.hprof\OpenWithProgids' /v other.hprof /d '' /f >/dev/null
old_path='%USERPROFILE%\bin'
for ((n = 0; n < 100; n++)); do old_path+=";C:\\Programs of the user\\number $n"; done
windows reg add 'HKCU\Environment' /v Path /t REG_EXPAND_SZ /d "$old_path" /f >/dev/null
registry >"$work/before"

folder='' place='\AppData\Local\Programs\heaplens'
for round in install 'install elsewhere' 'install again'; do
    echo "── $round"
    former=$folder options=()
    [[ $round != *elsewhere ]] || { place='C:\elsewhere\heaplens' && options=("/D=$place"); }
    windows "$temporary\\setup.exe" /S "${options[@]}" || failed "the installer ended with $?"
    registry >"$work/registry"
    uninstall=$(sed -n 's/^"InstallLocation"="\(.*heaplens\)"$/\1/p' "$work/registry")
    folder=${uninstall//\\\\/\\}
    [[ $folder == *"$place" ]] || failed "installed to $folder"
    [[ -z $former || $former == "$folder" || ! -e $(to_unix "$former") ]] || failed "$former is left"
    for file in heaplens.exe licence.txt third-party.txt uninstall.exe; do
        [[ -s $(to_unix "$folder\\$file") ]] || failed "$folder\\$file is missing"
    done
    [[ $(path) == "$old_path;$folder" ]] || failed "Path is $(path)"
done

echo "── the program starts"
windows "$folder\\heaplens.exe" version | tr -d '\r' | tee "$work/version"
grep -q '^heaplens [0-9]' "$work/version" || failed 'it does not say its version'

echo "── file types and links"
command="@=\"\\\"${folder//\\/\\\\}\\\\heaplens.exe\\\" -- \\\"%1\\\"\""
while read -r extension; do
    kind=$(sed -n "s/^\"\.$extension\"=\"\(heaplens\..*\)\"$/\1/p" "$work/registry")
    [[ -n $kind ]] || failed "no type for .$extension"
    has "Software\\Classes\\.$extension\\OpenWithProgids" "\"$kind\"=\"\""
    has "Software\\Classes\\Applications\\heaplens.exe\\SupportedTypes" "\".$extension\"=\"\""
    has "Software\\Classes\\$kind\\shell\\open\\command" "$command"
    owner=$kind
    [[ $extension != phd ]] || owner=other.phd
    has "Software\\Classes\\.$extension" "@=\"$owner\""
    echo ".$extension: $kind, opened by $owner"
done < <(sed -n 's/.*<glob pattern="\*\.\([a-z-]*\)".*/\1/p' "$types")
has 'Software\Classes\.hprof\OpenWithProgids' '"other.hprof"=""'
has 'Software\Classes\heaplens' '"URL Protocol"=""'
has 'Software\Classes\heaplens\shell\open\command' "$command"
has 'Software\heaplens\Capabilities\UrlAssociations' '"heaplens"="heaplens"'
has 'Software\RegisteredApplications' '"heaplens"="Software\\heaplens\\Capabilities"'

echo "── uninstall"
windows "$folder\\uninstall.exe" /S || failed "the uninstaller ended with $?"
# It goes on as a copy of itself, which can delete the folder.
program=$(to_unix "$folder")
for ((n = 0; n < 100; n++)); do [[ -e $program ]] || break; sleep 0.2; done
[[ ! -e $program ]] || failed "left behind: $(ls "$program")"
registry >"$work/registry"
diff "$work/before" "$work/registry" || failed "the registry differs"
[[ $(path) == "$old_path" ]] || failed "Path is $(path)"
echo "nothing is left"
