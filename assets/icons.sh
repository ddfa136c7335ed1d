#!/usr/bin/env bash
# Renders assets/heaplens.svg to the icons of all systems, which are committed: run it after a change of the picture. Needs
# librsvg2-bin, icoutils, icnsutils and python3.
#
#   assets/icons.sh
set -euo pipefail
# shellcheck source=assets/packaging.sh
source "$(dirname "$0")/packaging.sh"
(($# == 0)) || usage
need 'librsvg2-bin icoutils icnsutils python3' rsvg-convert icotool png2icns python3
cd "$top/assets"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for size in 16 24 32 48 64 128; do
    rsvg-convert --width $size --height $size heaplens.svg >desktop/icons/$size.png
done
rsvg-convert --width 256 --height 256 heaplens.svg >heaplens.png

# Windows draws icons of these sizes, from the taskbar to the largest view of the Explorer.
icotool --create --output=windows/heaplens.ico desktop/icons/{16,24,32,48,64,128}.png --raw=heaplens.png

# Icons of macOS have a margin of 100 of 1024 pixels: "App icons" of Apple's Human Interface Guidelines.
for size in 16 32 64 128 256 512 1024; do
    margin=$((size * 100 / 1024)) inner=$((size - 2 * (size * 100 / 1024)))
    rsvg-convert --width $inner --height $inner --left $margin --top $margin --page-width $size --page-height $size \
        heaplens.svg >"$work/$size.png"
done
png2icns "$work/small.icns" "$work/16.png" "$work/32.png" >/dev/null
# The larger ones, as iconutil stores them: PNG, where png2icns writes JPEG 2000, and those of screens with two pixels a point.
python3 - "$work" macos/heaplens.icns <<'END'
import pathlib, struct, sys
work = pathlib.Path(sys.argv[1])
sizes = {"ic11": 32, "ic12": 64, "ic07": 128, "ic13": 256, "ic08": 256, "ic14": 512, "ic09": 512, "ic10": 1024}
body = (work / "small.icns").read_bytes()[8:]
for kind, size in sizes.items():
    picture = (work / f"{size}.png").read_bytes()
    body += kind.encode() + struct.pack(">I", len(picture) + 8) + picture
pathlib.Path(sys.argv[2]).write_bytes(b"icns" + struct.pack(">I", len(body) + 8) + body)
END
