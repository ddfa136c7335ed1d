//! The Java heap, as `jcmd PID GC.heap_info` and crash logs print it, of all collectors of OpenJDK.

use super::amounts::{addresses, after, bytes_after};
use crate::jvm::{HeapArea, JvmHeap};

const KILOBYTE: u64 = 1024;
/// Longest name of a generation in bytes; the JVM's have at most 20.
const NAME: usize = 64;

/// Reads the first description of a heap in a text; `None` if there is none.
pub fn java_heap(text: &str) -> Option<JvmHeap> {
    let mut lines = text.lines().map(str::trim_start);
    let (mut heap, mut generation) = lines.by_ref().find_map(begin)?;
    for line in lines {
        if line.starts_with("Metaspace") || line.is_empty() && heap.committed > 0 {
            break;
        }
        if heap.collector == "Shenandoah" {
            read_shenandoah(&mut heap, line);
        } else if let Some((name, used, committed, range)) = total(line) {
            generation = name;
            heap.used = heap.used.saturating_add(used);
            heap.committed = heap.committed.saturating_add(committed);
            heap.reserved = sum(heap.reserved, span(&range));
            if !is_divided(name) {
                heap.areas.push(HeapArea { name: name.to_owned(), used, committed, addresses: ends(&range) });
            }
        } else if let Some(mut area) = space(line) {
            // The only space of a generation has no name of its own.
            if matches!(area.name.as_str(), "the space" | "object space") {
                generation.clone_into(&mut area.name);
            }
            heap.areas.push(area);
        }
    }
    Some(heap)
}

/// The heap that a line begins to describe, and the generation that it does.
fn begin(line: &str) -> Option<(JvmHeap, &str)> {
    if line.starts_with("Shenandoah Heap") {
        return Some((JvmHeap { collector: "Shenandoah".to_owned(), ..JvmHeap::default() }, ""));
    }
    if line.starts_with("ZHeap") {
        let heap = JvmHeap {
            collector: "ZHeap".to_owned(),
            used: bytes_after(line, "used ", KILOBYTE)?,
            committed: bytes_after(line, "capacity ", KILOBYTE)?,
            reserved: bytes_after(line, "max capacity ", KILOBYTE),
            areas: Vec::new(),
        };
        return Some((heap, ""));
    }
    let (name, used, committed, range) = total(line)?;
    let mut heap = JvmHeap { used, committed, reserved: span(&range), ..JvmHeap::default() };
    if name == "garbage-first heap" {
        heap.reserved = bytes_after(line, "total reserved ", KILOBYTE).or(heap.reserved);
        heap.areas.push(HeapArea { name: name.to_owned(), used, committed, addresses: ends(&range) });
    }
    name.strip_suffix(" heap").unwrap_or(name).clone_into(&mut heap.collector);
    Some((heap, name))
}

/// Name, used and committed bytes, and addresses of a line such as
/// ` def new generation   total 39296K, used 4199K [0x00f8, 0x0100, 0x0100)`.
fn total(line: &str) -> Option<(&str, u64, u64, Vec<u64>)> {
    let (name, numbers) = line.trim_start().split_once(" total ")?;
    let used = bytes_after(numbers, "used ", KILOBYTE)?;
    let committed =
        bytes_after(numbers, "committed ", KILOBYTE).or_else(|| super::amounts::bytes(numbers, KILOBYTE))?;
    let name = name.trim();
    (name.len() <= NAME).then(|| (name, used, committed, addresses(numbers)))
}

/// True of generations whose spaces follow.
fn is_divided(generation: &str) -> bool {
    const DIVIDED: [&str; 10] = [
        "def new generation",
        "DefNew",
        "par new generation",
        "PSYoungGen",
        "tenured generation",
        "Tenured",
        "ParOldGen",
        "PSOldGen",
        "PSPermGen",
        "compacting perm gen",
    ];
    DIVIDED.contains(&generation)
}

/// A space of a generation: ` eden space 34944K,  12% used [0x00f8, 0x00f9, 0x0100)`; its second address is the end of what
/// is in use.
fn space(line: &str) -> Option<HeapArea> {
    let is_space = line.contains("% used [");
    let (before, numbers) = line.split_once("space ").filter(|_| is_space)?;
    let committed = super::amounts::bytes(numbers, KILOBYTE)?;
    let range = addresses(numbers);
    let (first, used_end) = (range.first()?, range.get(1)?);
    Some(HeapArea {
        name: format!("{} space", before.trim()),
        used: used_end.saturating_sub(*first),
        committed,
        addresses: ends(&range),
    })
}

/// Lines of Shenandoah: ` 128M max, 128M soft max, 128M committed, 3328K used` and ` - [0x00f8, 0x0100)`.
fn read_shenandoah(heap: &mut JvmHeap, line: &str) {
    for part in line.split(',') {
        let bytes = super::amounts::bytes(part, KILOBYTE);
        match (part.split_whitespace().nth(1), bytes) {
            (Some("max"), Some(bytes)) if !part.contains("soft") => heap.reserved = Some(bytes),
            (Some("committed"), Some(bytes)) => heap.committed = bytes,
            (Some("used"), Some(bytes)) => heap.used = bytes,
            _ => {}
        }
    }
    if heap.areas.is_empty() && after(line, "- [").is_some() {
        let name = "reserved region".to_owned();
        let range = ends(&addresses(line));
        heap.areas.push(HeapArea { name, used: heap.used, committed: heap.committed, addresses: range });
    }
}

/// First and last address.
fn ends(range: &[u64]) -> Option<(u64, u64)> {
    Some((*range.first()?, *range.last()?)).filter(|(first, last)| first < last)
}

/// Bytes between the first and the last address.
fn span(range: &[u64]) -> Option<u64> {
    ends(range).map(|(first, last)| last - first)
}

fn sum(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    Some(one?.saturating_add(other?))
}
