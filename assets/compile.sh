#!/usr/bin/env bash
# Builds heaplens as packages contain it (cargo build --profile dist --locked) and prints the path of the program. Engine and
# window are fully optimized, with line numbers beside the program or in it, as the system has it.
#
#   assets/compile.sh [--target TRIPLE]
set -euo pipefail
# shellcheck source=assets/packaging.sh
source "$(dirname "$0")/packaging.sh"
[[ $# == 0 || $# == 2 && $1 == --target ]] || usage
cd "$top"

# Paths of this machine must not be in the program: they are private and not reproducible. On Windows, the compiler takes
# paths with drive letters.
here=$(pwd -W 2>/dev/null || pwd)
crates=${CARGO_HOME:-$HOME/.cargo}
! command -v cygpath >/dev/null || crates=$(cygpath -m "$crates")
export RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=$here=heaplens --remap-path-prefix=$crates=cargo"
# Without the first, Windows programs need Microsoft's runtime library, which not every machine has; without the second, the
# linker writes the time into them.
[[ ${2:-} != *-windows-msvc ]] || RUSTFLAGS+=' -C target-feature=+crt-static -C link-arg=/Brepro'
# The oldest macOS that runs it, as in assets/macos/Info.plist; for C code, too. Of no meaning elsewhere.
export MACOSX_DEPLOYMENT_TARGET=11.0
cargo build --profile dist --locked --bin heaplens "$@" >&2
program=${CARGO_TARGET_DIR:-target}${2:+/$2}/dist/heaplens
[[ -f $program ]] || program+=.exe
realpath "$program"
