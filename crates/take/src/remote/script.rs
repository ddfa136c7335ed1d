//! The shell script that takes a dump on another machine.

use crate::options::TakeOptions;

/// Finds the process: the number that was given, or the only JVM there.
const FIND: &str = r#"
if [ -z "$pid" ]; then
  for folder in /proc/[0-9]*; do
    if grep -q libjvm "$folder/maps" 2>/dev/null; then
      [ -z "$pid" ] || { echo "several JVMs run there: add the number of one, ${pid} or ${folder#/proc/}" >&2; exit 3; }
      pid=${folder#/proc/}
    fi
  done
  [ -n "$pid" ] || { echo "no JVM runs there" >&2; exit 3; }
fi
[ -d "/proc/$pid" ] || { echo "no process $pid there" >&2; exit 3; }
"#;

/// Makes a folder that the process may write to and no other user may read.
const FOLDER: &str = r#"
folder=$(mktemp -d "${TMPDIR:-/tmp}/heaplens-XXXXXX") || exit 3
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' HUP INT TERM PIPE
owner=$(stat -c %u "/proc/$pid" 2>/dev/null) && [ "$owner" != "$(id -u)" ] && chown "$owner" "$folder"
dump="$folder/dump.hprof"
used=$(awk '/^VmRSS/ { print $2 }' "/proc/$pid/status" 2>/dev/null)
free=$(df -Pk "$folder" 2>/dev/null | awk 'NR == 2 { print $4 }')
if [ -n "$used" ] && [ -n "$free" ] && [ "$used" -gt "$free" ]; then
  echo "too little space in ${TMPDIR:-/tmp} there: $free kB are free, the process uses $used kB" >&2; exit 3
fi
"#;

/// Says what the process uses before its dump, each line with the name of its file. One run of `jcmd` asks all questions.
const RECORD: &str = r#"
exec 3>&2
say() { sed "s/^/heaplens-record:$1:/" >&3; }
for file in status smaps_rollup; do say $file <"/proc/$pid/$file"; done 2>/dev/null
group=$(sed -n 's/^0:://p' "/proc/$pid/cgroup" 2>/dev/null)
first=$(sed -n 's/^[0-9]*:\(.*,\)*memory\(,.*\)*://p' "/proc/$pid/cgroup" 2>/dev/null)
figures="memory.max memory.current memory.peak pids.max pids.current"
figures="$figures memory.limit_in_bytes memory.usage_in_bytes memory.max_usage_in_bytes"
for limits in "/sys/fs/cgroup$group" /sys/fs/cgroup "/sys/fs/cgroup/memory$first" /sys/fs/cgroup/memory; do
  if [ -r "$limits/memory.max" ] || [ -r "$limits/memory.limit_in_bytes" ]; then
    for file in $figures; do
      [ -r "$limits/$file" ] && echo "$file $(cat "$limits/$file")"
    done 2>/dev/null | say limits
    cat "$limits/memory.events" "$limits/memory.oom_control" 2>/dev/null | grep '^oom_kill ' | say limits
    break
  fi
done
asker=$(command -v jcmd) || asker=$(dirname "$(readlink "/proc/$pid/exe" 2>/dev/null || echo /nowhere/x)")/jcmd
if [ -x "$asker" ]; then
  echo 'GC.heap_info
VM.native_memory summary
Compiler.codecache
VM.metaspace basic scale=1
VM.classloader_stats
VM.flags
VM.version' >"$folder/questions"
  "$asker" "$pid" -f "$folder/questions" 2>/dev/null | say jcmd
fi
"#;

/// Has the process write its dump, by the first program that can. The last record of a dump, which all but old versions
/// have, is looked at there: here it may arrive packed.
const DUMP: &str = r#"
beside=$(dirname "$(readlink "/proc/$pid/exe" 2>/dev/null || echo /nowhere/x)")
if command -v heaplens >/dev/null 2>&1; then heaplens take "$pid" $heaplens_all --output "$dump" >&2 || exit 3
else
  jcmd=$(command -v jcmd) || { jcmd="$beside/jcmd"; [ -x "$jcmd" ] || jcmd=; }
  jmap=$(command -v jmap) || { jmap="$beside/jmap"; [ -x "$jmap" ] || jmap=; }
  if [ -n "$jcmd" ]; then "$jcmd" "$pid" GC.heap_dump $jcmd_all "$dump" >&2 || exit 3
  elif [ -n "$jmap" ]; then "$jmap" -dump:${jmap_live}format=b,file="$dump" "$pid" >&2 || exit 3
  else echo "neither heaplens, jcmd nor jmap is installed there" >&2; exit 3; fi
fi
[ -s "$dump" ] || { echo "the process wrote no dump" >&2; exit 3; }
case $(head -c 18 "$dump" 2>/dev/null) in "JAVA PROFILE 1.0.2"|"JAVA PROFILE 1.0.3")
  set -- $(tail -c 9 "$dump" 2>/dev/null | od -An -tx1 2>/dev/null)
  if [ $# -eq 9 ] && [ "$1 $6$7$8$9" != "2c 00000000" ]; then
    echo "the process wrote an incomplete dump" >&2; exit 3
  fi
esac
sent=$dump
"#;

/// Beginning of the message that says how many bytes the file has that is sent, packed or not.
pub(super) const LENGTH: &str = "heaplens-bytes:";

/// Says how long the file is that was sent. A connection that is cut does not always end with an error.
const SENT: &str = r#"
size=$(stat -c %s "$sent" 2>/dev/null || wc -c <"$sent") || exit 3
echo "heaplens-bytes:$size" >&2
"#;

/// Beginning of the message that says where the dump stays.
pub(super) const STAYS: &str = "heaplens-stays:";

/// Ends before the process is disturbed if the dump could not be analyzed there.
const CAN_INDEX: &str = r#"
command -v heaplens >/dev/null 2>&1 || { echo "heaplens is not installed there, which --index-only needs" >&2; exit 3; }
"#;

/// Sends the stored analysis and keeps the dump.
const INDEX: &str = r#"
heaplens index "$dump" --redact --output "$folder/index.heaplens" >&2 || exit 3
stays="${TMPDIR:-/tmp}/heaplens-$(date +%Y%m%d-%H%M%S)-$pid.hprof"
mv "$dump" "$stays" && echo "heaplens-stays:$stays" >&2
sent="$folder/index.heaplens"
cat "$sent" || exit 3
"#;

/// Script that writes the dump of the process `pid`, or of the only JVM, to its standard output.
pub(super) fn dump_script(pid: Option<u32>, options: &TakeOptions) -> String {
    let pid = pid.map(|pid| pid.to_string()).unwrap_or_default();
    let (ours, jcmd, jmap) = if options.is_all { ("--all", "-all", "") } else { ("", "", "live,") };
    let send = match options.gzip.level().as_str() {
        _ if options.is_index_only => INDEX.to_owned(),
        "" => "cat \"$dump\" || exit 3\n".to_owned(),
        level => format!("gzip -c -{level} \"$dump\" || exit 3\n"),
    };
    let check = if options.is_index_only { CAN_INDEX } else { "" };
    let settings = format!("pid={pid}\nheaplens_all={ours}\njcmd_all={jcmd}\njmap_live={jmap}\n");
    let record = if options.is_recorded() { RECORD } else { "" };
    format!("{settings}{check}{FIND}{FOLDER}{record}{DUMP}{send}{SENT}")
}
