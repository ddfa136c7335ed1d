#!/usr/bin/env bash
# Makes all dumps: make.sh DIR [KEY…]. Programs with a program.conf are for the Java virtual machine, those with a package.json are JavaScript.
set -euo pipefail
here=$(realpath "$(dirname "$0")")
target=${1:?the folder for dumps is missing}
shift
jvm=() js=()
for key in "$@"; do
    if [ -e "$here/programs/$key/program.conf" ]; then jvm+=("$key"); else js+=("$key"); fi
done
failed=0
[ $# -gt 0 ] && [ ${#jvm[@]} -eq 0 ] || "$here/make-jvm.sh" "$target" "${jvm[@]}" || failed=1
[ $# -gt 0 ] && [ ${#js[@]} -eq 0 ] || "$here/make-js.sh" "$target" "${js[@]}" || failed=1
exit $failed
