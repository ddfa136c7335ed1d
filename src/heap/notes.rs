//! What could not be read as it should have been. A dump that is only partly
//! readable opens all the same, with notes that say what is missing.

use serde::{Deserialize, Serialize};

/// How much a note matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Severity {
    /// Worth knowing; nothing is missing.
    Info,
    /// Part of the file is missing or was skipped; numbers are lower bounds.
    DataLost,
    /// The file contradicts itself.
    Error,
}

/// How the notes begin that say how the runtime laid out objects: measured, or taken as likely.
pub const LAYOUT: [&str; 2] = ["object layout: ", "object layout could not be determined"];

impl Severity {
    /// The word people and JSON see.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::DataLost => "data lost",
            Self::Error => "error",
        }
    }
}

/// One kind of thing that was noticed while reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportNote {
    /// How much it matters.
    pub severity: Severity,
    /// How often it was seen.
    pub count: u64,
    /// What it means, for a person: one sentence without a full stop.
    pub message: String,
    /// Offset in the file (unpacked) where it was first seen, if it has a place.
    pub first_offset: Option<u64>,
}

impl ImportNote {
    /// A note seen `count` times, first at `first_offset`.
    pub fn new(severity: Severity, count: u64, message: impl Into<String>, first_offset: Option<u64>) -> Self {
        Self { severity, count, message: message.into(), first_offset }
    }
}
