//! Packages, loaders, threads, strings, collections and leaks before and after.

use std::io::{self, Write};

use super::{ChangeFilter, DiffRows, column_or_change, columns};
use crate::export::diff::SideChange;
use crate::export::table::{Cell, Column, column_with_help};
use crate::export::table_context::TableContext;
use crate::{Table, strings::shortened};
use heaplens_analysis::filter::TextFilter;
use heaplens_base::named::Named;
use heaplens_base::units::{ByteDelta, Bytes, CountDelta};
use heaplens_session::side_by_side::{Measure, SideRow, SideRowKind};

const PACKAGES: &[Column] = columns!(
    [column_with_help("package", "Package", "Java package; arrays count for the package of their elements")]
    ("classes", "Classes", "classes", "Number of classes")
    ("objects", "Objects", "objects", "Number of objects")
    ("shallow_bytes", "Shallow size", "shallow size", "Shallow size")
    ("retained_bytes", "Retained size", "retained size", "Retained size") []
);
const LOADERS: &[Column] = columns!(
    [column_with_help("loader", "Loader", "Class and name of the class loader")]
    ("loaders", "Loaders", "loaders", "Number of class loaders")
    ("classes", "Classes", "classes", "Number of classes")
    ("objects", "Objects", "objects", "Number of objects")
    ("shallow_bytes", "Shallow size", "shallow size", "Shallow size")
    ("retained_bytes", "Retained size", "retained size", "Retained size") []
);
const THREADS: &[Column] = columns!(
    [column_with_help("thread", "Thread", "Thread name")]
    ("threads", "Threads", "threads", "Number of threads")
    ("retained_bytes", "Retained size", "retained size", "Retained size") []
);
const STRINGS: &[Column] = columns!(
    [column_with_help("text", "Value", "String value, shortened in text output")]
    ("objects", "Objects", "objects", "Number of objects")
    ("shallow_bytes", "Shallow size", "shallow size", "Shallow size")
    ("wasted_bytes", "Wasted", "wasted", "Wasted bytes") []
);
const COLLECTIONS: &[Column] = columns!(
    [column_with_help("class", "Class", "Class of the collections")]
    ("objects", "Objects", "objects", "Number of objects")
    ("elements", "Elements", "elements", "Number of elements")
    ("wasted_bytes", "Wasted", "wasted", "Wasted bytes")
    ("shallow_bytes", "Shallow size", "shallow size", "Shallow size") []
);

const LEAKS: &[Column] = columns!(
    [column_with_help("holder", "Holder", "Object or field that holds the leaking objects")]
    ("objects", "Objects", "objects", "Number of objects")
    ("frees_bytes", "Frees", "frees", "Bytes freed by cutting the references") []
);

/// The rows, largest growth first.
pub struct SideChanges {
    what: SideRowKind,
    rows: Vec<SideRow>,
}

impl SideChanges {
    /// Table of joined rows of both heaps.
    pub fn new(what: SideRowKind, mut rows: Vec<SideRow>, which: ChangeFilter) -> Self {
        let last = what.measures().len() - 1;
        rows.retain(|row| match which {
            ChangeFilter::All => true,
            ChangeFilter::Changed => row.has_changed(),
            ChangeFilter::Grown => row.growth(last) > 0,
        });
        Self { what, rows }
    }

    /// The rows.
    pub fn rows(&self) -> &[SideRow] {
        &self.rows
    }

    /// Measure of a column, and its position among the three columns of the measure.
    fn measure(&self, column: usize) -> Option<(usize, Measure, usize)> {
        let (nth, place) = (column.checked_sub(1)? / 3, (column - 1) % 3);
        self.what.measures().get(nth).map(|&measure| (nth, measure, place))
    }
}

impl Table for SideChanges {
    fn columns(&self) -> &'static [Column] {
        match self.what {
            SideRowKind::Packages => PACKAGES,
            SideRowKind::Loaders => LOADERS,
            SideRowKind::Threads => THREADS,
            SideRowKind::Strings => STRINGS,
            SideRowKind::Collections => COLLECTIONS,
            SideRowKind::Leaks => LEAKS,
        }
    }

    fn for_text(&self) -> Option<&'static [usize]> {
        // The first measures with their difference only, the sort measure with all three columns.
        Some(match self.what {
            SideRowKind::Packages => &[0, 5, 6, 9, 10, 11, 12],
            SideRowKind::Loaders => &[0, 2, 3, 9, 12, 13, 14, 15],
            SideRowKind::Threads | SideRowKind::Leaks => &[0, 1, 2, 4, 5, 6],
            SideRowKind::Strings => &[0, 1, 2, 3, 6, 7, 8, 9],
            SideRowKind::Collections => &[0, 1, 2, 3, 6, 9, 10, 11, 12],
        })
    }

    fn column(&self, key: &str) -> Option<usize> {
        column_or_change(self.columns(), key)
    }

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn cell(&self, _from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(row) = self.rows.get(row) else { return Cell::Nothing };
        if column == self.columns().len() {
            let (before, after) = row.things(self.what);
            return Cell::Change { before, after };
        }
        let Some((nth, measure, place)) = self.measure(column) else { return Cell::Text(row.name.clone()) };
        let (before, after) = row.counts(nth);
        match (place, measure.is_bytes()) {
            (0, false) => Cell::Count(before),
            (0, true) => Cell::Size(Bytes(before)),
            (1, false) => Cell::Count(after),
            (1, true) => Cell::Size(Bytes(after)),
            (_, false) => Cell::More(CountDelta(row.growth(nth))),
            (_, true) => Cell::Growth(ByteDelta(row.growth(nth))),
        }
    }

    fn passes(&self, _from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.rows.get(row).is_some_and(|row| filter.matches(&row.name))
    }

    fn list(&self) -> (&'static str, bool) {
        (DiffRows::Side(self.what).word(), false)
    }

    fn write_row(&self, from: TableContext<'_>, row: usize, _nth: usize, out: &mut dyn Write) -> io::Result<()> {
        let cells: Vec<Cell> = (0..self.columns().len()).map(|column| self.cell(from, row, column)).collect();
        Ok(serde_json::to_writer(out, &SideChange { columns: self.columns(), cells: &cells })?)
    }

    fn for_people(&self, column: usize, cell: Cell) -> Cell {
        if column == 0 { shortened(cell) } else { cell }
    }
}
