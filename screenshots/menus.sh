#!/usr/bin/env bash
# Takes the pictures of open menus from the real window under Xvfb, with openbox, xdotool and ImageMagick.
#
#   screenshots/menus.sh target/release/heaplens
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,4p' "$0" >&2; exit 2; }
program=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work XDG_RUNTIME_DIR=$work HOME=$work DISPLAY=:77

for size in 1440x900 1000x640; do
    Xvfb :77 -screen 0 "${size}x24" >/dev/null 2>&1 & server=$!
    sleep 2
    openbox >/dev/null 2>&1 &
    "$program" fixtures/leak-after.hprof.gz >/dev/null 2>&1 & window=$!
    until id=$(xdotool search --onlyvisible --name heaplens 2>/dev/null | head -1) && [ -n "$id" ]; do sleep 0.5; done
    sleep 3
    xdotool windowmove "$id" 0 0 windowsize "$id" "${size%x*}" "${size#*x}"
    sleep 2
    # Horizontal positions of the menus in the bar.
    for menu in edit:61 go:94; do
        xdotool mousemove "${menu#*:}" 37 click 1
        sleep 1
        import -window root "screenshots/menu-${menu%:*}-$size.png"
        xdotool key Escape
        sleep 0.5
    done
    kill "$window" "$server"
    wait "$window" "$server" 2>/dev/null || true
done
if command -v pngquant >/dev/null; then
    for picture in screenshots/menu-*.png; do pngquant --force --skip-if-larger --output "$picture" 256 "$picture" || true; done
fi
