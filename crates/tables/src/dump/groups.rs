//! Objects and bytes by package, class loader or superclass.

use crate::columns::{Cell, Columns, Item, heading, headings};
use crate::export::table_context::TableContext;
use crate::table::RowOf;
use crate::{TableError, Totals, TypedTable};
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::grouping::{GroupBy, GroupRow, groups};
use heaplens_base::task::Task;
use heaplens_base::units::Bytes;

/// Groups by loader also name the loader object.
pub(crate) const COLUMNS: Columns<Item<GroupRow>> = &[
    &[
        heading("group", "Group", "Package, class loader or superclass that the row sums up")
            .text(|row, _| Some(row.name.as_str().into())),
        heading("classes", "Classes", "Number of classes with objects").count(|row, _| Some(row.members.len() as u64)),
        headings::OBJECTS.count(|row, _| Some(row.objects)),
        headings::SHALLOW_OF_ALL.bytes(|row, _| Some(row.shallow)),
        headings::RETAINED_BY_ALL.bytes(|row, _| Some(row.retained)),
    ],
    &[heading("id", "Object", "Address or id of the class loader or of the class object").object(|row, _| row.object)],
];

/// The groups, largest shallow size first.
pub struct Groups {
    by: GroupBy,
    /// One row per group.
    pub rows: Vec<GroupRow>,
}

impl Groups {
    /// Computes the rows.
    ///
    /// # Errors
    /// [`TableError::Cancelled`] if the task is cancelled.
    pub fn of(from: TableContext<'_>, by: GroupBy, task: &Task) -> Result<Self, TableError> {
        Ok(Self { by, rows: groups(from.heap, from.contents, from.analysis, by, task)? })
    }
}

impl TypedTable for Groups {
    type Record = Item<GroupRow>;

    fn columns(&self) -> Columns<Self::Record> {
        if self.by == GroupBy::Loader { COLUMNS } else { &COLUMNS[..1] }
    }

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, row: usize) -> Option<RowOf<'_, Self>> {
        self.rows.get(row)
    }

    fn passes(&self, _from: TableContext<'_>, row: RowOf<'_, Self>, filter: &TextFilter) -> bool {
        filter.matches(&row.name)
    }

    fn totals(&self, _from: TableContext<'_>, rows: &[u32]) -> Totals {
        let rows = rows.iter().filter_map(|&row| self.rows.get(row as usize));
        let (objects, shallow) = rows.fold((0, Bytes(0)), |(n, bytes), row| (n + row.objects, bytes + row.shallow));
        vec![("objects", Cell::Count(objects)), ("shallow_bytes", Cell::Size(shallow))]
    }
}
