//! `hs_err_pid.log`: what a JVM writes when it ends by an error. Arguments and environment are not read.

use super::amounts::{after, bytes, bytes_after};
use super::java_heap::java_heap;
use super::java_parts::{code_cache, memory_flags, metaspace};
use super::native::native_tracking;
use crate::jvm::JvmRecord;
use crate::machine::{Limits, MachineMemory, MemoryTotals};
use crate::record::{ProcessRecord, RecordKind};

const KILOBYTE: u64 = 1024;

/// True if a text is such a log.
pub(super) fn is_crash_log(text: &str) -> bool {
    text.contains("# A fatal error has been detected by the Java Runtime Environment")
        || text.contains("# There is insufficient memory for the Java Runtime Environment")
}

/// Reads a log.
pub(super) fn read(name: &str, text: &str) -> ProcessRecord {
    let mut record = ProcessRecord { kind: Some(RecordKind::Jvm), ..ProcessRecord::new(name) };
    read_head(&mut record, text);
    let section = |begin: &str| section(text, begin).unwrap_or_default();
    // JDK 8 has no colon after the heap, and its metaspace is there; later ones have a section for it.
    let parts = [section("\nHeap:"), section("\nHeap\n"), section("\nMetaspace:\n")];
    let jvm = JvmRecord {
        flags: memory_flags(section("\n[Global flags]")),
        heap: parts.iter().find_map(|&part| java_heap(part)),
        metaspace: parts.iter().find_map(|&part| metaspace(part)),
        code: code_cache(text),
        native: native_tracking(text),
        loaders: Vec::new(),
    };
    record.jvm = (jvm != JvmRecord::default()).then_some(jvm);
    record.memory = memory(section("\nProcess Memory:"));
    record.limits = limits(section("\ncontainer (cgroup) information:"));
    record.machine = text.lines().find_map(machine_memory);
    record
}

/// Text after `begin` until the next empty line.
fn section<'a>(text: &'a str, begin: &str) -> Option<&'a str> {
    let rest = after(text, begin)?;
    let rest = rest.trim_start_matches('\n');
    Some(rest.split_once("\n\n").map_or(rest, |(section, _)| section))
}

/// Lines that begin with `#`: the error, process, version.
fn read_head(record: &mut ProcessRecord, text: &str) {
    let mut first = None;
    let mut detail = None;
    for line in text.lines().take_while(|line| !line.starts_with("----")) {
        let Some(line) = line.strip_prefix('#').map(str::trim) else { continue };
        if record.pid.is_none()
            && let Some(pid) = after(line, "pid=").and_then(|rest| rest.split(',').next())
        {
            record.pid = pid.trim().parse().ok();
            first = line.split(", pid=").next();
        }
        let is_detail = ["Native memory allocation", "fatal error:", "Error:", "guarantee(", "assert("];
        if detail.is_none() && is_detail.iter().any(|begin| line.starts_with(begin)) {
            detail = Some(line);
        }
        if let Some(version) = line.strip_prefix("Java VM: ") {
            record.runtime = version.split(',').next().map(|version| version.replacen('(', "", 1));
        }
    }
    record.failure = detail.or(first).map(str::to_owned);
}

/// `Resident Set Size: 414300K (peak: 414300K) (anon: 394400K, file: 19900K, shmem: 0K)`.
fn memory(section: &str) -> Option<MemoryTotals> {
    let mut totals = MemoryTotals::default();
    for line in section.lines() {
        if line.starts_with("Virtual Size:") {
            totals.address_space = bytes_after(line, "Size: ", KILOBYTE);
        } else if line.starts_with("Resident Set Size:") {
            totals.resident = bytes_after(line, "Size: ", KILOBYTE);
            totals.peak_resident = bytes_after(line, "(peak: ", KILOBYTE);
            totals.anonymous = bytes_after(line, "(anon: ", KILOBYTE);
            totals.file = bytes_after(line, "file: ", KILOBYTE);
            totals.shared = bytes_after(line, "shmem: ", KILOBYTE);
        } else if line.starts_with("Swapped out:") {
            totals.swap = bytes_after(line, "out: ", KILOBYTE);
        }
    }
    totals.resident.is_some().then_some(totals)
}

/// Lines such as `memory_usage_in_bytes: 766192 k`; `unlimited` and `not supported` are no limit.
fn limits(section: &str) -> Option<Limits> {
    let mut limits = Limits::default();
    for line in section.lines() {
        let Some((key, value)) = line.split_once(':') else { continue };
        match key {
            "memory_limit_in_bytes" => limits.memory = bytes(value, 1),
            "memory_usage_in_bytes" => limits.used = bytes(value, 1),
            "memory_max_usage_in_bytes" => limits.peak = bytes(value, 1),
            "maximum number of tasks" => limits.tasks = bytes(value, 1),
            "current number of tasks" => limits.tasks_used = bytes(value, 1),
            _ => {}
        }
    }
    (limits != Limits::default()).then_some(limits)
}

/// `Memory: 4k page, physical 24683652k(17492224k free), swap 0k(0k free)`.
fn machine_memory(line: &str) -> Option<MachineMemory> {
    let numbers = line.strip_prefix("Memory:")?;
    let total = bytes_after(numbers, "physical ", 1)?;
    let available = after(numbers, "physical ").and_then(|rest| bytes_after(rest, "(", 1));
    Some(MachineMemory { total, available })
}
