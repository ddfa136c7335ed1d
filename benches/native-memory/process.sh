# Functions to start a program, to talk to it and to end it. Sourced by the recorders.

# Starts "$@" with its standard input on a pipe; sets $pid. The environment is empty: dumps and
# reports contain it, and the one of the user may contain secrets.
start_program() {
    log=$work/log
    mkfifo "$work/commands"
    nice -n 10 env -i PATH="$PATH" LANG=C.UTF-8 "$@" <"$work/commands" >"$log" 2>&1 &
    pid=$!
    exec 3>"$work/commands"
    wait_for READY
}

# Waits until the program prints the line "$1".
wait_for() {
    tries=0
    until grep -qx "$1" "$log"; do
        tries=$((tries + 1))
        if ! kill -0 "$pid" 2>/dev/null || [ "$tries" -gt "${PROGRAM_TIMEOUT:-180}0" ]; then
            echo "$name: no '$1' from the program:" >&2
            tail -n 20 "$log" >&2
            return 1
        fi
        sleep 0.1
    done
}

# Sends the command "$1" with argument "$2" and waits for its end.
send() {
    echo "$1 $2" >&3
    wait_for "DONE $1"
}

end_program() {
    echo quit >&3 2>/dev/null || true
    exec 3>&-
    tries=0
    while kill -0 "$pid" 2>/dev/null && [ "$tries" -lt 50 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    kill -9 "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
}

# Records what the kernel knows. First of all: each later command changes the process.
record_kernel() {
    cat "/proc/$pid/smaps" >"$out/smaps"
    cat "/proc/$pid/status" >"$out/status"
    ls -l "/proc/$pid/fd" | awk 'NR > 1 { print $9, $10, $11 }' >"$out/descriptors.txt"
}
