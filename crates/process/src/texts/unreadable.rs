//! Why a text is no record of a process.

use std::fmt;

/// Longest text in bytes.
pub const LIMIT: usize = 64 << 20;

/// Why a text is no record of a process. Its text is a clause for a person, without the name of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnreadableRecord {
    /// More bytes than are read: the size, and the limit.
    TooLarge(usize, usize),
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
            Self::TooLarge(bytes, limit) => {
                write!(f, "it has {} MB; at most {} MB are read", bytes.div_ceil(1 << 20), limit >> 20)
            }
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

impl UnreadableRecord {
    pub(super) fn damaged(error: &serde_json::Error) -> Self {
        Self::Damaged(error.to_string())
    }
}
