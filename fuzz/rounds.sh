#!/usr/bin/env bash
# Fuzzes one target after the other, ROUND seconds each, until it is stopped or has run ROUNDS rounds, and appends a line
# for each run to hours.tsv, which is kept in the repository: date, commit, target, processor seconds, executions, new
# findings. `--sum` prints the sums of all runs.
# Findings are saved in artifacts/TARGET; the target continues in its next round. A round starts with the whole corpus:
# with ten thousand files that takes minutes without new inputs, so rounds are long.
#
#   fuzz/rounds.sh [TARGET...]        # default: all targets
#   fuzz/rounds.sh --sum
set -u
cd "$(dirname "$0")"
if [ "${1:-}" = --sum ]; then
    awk -F '\t' 'NR > 1 { seconds[$3] += $4; runs[$3] += $5; new[$3] += $6 }
        END { for (target in seconds) printf "%-12s %6.2f h %12d executions %3d findings\n", target, seconds[target] / 3600, runs[target], new[target] }' hours.tsv | sort
    exit
fi
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(hprof android v8 rawheap phd ibm_text hprof_text jsc perfetto javacore packed mapping process koom rules stored command laws)
round=${ROUND:-1800}
out=${CARGO_TARGET_DIR:-target}
export HOME=${HOME_OF_FUZZER:-$(mktemp -d)}
[ -d /dev/shm ] && export TMPDIR=/dev/shm
cache=$HOME/.cache; mkdir -p "$cache"; export XDG_CACHE_HOME=$cache XDG_CONFIG_HOME=$HOME/.config

for ((n = 0; n < ${ROUNDS:-1000000}; n++)); do
    for target in "${targets[@]}"; do
        corpus=corpus/$target artifacts=artifacts/$target
        mkdir -p "$corpus" "$artifacts"
        before=$(find "$artifacts" -type f | wc -l)
        most=16384
        case $target in stored | android | perfetto) most=65536 ;; rules | command) most=2048 ;; laws) most=1024 ;; esac
        TIMEFORMAT='%U %S'
        log=$(mktemp)
        took=$( { time "$out/x86_64-unknown-linux-gnu/release/$target" "$corpus" \
            -artifact_prefix="$artifacts/" -max_total_time="$round" -max_len=$most -timeout=10 -rss_limit_mb=1024 \
            -malloc_limit_mb=512 -use_value_profile=1 -reload=0 -print_final_stats=1 >/dev/null 2>"$log"; } 2>&1 )
        executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        # A run that ended with a finding prints no statistics: use the last line with a number.
        [ -n "$executed" ] || executed=$(grep -oE '^#[0-9]+' "$log" | tail -n 1 | tr -d '#')
        after=$(find "$artifacts" -type f | wc -l)
        seconds=$(awk '{ print $1 + $2 }' <<<"$took")
        printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$(date -u +%F)" "$(git rev-parse --short=8 HEAD)" "$target" "$seconds" "${executed:-0}" \
            $((after - before)) >>hours.tsv
        [ "$after" = "$before" ] || grep -aE 'panicked at|ERROR: libFuzzer|^(thread|assertion)' -A2 "$log" | head -n 6 >>findings.log
        rm -f "$log"
    done
done
