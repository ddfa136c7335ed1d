//! Inferred roots and their ownership trees; or every object with its owner.

use std::cmp::Reverse;
use std::sync::Arc;

use super::row_query::sort_by_cells;
use super::{OrderedRows, RowQuery, Table, TableError};
use crate::export::columns;
use crate::export::table::{Cell, Column, column_with_help};
use crate::export::table_context::TableContext;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::ownership::{Kind, Ownership, OwnershipOrder, Process};
use heaplens_base::task::{CHECKPOINT_EVERY, Task};
use heaplens_base::units::Bytes;
use heaplens_core::heap::file_references::SoftLinks;
use heaplens_core::heap::ids::ObjectId;

/// Query for inferred roots.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OwnershipQuery {
    /// Treatment of soft links.
    pub soft: SoftLinks,
    /// True for every object, not only the roots.
    pub every_object: bool,
}

/// Columns of the roots. The retained size is included because totals depend on the visiting order.
const ROOTS: [Column; 8] = [
    columns::ID,
    columns::CLASS,
    column_with_help(
        "kind",
        "Root kind",
        "pure: nothing references the root; artificial: chosen from a cycle of references",
    ),
    columns::SHALLOW,
    column_with_help(
        "total_bytes",
        "Total size",
        "Bytes of the object and all descendants in its ownership tree; depends on visiting order",
    ),
    column_with_help("descendants", "Descendants", "Number of objects below it in the ownership tree"),
    column_with_help("max_depth", "Max. depth", "Number of levels below it in the ownership tree"),
    column_with_help(
        "retained_bytes",
        "Retained size",
        "Bytes freed if the object were collected, by the GC roots of the file; empty if unreachable",
    ),
];

/// Sort order of a column, by key or short word.
pub fn by_of(key: &str) -> Option<OwnershipOrder> {
    match key {
        "total_bytes" | "total" => Some(OwnershipOrder::Total),
        "descendants" => Some(OwnershipOrder::Descendants),
        "max_depth" | "depth" => Some(OwnershipOrder::Depth),
        _ => None,
    }
}

/// Summary as printed by HeapRoots: its own wording, and JSON keys.
pub fn process_cells(process: &Process) -> [(&'static str, &'static str, Cell); 9] {
    [
        ("objects", "# Objects", Cell::Count(process.objects)),
        ("references", "# Refs", Cell::Count(process.references)),
        ("unresolved", "# Unresolved refs", Cell::Count(process.unresolved)),
        ("heap_bytes", "Heap usage", Cell::Size(process.heap_bytes)),
        ("address_range_bytes", "Total Object Range", process.address_range.map_or(Cell::Nothing, Cell::Size)),
        ("pure_roots", "Pure roots", Cell::Count(process.pure_roots)),
        ("pure_roots_reach", "... which reach", Cell::Count(process.pure_roots_reach)),
        ("artificial_roots", "Artificial roots", Cell::Count(process.artificial_roots)),
        ("softlinks_followed", "Softlinks followed", Cell::Count(process.softlinks_followed)),
    ]
}

/// The roots, largest total first. The row number is the index in the list.
pub struct OwnershipRoots {
    /// Ownership of objects.
    pub found: Arc<Ownership>,
    /// The roots.
    pub roots: Vec<ObjectId>,
}

impl OwnershipRoots {
    /// Table of computed roots.
    pub fn new(found: Arc<Ownership>) -> Self {
        let roots = found.roots(OwnershipOrder::Total);
        Self { found, roots }
    }
}

impl Table for OwnershipRoots {
    fn columns(&self) -> &'static [Column] {
        &ROOTS
    }

    fn column(&self, key: &str) -> Option<usize> {
        let key = by_of(key).map_or(key, |by| by.key());
        ROOTS.iter().position(|column| column.key == key)
    }

    fn count(&self) -> usize {
        self.roots.len()
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(&object) = self.roots.get(row) else { return Cell::Nothing };
        let owned = self.found.of(object);
        match column {
            0 => Cell::Text(from.heap.id_text(object)),
            1 => Cell::Text(from.heap.class(object).name.to_string()),
            2 => Cell::Text(self.found.kind(object).name().to_owned()),
            3 => Cell::Size(from.heap.shallow(object)),
            4 => Cell::Size(Bytes(owned.total)),
            5 => Cell::Count(owned.descendants.into()),
            6 => Cell::Count(owned.max_depth.into()),
            _ => retained(from, object),
        }
    }

    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        let Some(&object) = self.roots.get(row) else { return false };
        filter.matches(self.found.kind(object).name()) || filter.passes_object(from.heap, from.contents, object)
    }

    fn sort(
        &self,
        from: TableContext<'_>,
        rows: &mut Vec<u32>,
        (key, reverse): (&str, bool),
        task: &Task,
    ) -> Result<(), TableError> {
        let Some(by) = by_of(key) else { return sort_by_cells(self, from, rows, (key, reverse), task) };
        // Ties go by address, not by the default order.
        rows.sort_by_key(|&row| {
            let object = self.roots.get(row as usize).copied();
            (Reverse(object.map_or(0, |object| by.of(&self.found.of(object)))), object)
        });
        if reverse {
            rows.reverse();
        }
        Ok(())
    }

    fn totals(&self, _from: TableContext<'_>, _rows: &[u32]) -> Vec<(&'static str, Cell)> {
        process_cells(&self.found.process).map(|(key, _, cell)| (key, cell)).into()
    }

    fn list(&self) -> (&'static str, bool) {
        ("rows", true)
    }
}

/// Retained size of an object by GC roots; empty if it is unreachable.
fn retained(from: TableContext<'_>, object: ObjectId) -> Cell {
    if from.analysis.is_reachable(object) { Cell::Size(from.analysis.retained(object)) } else { Cell::Nothing }
}

/// Columns of every object.
const OBJECTS: [Column; 7] = [
    columns::ID,
    columns::SHALLOW,
    column_with_help(
        "total_bytes",
        "Total size",
        "Bytes of the object and all descendants in its ownership tree; depends on visiting order",
    ),
    column_with_help("descendants", "Descendants", "Number of objects below it in the ownership tree"),
    column_with_help("max_depth", "Max. depth", "Number of levels below it in the ownership tree"),
    column_with_help("owner", "Owner", "Inferred root that owns the object"),
    column_with_help("kind", "Root kind", "Kind of the inferred root that owns the object"),
];

/// Every object of the file, reachable or not, in id order. The row number is the object's.
pub struct OwnedObjects {
    /// Ownership of objects.
    pub found: Arc<Ownership>,
}

impl OwnedObjects {
    fn place(key: &str) -> Option<usize> {
        let key = by_of(key).map_or(key, |by| by.key());
        OBJECTS.iter().position(|column| column.key == key)
    }
}

impl Table for OwnedObjects {
    fn columns(&self) -> &'static [Column] {
        &OBJECTS
    }

    fn column(&self, key: &str) -> Option<usize> {
        Self::place(key)
    }

    fn count(&self) -> usize {
        usize::try_from(self.found.process.objects).unwrap_or(usize::MAX)
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(object) = ObjectId::new(row) else { return Cell::Nothing };
        match column {
            0 => Cell::Text(from.heap.id_text(object)),
            1 => Cell::Size(from.heap.shallow(object)),
            _ => owned_cell(from, &self.found, object, column - 2),
        }
    }

    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        ObjectId::new(row).is_some_and(|object| filter.passes_object(from.heap, from.contents, object))
    }

    fn arranged<'a>(
        &'a self,
        from: TableContext<'a>,
        how: &RowQuery,
        task: &Task,
    ) -> Result<OrderedRows<'a>, TableError> {
        let filter = how.pattern()?;
        let places = how.clone();
        let passes =
            move |&row: &u32| places.has_place(row) && (filter.is_empty() || self.passes(from, row as usize, &filter));
        let passing = (0..self.count() as u32).filter(passes);
        let rows = match (how.sort.as_deref(), how.reverse) {
            (None | Some("id"), false) => how.part(passing),
            (Some(key), reverse) if by_of(key).is_some() => {
                let by = by_of(key).unwrap_or_default();
                let mut objects = Vec::new();
                for (at, row) in passing.enumerate() {
                    if at.is_multiple_of(CHECKPOINT_EVERY >> 6) {
                        task.checkpoint()?;
                    }
                    objects.extend(ObjectId::from_raw(row));
                }
                self.found.sort(&mut objects, by);
                if reverse {
                    objects.reverse();
                }
                how.part(objects.into_iter().map(ObjectId::raw))
            }
            (sort, reverse) => {
                let mut rows: Vec<u32> = passing.collect();
                match sort {
                    Some(key) => self.sort(from, &mut rows, (key, reverse), task)?,
                    None => rows.reverse(),
                }
                how.part(rows.into_iter())
            }
        };
        Ok(OrderedRows { rows, totals: Vec::new(), expected: self.count() as u64 })
    }
}

/// First index of the owner columns, which come after those of any object.
pub const BESIDE: usize = 128;

const BESIDE_COLUMNS: [Column; 5] = [
    column_with_help(
        "total_bytes",
        "Total size",
        "Bytes of the object and all descendants in its ownership tree; depends on visiting order",
    ),
    column_with_help("descendants", "Descendants", "Number of objects below it in the ownership tree"),
    column_with_help("max_depth", "Max. depth", "Number of levels below it in the ownership tree"),
    column_with_help("root_owner", "Root owner", "Inferred root that owns the object"),
    column_with_help("root_kind", "Root kind", "Kind of that inferred root"),
];

/// Owner columns with their indices.
pub fn beside() -> impl Iterator<Item = (usize, Column)> {
    (BESIDE..).zip(BESIDE_COLUMNS)
}

/// Cell of an owner column: total size, descendants, depth, owner, and the letter of its kind.
pub fn owned_cell(from: TableContext<'_>, found: &Ownership, object: ObjectId, column: usize) -> Cell {
    let owned = found.of(object);
    match column {
        0 => Cell::Size(Bytes(owned.total)),
        1 => Cell::Count(owned.descendants.into()),
        2 => Cell::Count(owned.max_depth.into()),
        3 => Cell::Text(from.heap.id_text(found.owner(object))),
        4 => Cell::Text(found.kind(object).letter().to_string()),
        _ => Cell::Nothing,
    }
}

/// Ownership data of one object: kind, owner, parent, total, descendants and depth, with
/// JSON keys and headings.
pub fn of_object(
    from: TableContext<'_>,
    found: &Ownership,
    object: ObjectId,
) -> [(&'static str, &'static str, Cell); 6] {
    let kind = match found.kind(object) {
        Kind::NonRoot => Cell::Nothing,
        kind => Cell::Text(kind.name().to_owned()),
    };
    let parent = found.parent(object).map_or(Cell::Nothing, |parent| Cell::Text(from.heap.id_text(parent)));
    let cell = |column| owned_cell(from, found, object, column);
    [
        ("kind", "Inferred root", kind),
        ("owner", "Root owner", cell(3)),
        ("parent", "Owning parent", parent),
        ("total_bytes", "Total", cell(0)),
        ("descendants", "Descendants", cell(1)),
        ("max_depth", "Depth below", cell(2)),
    ]
}
