//! What the kernel says of a process: memory, mappings, threads, descriptors (Linux; proc(5)).

use std::collections::BTreeMap;
use std::fs;
use std::io;

use heaplens_process::texts::{smaps, status};
use heaplens_process::{Descriptors, MachineMemory, MemoryTotals, ProcessRecord, ThreadName};

use super::control_groups::limits;
use super::gap;
use crate::machine::Machine;

/// Longest text that is read, in bytes: 65,530 mappings.
const LIMIT: u64 = 128 << 20;
/// Most names of threads that are recorded.
const NAMES: usize = 100;

/// Records what `/proc` says of the process `pid`.
pub(crate) fn record_kernel(machine: &Machine, pid: u32, record: &mut ProcessRecord) {
    record_memory(machine, pid, record);
    record_threads(machine, pid, record);
    match descriptors(machine, pid) {
        Ok(descriptors) => record.descriptors = Some(descriptors),
        Err(error) => gap(record, "descriptors", reason(&error)),
    }
    match limits(machine, pid) {
        Ok(limits) => record.limits = Some(limits),
        Err(why) => gap(record, "limits of the container", why),
    }
    record.machine = machine.text("meminfo", LIMIT).ok().and_then(|text| machine_memory(&text));
}

/// Why a file of `/proc` cannot be read, with what to do.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => {
            "this user may not read it; run heaplens as the user of the process or as root".to_owned()
        }
        io::ErrorKind::NotFound => "the kernel does not show it".to_owned(),
        _ => error.to_string(),
    }
}

fn record_memory(machine: &Machine, pid: u32, record: &mut ProcessRecord) {
    let text = |file: &str| machine.text(&format!("{pid}/{file}"), LIMIT);
    let mut totals = MemoryTotals::default();
    // The counters of a status file are behind by some pages for each thread: what the mappings add up to comes first.
    match text("smaps") {
        Ok(text) => {
            if let Some(mappings) = smaps(&text) {
                (record.mappings, totals) = (mappings.mappings, mappings.totals);
            } else {
                gap(record, "mappings", "the kernel does not say how much of them is resident");
            }
        }
        Err(error) => {
            gap(record, "mappings", reason(&error));
            totals = text("smaps_rollup").ok().and_then(|text| smaps(&text)).map_or(totals, |rollup| rollup.totals);
        }
    }
    match text("status") {
        Ok(text) => {
            let status = status(&text).unwrap_or_default();
            add(&mut totals, &status.memory);
            record.threads = status.threads;
        }
        Err(error) => gap(record, "memory", reason(&error)),
    }
    record.memory = (totals != MemoryTotals::default()).then_some(totals);
}

/// Adds totals that are missing.
fn add(totals: &mut MemoryTotals, other: &MemoryTotals) {
    *totals = MemoryTotals {
        resident: totals.resident.or(other.resident),
        peak_resident: other.peak_resident,
        anonymous: totals.anonymous.or(other.anonymous),
        file: other.file,
        shared: other.shared,
        swap: totals.swap.or(other.swap),
        address_space: totals.address_space.or(other.address_space),
        proportional: totals.proportional,
    };
}

/// Names of threads, without the numbers at their ends.
fn record_threads(machine: &Machine, pid: u32, record: &mut ProcessRecord) {
    let threads = match fs::read_dir(machine.folder(pid).join("task")) {
        Ok(threads) => threads,
        Err(error) => return gap(record, "names of threads", reason(&error)),
    };
    let mut names: BTreeMap<String, u64> = BTreeMap::new();
    let mut count = 0;
    for thread in threads.flatten() {
        count += 1;
        // One that ended meanwhile has no name.
        if let Ok(name) = fs::read(thread.path().join("comm")) {
            *names.entry(without_number(&String::from_utf8_lossy(&name))).or_default() += 1;
        }
    }
    record.threads = record.threads.or(Some(count));
    let mut names: Vec<ThreadName> = names.into_iter().map(|(name, threads)| ThreadName { name, threads }).collect();
    names.sort_by(|one, other| other.threads.cmp(&one.threads).then_with(|| one.name.cmp(&other.name)));
    names.truncate(NAMES);
    record.thread_names = names;
}

/// `GC Thread` for `GC Thread#12`. The kernel shows 15 bytes of a name.
fn without_number(name: &str) -> String {
    let name = name.trim();
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let stem = if stem.len() < name.len() { stem.trim_end_matches(['-', '#', '_', ' ', '.']) } else { stem };
    if stem.is_empty() { name.to_owned() } else { stem.to_owned() }
}

/// Open files by what their links say.
fn descriptors(machine: &Machine, pid: u32) -> io::Result<Descriptors> {
    let mut descriptors = Descriptors::default();
    for entry in fs::read_dir(machine.folder(pid).join("fd"))?.flatten() {
        // One that was closed meanwhile has no link.
        let Ok(link) = fs::read_link(entry.path()) else { continue };
        let link = link.to_string_lossy();
        descriptors.open += 1;
        let kind = match link.split(':').next() {
            _ if link.starts_with('/') => &mut descriptors.files,
            Some("socket") => &mut descriptors.sockets,
            Some("pipe") => &mut descriptors.pipes,
            _ => &mut descriptors.others,
        };
        *kind += 1;
    }
    let limits = machine.text(&format!("{pid}/limits"), LIMIT).unwrap_or_default();
    let limit = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    descriptors.limit = limit.and_then(|line| line.split_whitespace().next()?.parse().ok());
    Ok(descriptors)
}

/// Memory of the machine by `/proc/meminfo`.
fn machine_memory(text: &str) -> Option<MachineMemory> {
    let kilobytes = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let bytes = |key: &str| kilobytes(key).map(|kilobytes| kilobytes.saturating_mul(1024));
    Some(MachineMemory { total: bytes("MemTotal")?, available: bytes("MemAvailable") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_threads_are_without_numbers() {
        for (name, stem) in [
            ("GC Thread#0\n", "GC Thread"),
            ("http-nio-8080-e\n", "http-nio-8080-e"),
            ("pool-1-thread-1", "pool-1-thread"),
            ("C2 CompilerThre", "C2 CompilerThre"),
            ("worker7", "worker"),
            ("42", "42"),
        ] {
            assert_eq!(without_number(name), stem);
        }
    }
}
