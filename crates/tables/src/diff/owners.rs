//! Growth by owner: each is named, and its entries are counted, when it
//! is first needed. There may be thousands, of which fifty are shown.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::OnceLock;

use super::measures::{self, Changed};
use super::{BorrowedHeaps, ChangeFilter, HeapLender};
use crate::columns::{ColumnInfo, Columns, Record, heading};
use crate::export::diff::{ClassAmount, EntriesChange, Increase, OwnerChange, PartChange};
use crate::{TableContext, TypedTable, table::infos};
use heaplens_analysis::DumpData;
use heaplens_analysis::diff::entries::{Entry, entries};
use heaplens_analysis::diff::{Change, Entries, GrowthOwner, GrowthRow, MatchMethod, Matches};
use heaplens_analysis::leaks::{self, OwnersName, general};
use heaplens_analysis::naming::distinctions;
use heaplens_analysis::{Namer, TextFilter, diff::growth::Part};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

/// Number of rows, those that grew most first, that are told apart where their names are the same.
const TOLD_APART: usize = 500;

pub(crate) const COLUMNS: Columns<OwnerRow<'static>> = &[
    &[
        heading("owner", "Owner", "Nearest object in both dumps that dominates the added and removed objects")
            .text(|row, _| Some(row.table.name(row.nth).into())),
        heading(
            "distinction",
            "Distinction",
            "What tells the owner from others of the same name: the last steps of its path, its loader or its id",
        )
        .text(|row, _| Some(row.table.distinction(row.nth)?.into())),
        heading("class", "Class", "Class of the owner").text(|row, _| Some(class(row.heaps, row.growth).into())),
        heading("owners", "Owners", "Number of similar owners that the row sums up")
            .count(|row, _| Some(row.growth.owners.len() as u64)),
    ],
    &measures::changes(&measures::OBJECTS, &measures::SHALLOW, &measures::RETAINED),
    &[
        heading("charged_objects", "Growth in objects", "Added minus removed objects attributed to this owner")
            .count_delta(|row, _| Some(row.growth.objects)),
        heading(
            "charged_bytes",
            "Growth",
            "Net change in bytes attributed to this owner; all rows sum to the total difference",
        )
        .byte_delta(|row, _| Some(row.growth.bytes)),
        heading(
            "moved_bytes",
            "Moved",
            "Bytes that moved here from other owners minus bytes that moved to others; not growth",
        )
        .byte_delta(|row, _| Some(row.growth.moved)),
        heading(
            "matched_by",
            "Matched by",
            "Property that identifies the owner in both dumps, such as id, address, key or path",
        )
        .text(|row, _| Some(method_of(row.growth)?.name().into())),
        heading("sureness", "Confidence", "Confidence of the match: certain, likely or guess")
            .text(|row, _| Some(method_of(row.growth)?.confidence().name().into())),
        heading("entries_before", "Entries before", "Entries of the collection in the baseline")
            .count(|row, _| Some(row.table.counted(row.nth)?.before)),
        heading("entries_after", "Entries after", "Entries of the collection in the target")
            .count(|row, _| Some(row.table.counted(row.nth)?.after)),
        heading("entries_came", "Entries added", "Entries whose key is only in the target")
            .count(|row, _| Some(row.table.counted(row.nth)?.added)),
        heading("entries_went", "Entries removed", "Entries whose key is only in the baseline")
            .count(|row, _| Some(row.table.counted(row.nth)?.removed)),
        heading(
            "entries_not_compared_before",
            "Not compared before",
            "Entries of the baseline that may also be in the target: their keys are not recorded, or ambiguous",
        )
        .count(|row, _| Some(row.table.counted(row.nth)?.not_compared_before)),
        heading(
            "entries_not_compared_after",
            "Not compared after",
            "Entries of the target that may also be in the baseline: their keys are not recorded, or ambiguous",
        )
        .count(|row, _| Some(row.table.counted(row.nth)?.not_compared_after)),
        heading("id", "Id", "Address or id of the owner, or of the first of several, in the later dump")
            .text(|row, _| Some(row.heaps.pair.after.heap.id_text(owner_object(row.growth)?).into())),
    ],
];

/// An owner in its table.
#[derive(Clone, Copy)]
pub struct OwnerRow<'a> {
    table: &'a OwnerChanges<'a>,
    nth: usize,
    heaps: BorrowedHeaps<'a>,
    growth: &'a GrowthRow,
}

impl Record for OwnerRow<'static> {
    type Row<'a> = OwnerRow<'a>;
}

impl Changed for OwnerRow<'static> {
    fn change(row: Self::Row<'_>) -> &Change {
        &row.growth.change
    }
}

/// Level of detail of owners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnerDetail {
    /// Maximum number of keys listed of added and of removed entries.
    pub keys: usize,
    /// Maximum number of names listed of similar owners.
    pub names: usize,
}

/// The owners, largest growth first.
pub struct OwnerChanges<'a> {
    heaps: Box<dyn HeapLender + 'a>,
    wanted: OwnerDetail,
    /// Indices of the shown growth rows.
    rows: Vec<u32>,
    names: Vec<OnceLock<OwnersName>>,
    /// By row what tells its owner from others of its name, among the first 500 rows.
    distinctions: OnceLock<BTreeMap<usize, String>>,
    /// Counts of entries of each collection, without keys. Keys are read again when a row is written: there may be
    /// millions.
    counted: Vec<OnceLock<Option<Entries>>>,
}

/// Name of the owners of a row. Empty without owners. `namer` belongs to the target.
pub fn owners_name(namer: Namer<'_>, matches: &Matches, owners: &[GrowthOwner]) -> OwnersName {
    // This task is never cancelled.
    leaks::owners_name(namer, matches, owners, &Task::new()).unwrap_or_default()
}

/// Name of one owner, as [`owners_name`].
pub fn owner_name(namer: Namer<'_>, matches: &Matches, owner: &GrowthOwner) -> String {
    owners_name(namer, matches, std::slice::from_ref(owner)).short
}

impl<'a> OwnerChanges<'a> {
    /// All columns of the table, before there are rows.
    pub fn declared_columns() -> Vec<ColumnInfo> {
        infos(COLUMNS)
    }

    /// Rows of compared heaps.
    pub fn new(heaps: Box<dyn HeapLender + 'a>, which: ChangeFilter, wanted: OwnerDetail) -> Self {
        // Moves between owners alone are not shown.
        let turned = |part: &Part| part.added > 0 || part.removed > 0 || part.bytes.0 != 0;
        let is_listed = |(_, row): &(u32, &GrowthRow)| match which {
            ChangeFilter::All => true,
            ChangeFilter::Changed => row.bytes.0 != 0 || row.parts.iter().any(turned),
            ChangeFilter::Grown => row.bytes.0 > 0,
        };
        let growth = heaps.lend().map_or(&[][..], |heaps| &heaps.comparison.growth.rows);
        let rows: Vec<u32> = (0..).zip(growth).filter(is_listed).map(|(at, _)| at).collect();
        let names = rows.iter().map(|_| OnceLock::new()).collect();
        let counted = rows.iter().map(|_| OnceLock::new()).collect();
        Self { heaps, wanted, rows, names, distinctions: OnceLock::new(), counted }
    }

    /// Name of the owner, or of the first of several similar ones.
    pub fn name(&self, row: usize) -> &str {
        self.names(row).map_or("", |names| &names.short)
    }

    fn names(&self, row: usize) -> Option<&OwnersName> {
        let name = || {
            let OwnerRow { heaps, growth, .. } = self.row(row)?;
            Some(owners_name(heaps.namer, &heaps.comparison.matches, &growth.owners))
        };
        Some(self.names.get(row)?.get_or_init(|| name().unwrap_or_default()))
    }

    /// What tells the owner from others with its name, among the first 500 rows: the last steps of the path to it;
    /// of objects without a single owner, their class loader; else the id. `None` if no other has its name.
    pub fn distinction(&self, row: usize) -> Option<&str> {
        let find = || {
            let names: Vec<&str> = (0..self.rows.len().min(TOLD_APART)).map(|row| self.name(row)).collect();
            // This task is never cancelled.
            distinctions(&names, |row| self.path(row, &Task::new()), |row| self.id(row)).unwrap_or_default()
        };
        self.distinctions.get_or_init(find).get(&row).map(String::as_str)
    }

    /// The reference path to the structure of a row, or the class loader of objects without a single owner.
    fn path(&self, row: usize, task: &Task) -> Result<Option<String>, Cancelled> {
        let Some(OwnerRow { heaps, growth, .. }) = self.row(row) else { return Ok(None) };
        match growth.owners.first() {
            Some(owner @ &GrowthOwner::Object { after, .. }) => {
                let structure = owner.structure().unwrap_or(after);
                let path = heaps.namer.name(structure, task)?;
                // Of several owners, what all have.
                let path = if growth.owners.len() > 1 { path.map(|path| general(&path)) } else { path };
                Ok(Some(path.unwrap_or_else(|| heaps.pair.after.heap.id_text(structure))))
            }
            Some(&GrowthOwner::Top(kind)) => {
                let kind = heaps.comparison.matches.kinds.get(kind);
                Ok(kind.and_then(|kind| kind.loader.as_deref()).map(str::to_owned))
            }
            None => Ok(None),
        }
    }

    /// Id of the owner of a row: two owners may lead to one structure.
    fn id(&self, row: usize) -> Option<String> {
        let OwnerRow { heaps, growth, .. } = self.row(row)?;
        Some(heaps.pair.after.heap.id_text(owner_object(growth)?))
    }

    /// All details of a row.
    pub fn change(&self, row: usize) -> Option<OwnerChange> {
        Some(self.tell(self.row(row)?))
    }

    fn counted(&self, row: usize) -> Option<&Entries> {
        let count = || {
            let OwnerRow { heaps, growth, .. } = self.row(row)?;
            Some(Entries { new: Vec::new(), removed_entries: Vec::new(), ..entries_of(heaps, growth, 1)? })
        };
        self.counted.get(row)?.get_or_init(count).as_ref()
    }

    fn tell(&self, OwnerRow { nth, heaps, growth, .. }: OwnerRow<'_>) -> OwnerChange {
        let entries = entries_of(heaps, growth, self.wanted.keys);
        let method = method_of(growth);
        let several = growth.owners.iter().take(self.wanted.names).filter(|_| growth.owners.len() > 1);
        let change = &growth.change;
        OwnerChange {
            owner: self.names(nth).map(|names| names.qualified.clone()).unwrap_or_default(),
            short_name: self.name(nth).to_owned(),
            distinction: self.distinction(nth).map(str::to_owned),
            class: class(heaps, growth),
            id: owner_object(growth).map(|object| heaps.pair.after.heap.id_text(object)),
            owners: growth.owners.len() as u64,
            names: several.map(|owner| owner_name(heaps.namer, &heaps.comparison.matches, owner)).collect(),
            before: ClassAmount::of(change.before),
            after: ClassAmount::of(change.after),
            delta: ClassAmount::more(change),
            charged: Increase { objects: growth.objects.0, bytes: growth.bytes.0 },
            moved_bytes: growth.moved.0,
            parts: growth.parts.iter().map(|part| told_part(heaps, part)).collect(),
            told_by: naming_part(heaps, growth, entries.as_ref()),
            how: method,
            matched_by: method.map(MatchMethod::name),
            confidence: method.map(|method| method.confidence().name()),
            entries: entries.map(|entries| self.entries(entries)),
        }
    }

    fn entries(&self, entries: Entries) -> EntriesChange {
        let keys = |some: Vec<Entry>| some.into_iter().take(self.wanted.keys).map(|entry| entry.key).collect();
        EntriesChange {
            kind: entries.kind.name(),
            before: entries.before,
            after: entries.after,
            kept: entries.in_both,
            added: entries.added,
            removed: entries.removed,
            not_compared_before: entries.not_compared_before,
            not_compared_after: entries.not_compared_after,
            new: keys(entries.new),
            gone: keys(entries.removed_entries),
        }
    }
}

/// The owner in the later dump, or the first of several: the holder of the field that grew, else the structure. Two owners may
/// lead to one structure, so its id would not tell them apart.
fn owner_object(growth: &GrowthRow) -> Option<ObjectId> {
    match *growth.owners.first()? {
        GrowthOwner::Object { after, .. } => Some(after),
        GrowthOwner::Top(_) => None,
    }
}

/// Criterion by which an owner was matched.
fn method_of(growth: &GrowthRow) -> Option<MatchMethod> {
    match *growth.owners.first()? {
        GrowthOwner::Object { method, .. } => Some(method),
        GrowthOwner::Top(_) => None,
    }
}

fn class(heaps: BorrowedHeaps<'_>, growth: &GrowthRow) -> String {
    let name = match growth.owners.first() {
        Some(owner @ &GrowthOwner::Object { after, .. }) => {
            Some(&heaps.pair.after.heap.class(owner.structure().unwrap_or(after)).name)
        }
        Some(&GrowthOwner::Top(kind)) => heaps.comparison.matches.kinds.get(kind).map(|kind| &kind.name),
        None => None,
    };
    name.map(ToString::to_string).unwrap_or_default()
}

/// Entries of an owner that is a collection, with at most this many keys.
fn entries_of(heaps: BorrowedHeaps<'_>, growth: &GrowthRow, keys: usize) -> Option<Entries> {
    let owner = growth.owners.first()?;
    let (before, after) = owner.structure_before().zip(owner.structure())?;
    // This task is never cancelled.
    entries(heaps.pair, &heaps.comparison.matches, before, after, keys.max(1), &Task::new()).ok().flatten()
}

fn told_part(heaps: BorrowedHeaps<'_>, part: &Part) -> PartChange {
    let kind = heaps.comparison.matches.kinds.get(part.kind);
    PartChange {
        class: kind.map(|kind| kind.name.to_string()).unwrap_or_default(),
        loader: kind.and_then(|kind| kind.loader.as_deref()).map(str::to_owned),
        added: part.added,
        removed: part.removed,
        bytes: part.bytes.0,
        moved_bytes: part.moved.0,
    }
}

/// Index of the part that names the growth: objects put into the collection (`entries`), else application classes, else
/// the first part, which has most bytes. `None` if nothing was added or removed.
pub fn naming_part(heaps: BorrowedHeaps<'_>, growth: &GrowthRow, entries: Option<&Entries>) -> Option<usize> {
    let (pair, kinds) = (heaps.pair, &heaps.comparison.matches.kinds);
    let turned = |part: &Part| part.added != part.removed && (part.added > part.removed) == (growth.bytes.0 > 0);
    let put_in = entries.and_then(|entries| {
        let kind = |side: DumpData<'_>, of: &[Entry]| -> Option<_> {
            let value: ObjectId = of.first()?.value?;
            Some(side.heap.class_id(value))
        };
        if growth.bytes.0 > 0 {
            kind(pair.after, &entries.new).map(|class| kinds.of_after(class))
        } else {
            kind(pair.before, &entries.removed_entries).map(|class| kinds.of_before(class))
        }
    });
    let is_application = |part: &Part| {
        let class = kinds.get(part.kind).and_then(|kind| kind.after.first());
        class.is_some_and(|&class| !heaps.namer.index.is_runtime(class))
    };
    let nth = |wanted: &dyn Fn(&Part) -> bool| growth.parts.iter().position(|part| turned(part) && wanted(part));
    nth(&|part| Some(part.kind) == put_in).or_else(|| nth(&is_application)).or_else(|| nth(&|_| true))
}

impl TypedTable for OwnerChanges<'_> {
    type Record = OwnerRow<'static>;
    const COLUMNS: Columns<OwnerRow<'static>> = COLUMNS;
    const LIST: (&'static str, bool) = ("owners", false);

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, row: usize) -> Option<OwnerRow<'_>> {
        let (heaps, &at) = (self.heaps.lend()?, self.rows.get(row)?);
        Some(OwnerRow { table: self, nth: row, heaps, growth: heaps.comparison.growth.rows.get(at as usize)? })
    }

    fn passes(&self, _from: TableContext<'_>, row: OwnerRow<'_>, filter: &TextFilter) -> bool {
        let OwnerRow { nth, heaps, growth, .. } = row;
        let class = |owner: &GrowthOwner| match *owner {
            GrowthOwner::Object { after, .. } => filter.matches(&heaps.pair.after.heap.class(after).name),
            GrowthOwner::Top(_) => false,
        };
        let of_kind =
            |part: &Part| heaps.comparison.matches.kinds.get(part.kind).is_some_and(|kind| filter.matches(&kind.name));
        growth.owners.first().is_some_and(class) || growth.parts.iter().any(of_kind) || filter.matches(self.name(nth))
    }

    fn write_row(&self, _: TableContext<'_>, row: OwnerRow<'_>, _: usize, out: &mut dyn Write) -> io::Result<()> {
        Ok(serde_json::to_writer(out, &self.tell(row))?)
    }
}
