#!/usr/bin/env bash
# The fault table: each fault against each command that it can reach, as an ordinary user. When root starts it, commands
# run as `nobody`, since permissions mean nothing to root; faults of disks are left out where nothing can be mounted.
#
#   tests/faults/table.sh BINARY [--short]
#
# One line for each cell and a sum. A cell fails if a command panics, is ended by a signal that nobody sent, hangs, gives
# another answer with status 0, refuses without a sentence, damages an older output, or leaves temporary files. Exit
# status 0 if no cell failed. --short leaves out kills, many processes and most limits.
set -u
unset XDG_CACHE_HOME XDG_CONFIG_HOME
binary=$(readlink -f "$1") short=${2:-}
fixtures=$(cd "$(dirname "$0")/../../fixtures" && pwd)
base=$(mktemp -d) limit=60
chmod 755 "$base"
trap 'umount "$base"/disk 2>/dev/null; rm -rf "$base"' EXIT
work=$base/work
mkdir "$work" "$base/wanted" "$base/disk"
cp "$binary" "$base/heaplens" && heaplens=$base/heaplens

as=()
if [ "$(id -u)" = 0 ]; then
    as=(setpriv --reuid=65534 --regid=65534 --clear-groups --)
    "${as[@]}" true || { echo "commands cannot be run as another user"; exit 2; }
    chown 65534:65534 "$work"
fi
echo "heaplens $("$heaplens" version | head -n 1) as user $("${as[@]}" id -u)"

gzip -dc "$fixtures/leak-after.hprof.gz" >"$base/dump.hprof"
gzip -dc "$fixtures/node/desk-baseline.heapsnapshot.gz" >"$base/dump.heapsnapshot"
cp "$fixtures/leak-after.hprof.gz" "$base/packed.hprof.gz"
chmod 644 "$base"/dump.* "$base/packed.hprof.gz"
"$heaplens" check "$base/dump.hprof" --no-cache --baseline "$base/baseline.json" --accept >/dev/null && chmod 644 "$base/baseline.json" || exit 2

# --- Commands: words, and the file that they write, if any.
cache=$work/cache output=$work/output dump=$base/dump.hprof
words() { # COMMAND
    file= options=(--cache-dir "$cache" --threads 2)
    case $1 in
    open) words=(histogram "$base/dump.hprof" --format csv) ;;
    packed) words=(dominators "$base/packed.hprof.gz" --format csv) ;;
    snapshot) words=(histogram "$base/dump.heapsnapshot" --format csv) ;;
    query) words=(query "$base/dump.hprof" "SELECT class, count(*), sum(shallow_bytes) FROM objects GROUP BY class ORDER BY class" --format csv) ;;
    check) words=(check "$base/dump.hprof" --baseline "$base/baseline.json") ;;
    paths) words=(paths "$base/dump.hprof" desk.OrderDesk --format json) ;;
    leaks) words=(leaks "$base/dump.hprof" --format json) ;;
    secrets) words=(secrets "$base/dump.hprof" --format json) ;;
    index) file=$output/a.heaplens words=(index "$dump" -o "$file") options=(--threads 2) ;;
    strip) file=$output/a.hprof words=(strip "$dump" "$file") options=(--threads 2) ;;
    digest) file=$output/a.jsonl words=(digest "$dump" -o "$file") ;;
    export) file=$output/classes.parquet words=(export "$dump" -o "$output" --tables classes --force) ;;
    *) words=($1) options=() ;;
    esac
}
answers="open packed snapshot query check paths leaks secrets" writers="index strip digest export"
[ "$short" ] && answers="open packed query"

# What a file says: the bytes, without the time that it took; for an index the answers that it gives.
contents() {
    case $1 in
    *.heaplens) "$heaplens" histogram "$1" --format csv ;;
    *.jsonl) sed 's/"seconds":[0-9.e-]*/"seconds":0/g' "$1" ;;
    *) cat "$1" ;;
    esac
}

# True if the output of a command is complete. A digest of an unreadable dump is a record that says so.
is_whole() { # COMMAND
    contents "$file" 2>/dev/null | cmp -s - "$base/wanted/$1.file" ||
        { [ "$1" = digest ] && grep -q '"status":"unreadable"' "$file" && [ "$(wc -l <"$file")" = 1 ]; }
}

fresh() { # an empty place with an older output and an empty cache
    find "$work" -mindepth 1 -delete
    mkdir "$work/cache" "$work/output" "$work/tmp"
    # In a shell of its own: the words of the current command stay.
    (for writer in $writers; do
        words "$writer"
        [ ! -e "$base/older/$writer" ] || cp "$base/older/$writer" "$file"
    done)
    chmod -R go-rwx "$work"/*
    [ ${#as[@]} = 0 ] || chown -R 65534:65534 "$work"/*
}

# Older outputs are of another dump.
fresh
mkdir "$base/older"
gzip -dc "$fixtures/leak-before.hprof.gz" >"$base/older.hprof"
chmod 644 "$base/older.hprof"
(dump=$base/older.hprof
for writer in $writers; do
    words "$writer"
    "$heaplens" "${words[@]}" "${options[@]}" >/dev/null 2>&1 && cp "$file" "$base/older/$writer"
done)
for writer in $writers; do [ -s "$base/older/$writer" ] || { echo "$writer writes no output"; exit 2; }; done

for command in $answers $writers; do
    fresh
    words "$command"
    "${as[@]}" env TMPDIR="$work/tmp" HOME="$work" "$heaplens" "${words[@]}" "${options[@]}" >"$base/wanted/$command" 2>"$base/err" ||
        { echo "$command fails without a fault: $(cat "$base/err")"; exit 2; }
    [ -z "$file" ] || contents "$file" >"$base/wanted/$command.file"
done

cells=0 answered=0 refused=0 ended=0 failed=0
report() { # FAULT COMMAND RESULT DETAIL
    cells=$((cells + 1))
    case $3 in
    answered) answered=$((answered + 1)) ;;
    refused) refused=$((refused + 1)) ;;
    ended) ended=$((ended + 1)) ;;
    *) failed=$((failed + 1)) ;;
    esac
    printf '%-34s %-9s %-9s %s\n' "$1" "$2" "$3" "$(tr '\n\t' '  ' <<<"$4" | cut -c 1-150)"
}

# Why the places of the last command are not as they should be; nothing if they are. With `killed`, files that only a
# killed process leaves are accepted.
fault_of_files() { # COMMAND [killed]
    words "$1"
    if [ -n "$file" ]; then
        if [ -d "$file" ]; then [ "$(cat "$file/x")" = "an older output" ] || echo "what was in the folder is gone"
        elif [ ! -f "$file" ]; then echo "the older output is gone"
        elif [ "$output" = "$base/disk" ] && [ ! -s "$file" ]; then :
        elif ! cmp -s "$file" "$base/older/$1" && ! is_whole "$1"; then
            echo "the output is neither the older nor the complete one"
        fi
    fi
    [ "${2:-}" ] || find "$work" "$base/disk" \( -name '.unfinished-*' -o -name '.heaplens-*' -o -name '.tmp*' \) ! -user 0 2>/dev/null | head -n 1 | sed 's/^/left behind: /'
}

# Runs a command with a fault; EXPECTED is `answer`, `refusal` or `either`. SETUP is shell code run before it.
cell() { # FAULT COMMAND EXPECTED SETUP
    local fault=$1 command=$2 expected=$3 setup=$4 status why= result
    words "$command"
    rm -f "$base/out"
    : >"$base/out" && chmod 666 "$base/out"
    # Errors through a pipe, which no limit on files reaches.
    message=$("${as[@]}" env TMPDIR="$work/tmp" HOME="$work" timeout -s KILL $limit bash -c "exec >'$base/out'; $setup"'
        exec "$0" "$@"' "$heaplens" "${words[@]}" "${options[@]}" ${more[@]+"${more[@]}"} 2>&1 </dev/null)
    status=$?
    echo "$message" >"$base/err"
    result=refused
    case $status in
    0) [ "$command" = digest ] && grep -q "^heaplens: " "$base/err" || result=answered ;;
    1 | 2 | 3 | 130) grep -q "^heaplens: \|^error: " "$base/err" || [[ $setup == *'2>&-'* ]] || why="no sentence, status $status" ;;
    101) why="panic" ;;
    137) why="no end after $limit s, or killed" ;;
    *) why="status $status" ;;
    esac
    grep -q "panicked at\|RUST_BACKTRACE" "$base/err" && why="panic"
    if [ $result = answered ] && [ -z "$why" ]; then
        # A redirected answer is compared where it is.
        if [ -n "$file" ]; then
            [[ $setup == *1\>* || $setup == *\>\&* ]] || is_whole "$command" || why="another output with status 0"
        elif [ -f "$base/wanted/$command" ]; then
            cmp -s "$base/out" "$base/wanted/$command" || why="another answer with status 0"
        fi
    fi
    case $expected.$result in answer.refused) why=${why:-refused} ;; refusal.answered) why=${why:-answered} ;; esac
    why=${why:-$(fault_of_files "$command")}
    [ -z "$why" ] || result=FAILED
    report "$fault" "$command" "$result" "${why:+$why; }$(head -c 300 "$base/err")"
}
more=()

row() { # FAULT COMMANDS EXPECTED SETUP
    for command in $2; do
        fresh
        cell "$1" "$command" "$3" "$4"
    done
}

# True if the program starts at all under limits: below that, nothing is ours.
starts() { "${as[@]}" bash -c "$1; exec \"\$0\" version" "$heaplens" >/dev/null 2>&1; }

echo "--- standard streams"
row "stdout is full (/dev/full)" "$answers" refusal 'exec >/dev/full;'
row "stdout is closed (>&-)" "$answers $writers" refusal 'exec >&-;'
row "stdout is closed, help" "--help --version" refusal 'exec >&-;'
row "stdout is full, help" "--help --version" refusal 'exec >/dev/full;'
row "stderr is closed (2>&-)" "$answers $writers" answer 'exec 2>&-;'
row "stdin is closed (<&-)" "$answers $writers" answer 'exec <&-;'
row "all three are closed" "open index" refusal 'exec <&- >&- 2>&-;'
for command in $answers; do
    fresh
    words "$command"
    "${as[@]}" env TMPDIR="$work/tmp" HOME="$work" timeout -s KILL $limit bash -c '"$0" "$@" | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}' "$heaplens" "${words[@]}" "${options[@]}" 2>"$base/err"
    status=$? why=
    [ $status = 0 ] && [ ! -s "$base/err" ] || why="status $status"
    report "pipe without a reader" "$command" "$([ -z "$why" ] && echo answered || echo FAILED)" "$why $(cat "$base/err")"
done

echo "--- limits of the system"
# With fewer addresses than these, any small allocation may fail, which ends a process.
sizes="0 8 64" memories="200 400 800" descriptors="8 16" stacks="512" processes="1"
[ "$short" ] || { sizes="0 1 8 64 512 4096" memories="200 250 300 400 600 800" descriptors="4 5 6 8 12 16 32" stacks="128 256 512 1024" processes="1 2 4"; }
for n in $sizes; do row "files of at most $n KiB (ulimit -f)" "$answers $writers" either "ulimit -f $n;"; done
for n in $memories; do
    starts "ulimit -v $((n * 1024))" && row "$n MiB of addresses (ulimit -v)" "$answers $writers" either "ulimit -v $((n * 1024));"
done
for n in $descriptors; do
    starts "ulimit -n $n" && row "$n descriptors (ulimit -n)" "open packed query index export" either "ulimit -n $n;"
done
for n in $stacks; do
    starts "ulimit -s $n" && row "a stack of $n KiB (ulimit -s)" "open packed snapshot query leaks strip" answer "ulimit -s $n;"
done
for n in $processes; do
    starts "ulimit -u $n" && row "$n threads of the user (ulimit -u)" "open packed query leaks index export digest" either "ulimit -u $n;"
done

echo "--- files and folders"
row "no home folder" "open packed index" answer 'unset HOME; export HOME=/nowhere;'
row "temporary folder does not exist" "packed strip" either 'export TMPDIR=/nowhere;'
row "cache folder cannot be written" "open packed snapshot" answer "chmod 500 '$cache';"
row "cache folder cannot be read" "open packed snapshot" answer "chmod 0 '$cache';"
row "cache folder is a file" "open packed" answer "rmdir '$cache'; echo >'$cache';"
row "no folder can be written" "packed" either "chmod 500 '$cache' '$work/tmp';"
chmod -R u+rwx "$work"
row "folder of the output is read-only" "$writers" refusal "chmod 500 '$output';"
chmod -R u+rwx "$work"
row "output is a folder" "index strip digest" refusal "for f in '$output'/*; do rm \$f; mkdir \$f; echo 'an older output' >\$f/x; done;"
fresh
chmod 0 "$base/dump.hprof"
row "dump may not be read" "open query leaks $writers" refusal ''
chmod 644 "$base/dump.hprof"
if [ ${#as[@]} != 0 ]; then
    for command in $writers; do
        fresh
        words "$command"
        chown -R 0:0 "$output" && chmod 1777 "$output" && chmod 644 "$output"/*
        cell "output of another user, sticky folder" "$command" refusal ''
    done
    for command in open packed; do
        fresh
        chown 0:0 "$cache" && chmod 777 "$cache"
        cell "cache folder of another user" "$command" answer ''
    done
fi

echo "--- what is no file"
streams() { # FAULT EXPECTED SETUP WORDS...
    local fault=$1 expected=$2 setup=$3
    shift 3
    fresh
    more=("$@")
    cell "$fault" "${kind:-summary}" "$expected" "$setup"
    more=()
}
streams "a device as a dump" refusal '' /dev/zero
streams "the memory of a process" refusal '' /proc/self/mem
streams "a folder as a dump" refusal '' "$work"
streams "endless zeros from stdin" refusal 'exec </dev/zero;' -
streams "stdin is closed, and read" refusal 'exec <&-;' -
streams "an empty file" refusal '' /dev/null
streams "a pipe with a name" answer "mkfifo '$work/pipe'; cat '$base/dump.hprof' >'$work/pipe' &" "$work/pipe" --no-cache
truncate -s 1T "$work/probe" 2>/dev/null && rm "$work/probe" && streams "a sparse file of 1 TB" refusal "truncate -s 1T '$work/sparse' || exit 1;" "$work/sparse"
kind=fleet
digests="mkdir '$work/d'; cp '$base/wanted/digest.file' '$work/d/a.jsonl'; mkfifo '$work/d/b.jsonl' '$work/d/c.parquet'; ln -s b.jsonl '$work/d/e.jsonl'; ln -s /dev/zero '$work/d/f.jsonl'; mkdir '$work/d/g.jsonl';"
streams "pipes and devices among digests" answer "$digests" "$work/d"
kind=histogram
streams "a device as a mapping" refusal 'ulimit -v 9000000;' "$base/dump.hprof" --mapping /dev/zero --no-cache
streams "a device as a list of rules" refusal '' "$base/dump.hprof" --no-cache --collections /dev/zero
kind=

if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64k,mode=777 tmpfs "$base/disk" 2>/dev/null; then
    echo "--- disks"
    disk() { # FAULT COMMANDS EXPECTED SETUP
        for command in $2; do
            fresh
            cell "$1" "$command" "$3" "$4"
            find "$base/disk" -mindepth 1 -delete
        done
    }
    plain=("$cache" "$output")
    cache=$base/disk/cache
    disk "cache on a full disk" "open snapshot leaks" answer ''
    disk "cache on a full disk" "packed" either ''
    cache=${plain[0]} output=$base/disk
    # The disk has no space for an older output but an empty one.
    full() { for writer in $writers; do words "$writer"; : >"$file"; chown 65534:65534 "$file"; done; }
    for command in $writers; do
        find "$base/disk" -mindepth 1 -delete
        fresh_output=$output output=$work/output
        fresh
        output=$fresh_output
        full
        cell "output on a full disk" "$command" either ''
    done
    find "$base/disk" -mindepth 1 -delete
    output=${plain[1]}
    disk "temporary folder on a full disk" "packed" either "export TMPDIR='$base/disk'; chmod 500 '$cache';"
    chmod -R u+rwx "$work"
    mount -o remount,ro "$base/disk"
    cache=$base/disk/cache
    disk "cache on a read-only disk" "open packed" answer ''
    cache=${plain[0]}
    umount "$base/disk"
else
    echo "nothing can be mounted: full and read-only disks are left out"
fi

if [ -z "$short" ]; then
    echo "--- ends at any time"
    for command in open packed snapshot $writers; do
        fresh
        words "$command"
        run=("${as[@]}" env TMPDIR="$work/tmp" HOME="$work")
        begin=$(date +%s%N)
        "${run[@]}" "$heaplens" "${words[@]}" "${options[@]}" >/dev/null 2>&1
        usual=$(($(date +%s%N) - begin))
        for signal in KILL TERM INT HUP; do
            points=6
            [ $signal = KILL ] && points=16
            fresh
            why= killed=0
            for n in $(seq $points); do
                after=$(awk "BEGIN { print $usual * $n / $points / 1e9 }")
                # In a shell of its own, so that nothing is said of the end.
                "${run[@]}" bash -c 'timeout --foreground --preserve-status -s "$0" "$@"' $signal "$after" "$heaplens" "${words[@]}" "${options[@]}" >/dev/null 2>"$base/err"
                status=$?
                [ $status -gt 128 ] && killed=$((killed + 1))
                grep -q "panicked at" "$base/err" && why="panic"
                mode=
                [ $signal = KILL ] && mode=killed
                why=${why:-$(fault_of_files "$command" $mode)}
                # What is there now is trusted by nobody without reason.
                case $command in
                open | packed | snapshot)
                    if [ -z "$why" ]; then
                        "${run[@]}" "$heaplens" "${words[@]}" "${options[@]}" >"$base/out" 2>"$base/err"
                        cmp -s "$base/out" "$base/wanted/$command" || why="another answer after the end at $after s"
                        # Every second time the cache is new.
                        [ $((n % 2)) = 0 ] && fresh
                    fi ;;
                esac
                [ -z "$why" ] || break
            done
            report "SIG$signal at $points moments" "$command" "$([ -z "$why" ] && echo ended || echo FAILED)" "${why:-$killed of $points ended by the signal}"
        done
    done

    echo "--- many at once"
    for many in 2 20; do
        for command in open packed $writers; do
            fresh
            words "$command"
            why=
            for n in $(seq $many); do
                (
                    "${as[@]}" env TMPDIR="$work/tmp" HOME="$work" timeout -s KILL $limit "$heaplens" "${words[@]}" "${options[@]}" >"$base/out.$n" 2>"$base/err.$n"
                    echo $? >"$base/status.$n"
                ) &
            done
            wait
            for n in $(seq $many); do
                grep -q "panicked at" "$base/err.$n" && why="panic"
                case $(cat "$base/status.$n") in
                0) [ -n "$file" ] || cmp -s "$base/out.$n" "$base/wanted/$command" || why="another answer with status 0" ;;
                1) grep -q "^heaplens: " "$base/err.$n" || why="no sentence" ;;
                *) why="status $(cat "$base/status.$n")" ;;
                esac
            done
            [ -n "$file" ] && ! is_whole "$command" && why=${why:-another output}
            why=${why:-$(fault_of_files "$command")}
            report "$many processes, one place" "$command" "$([ -z "$why" ] && echo answered || echo FAILED)" "$why $(head -n 1 -q "$base"/err.* | sort | uniq -c | head -n 2)"
            rm -f "$base"/out.* "$base"/err.* "$base"/status.*
        done
    done
fi

echo "$cells cells: $answered answered, $refused refused with a sentence, $ended ended by a signal that was sent, $failed FAILED"
[ $failed = 0 ]
