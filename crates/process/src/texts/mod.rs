//! Texts that tell what a process used: our own record, and what other tools print.
//!
//! A text is foreign data: any bytes end in a record or in an error. A text that was cut off gives what is there.

mod amounts;
mod android;
mod class_loaders;
mod crash_log;
mod java_heap;
mod java_parts;
mod kubernetes;
mod native;
mod node_report;
mod own;
mod pmap;
mod smaps;
mod status;
mod unreadable;

use serde::Deserialize;
use serde::de::IgnoredAny;

pub use class_loaders::class_loaders;
pub use java_heap::java_heap;
pub use java_parts::{code_cache, jvm_version, memory_flags, metaspace};
pub use native::native_tracking;
pub use smaps::{Smaps, smaps};
pub use status::{StatusTotals, status};
pub use unreadable::UnreadableRecord;

pub use unreadable::LIMIT;

use crate::bounded::ENTRIES;
use crate::jvm::JvmRecord;
use crate::record::{Gap, ProcessRecord, RecordKind};

/// Longest report of Node in bytes: it is read as a tree, which takes a multiple of its bytes.
const REPORT_LIMIT: usize = 16 << 20;

impl ProcessRecord {
    /// Reads a text about a process, of which `name` is recorded as the source. Its content tells its kind.
    ///
    /// # Errors
    /// If the kind is unknown, or the text is too large or damaged.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, UnreadableRecord> {
        if bytes.len() > LIMIT {
            return Err(UnreadableRecord::TooLarge(bytes.len(), LIMIT));
        }
        let mut record = if bytes.trim_ascii_start().starts_with(b"{") {
            read_json(name, bytes)?
        } else {
            read_lines(name, &String::from_utf8_lossy(bytes)).ok_or(UnreadableRecord::Unknown)?
        };
        if record.sources.is_empty() {
            record.sources.push(name.to_owned());
        }
        if record.mappings.len() > ENTRIES {
            let why = format!("{} of {} were read", ENTRIES, record.mappings.len());
            record.mappings.truncate(ENTRIES);
            record.gaps.push(Gap { what: "mappings".to_owned(), why });
        }
        Ok(record)
    }
}

/// Keys that tell the kind of a JSON object.
#[derive(Deserialize)]
struct Keys {
    heaplens_process: Option<IgnoredAny>,
    #[serde(rename = "javascriptHeap")]
    javascript_heap: Option<IgnoredAny>,
    header: Option<IgnoredAny>,
}

fn read_json(name: &str, bytes: &[u8]) -> Result<ProcessRecord, UnreadableRecord> {
    let keys: Keys = serde_json::from_slice(bytes).map_err(|error| UnreadableRecord::damaged(&error))?;
    if keys.heaplens_process.is_some() {
        return own::read(bytes);
    }
    if keys.javascript_heap.is_none() || keys.header.is_none() {
        return Err(UnreadableRecord::Unknown);
    }
    if bytes.len() > REPORT_LIMIT {
        return Err(UnreadableRecord::TooLarge(bytes.len(), REPORT_LIMIT));
    }
    let report = serde_json::from_slice(bytes).map_err(|error| UnreadableRecord::damaged(&error))?;
    Ok(node_report::read(name, &report))
}

/// Reads a text of lines. The kinds that contain others are first.
fn read_lines(name: &str, text: &str) -> Option<ProcessRecord> {
    if crash_log::is_crash_log(text) {
        return Some(crash_log::read(name, text));
    }
    if android::is_meminfo(text) {
        return Some(android::read(name, text));
    }
    if kubernetes::is_description(text) {
        return Some(kubernetes::read(name, text));
    }
    if text.lines().any(pmap::is_head) {
        return pmap::read(name, text);
    }
    if text.lines().any(smaps::is_head)
        && let Some(Smaps { mappings, totals }) = smaps(text)
    {
        return Some(ProcessRecord { mappings, memory: Some(totals), ..ProcessRecord::new(name) });
    }
    if let Some(StatusTotals { memory, threads, pid }) = status(text) {
        return Some(ProcessRecord { memory: Some(memory), threads, pid, ..ProcessRecord::new(name) });
    }
    read_jvm(name, text)
}

/// What a JVM says when `jcmd` asks it, one answer or several, also in a log.
fn read_jvm(name: &str, text: &str) -> Option<ProcessRecord> {
    let jvm = JvmRecord {
        flags: memory_flags(text),
        heap: java_heap(text),
        metaspace: metaspace(text),
        code: code_cache(text),
        native: native_tracking(text),
        loaders: class_loaders(text),
    };
    let mut record = ProcessRecord { kind: Some(RecordKind::Jvm), ..ProcessRecord::new(name) };
    if jvm.native.is_none() && text.contains("Native memory tracking is not enabled") {
        record.gaps.push(Gap::tracking_off());
    } else if jvm == JvmRecord::default() {
        return None;
    }
    record.jvm = Some(jvm);
    record.runtime = jvm_version(text);
    Some(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_record_is_read_and_others_are_refused() {
        let text = br#"{"heaplens_process":1,"pid":7,"memory":{"resident":5}}"#;
        let record = ProcessRecord::read("a.json", text).unwrap();
        assert_eq!(
            (record.pid, record.resident(), record.sources.as_slice()),
            (Some(7), Some(5), &["a.json".to_owned()][..])
        );
        assert_eq!(ProcessRecord::read("b", br#"{"heaplens_process":9}"#), Err(UnreadableRecord::NewerSchema(9)));
        assert_eq!(ProcessRecord::read("b", b"{}"), Err(UnreadableRecord::Unknown));
        assert_eq!(ProcessRecord::read("b", b"hello"), Err(UnreadableRecord::Unknown));
        assert!(matches!(ProcessRecord::read("b", b"{"), Err(UnreadableRecord::Damaged(_))));
    }
}
