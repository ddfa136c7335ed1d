//! Duplicate strings, their cost and holders.

use std::io::{self, Write};

use super::{Table, TableError};
use crate::export::table::{Cell, Column, column_with_help};
use crate::export::table_context::TableContext;
use crate::export::waste::{Holders, StringsRow};
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::strings::{DuplicateStrings, Holder, TextGroup, duplicate_strings};
use heaplens_base::task::Task;
use heaplens_base::units::Bytes;

/// Maximum number of holders listed per string.
const HOLDERS: usize = 3;
/// Maximum number of characters in text forms.
const CHARACTERS: usize = 60;

const COLUMNS: [Column; 5] = [
    column_with_help("text", "Value", "String value, shortened in text output"),
    column_with_help("objects", "Strings", "Number of strings with this value"),
    column_with_help("shallow_bytes", "Shallow size", "Bytes of the strings and their character arrays"),
    column_with_help("wasted_bytes", "Wasted", "Bytes freed if only one copy of the string existed"),
    column_with_help("held_by", "Holders", "Most frequent fields and arrays that hold these strings"),
];

/// Duplicate strings, most wasted bytes first.
pub struct Strings(pub DuplicateStrings);

impl Strings {
    /// Computes the rows.
    ///
    /// # Errors
    /// [`TableError::Cancelled`] if the task is cancelled.
    pub fn of(from: TableContext<'_>, task: &Task) -> Result<Self, TableError> {
        Ok(Self(duplicate_strings(from.heap, from.contents, from.analysis, task)?))
    }

    fn text(&self, from: TableContext<'_>, group: &TextGroup) -> String {
        self.0.text(from.heap, from.contents, group)
    }

    fn holders(&self, from: TableContext<'_>, group: &TextGroup) -> Vec<Holder> {
        self.0.held_by(from.heap, from.contents, from.analysis, group, HOLDERS)
    }
}

impl Table for Strings {
    fn columns(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn count(&self) -> usize {
        self.0.groups.len()
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(group) = self.0.groups.get(row) else { return Cell::Nothing };
        match column {
            0 => Cell::Text(self.text(from, group)),
            1 => Cell::Count(group.objects),
            2 => Cell::Size(group.shallow),
            3 => Cell::Size(group.wasted),
            _ => {
                let named = |holder: &Holder| format!("{} ×{}", holder.name, holder.objects);
                let holders: Vec<String> = self.holders(from, group).iter().map(named).collect();
                Cell::Text(holders.join(", "))
            }
        }
    }

    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.0.groups.get(row).is_some_and(|group| filter.matches(&self.text(from, group)))
    }

    fn totals(&self, _from: TableContext<'_>, rows: &[u32]) -> Vec<(&'static str, Cell)> {
        let groups = || rows.iter().filter_map(|&row| self.0.groups.get(row as usize));
        vec![
            ("groups", Cell::Count(rows.len() as u64)),
            ("objects", Cell::Count(groups().map(|group| group.objects).sum())),
            ("shallow_bytes", Cell::Size(groups().map(|group| group.shallow).sum::<Bytes>())),
            ("wasted_bytes", Cell::Size(groups().map(|group| group.wasted).sum::<Bytes>())),
        ]
    }

    fn list(&self) -> (&'static str, bool) {
        ("rows", true)
    }

    fn write_row(&self, from: TableContext<'_>, row: usize, _nth: usize, out: &mut dyn Write) -> io::Result<()> {
        let Some(group) = self.0.groups.get(row) else { return Ok(()) };
        let holder = |holder: Holder| Holders { name: holder.name, objects: holder.objects };
        let row = StringsRow {
            text: self.text(from, group),
            objects: group.objects,
            shallow_bytes: group.shallow.0,
            wasted_bytes: group.wasted.0,
            held_by: self.holders(from, group).into_iter().map(holder).collect(),
        };
        serde_json::to_writer(out, &row)?;
        Ok(())
    }

    fn for_people(&self, column: usize, cell: Cell) -> Cell {
        if column == 0 { shortened(cell) } else { cell }
    }
}

/// A cell shortened to fit a line.
pub(super) fn shortened(cell: Cell) -> Cell {
    match cell {
        Cell::Text(text) if text.chars().count() > CHARACTERS => {
            Cell::Text(text.chars().take(CHARACTERS).chain(['…']).collect())
        }
        cell => cell,
    }
}
