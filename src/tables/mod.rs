//! Tables: a question about a dump → rows in an order → csv, json or text. The
//! command line prints and the window exports and copies what stands here, so
//! that both say the same.

pub mod aggregated;
pub mod arrangement;
mod bitmaps;
mod classes;
mod collections;
pub mod diff;
mod finalizers;
pub mod folded;
mod gaps;
mod groups;
pub mod javascript;
pub mod javascript_leaks;
pub mod kept;
pub(crate) mod level;
pub(crate) mod loaders;
pub mod merged;
mod objects;
pub mod ownership;
mod references;
pub mod request;
mod roots;
pub mod route;
mod sites;
mod strings;
mod threads;
mod waste;
mod write;

pub use aggregated::AggregatedPaths;
pub use arrangement::{Arrangement, Trouble};
pub use bitmaps::Bitmaps;
pub use classes::Classes;
pub use collections::Collections;
pub use finalizers::Finalizers;
pub use folded::Folded;
pub use gaps::Gaps;
pub use groups::Groups;
pub use javascript::JavaScript;
pub use javascript_leaks::{Between, JavaScriptGrowth, JavaScriptLeaks};
pub use kept::Kept;
pub use level::Level;
pub use loaders::Loaders;
pub use merged::MergedPaths;
pub use objects::Objects;
pub use ownership::{OwnedObjects, OwnershipRoots};
pub use references::Neighbours;
pub use roots::Roots;
pub use route::Route;
pub use sites::Sites;
pub use strings::Strings;
pub use threads::Threads;
pub use waste::Waste;
pub use write::{Form, write, write_list};

use std::io::{self, Write};

use crate::analysis::filter::TextFilter;
use crate::export::dictionary::Dictionary;
use crate::export::table::{Cell, Column, JsonRow};
use crate::task::Task;

/// Rows that are known, in their usual order. What is read of the dump for a row is read when it is written.
pub trait Table: Send + Sync {
    /// The columns of csv and text.
    fn columns(&self) -> &'static [Column];

    /// The columns of a text for people, by their places, where those are fewer.
    fn for_text(&self) -> Option<&'static [usize]> {
        None
    }

    /// Columns that only some dumps have, with their places, which are behind those of every dump.
    fn beside(&self, _from: Dictionary<'_>) -> Vec<(usize, Column)> {
        Vec::new()
    }

    /// Which column a key names. A table may sort by more than it prints: that comes after its columns.
    fn column(&self, key: &str) -> Option<usize> {
        self.columns().iter().position(|column| column.key == key)
    }

    /// How many rows there are.
    fn count(&self) -> usize;

    /// One cell.
    fn cell(&self, from: Dictionary<'_>, row: usize, column: usize) -> Cell;

    /// Whether a filter lets a row through.
    fn passes(&self, from: Dictionary<'_>, row: usize, filter: &TextFilter) -> bool;

    /// What json says beside the rows, of all that pass the filter.
    fn totals(&self, _from: Dictionary<'_>, _rows: &[u32]) -> Vec<(&'static str, Cell)> {
        Vec::new()
    }

    /// What the list of rows is called in json, and whether the totals come before it.
    fn list(&self) -> (&'static str, bool) {
        ("rows", false)
    }

    /// Writes a row as a json object; it is the `nth` of those that are written.
    ///
    /// # Errors
    /// When `out` does not take it.
    fn write_row(&self, from: Dictionary<'_>, row: usize, _nth: usize, out: &mut dyn Write) -> io::Result<()> {
        let beside = self.beside(from);
        let columns: Vec<Column> = self.columns().iter().copied().chain(beside.iter().map(|&(_, of)| of)).collect();
        let places = (0..self.columns().len()).chain(beside.iter().map(|&(place, _)| place));
        let cells: Vec<Cell> = places.map(|column| self.cell(from, row, column)).collect();
        serde_json::to_writer(out, &JsonRow { columns: &columns, cells: &cells })?;
        Ok(())
    }

    /// How deep each row stands below others, in their usual order: then rows hang below one another in json.
    fn depths(&self) -> Option<&[u32]> {
        None
    }

    /// A cell in a text for people, where that is shorter.
    fn for_people(&self, _column: usize, cell: Cell) -> Cell {
        cell
    }

    /// Sorts rows by a column: biggest first, words by the alphabet, or the other way round. Equal ones stay in the
    /// usual order.
    ///
    /// # Errors
    /// When there is no such column, or the task is cancelled.
    fn sort(
        &self,
        from: Dictionary<'_>,
        rows: &mut Vec<u32>,
        (key, reverse): (&str, bool),
        task: &Task,
    ) -> Result<(), Trouble> {
        arrangement::sort_by_cells(self, from, rows, (key, reverse), task)
    }

    /// The rows that are asked for, in the order in which they are.
    ///
    /// # Errors
    /// When the arrangement makes no sense for this table, or the task is cancelled.
    fn arranged<'a>(&'a self, from: Dictionary<'a>, how: &Arrangement, task: &Task) -> Result<Arranged<'a>, Trouble> {
        arrangement::arrange(self, from, how, task)
    }
}

/// Rows in an order, and what there is to say of them together.
pub struct Arranged<'a> {
    /// The rows to write.
    pub rows: Box<dyn Iterator<Item = u32> + 'a>,
    /// What json says beside them.
    pub totals: Vec<(&'static str, Cell)>,
    /// How many rows at most; for the progress.
    pub expected: u64,
}

fn optional(text: Option<String>) -> Cell {
    text.map_or(Cell::Nothing, Cell::Text)
}
