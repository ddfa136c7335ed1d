//! Parse warnings. A dump that is only partly readable opens nevertheless, with warnings about the missing parts.

use serde::{Deserialize, Serialize};

/// Severity of a parse warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Severity {
    /// Informational; nothing is missing.
    Info,
    /// Part of the file is missing or was skipped; numbers are lower bounds.
    DataLost,
    /// The file is inconsistent.
    Error,
}

/// Prefixes of the notes about the object layout of the runtime: measured, or assumed.
pub const LAYOUT: [&str; 2] = ["object layout: ", "object layout could not be determined"];

impl Severity {
    /// Name in the user interface and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::DataLost => "data lost",
            Self::Error => "error",
        }
    }
}

/// Parse warning: all occurrences of one problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportNote {
    /// Severity.
    pub severity: Severity,
    /// Number of occurrences.
    pub count: u64,
    /// Message for the user: one sentence without a full stop, in lower case.
    pub message: String,
    /// Offset in the (unpacked) file of the first occurrence, if it has one.
    pub first_offset: Option<u64>,
}

impl ImportNote {
    /// Creates a warning seen `count` times, first at `first_offset`.
    pub fn new(severity: Severity, count: u64, message: impl Into<String>, first_offset: Option<u64>) -> Self {
        Self { severity, count, message: message.into(), first_offset }
    }
}
