//! What a shell elsewhere says of a process, in lines between its messages.

use std::collections::BTreeMap;

use heaplens_process::texts::{
    class_loaders, code_cache, java_heap, jvm_version, memory_flags, metaspace, native_tracking, smaps, status,
};
use heaplens_process::{Gap, JvmRecord, Limits, ProcessRecord};

use super::{Recording, gap};

/// Beginning of such a line; the name of its file follows, a colon, and the line.
pub(crate) const LINE: &str = "heaplens-record:";
/// Version 1 has this much or more without a limit.
const UNLIMITED: u64 = 1 << 60;

/// Ends a record by the messages of a shell, which was begun when the shell was. `None` if there is nothing about the process among them.
pub(crate) fn record_remote(messages: &str, mut recording: Recording) -> Option<ProcessRecord> {
    let mut files: BTreeMap<&str, String> = BTreeMap::new();
    for line in messages.lines() {
        if let Some((file, line)) = line.strip_prefix(LINE).and_then(|rest| rest.split_once(':')) {
            let text = files.entry(file).or_default();
            text.push_str(line);
            text.push('\n');
        }
    }
    if files.is_empty() {
        return None;
    }
    let record = recording.record();
    let text = |file: &str| files.get(file).map(String::as_str).unwrap_or_default();
    let rollup = smaps(text("smaps_rollup"));
    if let Some(status) = status(text("status")) {
        (record.threads, record.pid) = (status.threads, status.pid.or(record.pid));
        record.memory = Some(status.memory);
    }
    if let Some(rollup) = rollup {
        let memory = record.memory.get_or_insert_default();
        memory.resident = rollup.totals.resident.or(memory.resident);
        memory.anonymous = rollup.totals.anonymous.or(memory.anonymous);
        memory.proportional = rollup.totals.proportional;
        memory.swap = rollup.totals.swap.or(memory.swap);
    }
    if record.memory.is_none() {
        gap(record, "memory", "it cannot be read there");
    }
    gap(record, "mappings", "they are not brought here from another machine; save /proc/PID/smaps there");
    record.limits = limits(text("limits"));
    read_jvm(text("jcmd"), record);
    // How long it took there is not known.
    Some(ProcessRecord { cost_millis: None, ..recording.end() })
}

/// Lines are a name and a number, of one group.
fn limits(text: &str) -> Option<Limits> {
    let number = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
        line.trim().parse::<u64>().ok().filter(|&number| number < UNLIMITED)
    };
    let either = |one: &str, other: &str| number(one).or_else(|| number(other));
    let memory = either("memory.max", "memory.limit_in_bytes");
    // Without a limit it may be the use of all processes of a machine.
    let of_limit = |number: Option<u64>| number.filter(|_| memory.is_some());
    (!text.is_empty()).then(|| Limits {
        memory,
        used: of_limit(either("memory.current", "memory.usage_in_bytes")),
        peak: of_limit(either("memory.peak", "memory.max_usage_in_bytes")),
        kills: number("oom_kill"),
        tasks: number("pids.max"),
        tasks_used: number("pids.current"),
        ..Limits::default()
    })
}

/// Answers to all questions of `jcmd`, one after the other.
fn read_jvm(text: &str, record: &mut ProcessRecord) {
    if text.is_empty() {
        return gap(
            record,
            "what the JVM says of itself",
            "jcmd, which asks it, is not installed there, or was refused",
        );
    }
    let jvm = JvmRecord {
        flags: memory_flags(text),
        heap: java_heap(text),
        metaspace: metaspace(text),
        code: code_cache(text),
        native: native_tracking(text),
        loaders: class_loaders(text),
    };
    if jvm.native.is_none() && text.contains("not enabled") {
        record.gaps.push(Gap::tracking_off());
    }
    record.runtime = jvm_version(text);
    record.jvm = (jvm != JvmRecord::default()).then_some(jvm);
}
