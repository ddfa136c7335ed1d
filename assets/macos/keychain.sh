#!/usr/bin/env bash
# Imports the certificate that signs heaplens.app into a keychain of its own, where codesign finds it, if one is given; else
# says so. For jobs whose machine is deleted afterwards: it stays in the list of keychains.
#
#   MACOS_CERTIFICATE=BASE64 MACOS_CERTIFICATE_PASSWORD=… assets/macos/keychain.sh
#
# MACOS_CERTIFICATE is a PKCS #12 file (.p12) as base64.
set -euo pipefail
# shellcheck source=assets/packaging.sh
source "$(dirname "$0")/../packaging.sh"
(($# == 0)) || usage
if [[ -z ${MACOS_CERTIFICATE:-} ]]; then
    echo "no certificate imported (no MACOS_CERTIFICATE)"
    exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
base64 --decode <<<"$MACOS_CERTIFICATE" >"$work/certificate.p12"
password=$(openssl rand -hex 16)
keychain=$HOME/Library/Keychains/heaplens.keychain-db
security create-keychain -p "$password" "$keychain"
security set-keychain-settings -lut 7200 "$keychain"
security unlock-keychain -p "$password" "$keychain"
security import "$work/certificate.p12" -k "$keychain" -P "${MACOS_CERTIFICATE_PASSWORD:-}" -T /usr/bin/codesign
# Without this, codesign asks for the password in a window.
security set-key-partition-list -S apple-tool:,apple: -s -k "$password" "$keychain" >/dev/null
security list-keychains -d user -s "$keychain" login.keychain-db
