#!/usr/bin/env bash
# Drives the real window on a real X server and a real Wayland compositor, and
# compares the clipboard, as read by other programs, with golden texts.
#
#   tests/desktop/run.sh [--binary FILE] [--only x11|wayland] [--keep FOLDER] [--patience SECONDS]
#
# Without --binary a release build is made. --keep writes transcript and
# screenshots to a folder. As root it installs missing Debian packages. Ends with
# the line "N passed, N failed"; exit status 0 if nothing failed.
set -euo pipefail
cd "$(dirname "$0")/../.."

binary='' only='' keep='' patience=''
while (($#)); do
    case $1 in
        --binary) binary=$2 ;;
        --only) only=$2 ;;
        --keep) keep=$2 ;;
        --patience) patience=$2 ;;
        *) sed -n '5s/^# *//p' "$0" >&2; exit 2 ;;
    esac
    shift 2
done

# A command of each package, and the name of the package in Debian.
packages=()
while read -r command package; do
    command -v "$command" >/dev/null || packages+=("$package")
done <<'END'
Xvfb xvfb
openbox openbox
xdotool xdotool
xclip xclip
import imagemagick
dbus-run-session dbus
sway sway
wtype wtype
wl-paste wl-clipboard
END
for package in libx11-6 libxcursor1 libxi6 libx11-xcb1 libxkbcommon-x11-0 libgl1 libwayland-client0 libwayland-egl1 \
    libegl1 libgl1-mesa-dri python3 python3-xlib python3-dbus python3-gi; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q ' installed' || packages+=("$package")
done
if ((${#packages[@]})); then
    echo "── install ${packages[*]}"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
fi

if [[ -z $binary ]]; then
    cargo build --release --locked
    binary=${CARGO_TARGET_DIR:-target}/release/heaplens
fi
# The system's Python has the packages above; another one may not.
exec /usr/bin/python3 tests/desktop/main.py --binary "$binary" ${only:+--only "$only"} ${keep:+--keep "$keep"} \
    ${patience:+--patience "$patience"}
