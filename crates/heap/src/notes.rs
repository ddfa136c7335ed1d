//! Parse warnings. A dump that is only partly readable opens nevertheless, with warnings about the missing parts.

use std::fmt;

use heaplens_base::Count;
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

/// Topic of a note that other answers refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum NoteTopic {
    /// Any other.
    #[default]
    Other,
    /// The object layout, measured in the dump.
    MeasuredLayout,
    /// The object layout, assumed because it could not be measured.
    AssumedLayout,
    /// Which class sizes were measured, inferred or assumed.
    SizeOrigins,
}

impl Severity {
    /// Name in the user interface and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::DataLost => "data lost",
            Self::Error => "error",
        }
    }

    /// Name at the beginning of a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Self::Info => "Info",
            Self::DataLost => "Data lost",
            Self::Error => "Error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
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
    /// Topic.
    pub topic: NoteTopic,
}

/// `data lost: a record is truncated (×1, first at offset 1996679)`
impl fmt::Display for ImportNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} (×{}", self.severity, self.message, Count(self.count))?;
        self.first_offset.map_or(Ok(()), |offset| write!(f, ", first at offset {offset}"))?;
        f.write_str(")")
    }
}

impl ImportNote {
    /// Creates a warning seen `count` times, first at `first_offset`.
    pub fn new(severity: Severity, count: u64, message: impl Into<String>, first_offset: Option<u64>) -> Self {
        Self { severity, count, message: message.into(), first_offset, topic: NoteTopic::Other }
    }

    /// The warning, unless it was seen 0 times.
    pub fn if_any(
        severity: Severity,
        count: u64,
        message: impl Into<String>,
        first_offset: Option<u64>,
    ) -> Option<Self> {
        (count > 0).then(|| Self::new(severity, count, message, first_offset))
    }

    /// The note with a topic.
    #[must_use]
    pub fn on(self, topic: NoteTopic) -> Self {
        Self { topic, ..self }
    }
}
