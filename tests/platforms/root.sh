#!/usr/bin/env bash
# Makes a Debian (sid) with the cross compiler for Windows, Wine and a display, in a folder of its own; reuses it if it is
# there.
#
#   tests/platforms/root.sh FOLDER [--unchecked]
#
# Needs root and debootstrap. --unchecked takes packages although this machine lacks the keys of sid, or has an old copy of its
# archive. sid, because its Rust compiler is recent enough and comes with the sources of the standard library, which no
# package has for Windows.
set -euo pipefail
[[ $# -ge 1 && $1 != -* && ${2:---unchecked} == --unchecked ]] || { sed -n '5s/^# *//p' "$0" >&2; exit 2; }
root=$1 unchecked=${2-}
packages=(cargo rustc rust-src gcc libc6-dev git ca-certificates gcc-mingw-w64-x86-64-win32 nsis
    wine wine64 xvfb xdotool imagemagick libgl1-mesa-dri fonts-dejavu-core)

if [[ ! -x $root/usr/bin/apt-get ]]; then
    echo "── a root of Debian sid"
    mirror=$(apt-get indextargets --format '$(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
        awk '$1 == "main" && $2 !~ /security/ { print $2; exit }')
    debootstrap --variant=minbase --include=ca-certificates ${unchecked:+--no-check-gpg} sid "$root" "$mirror" >"$root.log" || { tail "$root.log"; exit 1; }
fi
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
is_here() { inside which "$1" >/dev/null; }
if is_here cargo && is_here x86_64-w64-mingw32-gcc && is_here makensis && is_here wine && is_here xdotool; then exit; fi
echo "── its compilers, Wine and display"
apt-config dump Acquire | grep -i proxy >"$root/etc/apt/apt.conf.d/80proxy" || true
[[ -z $unchecked ]] || echo 'Acquire::Check-Valid-Until "false"; APT::Get::AllowUnauthenticated "true";' >"$root/etc/apt/apt.conf.d/90unchecked"
# Services of packages must not start here.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends "${packages[@]}" >"$root.log" 2>&1 || { tail -20 "$root.log"; exit 1; }
