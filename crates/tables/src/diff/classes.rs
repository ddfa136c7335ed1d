//! Classes before and after.

use std::io::{self, Write};

use super::{ChangeFilter, HeapLender, column_or_change, columns};
use crate::export::columns;
use crate::export::diff::{ClassAmount, ClassChange};
use crate::export::table::{Cell, Column, column_with_help};
use crate::export::table_context::TableContext;
use crate::{Table, optional};
use heaplens_analysis::diff::classes::ClassRow;
use heaplens_analysis::diff::entry_diff::EntryDiff;
use heaplens_analysis::diff::kinds::Kind;
use heaplens_analysis::filter::TextFilter;

const COLUMNS: &[Column] = columns!(
    [columns::CLASS, columns::LOADER]
    ("objects", "Objects", "objects", "Number of objects")
    ("shallow_bytes", "Shallow size", "shallow size", "Shallow size")
    ("retained_bytes", "Retained size", "retained size", "Retained size")
    [
        column_with_help("new_objects", "Added", "Objects that exist only in the target"),
        column_with_help("gone_objects", "Removed", "Objects that exist only in the baseline"),
        column_with_help("new_bytes", "Added size", "Shallow size of the added objects"),
        column_with_help("gone_bytes", "Removed size", "Shallow size of the removed objects"),
        column_with_help("unknown_objects", "Ambiguous after", "Objects of the target that may exist in the baseline too but could not be matched"),
        column_with_help("unknown_bytes", "Ambiguous size after", "Shallow size of the ambiguous objects of the target"),
        column_with_help("unknown_before_objects", "Ambiguous before", "Objects of the baseline that may exist in the target too but could not be matched"),
        column_with_help("unknown_before_bytes", "Ambiguous size before", "Shallow size of the ambiguous objects of the baseline")
    ]
);

/// Class, objects, added and removed ones, and differences of sizes.
const FOR_TEXT: &[usize] = &[0, 2, 3, 4, 11, 12, 7, 9, 10];

/// The classes, largest growth of shallow size first.
pub struct ClassChanges<'a> {
    heaps: Box<dyn HeapLender + 'a>,
    rows: Vec<(ClassRow, EntryDiff)>,
}

impl<'a> ClassChanges<'a> {
    /// Rows of compared heaps; `turnover` is indexed by class kind.
    pub fn new(heaps: Box<dyn HeapLender + 'a>, turnover: &[EntryDiff], which: ChangeFilter) -> Self {
        let of = |row: &ClassRow| turnover.get(row.kind.0 as usize).copied().unwrap_or_default();
        let told = |(row, turnover): &(ClassRow, EntryDiff)| match which {
            ChangeFilter::All => true,
            ChangeFilter::Changed => row.change.before != row.change.after || turnover.has_any(),
            ChangeFilter::Grown => row.change.shallow().0 > 0,
        };
        let classes = heaps.lend().map_or(&[][..], |heaps| &heaps.comparison.classes);
        let rows = classes.iter().map(|row| (row.clone(), of(row))).filter(told).collect();
        Self { heaps, rows }
    }

    fn kind(&self, row: usize) -> Option<&Kind> {
        let (row, _) = self.rows.get(row)?;
        self.heaps.lend()?.comparison.matches.kinds.get(row.kind)
    }

    fn change(&self, row: usize) -> Option<ClassChange<'_>> {
        let ((row, turnover), kind) = (self.rows.get(row)?, self.kind(row)?);
        Some(ClassChange {
            class: &kind.name,
            loader: kind.loader.as_deref(),
            before: ClassAmount::of(row.change.before),
            after: ClassAmount::of(row.change.after),
            delta: ClassAmount::more(&row.change),
            new_objects: turnover.came.objects,
            gone_objects: turnover.went.objects,
            new_bytes: turnover.came.shallow.0,
            gone_bytes: turnover.went.shallow.0,
            unknown_objects: turnover.unknown_after.objects,
            unknown_bytes: turnover.unknown_after.shallow.0,
            unknown_before_objects: turnover.unknown_before.objects,
            unknown_before_bytes: turnover.unknown_before.shallow.0,
        })
    }
}

impl Table for ClassChanges<'_> {
    fn columns(&self) -> &'static [Column] {
        COLUMNS
    }

    fn for_text(&self) -> Option<&'static [usize]> {
        Some(FOR_TEXT)
    }

    fn column(&self, key: &str) -> Option<usize> {
        column_or_change(self.columns(), key)
    }

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn cell(&self, _from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let (Some((class, turnover)), Some(kind)) = (self.rows.get(row), self.kind(row)) else {
            return Cell::Nothing;
        };
        let change = &class.change;
        match column {
            0 => Cell::Text(kind.name.to_string()),
            1 => optional(kind.loader.as_deref().map(str::to_owned)),
            2 => Cell::Count(change.before.objects),
            3 => Cell::Count(change.after.objects),
            4 => Cell::More(change.objects()),
            5 => Cell::Size(change.before.shallow),
            6 => Cell::Size(change.after.shallow),
            7 => Cell::Growth(change.shallow()),
            8 => Cell::Size(change.before.retained),
            9 => Cell::Size(change.after.retained),
            10 => Cell::Growth(change.retained()),
            11 => Cell::Count(turnover.came.objects),
            12 => Cell::Count(turnover.went.objects),
            13 => Cell::Size(turnover.came.shallow),
            14 => Cell::Size(turnover.went.shallow),
            15 => Cell::Count(turnover.unknown_after.objects),
            16 => Cell::Size(turnover.unknown_after.shallow),
            17 => Cell::Count(turnover.unknown_before.objects),
            18 => Cell::Size(turnover.unknown_before.shallow),
            _ => Cell::Change { before: change.before.objects, after: change.after.objects },
        }
    }

    fn passes(&self, _from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.kind(row).is_some_and(|kind| filter.matches(&kind.name))
    }

    fn list(&self) -> (&'static str, bool) {
        ("classes", false)
    }

    fn write_row(&self, _from: TableContext<'_>, row: usize, _nth: usize, out: &mut dyn Write) -> io::Result<()> {
        Ok(self.change(row).map_or(Ok(()), |told| serde_json::to_writer(out, &told))?)
    }
}
