//! Before and after: the shapes of the answer of `diff`, and its sentences.
//! Field names are a contract: see `docs/command-line.md`.

mod document;
pub mod words;

pub use self::document::{head_markdown, head_text, owners_markdown, owners_text};

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::json::Note;
use super::table::{Cell, Column};
use crate::analysis::diff::growth::Matched;
use crate::analysis::diff::matches::How;
use crate::analysis::diff::{Amount, Change};
use crate::heap::facts::Heap;
use crate::heap::notes::ImportNote;
use crate::units::Bytes;

/// One of the dumps.
#[derive(Debug, Clone, serde::Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct DumpSide {
    pub file: String,
    pub format: String,
    pub producer: String,
    pub taken_at: Option<String>,
    /// For the time between two dumps.
    #[serde(skip)]
    pub taken_at_millis: Option<u64>,
    pub objects: u64,
    pub bytes: u64,
    pub size_model: &'static str,
    pub notes: Vec<Note>,
}

/// Objects and bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[expect(missing_docs, reason = "names say it")]
pub struct Extent {
    pub objects: u64,
    pub bytes: u64,
}

/// Objects and bytes more than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[expect(missing_docs, reason = "names say it")]
pub struct More {
    pub objects: i64,
    pub bytes: i64,
}

/// What was matched in one way.
#[derive(Debug, Clone, Copy, serde::Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct MatchedBy {
    pub by: &'static str,
    pub sureness: &'static str,
    #[serde(flatten)]
    pub part: MatchedPart,
}

/// A part of both heaps.
#[derive(Debug, Clone, Copy, serde::Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct MatchedPart {
    pub before: Extent,
    pub after: Extent,
    /// Of the bytes of both heaps together.
    pub share: f64,
    /// Those bytes.
    #[serde(skip)]
    pub bytes: u64,
}

/// What stands above the rows.
#[derive(Debug, Clone, serde::Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct Head {
    pub before: DumpSide,
    pub after: DumpSide,
    pub delta: More,
    #[serde(flatten)]
    pub matching: Option<Matching>,
}

/// How much of both heaps was matched.
#[derive(Debug, Clone, serde::Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct Matching {
    pub matched: Vec<MatchedBy>,
    pub alone: MatchedPart,
    pub unknown: MatchedPart,
}

/// How much there is of a class in one heap, or how much more than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[expect(missing_docs, reason = "names say it")]
pub struct ClassAmount<N> {
    pub objects: N,
    pub shallow_bytes: N,
    pub retained_bytes: N,
}

/// A class before and after.
#[derive(Debug, Clone, serde::Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct ClassChange<'a> {
    pub class: &'a str,
    pub loader: Option<&'a str>,
    pub before: ClassAmount<u64>,
    pub after: ClassAmount<u64>,
    pub delta: ClassAmount<i64>,
    pub new_objects: u64,
    pub gone_objects: u64,
    pub new_bytes: u64,
    pub gone_bytes: u64,
    pub unknown_objects: u64,
    pub unknown_bytes: u64,
    pub unknown_before_objects: u64,
    pub unknown_before_bytes: u64,
}

/// What came and went of one class.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct PartChange {
    pub class: String,
    pub loader: Option<String>,
    pub came: u64,
    pub went: u64,
    pub bytes: i64,
}

/// What came into a collection, and what went.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct EntriesChange {
    pub kind: &'static str,
    pub before: u64,
    pub after: u64,
    pub kept: u64,
    pub came: u64,
    pub went: u64,
    pub new: Vec<String>,
    pub gone: Vec<String>,
}

/// An owner before and after.
#[derive(Debug, Clone, serde::Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct OwnerChange {
    pub owner: String,
    pub class: String,
    pub owners: u64,
    /// Of several owners the names of the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    pub before: ClassAmount<u64>,
    pub after: ClassAmount<u64>,
    pub delta: ClassAmount<i64>,
    pub charged: More,
    pub parts: Vec<PartChange>,
    /// Which of the parts the growth is told by.
    #[serde(skip)]
    pub told_by: Option<usize>,
    /// How it is known that the owner is in both heaps.
    #[serde(skip)]
    pub how: Option<How>,
    pub matched_by: Option<&'static str>,
    pub sureness: Option<&'static str>,
    pub entries: Option<EntriesChange>,
}

/// A row of both dumps by its columns: what it is called, then by threes before, after and how much more.
pub struct SideChange<'a> {
    /// The columns.
    pub columns: &'a [Column],
    /// As many cells.
    pub cells: &'a [Cell],
}

impl Serialize for SideChange<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let cells = || self.columns.iter().zip(self.cells);
        let mut map = to.serialize_map(None)?;
        for (column, cell) in cells().take(1) {
            map.serialize_entry(column.key, cell)?;
        }
        for side in ["before", "after", "delta"] {
            let part = cells().filter_map(|(column, cell)| {
                let key = column.key.strip_prefix(side)?.strip_prefix('_')?;
                Some((key, cell))
            });
            map.serialize_entry(side, &Entries(part.collect()))?;
        }
        map.end()
    }
}

/// A json object, in this order.
struct Entries<'a>(Vec<(&'a str, &'a Cell)>);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().copied())
    }
}

impl DumpSide {
    /// Of an opened dump: its objects and bytes as they are shown, and all there is to say against them.
    pub fn new<'n>(file: String, heap: &Heap, shown: Amount, notes: impl IntoIterator<Item = &'n ImportNote>) -> Self {
        let origin = &heap.origin;
        Self {
            file,
            format: origin.format.to_string(),
            producer: origin.producer.clone(),
            taken_at: origin.taken_at_millis.and_then(super::json::rfc3339),
            taken_at_millis: origin.taken_at_millis,
            objects: shown.objects,
            bytes: shown.shallow.0,
            size_model: origin.size_model.name(),
            notes: notes.into_iter().map(Note::new).collect(),
        }
    }
}

impl ClassAmount<u64> {
    /// The same in words of the contract.
    pub fn of(amount: Amount) -> Self {
        Self { objects: amount.objects, shallow_bytes: amount.shallow.0, retained_bytes: amount.retained.0 }
    }
}

impl ClassAmount<i64> {
    /// How much more there is.
    pub fn more(change: &Change) -> Self {
        Self { objects: change.objects().0, shallow_bytes: change.shallow().0, retained_bytes: change.retained().0 }
    }
}

impl MatchedPart {
    /// A part of heaps that have so many bytes together.
    pub fn new(part: Matched, whole: Bytes) -> Self {
        let bytes = part.before_bytes.saturating_add(part.after_bytes);
        Self {
            before: Extent { objects: part.before_objects, bytes: part.before_bytes },
            after: Extent { objects: part.after_objects, bytes: part.after_bytes },
            share: super::table::fraction(crate::units::Share::of(Bytes(bytes), whole)),
            bytes,
        }
    }
}
