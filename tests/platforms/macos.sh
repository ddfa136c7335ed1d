#!/usr/bin/env bash
# Checks the code for macOS without a Mac: clippy on all crates and tests for both
# processors, warnings denied; then links the command line as Mach-O programs.
#
#   tests/platforms/macos.sh [--no-link]
#
# Installs what is missing: the standard libraries of both targets (rustup), and
# zig, a C compiler with the headers and the C library of macOS (pip, into the
# target folder). It has none of Apple's frameworks, so the window is checked, but
# not linked, and nothing is run. Exit status 0 if everything passed.
set -euo pipefail
cd "$(dirname "$0")/../.."

is_linked=yes
case ${1:-} in
    '') ;;
    --no-link) is_linked='' ;;
    *) sed -n '5s/^# *//p' "$0" >&2; exit 2 ;;
esac

tools=$(realpath -m "${CARGO_TARGET_DIR:-target}")/macos-tools
mkdir -p "$tools"
if command -v zig >/dev/null; then
    zig=(zig)
else
    if [[ ! -x $tools/python/bin/python ]]; then
        echo "── install zig"
        python3 -m venv "$tools/python"
        "$tools/python/bin/pip" install --quiet ziglang==0.17.1
    fi
    zig=("$tools/python/bin/python" -m ziglang)
fi

# Libraries of macOS that crates name, although the command line uses no symbol of
# them: without an entry here the linker reports those that it does use.
library() { # FILE INSTALL-NAME
    mkdir -p "$(dirname "$tools/$1")"
    cat >"$tools/$1" <<END
--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '$2'
...
END
}
library lib/libobjc.tbd /usr/lib/libobjc.A.dylib
library lib/libiconv.tbd /usr/lib/libiconv.2.dylib
frameworks=/System/Library/Frameworks
library frameworks/Foundation.framework/Foundation.tbd $frameworks/Foundation.framework/Versions/C/Foundation
library frameworks/CoreFoundation.framework/CoreFoundation.tbd \
    $frameworks/CoreFoundation.framework/Versions/A/CoreFoundation

# zig with the arguments of Apple's compiler, without those that it does not know.
# The command is written into the file, as cargo starts it in other folders.
compiler() { # PROCESSOR
    cat >"$tools/cc-$1" <<END
#!/usr/bin/env bash
arguments=()
while ((\$#)); do
    case \$1 in
        --target=* | -mmacosx-version-min=*) ;;
        -arch | -isysroot) shift ;;
        *) arguments+=("\$1") ;;
    esac
    shift
done
exec ${zig[*]@Q} cc -target $1-macos.11.0 -L${tools@Q}/lib -F${tools@Q}/frameworks "\${arguments[@]}"
END
    chmod +x "$tools/cc-$1"
}
printf '#!/bin/sh\nexec %s ar "$@"\n' "${zig[*]@Q}" >"$tools/ar"
chmod +x "$tools/ar"

report=()
for processor in aarch64 x86_64; do
    target=$processor-apple-darwin
    name=${target//-/_}
    rustup target add "$target" 2>/dev/null
    compiler "$processor"
    export "CC_$name=$tools/cc-$processor" "AR_$name=$tools/ar" "CARGO_TARGET_${name^^}_LINKER=$tools/cc-$processor"

    echo "── check $target"
    cargo clippy --locked --workspace --all-targets --target "$target" -- -D warnings
    report+=("$target: all crates, the window and the tests checked, no warnings")

    if [[ $is_linked ]]; then
        echo "── link the command line for $target"
        # Where a compiler for macOS looks for Apple's files; there are none.
        SDKROOT=$tools cargo build --locked --no-default-features --bin heaplens --target "$target"
        binary=${CARGO_TARGET_DIR:-target}/$target/debug/heaplens
        report+=("$target: $(file --brief "$binary" | cut -d, -f1), $(stat -c %s "$binary") bytes, without the window")
    fi
done
echo
printf '%s\n' "${report[@]}"
