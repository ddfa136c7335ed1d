//! Rows of `diff` in JSON. Field names are a contract: see `docs/command-line.md`.

#![expect(missing_docs, reason = "names say it; the command line's manual explains them")]

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Increase;
use crate::columns::{Heading, Value};
use heaplens_analysis::diff::{Amount, Change, MatchMethod};

/// Amount of a class in one heap, or the difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct ClassAmount<N> {
    pub objects: N,
    pub shallow_bytes: N,
    pub retained_bytes: N,
}

/// A class over time.
#[derive(Debug, Clone, serde::Serialize)]
pub struct ClassSeriesRow<'a> {
    pub class: &'a str,
    pub loader: Option<&'a str>,
    pub series: Vec<ClassAmount<u64>>,
    pub delta: ClassAmount<i64>,
}

/// An owner over time.
#[derive(Debug, Clone, serde::Serialize)]
pub struct OwnerSeriesRow {
    pub owner: String,
    pub class: String,
    pub owners: u64,
    pub series: Vec<ClassAmount<u64>>,
    pub delta: ClassAmount<i64>,
    pub charged_bytes: i64,
}

/// Added and removed objects of one class.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct PartChange {
    pub class: String,
    pub loader: Option<String>,
    #[serde(rename = "came")]
    pub added: u64,
    #[serde(rename = "went")]
    pub removed: u64,
    pub bytes: i64,
    pub moved_bytes: i64,
}

/// Added and removed entries of a collection.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct EntriesChange {
    pub kind: &'static str,
    pub before: u64,
    pub after: u64,
    pub kept: u64,
    #[serde(rename = "came")]
    pub added: u64,
    #[serde(rename = "went")]
    pub removed: u64,
    /// Entries that may also be in the other dump.
    pub not_compared_before: u64,
    pub not_compared_after: u64,
    pub new: Vec<String>,
    pub gone: Vec<String>,
}

/// An owner before and after.
#[derive(Debug, Clone, serde::Serialize)]
pub struct OwnerChange {
    /// Its name with packages, as the dump has it.
    pub owner: String,
    /// Its short name, which people read.
    pub short_name: String,
    /// What tells it from other owners of the same name.
    pub distinction: Option<String>,
    pub class: String,
    /// Id of the owner, or of the first of several, in the later dump; null if no object is the owner.
    pub id: Option<String>,
    pub owners: u64,
    /// Names of the first similar owners.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    pub before: ClassAmount<u64>,
    pub after: ClassAmount<u64>,
    pub delta: ClassAmount<i64>,
    pub charged: Increase,
    /// Bytes moved here from other owners minus bytes moved to others: no growth.
    pub moved_bytes: i64,
    pub parts: Vec<PartChange>,
    /// Index of the part that is shown with the growth.
    #[serde(skip)]
    pub told_by: Option<usize>,
    /// Criterion by which the owner was matched.
    #[serde(skip)]
    pub how: Option<MatchMethod>,
    pub matched_by: Option<&'static str>,
    #[serde(rename = "sureness")]
    pub confidence: Option<&'static str>,
    pub entries: Option<EntriesChange>,
}

/// A row of both dumps by its columns: names, then before, after and difference of each measure, then other values.
pub struct SideChange<'a> {
    /// The columns.
    pub columns: Vec<Heading>,
    /// As many cells.
    pub cells: Vec<Value<'a>>,
}

/// Beginnings of the keys of measures.
const SIDES: [&str; 3] = ["before_", "after_", "delta_"];

impl Serialize for SideChange<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let cells = || self.columns.iter().map(|column| column.key).zip(&self.cells);
        let is_of_side = |key: &str| SIDES.iter().any(|side| key.starts_with(side));
        let (names, rest) =
            (cells().take_while(|(key, _)| !is_of_side(key)), cells().skip_while(|(key, _)| !is_of_side(key)));
        let mut map = to.serialize_map(None)?;
        for (key, cell) in names {
            map.serialize_entry(key, cell)?;
        }
        for side in SIDES {
            let part = cells().filter_map(|(key, cell)| Some((key.strip_prefix(side)?, cell)));
            map.serialize_entry(side.trim_end_matches('_'), &Entries(part.collect()))?;
        }
        for (key, cell) in rest.filter(|(key, _)| !is_of_side(key)) {
            map.serialize_entry(key, cell)?;
        }
        map.end()
    }
}

/// Writes a JSON object, in this order.
struct Entries<'a>(Vec<(&'a str, &'a Value<'a>)>);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().copied())
    }
}

impl ClassAmount<u64> {
    /// Converts to the JSON structure.
    pub fn of(amount: Amount) -> Self {
        Self { objects: amount.objects, shallow_bytes: amount.shallow.0, retained_bytes: amount.retained.0 }
    }
}

impl ClassAmount<i64> {
    /// Difference after minus before.
    pub fn more(change: &Change) -> Self {
        Self { objects: change.objects().0, shallow_bytes: change.shallow().0, retained_bytes: change.retained().0 }
    }
}
