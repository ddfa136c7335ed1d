//! Inferred roots and their ownership trees; or every object with its owner.

use std::{borrow::Cow, cmp::Reverse, sync::Arc};

use crate::columns::{Column, Columns, Condition, Record, Value, heading, headings};
use crate::query::{Conditions, Question, TableKind, TypedFilter};
use crate::relation::{Relation, relation};
use crate::{OrderedRows, RowQuery, TableContext, TableResult, Totals, TypedTable, table::sort_by_column};
use heaplens_analysis::ownership::{Kind, OwnershipOrder, Process};
use heaplens_analysis::{Ownership, TextFilter};
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Task};
use heaplens_heap::{Heap, ObjectId, SoftLinks};
use heaplens_session::OpenSettings;

/// Query for inferred roots.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OwnershipQuery {
    /// Treatment of soft links.
    pub soft: SoftLinks,
    /// True for every object, not only the roots.
    pub every_object: bool,
}

impl TableKind for OwnershipQuery {
    fn relation(&self) -> Option<&'static Relation> {
        Some(if self.every_object { &OWNED_OBJECTS } else { &INFERRED_ROOTS })
    }

    fn table(&self, dump: TableContext<'_>, _rows: &RowQuery, task: &Task) -> TableResult<Arc<dyn crate::Table>> {
        let ownership = Arc::new(Ownership::find(dump.heap, self.soft, task)?);
        Ok(if self.every_object {
            Arc::new(OwnedObjects { ownership })
        } else {
            Arc::new(OwnershipRoots::new(ownership))
        })
    }

    fn command(&self, _heap: &Heap, opened: &OpenSettings) -> Question {
        let line = Question::new("roots", opened).flag("ownership").soft(self.soft);
        if self.every_object { line.flag("every-object") } else { line }
    }
}

/// Inferred roots.
pub const INFERRED_ROOTS: Relation = relation!("roots --ownership", ROOTS);

/// Every object with its inferred root.
pub const OWNED_OBJECTS: Relation = relation!("roots --ownership --every-object", OBJECTS);

/// Columns of the roots. The retained size is included because totals depend on the visiting order.
pub(crate) const ROOTS: Columns<OwnedRow<'static>> = &[
    &[
        headings::ID.object(|row, _| Some(row.object)),
        headings::CLASS.text(|row, dump| dump.class_of(row.object)),
        heading(
            "kind",
            "Root kind",
            "pure: nothing references the root; artificial: chosen from a cycle of references",
        )
        .text(|row, _| Some(row.ownership?.kind(row.object).name().into())),
        headings::SHALLOW.bytes(|row, dump| Some(dump.heap.shallow(row.object))),
    ],
    &tree(Condition::Always),
    &[heading(
        "retained_bytes",
        "Retained size",
        "Bytes freed if the object were collected, by the GC roots of the file; empty if unreachable",
    )
    .bytes(|row, dump| dump.analysis.is_reachable(row.object).then(|| dump.analysis.retained(row.object)))],
];

/// Columns of every object.
pub(crate) const OBJECTS: Columns<OwnedRow<'static>> = &[
    &[
        headings::ID.object(|row, _| Some(row.object)),
        headings::SHALLOW.bytes(|row, dump| Some(dump.heap.shallow(row.object))),
    ],
    &tree(Condition::Always),
    &[
        heading("owner", "Owner", "Inferred root that owns the object").object(|row, _| row.owner()),
        heading("kind", "Root kind", "Kind of the inferred root that owns the object").text(|row, _| row.kind_letter()),
    ],
];

/// Columns of the ownership tree below an object.
pub(crate) const fn tree(when: Condition) -> [Column<OwnedRow<'static>>; 3] {
    [
        heading(
            "total_bytes",
            "Total size",
            "Bytes of the object and all descendants in its ownership tree; depends on visiting order",
        )
        .when(when)
        .alias("total")
        .bytes(|row, _| Some(Bytes(row.ownership?.of(row.object).total))),
        heading("descendants", "Descendants", "Number of objects below it in the ownership tree")
            .when(when)
            .number(|row, _| Some(row.ownership?.of(row.object).descendants)),
        heading("max_depth", "Max. depth", "Number of levels below it in the ownership tree")
            .when(when)
            .alias("depth")
            .number(|row, _| Some(row.ownership?.of(row.object).max_depth)),
    ]
}

/// An object with the ownership of all, if that was computed.
#[derive(Clone, Copy)]
pub struct OwnedRow<'a> {
    /// The object.
    pub object: ObjectId,
    /// Inferred roots and their trees.
    pub ownership: Option<&'a Ownership>,
}

impl Record for OwnedRow<'static> {
    type Row<'a> = OwnedRow<'a>;
}

impl OwnedRow<'_> {
    /// Inferred root that owns the object.
    pub(crate) fn owner(self) -> Option<ObjectId> {
        Some(self.ownership?.owner(self.object))
    }

    /// Letter of the kind of that root.
    pub(crate) fn kind_letter(self) -> Option<Cow<'static, str>> {
        Some(self.ownership?.kind(self.object).letter().to_string().into())
    }
}

/// Sort order of a column, by key or short word.
pub fn by_of(key: &str) -> Option<OwnershipOrder> {
    match key {
        "total_bytes" | "total" => Some(OwnershipOrder::Total),
        "descendants" => Some(OwnershipOrder::Descendants),
        "max_depth" | "depth" => Some(OwnershipOrder::Depth),
        _ => None,
    }
}

/// Conditions on the numbers of inferred roots.
pub struct RootConditions(Conditions<OwnedRow<'static>>);

impl RootConditions {
    /// The conditions of a typed filter; one that roots do not have is an error there, and left out.
    pub fn of_typed(dump: TableContext<'_>, filter: &mut TypedFilter) -> Self {
        Self(filter.conditions_of(ROOTS, |when| when.holds(dump)))
    }

    /// Removes the roots that do not meet them.
    pub fn keep(&self, dump: TableContext<'_>, ownership: &Ownership, roots: &mut Vec<ObjectId>) {
        roots.retain(|&object| self.0.are_met(OwnedRow { object, ownership: Some(ownership) }, dump));
    }
}

/// Summary as printed by HeapRoots: its own wording, and JSON keys.
pub fn process_cells(process: &Process) -> [(&'static str, &'static str, Value<'static>); 9] {
    [
        ("objects", "# Objects", Value::Count(process.objects)),
        ("references", "# Refs", Value::Count(process.references)),
        ("unresolved", "# Unresolved refs", Value::Count(process.unresolved)),
        ("heap_bytes", "Heap usage", Value::Bytes(process.heap_bytes)),
        ("address_range_bytes", "Total Object Range", process.address_range.map_or(Value::Null, Value::Bytes)),
        ("pure_roots", "Pure roots", Value::Count(process.pure_roots)),
        ("pure_roots_reach", "... which reach", Value::Count(process.pure_roots_reach)),
        ("artificial_roots", "Artificial roots", Value::Count(process.artificial_roots)),
        ("softlinks_followed", "Softlinks followed", Value::Count(process.softlinks_followed)),
    ]
}

/// The roots, largest total first. The row number is the index in the list.
pub struct OwnershipRoots {
    /// Ownership of objects.
    pub ownership: Arc<Ownership>,
    /// The roots.
    pub roots: Vec<ObjectId>,
}

impl OwnershipRoots {
    /// Table of computed roots.
    pub fn new(ownership: Arc<Ownership>) -> Self {
        let roots = ownership.roots(OwnershipOrder::Total);
        Self { ownership, roots }
    }
}

impl TypedTable for OwnershipRoots {
    type Record = OwnedRow<'static>;
    const COLUMNS: Columns<OwnedRow<'static>> = ROOTS;
    const LIST: (&'static str, bool) = ("rows", true);

    fn count(&self) -> usize {
        self.roots.len()
    }

    fn row(&self, row: usize) -> Option<OwnedRow<'_>> {
        Some(OwnedRow { object: *self.roots.get(row)?, ownership: Some(&self.ownership) })
    }

    fn passes(&self, dump: TableContext<'_>, row: OwnedRow<'_>, filter: &TextFilter) -> bool {
        filter.matches(self.ownership.kind(row.object).name()) || filter.passes_object(dump.data(), row.object)
    }

    fn sort(&self, dump: TableContext<'_>, rows: &mut Vec<u32>, by: (&str, bool), task: &Task) -> TableResult {
        let Some(order) = by_of(by.0) else { return sort_by_column(self, dump, rows, by, task) };
        // Ties go by address, not by the default order.
        rows.sort_by_key(|&row| {
            let object = self.roots.get(row as usize).copied();
            (Reverse(object.map_or(0, |object| order.of(&self.ownership.of(object)))), object)
        });
        if by.1 {
            rows.reverse();
        }
        Ok(())
    }

    fn totals(&self, _from: TableContext<'_>, _rows: &[u32]) -> Totals {
        process_cells(&self.ownership.process).map(|(key, _, cell)| (key, cell)).into()
    }
}

/// Every object of the file, reachable or not, in id order. The row number is the object's.
pub struct OwnedObjects {
    /// Ownership of objects.
    pub ownership: Arc<Ownership>,
}

impl TypedTable for OwnedObjects {
    type Record = OwnedRow<'static>;
    const COLUMNS: Columns<OwnedRow<'static>> = OBJECTS;

    fn count(&self) -> usize {
        usize::try_from(self.ownership.process.objects).unwrap_or(usize::MAX)
    }

    fn row(&self, row: usize) -> Option<OwnedRow<'_>> {
        Some(OwnedRow { object: ObjectId::new(row)?, ownership: Some(&self.ownership) })
    }

    fn passes(&self, dump: TableContext<'_>, row: OwnedRow<'_>, filter: &TextFilter) -> bool {
        filter.passes_object(dump.data(), row.object)
    }

    fn ordered_rows<'a>(
        &'a self,
        dump: TableContext<'a>,
        row_query: &RowQuery,
        task: &Task,
    ) -> TableResult<OrderedRows<'a>> {
        let filter = row_query.row_filter()?;
        let conditions = filter.conditions(Self::COLUMNS, |when| self.has(dump, when))?;
        let ranges = row_query.clone();
        let passes = move |&row: &u32| {
            let passes =
                |row| conditions.are_met(row, dump) && (filter.text.is_empty() || self.passes(dump, row, &filter.text));
            ranges.has_number(row) && (filter.is_empty() || self.row(row as usize).is_some_and(passes))
        };
        let passing = (0..self.count() as u32).filter(passes);
        let rows = match (row_query.sort.as_deref(), row_query.reverse) {
            (None | Some("id"), false) => row_query.part(passing),
            (Some(key), reverse) if by_of(key).is_some() => {
                let by = by_of(key).unwrap_or_default();
                let mut objects = Vec::new();
                for (at, row) in passing.enumerate() {
                    if at.is_multiple_of(CHECKPOINT_EVERY >> 6) {
                        task.checkpoint()?;
                    }
                    objects.extend(ObjectId::from_raw(row));
                }
                self.ownership.sort(&mut objects, by);
                if reverse {
                    objects.reverse();
                }
                row_query.part(objects.into_iter().map(ObjectId::raw))
            }
            (sort, reverse) => {
                let mut rows: Vec<u32> = passing.collect();
                match sort {
                    Some(key) => self.sort(dump, &mut rows, (key, reverse), task)?,
                    None => rows.reverse(),
                }
                row_query.part(rows.into_iter())
            }
        };
        Ok(OrderedRows { rows, totals: Vec::new(), expected: self.count() as u64 })
    }
}

/// Ownership data of one object: kind, owner, parent, total, descendants and depth, with JSON keys and headings.
pub fn of_object(
    dump: TableContext<'_>,
    ownership: &Ownership,
    object: ObjectId,
) -> [(&'static str, &'static str, Value<'static>); 6] {
    let kind = match ownership.kind(object) {
        Kind::NonRoot => Value::Null,
        kind => Value::text(kind.name().to_owned()),
    };
    let parent = ownership.parent(object).map_or(Value::Null, |parent| Value::text(dump.heap.id_text(parent)));
    let owned = ownership.of(object);
    [
        ("kind", "Inferred root", kind),
        ("owner", "Root owner", Value::text(dump.heap.id_text(ownership.owner(object)))),
        ("parent", "Owning parent", parent),
        ("total_bytes", "Total", Value::Bytes(Bytes(owned.total))),
        ("descendants", "Descendants", Value::Count(owned.descendants.into())),
        ("max_depth", "Depth below", Value::Count(owned.max_depth.into())),
    ]
}
