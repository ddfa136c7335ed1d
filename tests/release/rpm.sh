#!/usr/bin/env bash
# Installs an .rpm in an empty folder, opens a dump with the installed program, and erases the package. Exit status 0 if all
# checks passed.
#
#   tests/release/rpm.sh --rpm heaplens.rpm --dump FILE
#
# Needs root and rpm. The folder has no system, so requirements are compared with a list instead of being installed.
set -euo pipefail

rpm='' dump=''
while (($#)); do
    case $1 in
        --rpm) rpm=$(realpath -e "$2") ;;
        --dump) dump=$(realpath -e "$2") ;;
        *) rpm='' && break ;;
    esac
    shift 2
done
[[ -n $rpm && -n $dump ]] || { sed -n '5s/^# *//p' "$0" >&2; exit 2; }

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
failed() { echo "$*" >&2; exit 1; }

echo "── requirements"
# The C library and the compiler's, whose oldest version that works is shown; nothing of the window.
others=$(rpm -qp --requires "$rpm" | grep -Ev '^(ld-linux[^ ]*|lib(c|m|gcc_s)\.so\.[0-9]+|rpmlib|rtld)\(') || true
[[ -z $others ]] || failed "requires: $others"
rpm -qp --requires "$rpm" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1
rpm -qp --recommends "$rpm" | grep -q libX11 || failed 'does not recommend the libraries of the window'

echo "── install"
rpm --root "$root" --initdb
rpm --root "$root" --nodeps --install "$rpm"
for file in bin/heaplens share/applications/heaplens.desktop share/mime/packages/heaplens.xml share/man/man1/heaplens.1.gz \
    share/icons/hicolor/scalable/apps/heaplens.svg share/doc/heaplens/licence.txt share/doc/heaplens/third-party.txt.gz \
    share/bash-completion/completions/heaplens share/zsh/site-functions/_heaplens share/fish/vendor_completions.d/heaplens.fish; do
    [[ -s $root/usr/$file ]] || failed "/usr/$file is missing"
done
rpm --root "$root" --verify --nodeps heaplens

echo "── open a dump"
"$root/usr/bin/heaplens" summary "$dump" --no-cache | head -5

echo "── erase"
rpm --root "$root" --erase heaplens
left=$(find "$root" -name '*heaplens*')
[[ -z $left ]] || failed "left behind: $left"
left=$(find "$root/usr" -type f 2>/dev/null) || true
[[ -z $left ]] || failed "left behind: $left"
echo "nothing is left"
