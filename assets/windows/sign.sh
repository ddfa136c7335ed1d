#!/usr/bin/env bash
# Signs a program in place, with a time stamp, if a certificate is given; else says that it is not signed. Needs
# osslsigncode.
#
#   WINDOWS_CERTIFICATE=BASE64 WINDOWS_CERTIFICATE_PASSWORD=… assets/windows/sign.sh FILE
#
# WINDOWS_CERTIFICATE is a PKCS #12 file (.pfx) as base64. WINDOWS_TIMESTAMP is the address of a time stamp service of
# RFC 3161; without one, the signature ends with the certificate.
set -euo pipefail
# shellcheck source=assets/packaging.sh
source "$(dirname "$0")/../packaging.sh"
[[ $# == 1 && $1 != -* ]] || usage
if [[ -z ${WINDOWS_CERTIFICATE:-} ]]; then
    echo "not signed: $(basename "$1") (no WINDOWS_CERTIFICATE)"
    exit
fi
need osslsigncode osslsigncode base64
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
base64 --decode <<<"$WINDOWS_CERTIFICATE" >"$work/certificate.pfx"
printf %s "${WINDOWS_CERTIFICATE_PASSWORD:-}" >"$work/password"
osslsigncode sign -pkcs12 "$work/certificate.pfx" -readpass "$work/password" -h sha256 -n heaplens \
    ${WINDOWS_TIMESTAMP:+-ts "$WINDOWS_TIMESTAMP"} -in "$1" -out "$work/signed.exe"
cat "$work/signed.exe" >"$1"
