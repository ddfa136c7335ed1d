#!/usr/bin/env bash
# Builds heaplens.app from one program, or from those of two architectures, and packs it: on macOS as
# heaplens-VERSION-macos.dmg, elsewhere as heaplens-VERSION-macos.zip, unsigned. Needs cargo (for the notices), elsewhere also
# zip and, for two programs, llvm.
#
#   assets/macos/build.sh --binary PATH [--binary PATH] [--output FOLDER] [--sign IDENTITY]
#
# IDENTITY is a "Developer ID Application" certificate in the keychain. Without one the signature is ad hoc, which runs where
# it was built; downloads of it need "Open Anyway" in the settings. A signed image is notarized if NOTARY_KEY (a .p8
# file as base64), NOTARY_KEY_ID and NOTARY_ISSUER are a key of App Store Connect.
set -euo pipefail
# shellcheck source=assets/packaging.sh
source "$(dirname "$0")/../packaging.sh"

binaries=() output=. identity=-
while (($#)); do
    (($# > 1)) || usage
    case $1 in
        --binary) binaries+=("$(realpath "$2")") ;;
        --output) output=$2 ;;
        --sign) identity=$2 ;;
        *) usage ;;
    esac
    shift 2
done
((${#binaries[@]})) || usage
for binary in "${binaries[@]}"; do
    case $(od -An -tx1 -N4 "$binary" | tr -d ' ') in
        cffaedfe | cafebabe) ;;
        *) echo "$0: $binary is no macOS program" >&2; exit 1 ;;
    esac
done
mkdir -p "$output"
output=$(realpath "$output")
cd "$top"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
image=$work/heaplens
app=$image/heaplens.app
contents=$app/Contents
mkdir -p "$contents/MacOS" "$contents/Resources"
if ((${#binaries[@]} > 1)); then
    lipo=$(command -v lipo || compgen -c llvm-lipo | sort -uV | tail -1)
    need llvm "${lipo:-llvm-lipo}"
    "$lipo" -create "${binaries[@]}" -output "$contents/MacOS/heaplens"
else
    cp "${binaries[0]}" "$contents/MacOS/heaplens"
fi
chmod 755 "$contents/MacOS/heaplens"
sed "s/VERSION/$version/" assets/macos/Info.plist >"$contents/Info.plist"
printf 'APPL????' >"$contents/PkgInfo"
cp assets/macos/heaplens.icns "$contents/Resources/"
assets/notices.sh --output "$contents/Resources" --target aarch64-apple-darwin --target x86_64-apple-darwin

if [[ $(uname -s) != Darwin ]]; then
    need zip zip
    zip_tree "$app" "$output/heaplens-$version-macos.zip"
    echo "left out, as this is not macOS: signature, notarization, disk image"
    ls "$output/heaplens-$version-macos.zip"
    exit
fi

# The hardened runtime needs no exception, so there are no entitlements: heaplens compiles no code at run time and loads only
# libraries of the system.
signed=(--force --sign "$identity")
[[ $identity == - ]] || signed+=(--options runtime --timestamp)
codesign "${signed[@]}" "$app"
codesign --verify --strict "$app"
ln -s /Applications "$image/Applications"
dmg=$output/heaplens-$version-macos.dmg
hdiutil create -quiet -ov -fs HFS+ -format UDZO -volname "heaplens $version" -srcfolder "$image" "$dmg"
if [[ $identity == - ]]; then
    echo "not signed: no identity"
else
    codesign --force --timestamp --sign "$identity" "$dmg"
    if [[ -n ${NOTARY_KEY:-} ]]; then
        base64 --decode <<<"$NOTARY_KEY" >"$work/notary.p8"
        notary=(--key "$work/notary.p8" --key-id "$NOTARY_KEY_ID" --issuer "$NOTARY_ISSUER")
        # It succeeds, too, if Apple refuses.
        answer=$(xcrun notarytool submit "$dmg" --wait --output-format json "${notary[@]}")
        if ! grep -q '"status" *: *"Accepted"' <<<"$answer"; then
            echo "$0: not notarized: $answer" >&2
            xcrun notarytool log "$(sed -n 's/.*"id" *: *"\([^"]*\)".*/\1/p' <<<"$answer")" "${notary[@]}" >&2
            exit 1
        fi
        xcrun stapler staple "$dmg"
    else
        echo "not notarized: no NOTARY_KEY"
    fi
fi
ls "$dmg"
