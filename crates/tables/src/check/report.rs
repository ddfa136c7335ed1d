//! Results of a check of all dumps.

use super::compare::{CheckRow, CheckStatus};
use super::part::CheckPart;

/// Results of a check.
#[derive(Debug, Clone, Default)]
pub struct CheckReport {
    /// File of the baseline, as printed.
    pub baseline: String,
    /// Dumps in the order given.
    pub files: Vec<CheckedFile>,
}

/// A dump, or why it cannot be used.
#[derive(Debug, Clone)]
pub struct CheckedFile {
    /// Name of its section.
    pub name: String,
    /// The file, as printed.
    pub file: String,
    /// The result, or the reason why the dump cannot be used.
    pub result: Result<DumpCheck, String>,
}

/// Result of one dump.
#[derive(Debug, Clone, Default)]
pub struct DumpCheck {
    /// Findings compared.
    pub rows: Vec<CheckRow>,
    /// What is missing of an incomplete dump.
    pub incomplete: Option<String>,
    /// True if the baseline has a section for it.
    pub has_section: bool,
}

impl DumpCheck {
    /// Rows that fail.
    pub fn failures(&self) -> impl Iterator<Item = &CheckRow> {
        self.rows.iter().filter(|row| row.fails())
    }

    /// Number of rows with a status, of one part or all.
    pub fn count(&self, status: CheckStatus, part: Option<CheckPart>) -> u64 {
        let is_meant = |row: &&CheckRow| row.status == status && part.is_none_or(|part| row.part == part);
        self.rows.iter().filter(is_meant).count() as u64
    }
}

impl CheckReport {
    /// Dumps that were read.
    pub fn checked(&self) -> impl Iterator<Item = (&CheckedFile, &DumpCheck)> {
        self.files.iter().filter_map(|file| Some((file, file.result.as_ref().ok()?)))
    }

    /// Dumps that cannot be used, with the reasons.
    pub fn unreadable(&self) -> impl Iterator<Item = (&CheckedFile, &str)> {
        self.files.iter().filter_map(|file| Some((file, file.result.as_ref().err()?.as_str())))
    }

    /// Rows that fail, with their dumps.
    pub fn failures(&self) -> impl Iterator<Item = (&CheckedFile, &CheckRow)> {
        self.checked().flat_map(|(file, check)| check.failures().map(move |row| (file, row)))
    }

    /// True if all dumps could be read and nothing fails.
    pub fn is_passed(&self) -> bool {
        self.unreadable().next().is_none() && self.failures().next().is_none()
    }
}
