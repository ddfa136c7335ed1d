# shellcheck shell=bash
# The window under Wine: a dump is opened by the command line of a double click, a second start hands over, and files are
# removed and shortened while they are open. Sourced by windows.sh.

# Waits for a window whose title begins with a text.
wait_for_title() {
    local n title
    for ((n = 0; n < 300; n++)); do
        title=$(inside xdotool search --name 'heaplens$' getwindowname %@ 2>/dev/null | tail -n 1) || true
        [[ $title == "$1"* ]] && echo "window: $title" && return
        sleep 0.2
    done
    echo "the window is called '$title', not '$1…'" >&2
    return 1
}

take_picture() {
    # The pointer is over nothing, so no tooltip is shown.
    inside xdotool mousemove 1439 899
    sleep "${2:-3}"
    inside import -window root -trim +repage "$scratch/picture.png"
    cp "$scratch/picture.png" "$1"
    echo "picture: $1"
}

# try_window PROGRAM FOLDER: pictures go to the folder.
try_window() {
    local program=$1 pictures=$2 n
    mkdir -p "$pictures" "$scratch/dumps"
    cp fixtures/leak-after.hprof.gz fixtures/leak-before.hprof.gz "$scratch/dumps"
    # An unpacked dump is mapped.
    gzip -dc fixtures/leak-after.hprof.gz >"$scratch/dumps/a long name, ж.hprof"
    inside Xvfb -displayfd 3 -screen 0 1440x900x24 3>"$scratch/display" 2>/dev/null &
    for ((n = 0; n < 100; n++)); do [[ -s $scratch/display ]] && break; sleep 0.1; done
    display=:$(cat "$scratch/display")

    inside wine "$program" "$(windows_path "$scratch/dumps/a long name, ж.hprof")" >"$scratch/first" 2>&1 &
    wait_for_title 'a long name, ж.hprof '
    take_picture "$pictures/windows.png" 10

    echo "a second start hands over"
    inside timeout 60 wine "$program" "$(windows_path "$scratch/dumps/leak-after.hprof.gz")"
    wait_for_title 'leak-after.hprof.gz '

    echo "a dump that is removed while open"
    rm "$scratch/dumps/leak-after.hprof.gz"
    take_picture "$pictures/windows-removed.png" 5
    echo "a dump that is shortened while open"
    truncate -s 4096 "$scratch/dumps/a long name, ж.hprof"
    inside xdotool search --name 'heaplens$' windowfocus key --clearmodifiers ctrl+Tab
    wait_for_title 'a long name, ж.hprof '
    inside xdotool key --clearmodifiers 7
    take_picture "$pictures/windows-shortened.png" 5
    inside timeout 60 wine "$program" "$(windows_path "$scratch/dumps/leak-before.hprof.gz")"
    wait_for_title 'leak-before.hprof.gz '
    [[ ! -s $scratch/first ]] || { echo "it printed:" >&2; cat "$scratch/first" >&2; return 1; }
    inside wineboot -k
}

# How Explorer would name a file of this machine.
windows_path() {
    echo "Z:${1//\//\\}"
}
