//! Comments of a text heap dump: the version of the virtual machine, and declared totals at the end.

use heaplens_base::Count;
use heaplens_heap::{ImportNote, Severity};

/// Kinds of objects, in the order of the breakdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Class,
    Object,
    ObjectArray,
    PrimitiveArray,
}

/// Totals that were read, to compare with those declared by the file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Totals {
    /// By [`Kind`].
    pub(super) kinds: [u64; 4],
    /// Number of printed references, including nulls.
    pub(super) references: u64,
    pub(super) nulls: u64,
}

impl Totals {
    pub(super) fn records(&self) -> u64 {
        self.kinds.iter().sum()
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Comments {
    /// Version of the virtual machine.
    pub(super) version: Option<String>,
    /// Declared number of classes, objects, object arrays, primitive arrays.
    breakdown: Option<[u64; 4]>,
    /// Objects, references, nulls, and the offset of the line.
    trailer: Option<([u64; 3], u64)>,
    /// Number of unrecognized comments.
    others: u64,
}

impl Comments {
    /// Handles the text after `//` at `offset`.
    pub(super) fn see(&mut self, comment: &[u8], offset: u64) {
        let text = String::from_utf8_lossy(comment);
        if let Some(version) = text.strip_prefix("Version:") {
            self.version = Some(version.trim().to_owned());
        } else if let Some(rest) = text.strip_prefix("Breakdown") {
            self.breakdown = numbers(rest).first_chunk().copied();
        } else if let Some(rest) = text.strip_prefix("EOF:").and_then(|rest| rest.split_once(':')) {
            // Older ones do not count nulls.
            let values = numbers(rest.1);
            let at = |index: usize| values.get(index).copied();
            self.trailer = at(0).zip(at(1)).map(|(objects, all)| ([objects, all, at(2).unwrap_or(0)], offset));
        } else {
            self.others += 1;
        }
    }

    /// Merges the comments of the following part of the file.
    pub(super) fn join(&mut self, next: Self) {
        self.version = self.version.take().or(next.version);
        self.breakdown = next.breakdown.or(self.breakdown);
        self.trailer = next.trailer.or(self.trailer);
        self.others += next.others;
    }

    /// Parse warnings for differences between declared and actual totals.
    pub(super) fn notes(&self, read: &Totals) -> Vec<ImportNote> {
        let mut notes = Vec::new();
        match self.trailer {
            None => {
                let message = "no line with object counts at the end of the file: the file is truncated or was written by an \
                               old virtual machine";
                notes.push(ImportNote::new(Severity::DataLost, 1, message, None));
            }
            Some(([objects, references, nulls], offset)) => {
                // Newer ones count nulls without printing them.
                let printed = (references, nulls) == (read.references, read.nulls)
                    || references.checked_sub(nulls) == Some(read.references - read.nulls);
                if objects != read.records() || !printed {
                    let message = format!(
                        "the last line declares {} objects, {} references and {} nulls, but the file contains {}, {} and {}",
                        Count(objects),
                        Count(references),
                        Count(nulls),
                        Count(read.records()),
                        Count(read.references),
                        Count(read.nulls)
                    );
                    notes.push(ImportNote::new(Severity::Error, 1, message, Some(offset)));
                }
            }
        }
        if let Some(declared) = self.breakdown.filter(|declared| *declared != read.kinds) {
            let list = |counts: [u64; 4]| counts.map(|count| Count(count).to_string()).join(", ");
            let message = format!(
                "the breakdown declares {} classes, objects, object arrays and primitive arrays, but the file contains {}",
                list(declared),
                list(read.kinds)
            );
            notes.push(ImportNote::new(Severity::Error, 1, message, None));
        }
        notes.extend(ImportNote::if_any(Severity::Info, self.others, "unrecognized comment lines: skipped", None));
        notes
    }
}

fn numbers(text: &str) -> Vec<u64> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).take(8).collect()
}
