//! What grew between two dumps, as tables: owners, classes, packages, loaders,
//! threads, texts and collections, each before and after.

mod joined;
mod owners;

use std::path::PathBuf;
use std::sync::Arc;

use super::Table;
use crate::analysis::diff::Amount;
use crate::analysis::diff::matches::How;
use crate::analysis::filter::TextFilter;
use crate::export::dictionary::Dictionary;
use crate::export::table::{Cell, Column, column};
use crate::heap::ids::{ClassId, ObjectId};
use crate::units::{ByteDelta, CountDelta};

/// What the rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum By {
    /// Who holds what came and went.
    Owner,
    /// Classes.
    Class,
    /// Packages.
    Package,
    /// Class loaders, by their class.
    Loader,
    /// Threads, by their name.
    Thread,
    /// Texts that stand in either heap more than once.
    Text,
    /// Collections, by their class.
    Collection,
}

impl By {
    /// The word of the command line.
    pub fn key(self) -> &'static str {
        match self {
            Self::Owner => "owners",
            Self::Class => "classes",
            Self::Package => "packages",
            Self::Loader => "loaders",
            Self::Thread => "threads",
            Self::Text => "strings",
            Self::Collection => "collections",
        }
    }
}

/// One thing, before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrownRow {
    /// What people call it; no address is in it.
    pub name: String,
    /// How many there are of it; owners that are alike.
    pub times: u64,
    /// How much there was.
    pub before: Amount,
    /// How much there is.
    pub after: Amount,
    /// Elements of collections, before and after.
    pub elements: [u64; 2],
    /// Objects more than before; of an owner those charged to it.
    pub objects: CountDelta,
    /// Bytes more than before; of an owner those charged to it.
    pub bytes: ByteDelta,
    /// Of an owner, what came and went: class, how many came, how many went.
    pub parts: Vec<(Box<str>, u64, u64)>,
    /// Of an owner, bytes that others held before, less bytes that others hold now: no growth.
    pub moved: ByteDelta,
    /// How it is known to be the same, of an owner that is one object.
    pub how: Option<How>,
    /// It, in the heap after; or the first of it.
    pub object: Option<ObjectId>,
    /// It, if it is a class of the heap after; or the first of it.
    pub class: Option<ClassId>,
    /// The single ones, of several that are alike; classes, of a package or loader.
    pub members: Vec<GrownRow>,
}

impl GrownRow {
    /// A thing of which only the name is known.
    pub fn named(name: String) -> Self {
        Self {
            name,
            times: 1,
            before: Amount::default(),
            after: Amount::default(),
            elements: [0; 2],
            objects: CountDelta(0),
            bytes: ByteDelta(0),
            parts: Vec::new(),
            moved: ByteDelta(0),
            how: None,
            object: None,
            class: None,
            members: Vec::new(),
        }
    }

    /// Whether it was not there before, or is not there after.
    pub fn is_new_or_gone(&self) -> Option<&'static str> {
        match (self.before.objects, self.after.objects) {
            (0, 1..) => Some("new"),
            (1.., 0) => Some("gone"),
            _ => None,
        }
    }

    /// What came and went, in words: `+1,000 desk.Session, −3 desk.Receipt`.
    pub fn told(&self) -> String {
        let part = |(class, came, went): &(Box<str>, u64, u64)| {
            let came = CountDelta(came.cast_signed());
            let went = CountDelta(-went.cast_signed());
            match (came.0, went.0) {
                (_, 0) => format!("{came} {class}"),
                (0, _) => format!("{went} {class}"),
                _ => format!("{came} {went} {class}"),
            }
        };
        let moved = (self.moved.0 != 0).then(|| format!("{} moved", self.moved));
        let parts = self.parts.iter().filter(|part| part.1 > 0 || part.2 > 0).map(part);
        parts.chain(moved).collect::<Vec<_>>().join(", ")
    }

    fn cell(&self, key: &str) -> Cell {
        let (before, after) = (&self.before, &self.after);
        match key {
            "objects_before" => Cell::Count(before.objects),
            "objects_after" => Cell::Count(after.objects),
            "objects_delta" => Cell::CountDelta(self.objects),
            "bytes_delta" => Cell::SizeDelta(self.bytes),
            "shallow_before_bytes" => Cell::Size(before.shallow),
            "shallow_after_bytes" => Cell::Size(after.shallow),
            "retained_before_bytes" => Cell::Size(before.retained),
            "retained_after_bytes" => Cell::Size(after.retained),
            "retained_delta_bytes" => Cell::SizeDelta(ByteDelta::between(before.retained, after.retained)),
            "elements_before" => Cell::Count(self.elements[0]),
            "elements_after" => Cell::Count(self.elements[1]),
            "elements_delta" => Cell::CountDelta(CountDelta::between(self.elements[0], self.elements[1])),
            "change" => Cell::Change { before: before.objects, after: after.objects },
            "owners" => Cell::Count(self.times),
            "came_and_went" => Cell::Text(self.told()),
            "moved_bytes" => Cell::SizeDelta(self.moved),
            "matched_by" => self.how.map_or(Cell::Nothing, |how| Cell::Text(how.name().to_owned())),
            "sureness" => self.how.map_or(Cell::Nothing, |how| Cell::Text(how.sureness().name().to_owned())),
            _ => Cell::Text(self.name.clone()),
        }
    }
}

/// What grew, most growth first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grown {
    /// What the rows are.
    pub by: By,
    /// The rows.
    pub rows: Vec<GrownRow>,
    /// The file of the dump before.
    pub before: PathBuf,
}

const OWNERS: [Column; 10] = [
    column("owner", "Owner"),
    column("owners", "Owners"),
    column("came_and_went", "Came and went"),
    column("objects_delta", "Objects"),
    column("bytes_delta", "Bytes"),
    column("moved_bytes", "Moved"),
    column("retained_before_bytes", "Retained before"),
    column("retained_after_bytes", "Retained after"),
    column("matched_by", "Matched by"),
    column("sureness", "Sureness"),
];

const CLASSES: [Column; 11] = [
    column("name", "Name"),
    column("change", "Change"),
    column("objects_before", "Objects before"),
    column("objects_after", "Objects after"),
    column("objects_delta", "Objects"),
    column("shallow_before_bytes", "Shallow before"),
    column("shallow_after_bytes", "Shallow after"),
    column("bytes_delta", "Shallow"),
    column("retained_before_bytes", "Retained before"),
    column("retained_after_bytes", "Retained after"),
    column("retained_delta_bytes", "Retained"),
];

/// Of texts that stand in a heap once or not at all nothing is counted there.
const TEXTS: [Column; 5] = [
    column("name", "Text"),
    column("objects_before", "Objects before"),
    column("objects_after", "Objects after"),
    column("objects_delta", "Objects"),
    column("bytes_delta", "Shallow"),
];

const THREADS: [Column; 5] = [
    column("name", "Thread"),
    column("change", "Change"),
    column("retained_before_bytes", "Retained before"),
    column("retained_after_bytes", "Retained after"),
    column("bytes_delta", "Retained"),
];

const COLLECTIONS: [Column; 10] = [
    column("name", "Class"),
    column("change", "Change"),
    column("objects_before", "Objects before"),
    column("objects_after", "Objects after"),
    column("objects_delta", "Objects"),
    column("elements_before", "Elements before"),
    column("elements_after", "Elements after"),
    column("elements_delta", "Elements"),
    column("shallow_after_bytes", "Shallow after"),
    column("bytes_delta", "Shallow"),
];

impl Grown {
    fn sorted(by: By, mut rows: Vec<GrownRow>, before: PathBuf) -> Self {
        rows.sort_by(|a, b| b.bytes.cmp(&a.bytes).then(b.objects.cmp(&a.objects)).then_with(|| a.name.cmp(&b.name)));
        Self { by, rows, before }
    }
}

impl Table for Arc<Grown> {
    fn columns(&self) -> &'static [Column] {
        match self.by {
            By::Owner => &OWNERS,
            By::Class | By::Package | By::Loader => &CLASSES,
            By::Thread => &THREADS,
            By::Text => &TEXTS,
            By::Collection => &COLLECTIONS,
        }
    }

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn cell(&self, _from: Dictionary<'_>, row: usize, column: usize) -> Cell {
        let column = self.columns().get(column);
        match self.rows.get(row).zip(column).map_or(Cell::Nothing, |(row, column)| row.cell(column.key)) {
            Cell::Count(0) if self.by == By::Text => Cell::Nothing,
            cell => cell,
        }
    }

    fn passes(&self, _from: Dictionary<'_>, row: usize, filter: &TextFilter) -> bool {
        self.rows.get(row).is_some_and(|row| filter.matches(&row.name))
    }
}
