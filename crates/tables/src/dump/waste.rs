//! Wasted memory by kind.

use std::io::{self, Write};

use crate::columns::{Cell, Columns, Item, heading};
use crate::export::table_context::TableContext;
use crate::export::waste::WasteRow as JsonRow;
use crate::table::RowOf;
use crate::{TableError, TypedTable};
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::strings::duplicate_strings;
use heaplens_analysis::waste::{WasteKind, WasteRow, complete, waste};
use heaplens_base::task::Task;

/// Maximum number of examples in text forms.
const EXAMPLES: usize = 3;

pub(crate) const COLUMNS: Columns<Item<WasteRow>> = &[&[
    heading("kind", "Kind", "Kind of wasted memory").for_people(titled).text(|row, _| Some(row.kind.key().into())),
    heading("objects", "Objects", "Number of objects that waste memory or are redundant")
        .count(|row, _| Some(row.objects)),
    heading("wasted_bytes", "Wasted", "Bytes that could be saved").bytes(|row, _| Some(row.wasted)),
    heading("examples", "Largest", "Addresses or ids of the objects that waste most")
        .for_people(first_examples)
        .text(|row, from| Some(examples(from, row).join(" ").into())),
]];

/// Title of a kind of waste.
fn titled(kind: Cell) -> Cell {
    match kind {
        Cell::Text(key) => Cell::Text(WasteKind::of_key(&key).map_or(key, |kind| kind.title().to_owned())),
        cell => cell,
    }
}

fn first_examples(ids: Cell) -> Cell {
    match ids {
        Cell::Text(ids) => Cell::Text(ids.split(' ').take(EXAMPLES).collect::<Vec<_>>().join(" ")),
        cell => cell,
    }
}

/// The kinds of waste, most wasted bytes first.
pub struct Waste(pub Vec<WasteRow>);

impl Waste {
    /// Computes the rows.
    ///
    /// # Errors
    /// [`TableError::Cancelled`] if the task is cancelled.
    pub fn of(from: TableContext<'_>, task: &Task) -> Result<Self, TableError> {
        let TableContext { heap, contents, analysis, .. } = from;
        let found = waste(heap, contents, analysis, task)?;
        let strings = duplicate_strings(heap, contents, analysis, task)?;
        Ok(Self(complete(heap, analysis, found, strings.surplus())))
    }
}

fn examples(from: TableContext<'_>, row: &WasteRow) -> Vec<String> {
    row.examples.iter().map(|&object| from.heap.id_text(object)).collect()
}

impl TypedTable for Waste {
    type Record = Item<WasteRow>;

    fn columns(&self) -> Columns<Self::Record> {
        COLUMNS
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    fn row(&self, row: usize) -> Option<RowOf<'_, Self>> {
        self.0.get(row)
    }

    fn passes(&self, _from: TableContext<'_>, row: RowOf<'_, Self>, filter: &TextFilter) -> bool {
        filter.matches(row.kind.key()) || filter.matches(row.kind.title())
    }

    fn write_row(
        &self,
        from: TableContext<'_>,
        row: RowOf<'_, Self>,
        _nth: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let written = JsonRow {
            kind: row.kind.key(),
            objects: row.objects,
            wasted_bytes: row.wasted.0,
            examples: examples(from, row),
        };
        serde_json::to_writer(out, &written)?;
        Ok(())
    }
}
