//! Texts that tell what a process used: our own record, and what other tools print.
//!
//! A text is foreign data: any bytes end in a record or in an error. A text that was cut off gives what is there.

mod own;

use std::fmt;

use serde_json::Value;

use crate::record::{Gap, ProcessRecord};

/// Longest text in bytes.
const LIMIT: usize = 64 << 20;
/// Most mappings of a record: Linux allows 65,530 unless it is told otherwise.
const MAPPINGS: usize = 1_000_000;

/// Why a text is no record of a process. Its text is a clause for a person, without the name of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnreadableRecord {
    /// More bytes than are read.
    TooLarge(usize),
    /// A record of a later version, with its version.
    NewerSchema(u32),
    /// No kind of text that is known.
    Unknown,
    /// A known kind that cannot be read, and why.
    Damaged(String),
}

impl fmt::Display for UnreadableRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(bytes) => write!(f, "it has {} MB; at most {} MB are read", bytes >> 20, LIMIT >> 20),
            Self::NewerSchema(version) => write!(f, "its schema {version} is of a later version of heaplens"),
            Self::Unknown => f.write_str(
                "no known text about a process; known are records of heaplens, smaps, pmap -x, VM.native_memory, hs_err \
                 logs, Node's reports, kubectl describe and dumpsys meminfo",
            ),
            Self::Damaged(why) => write!(f, "its JSON is damaged: {why}"),
        }
    }
}

impl std::error::Error for UnreadableRecord {}

impl ProcessRecord {
    /// Reads a text about a process, of which `name` is recorded as the source. Its content tells its kind.
    ///
    /// # Errors
    /// If the kind is unknown, or the text is too large or damaged.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, UnreadableRecord> {
        if bytes.len() > LIMIT {
            return Err(UnreadableRecord::TooLarge(bytes.len()));
        }
        let mut record = if bytes.trim_ascii_start().starts_with(b"{") {
            read_json(bytes)?
        } else {
            return Err(UnreadableRecord::Unknown);
        };
        if record.sources.is_empty() {
            record.sources.push(name.to_owned());
        }
        if record.mappings.len() > MAPPINGS {
            let why = format!("{} of {} were read", MAPPINGS, record.mappings.len());
            record.mappings.truncate(MAPPINGS);
            record.gaps.push(Gap { what: "mappings".to_owned(), why });
        }
        Ok(record)
    }
}

fn read_json(bytes: &[u8]) -> Result<ProcessRecord, UnreadableRecord> {
    let value: Value = serde_json::from_slice(bytes).map_err(|error| UnreadableRecord::Damaged(error.to_string()))?;
    if value.get("heaplens_process").is_some() {
        return own::read(value);
    }
    Err(UnreadableRecord::Unknown)
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
