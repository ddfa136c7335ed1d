//! Wasted memory by kind.

use std::io::{self, Write};

use super::{Table, TableError};
use crate::export::table::{Cell, Column, column_with_help};
use crate::export::table_context::TableContext;
use crate::export::waste::WasteRow as JsonRow;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::strings::duplicate_strings;
use heaplens_analysis::waste::{WasteKind, WasteRow, complete, waste};
use heaplens_base::task::Task;

/// Maximum number of examples in text forms.
const EXAMPLES: usize = 3;

const COLUMNS: [Column; 4] = [
    column_with_help("kind", "Kind", "Kind of wasted memory"),
    column_with_help("objects", "Objects", "Number of objects that waste memory or are redundant"),
    column_with_help("wasted_bytes", "Wasted", "Bytes that could be saved"),
    column_with_help("examples", "Largest", "Addresses or ids of the objects that waste most"),
];

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

impl Table for Waste {
    fn columns(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(row) = self.0.get(row) else { return Cell::Nothing };
        match column {
            0 => Cell::Text(row.kind.key().to_owned()),
            1 => Cell::Count(row.objects),
            2 => Cell::Size(row.wasted),
            _ => Cell::Text(examples(from, row).join(" ")),
        }
    }

    fn passes(&self, _from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.0.get(row).is_some_and(|row| filter.matches(row.kind.key()) || filter.matches(row.kind.title()))
    }

    fn write_row(&self, from: TableContext<'_>, row: usize, _nth: usize, out: &mut dyn Write) -> io::Result<()> {
        let Some(row) = self.0.get(row) else { return Ok(()) };
        let written = JsonRow {
            kind: row.kind.key(),
            objects: row.objects,
            wasted_bytes: row.wasted.0,
            examples: examples(from, row),
        };
        serde_json::to_writer(out, &written)?;
        Ok(())
    }

    fn for_people(&self, column: usize, cell: Cell) -> Cell {
        match cell {
            Cell::Text(key) if column == 0 => {
                Cell::Text(WasteKind::of_key(&key).map_or(key, |kind| kind.title().to_owned()))
            }
            Cell::Text(ids) if column == 3 => Cell::Text(ids.split(' ').take(EXAMPLES).collect::<Vec<_>>().join(" ")),
            cell => cell,
        }
    }
}
