//! Answer of `diff`: JSON structures and sentences. Field names are a contract: see `docs/command-line.md`.

#![expect(missing_docs, reason = "names say it; the command line's manual explains them")]

mod document;
mod rows;
pub mod similar;
pub mod words;

pub use self::document::{head_markdown, head_text, owners_markdown, owners_text};
pub use self::rows::{ClassAmount, ClassSeriesRow, EntriesChange, OwnerChange, OwnerSeriesRow, PartChange, SideChange};

use serde::Serialize;

use super::{extent::Extent, json::Note};
use heaplens_analysis::diff::{Amount, MatchExtent};
use heaplens_base::Bytes;
use heaplens_heap::{Heap, ImportNote};

/// One of the dumps.
#[derive(Debug, Clone, Serialize)]
pub struct DumpSide {
    pub file: String,
    pub format: String,
    pub producer: String,
    pub taken_at: Option<String>,
    /// Time of the dump, to compute the interval.
    #[serde(skip)]
    pub taken_at_millis: Option<u64>,
    pub objects: u64,
    pub bytes: u64,
    pub size_model: &'static str,
    pub notes: Vec<Note>,
}

/// Difference of objects and bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Increase {
    pub objects: i64,
    pub bytes: i64,
}

/// Part matched by one criterion.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct MatchMethodRow {
    pub by: &'static str,
    #[serde(rename = "sureness")]
    pub confidence: &'static str,
    #[serde(flatten)]
    pub part: MatchedPart,
}

/// A part of both heaps.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct MatchedPart {
    pub before: Extent,
    pub after: Extent,
    /// Share of the bytes of both heaps together.
    pub share: f64,
    /// Those bytes.
    #[serde(skip)]
    pub bytes: u64,
}

/// Heading above the rows.
#[derive(Debug, Clone, Serialize)]
pub struct DiffHeader {
    pub before: DumpSide,
    pub after: DumpSide,
    pub delta: Increase,
    /// Whether both dumps are of one program; `None` if it is not known.
    pub same_program: Option<bool>,
    #[serde(flatten)]
    pub matching: Option<Matching>,
    /// What tells the programs apart.
    #[serde(skip)]
    pub warning: Option<String>,
}

/// Heading above the rows of more than two dumps.
#[derive(Debug, Clone, Serialize)]
pub struct SeriesHead {
    pub dumps: Vec<DumpSide>,
    pub delta: Increase,
    /// False if one dump is of another program than the last; `None` if it is not known of all.
    pub same_program: Option<bool>,
    /// What tells the programs apart.
    #[serde(skip)]
    pub warning: Option<String>,
}

/// Heading above the rows.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum DocumentHeader {
    /// Heading of two dumps.
    Pair(Box<DiffHeader>),
    /// Heading of more than two dumps.
    Series(SeriesHead),
}

/// Matched share of both heaps.
#[derive(Debug, Clone, Serialize)]
pub struct Matching {
    pub matched: Vec<MatchMethodRow>,
    pub alone: MatchedPart,
    pub unknown: MatchedPart,
}

impl DocumentHeader {
    /// Difference between the last dump and the first.
    pub fn delta(&self) -> Increase {
        match self {
            Self::Pair(head) => head.delta,
            Self::Series(head) => head.delta,
        }
    }

    /// Warning if the dumps are not of one program.
    pub fn warning(&self) -> Option<&str> {
        match self {
            Self::Pair(head) => head.warning.as_deref(),
            Self::Series(head) => head.warning.as_deref(),
        }
    }
}

impl DumpSide {
    /// Describes an opened dump: shown objects and bytes, and all warnings.
    pub fn new<'n>(file: String, heap: &Heap, shown: Amount, notes: impl IntoIterator<Item = &'n ImportNote>) -> Self {
        let origin = &heap.origin;
        Self {
            file,
            format: origin.format.key().to_owned(),
            producer: origin.producer.clone(),
            taken_at: origin.taken_at_millis.and_then(heaplens_base::times::rfc3339),
            taken_at_millis: origin.taken_at_millis,
            objects: shown.objects,
            bytes: shown.shallow.0,
            size_model: origin.size_model.name(),
            notes: notes.into_iter().map(Note::new).collect(),
        }
    }
}

impl MatchedPart {
    /// A part of heaps with `total` bytes together.
    pub fn new(part: MatchExtent, total: Bytes) -> Self {
        let bytes = part.before_bytes.saturating_add(part.after_bytes);
        Self {
            before: Extent { objects: part.before_objects, bytes: part.before_bytes },
            after: Extent { objects: part.after_objects, bytes: part.after_bytes },
            share: crate::columns::fraction(heaplens_base::Share::of(Bytes(bytes), total)),
            bytes,
        }
    }
}
