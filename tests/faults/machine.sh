#!/usr/bin/env bash
# Faults that need a machine: full, read-only and removed disks, memory limits of a container, a lost display, a killed
# window. Faults of commands are in `table.sh`. Needs root, Xvfb and xdotool; cases without their tools are reported and skipped.
#
#   tests/faults/machine.sh BINARY DUMP [LARGE-DUMP]
#
# DUMP is uncompressed. LARGE-DUMP needs more than 400 MB of memory. Exit status 0 if all cases that ran passed.
set -u
heaplens=$(readlink -f "$1") dump=$(readlink -f "$2") large=$(readlink -f "${3:-/nowhere}")
place=$(mktemp -d)
failed=0 display=${HEAPLENS_TEST_DISPLAY:-97}

finish() {
    pkill -P $$ 2>/dev/null
    umount "$place"/* 2>/dev/null
    rm -rf "$place"
}
trap finish EXIT

says() { # NAME RESULT WHAT-WAS-SAID
    printf '%-58s %s\n    %s\n' "$1" "$2" "$(head -c 300 <<<"$3" | head -n 2 | tr '\n' ' ')"
    [ "$2" = held ] || failed=1
}
holds() { [ "$1" = 0 ] && echo held || echo FAILED; }

export HOME=$place/home XDG_CONFIG_HOME=$place/home/config XDG_CACHE_HOME=$place/home/cache
mkdir -p "$XDG_CONFIG_HOME" "$XDG_CACHE_HOME"
"$heaplens" dominators "$dump" --no-cache --format csv >"$place/wanted.csv" || exit 1
same() { cmp -s "$1" "$place/wanted.csv"; }

mkdir "$place/full"
if mount -t tmpfs -o size=64k tmpfs "$place/full" 2>/dev/null; then
    "$heaplens" dominators "$dump" --cache-dir "$place/full" --format csv >"$place/out" 2>"$place/err"
    same "$place/out"; says "cache on a full disk (tmpfs of 64 KiB)" "$(holds $?)" "$(cat "$place/err")"
    left=$(find "$place/full" -type f | wc -l)
    [ "$left" = 0 ]; says "nothing unfinished stays on it" "$(holds $?)" "$left files"
    mount -o remount,ro "$place/full"
    "$heaplens" dominators "$dump" --cache-dir "$place/full" --format csv >"$place/out" 2>"$place/err"
    same "$place/out"; says "cache on a disk that cannot be written" "$(holds $?)" "$(cat "$place/err")"
    umount "$place/full"

    mount -t tmpfs -o size=512m tmpfs "$place/full"
    gzip -c "$dump" >"$place/packed.hprof.gz"
    mount -o remount,size=64k "$place/full" 2>/dev/null
    "$heaplens" dominators "$place/packed.hprof.gz" --cache-dir "$place/full" --format csv >"$place/out" 2>"$place/err"
    [ $? = 1 ] && grep -q "cannot unpack the file into" "$place/err"
    says "no room to unpack a packed dump" "$(holds $?)" "$(cat "$place/err")"
    umount "$place/full"
else
    echo "no tmpfs can be mounted: full and read-only disks are left out"
fi

group=/sys/fs/cgroup/memory/heaplens-faults file=memory.limit_in_bytes
[ -d /sys/fs/cgroup/memory ] || group=/sys/fs/cgroup/heaplens-faults file=memory.max
if [ -f "$large" ] && mkdir "$group" 2>/dev/null && echo 400M >"$group/$file" 2>/dev/null; then
    (echo $BASHPID >"$group/cgroup.procs"; exec "$heaplens" summary "$large" --no-cache --format json) >"$place/out" 2>"$place/err"
    ended=$?
    # An answer, partly processed in files, or an error, but not killed by the kernel (137).
    [ $ended = 0 ] || [ $ended = 1 ]
    says "400 MB in a container, a dump that takes more" "$(holds $?)" \
        "$ended: $(cat "$place/err") $(grep -o '[^"]*worked on in files[^"]*' "$place/out" | head -n 1)"
    rmdir "$group"
else
    echo "no control group can be made, or there is no large dump: limits of a container are left out"
fi

if command -v Xvfb >/dev/null && command -v xdotool >/dev/null; then
    window() { # FILE...: begins a window and waits until it is there
        DISPLAY=:$display LIBGL_ALWAYS_SOFTWARE=1 "$heaplens" --new-window "$@" >"$place/window" 2>&1 &
        window=$!
        for _ in $(seq 60); do
            sleep 0.5
            DISPLAY=:$display xdotool search --class heaplens >/dev/null 2>&1 && return 0
        done
        return 1
    }
    Xvfb ":$display" -screen 0 1440x900x24 >/dev/null 2>&1 & server=$!
    sleep 2
    cp "$dump" "$place/mine.hprof"

    window "$place/mine.hprof"; sleep 4
    truncate -s 1000 "$place/mine.hprof"; sleep 4
    DISPLAY=:$display xdotool key 5; sleep 1; DISPLAY=:$display xdotool key o; sleep 2
    kill -0 $window; says "dump made shorter under the open window" "$(holds $?)" "$(cat "$place/window")"
    command -v import >/dev/null && DISPLAY=:$display import -window root "$place/shorter.png" && cp "$place/shorter.png" "${HEAPLENS_TEST_PICTURES:-$place}/fault-shorter.png" 2>/dev/null
    sleep 1; kill -9 $window; wait $window 2>/dev/null
    grep -q mine.hprof "$XDG_CONFIG_HOME"/heaplens/windows/*.json
    says "what is open is kept when the window is killed" "$(holds $?)" "$(cat "$XDG_CONFIG_HOME"/heaplens/windows/*.json)"

    cp "$dump" "$place/mine.hprof"
    window; sleep 3
    command -v import >/dev/null && DISPLAY=:$display import -window root "${HEAPLENS_TEST_PICTURES:-$place}/fault-offered.png"
    kill -9 $window; wait $window 2>/dev/null

    mkdir -p "$place/disk"
    if mount -t tmpfs -o size=512m tmpfs "$place/disk" 2>/dev/null; then
        cp "$dump" "$place/disk/away.hprof"
        window "$place/disk/away.hprof"; sleep 4
        umount -l "$place/disk"; sleep 4
        DISPLAY=:$display xdotool key o; sleep 2
        kill -0 $window; says "disk unmounted under the open window" "$(holds $?)" "$(cat "$place/window")"
        kill -9 $window; wait $window 2>/dev/null
    fi

    window "$dump"; sleep 4
    kill $server; wait $server 2>/dev/null; sleep 3
    ! kill -0 $window 2>/dev/null || { sleep 5; ! kill -0 $window 2>/dev/null; }
    says "the display goes away: the window ends" "$(holds $?)" "$(cat "$place/window")"
    grep -q "$(basename "$dump")" "$XDG_CONFIG_HOME"/heaplens/windows/*.json
    says "and what was open is kept" "$(holds $?)" "$(ls "$XDG_CONFIG_HOME"/heaplens/windows)"
    kill -9 $window 2>/dev/null
else
    echo "no Xvfb or xdotool: what is about windows is left out"
fi
exit $failed
