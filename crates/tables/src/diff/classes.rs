//! Classes before and after.

use super::measures::{self, Changed, in_text};
use super::{ChangeFilter, HeapLender};
use crate::columns::{Columns, Record, TextPlace, heading, headings};
use crate::{TableContext, TypedTable};
use heaplens_analysis::TextFilter;
use heaplens_analysis::diff::Change;
use heaplens_analysis::diff::classes::ClassRow;
use heaplens_analysis::diff::entry_diff::EntryDiff;
use heaplens_analysis::diff::kinds::ComparedClass;

pub(crate) const COLUMNS: Columns<ClassChangeRow<'static>> = &[
    &[
        headings::CLASS.text(|row, _| Some(row.kind.name.as_ref().into())),
        headings::LOADER.in_text(TextPlace::Omitted).text(|row, _| row.kind.loader.as_deref().map(Into::into)),
    ],
    &measures::changes(
        &measures::OBJECTS,
        &in_text(measures::SHALLOW, [false, false, true]),
        &in_text(measures::RETAINED, [false, true, true]),
    ),
    &[
        heading("new_objects", "Added", "Objects that exist only in the target")
            .in_text(TextPlace::After("delta_objects"))
            .count(|row, _| Some(row.turnover.added.objects)),
        heading("gone_objects", "Removed", "Objects that exist only in the baseline")
            .in_text(TextPlace::After("delta_objects"))
            .count(|row, _| Some(row.turnover.removed.objects)),
        heading("new_bytes", "Added size", "Shallow size of the added objects")
            .in_text(TextPlace::Omitted)
            .bytes(|row, _| Some(row.turnover.added.shallow)),
        heading("gone_bytes", "Removed size", "Shallow size of the removed objects")
            .in_text(TextPlace::Omitted)
            .bytes(|row, _| Some(row.turnover.removed.shallow)),
        heading(
            "unknown_objects",
            "Ambiguous after",
            "Objects of the target that may exist in the baseline too but could not be matched",
        )
        .in_text(TextPlace::Omitted)
        .count(|row, _| Some(row.turnover.unknown_after.objects)),
        heading("unknown_bytes", "Ambiguous size after", "Shallow size of the ambiguous objects of the target")
            .in_text(TextPlace::Omitted)
            .bytes(|row, _| Some(row.turnover.unknown_after.shallow)),
        heading(
            "unknown_before_objects",
            "Ambiguous before",
            "Objects of the baseline that may exist in the target too but could not be matched",
        )
        .in_text(TextPlace::Omitted)
        .count(|row, _| Some(row.turnover.unknown_before.objects)),
        heading(
            "unknown_before_bytes",
            "Ambiguous size before",
            "Shallow size of the ambiguous objects of the baseline",
        )
        .in_text(TextPlace::Omitted)
        .bytes(|row, _| Some(row.turnover.unknown_before.shallow)),
        measures::SHALLOW_CHANGE.change(|row, _| Some((row.change.before.shallow.0, row.change.after.shallow.0))),
    ],
];

/// A class before and after.
#[derive(Clone, Copy)]
pub struct ClassChangeRow<'a> {
    kind: &'a ComparedClass,
    change: &'a Change,
    turnover: &'a EntryDiff,
}

impl Record for ClassChangeRow<'static> {
    type Row<'a> = ClassChangeRow<'a>;
}

impl Changed for ClassChangeRow<'static> {
    fn change(row: Self::Row<'_>) -> &Change {
        row.change
    }
}

/// The classes, largest growth of shallow size first.
pub struct ClassChanges<'a> {
    heaps: Box<dyn HeapLender + 'a>,
    rows: Vec<(ClassRow, EntryDiff)>,
}

impl<'a> ClassChanges<'a> {
    /// Rows of compared heaps; `turnover` is indexed by class kind.
    pub fn new(heaps: Box<dyn HeapLender + 'a>, turnover: &[EntryDiff], which: ChangeFilter) -> Self {
        let of = |row: &ClassRow| turnover.get(row.kind.0 as usize).copied().unwrap_or_default();
        let is_listed = |(row, turnover): &(ClassRow, EntryDiff)| match which {
            ChangeFilter::All => true,
            ChangeFilter::Changed => row.change.before != row.change.after || turnover.has_any(),
            ChangeFilter::Grown => row.change.shallow().0 > 0,
        };
        let classes = heaps.lend().map_or(&[][..], |heaps| &heaps.comparison.classes);
        let rows = classes.iter().map(|row| (row.clone(), of(row))).filter(is_listed).collect();
        Self { heaps, rows }
    }
}

impl TypedTable for ClassChanges<'_> {
    type Record = ClassChangeRow<'static>;
    const BY_DUMP: bool = true;
    const COLUMNS: Columns<ClassChangeRow<'static>> = COLUMNS;
    const LIST: (&'static str, bool) = ("classes", false);

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, row: usize) -> Option<ClassChangeRow<'_>> {
        let (row, turnover) = self.rows.get(row)?;
        let kind = self.heaps.lend()?.comparison.matches.kinds.get(row.kind)?;
        Some(ClassChangeRow { kind, change: &row.change, turnover })
    }

    fn passes(&self, _from: TableContext<'_>, row: ClassChangeRow<'_>, filter: &TextFilter) -> bool {
        filter.matches(&row.kind.name)
    }
}
