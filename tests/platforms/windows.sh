#!/usr/bin/env bash
# Builds heaplens for Windows and tries it under Wine: the tests that need no display, the stored cases, and the window on a
# display of its own. installer.sh tries the installer.
#
#   tests/platforms/windows.sh --root FOLDER [--target FOLDER] [--only build|tests|cases|window] [--release]
#       [--cases COMMAND] [--std source] [--keep FOLDER]
#
# Needs root and debootstrap; --root names the folder of root.sh. COMMAND is a program that takes `--bin PROGRAM` and runs
# the program over dumps. --std source compiles the standard library, too, as on machines without rustup. --keep takes
# screenshots.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/platforms/inside.sh

root='' target=${CARGO_TARGET_DIR:-target} only='' profile=debug cases='' std='' keep=''
while (($#)); do
    case $1 in
        --release) profile=release && shift && continue ;;
        --root) root=$(realpath -m "$2") ;;
        --target) target=$2 ;;
        --only) only=$2 ;;
        --cases) cases=$2 ;;
        --std) std=$2 ;;
        --keep) keep=$2 ;;
        *) root='' && break ;;
    esac
    shift 2
done
[[ -n $root ]] || { sed -n '5,6s/^# *//p' "$0" >&2; exit 2; }
is_wanted() { [[ -z $only || $only == "$1" ]]; }

triple=x86_64-pc-windows-gnu
tests/platforms/root.sh "$root"
mkdir -p "$target"
target=$(realpath "$target")
begin_inside "$root" /tmp "$PWD" "$target" "${CARGO_HOME:-$HOME/.cargo}" ${cases:+"$(dirname "$(realpath "${cases%% *}")")/.."}

# The compiler of this machine if it has the standard library for Windows, else that of the root, which compiles it.
if [[ $std != source ]] && rustup target add $triple >/dev/null 2>&1; then
    toolchain=$(rustc --print sysroot)
    mount_same "$toolchain"
    cargo=("$toolchain/bin/cargo") flags=()
else
    toolchain=/usr
    cargo=(env RUSTC_BOOTSTRAP=1 cargo) flags=(-Z build-std=std,panic_unwind)
fi
[[ $profile == debug ]] || flags+=(--release)
cargo() {
    inside env PATH="$toolchain/bin:/usr/bin:/bin" CARGO_HOME="${CARGO_HOME:-$HOME/.cargo}" CARGO_TARGET_DIR="$target" \
        CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine "${cargo[@]}" "$@" --locked --target $triple "${flags[@]}"
}
program=$target/$triple/$profile/heaplens.exe

if is_wanted build; then
    echo "── build"
    cargo build --bin heaplens
fi
if is_wanted tests; then
    echo "── tests"
    cargo test --workspace --no-fail-fast
fi
if is_wanted cases && [[ -n $cases ]]; then
    echo "── cases"
    # shellcheck disable=SC2086 # a command with arguments
    $cases --bin "$(wine_program "$program")"
fi
if is_wanted window; then
    echo "── window"
    # shellcheck source=tests/platforms/window.sh
    . tests/platforms/window.sh
    try_window "$program" "${keep:-$scratch}"
fi
