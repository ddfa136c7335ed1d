//! Parts of what a JVM says of itself, by `jcmd` and in crash logs: metaspace, code cache, flags.

use std::collections::BTreeMap;

use super::amounts::{addresses, bytes_after};
use crate::jvm::{CodeCache, Metaspace};

const KILOBYTE: u64 = 1024;
/// Flags that are recorded, all about memory. Any other may have a secret as its value.
const FLAGS: [&str; 37] = [
    "CompressedClassSpaceSize",
    "G1HeapRegionSize",
    "InitialHeapSize",
    "InitialRAMPercentage",
    "MaxDirectMemorySize",
    "MaxHeapFreeRatio",
    "MaxHeapSize",
    "MaxMetaspaceSize",
    "MaxNewSize",
    "MaxRAM",
    "MaxRAMPercentage",
    "MetaspaceSize",
    "MinHeapFreeRatio",
    "MinHeapSize",
    "MinRAMPercentage",
    "NativeMemoryTracking",
    "NewSize",
    "ObjectAlignmentInBytes",
    "ReservedCodeCacheSize",
    "SegmentedCodeCache",
    "ShenandoahGCMode",
    "SoftMaxHeapSize",
    "ThreadStackSize",
    "UseCompactObjectHeaders",
    "UseCompressedClassPointers",
    "UseCompressedOops",
    "UseContainerSupport",
    "UseEpsilonGC",
    "UseG1GC",
    "UseLargePages",
    "UseParallelGC",
    "UseSerialGC",
    "UseShenandoahGC",
    "UseStringDeduplication",
    "UseTransparentHugePages",
    "UseZGC",
    "VMThreadStackSize",
];

/// Metaspace by the line that ends the description of a heap, or by `VM.metaspace`; `None` if a text has neither.
pub fn metaspace(text: &str) -> Option<Metaspace> {
    let mut lines = text.lines().map(str::trim_start);
    let heap = lines.clone().find(|line| line.starts_with("Metaspace ") && line.contains("used "));
    if let Some(line) = heap {
        let class = text.lines().map(str::trim_start).find(|line| line.starts_with("class space "));
        let class = |key| class.and_then(|line| bytes_after(line, key, KILOBYTE)).unwrap_or(0);
        return Some(Metaspace {
            used: bytes_after(line, "used ", KILOBYTE)?,
            committed: bytes_after(line, "committed ", KILOBYTE)?,
            reserved: bytes_after(line, "reserved ", KILOBYTE)?,
            class_used: class("used "),
            class_committed: class("committed "),
        });
    }
    // The two sections of `VM.metaspace` begin with these; without a class space they have no line for both.
    lines.by_ref().find(|line| line.starts_with("Total Usage") || line.starts_with("Usage:"))?;
    let mut space = Metaspace::default();
    for line in lines.by_ref().take_while(|line| !line.starts_with("Virtual space")) {
        match line.split(':').next() {
            Some("Class") => space.class_used = before(line, "used").unwrap_or(0),
            Some("Non-Class" | "Non-class" | "Both") => space.used = before(line, "used").unwrap_or(space.used),
            _ => {}
        }
    }
    for line in lines.take_while(|line| !line.starts_with("Chunk")) {
        match line.split(':').next() {
            Some("Class space") => space.class_committed = before(line, "committed").unwrap_or(0),
            Some("Non-class space" | "Both") => {
                space.reserved = before(line, "reserved").unwrap_or(space.reserved);
                space.committed = before(line, "committed").unwrap_or(space.committed);
            }
            _ => {}
        }
    }
    (space.committed > 0 || space.used > 0).then_some(space)
}

/// Bytes before the word `key`, as in `82.31 KB (  2%) used`.
fn before(line: &str, key: &str) -> Option<u64> {
    let (_, numbers) = line.split_once(':')?;
    let part = numbers.split(',').find(|part| part.split_whitespace().any(|word| word.trim_end_matches('.') == key))?;
    super::amounts::bytes(part, 1)
}

/// Code cache by `Compiler.codecache`: one line for each segment, or one for all; `None` if a text has none.
pub fn code_cache(text: &str) -> Option<CodeCache> {
    let mut cache = CodeCache::default();
    let (mut has_segments, mut is_known, mut is_segment) = (false, false, false);
    for line in text.lines().map(str::trim_start) {
        let is_total = line.starts_with("CodeCache: size=");
        let size = bytes_after(line, "size=", 1).filter(|_| is_total || line.starts_with("CodeHeap '"));
        if let Some(size) = size {
            is_segment = true;
            if is_total && has_segments {
                continue;
            }
            (is_known, has_segments) = (true, has_segments || !is_total);
            let number = |key| bytes_after(line, key, 1).unwrap_or(0);
            cache.size = cache.size.saturating_add(size);
            cache.used = cache.used.saturating_add(number(" used="));
            cache.peak = cache.peak.saturating_add(number("max_used="));
        } else if line.starts_with("bounds [") && is_segment {
            if let [first, committed, reserved] = *addresses(line) {
                cache.segments.push((first, committed, reserved));
            }
        } else {
            is_segment = false;
        }
    }
    cache.segments.sort_unstable();
    is_known.then_some(cache)
}

/// Flags about memory in the output of `VM.flags` (`-XX:+UseG1GC`), or in the table of a crash log.
pub fn memory_flags(text: &str) -> BTreeMap<String, String> {
    let mut flags = BTreeMap::new();
    let mut add = |name: &str, value: &str| {
        if FLAGS.contains(&name) {
            flags.insert(name.to_owned(), value.to_owned());
        }
    };
    for line in text.lines() {
        for option in line.split_whitespace().filter_map(|word| word.strip_prefix("-XX:")) {
            match (option.strip_prefix('+'), option.strip_prefix('-'), option.split_once('=')) {
                (Some(name), ..) => add(name, "true"),
                (_, Some(name), _) => add(name, "false"),
                (_, _, Some((name, value))) => add(name, value),
                _ => {}
            }
        }
        let mut words = line.split_whitespace();
        if let (Some(_kind), Some(name), Some("="), Some(value)) =
            (words.next(), words.next(), words.next(), words.next())
        {
            add(name, value);
        }
    }
    flags
}

/// Name and version of a JVM by `VM.version`.
pub fn jvm_version(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.contains(" VM version "))?;
    Some(line.trim().replacen(" version ", " ", 1))
}
