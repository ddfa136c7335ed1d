//! Packages, loaders, threads, strings, collections, leaks and what is outside of the heap, before and after.

use super::measures::{
    CLASSES, ELEMENTS, FREES, FREES_CHANGE, Headings, LOADERS, NATIVE, NATIVE_CHANGE, OBJECTS, RETAINED,
    RETAINED_CHANGE, SHALLOW, SHALLOW_CHANGE, THREADS, WASTED, in_text,
};
use super::{ChangeFilter, DiffRows};
use crate::columns::{Column, Columns, Heading, heading};
use crate::{RowOf, TableContext, TypedTable, dump::strings::shortened};
use heaplens_analysis::TextFilter;
use heaplens_base::{ByteDelta, Bytes, CountDelta, Named};
use heaplens_session::{SideRow, SideRowKind};

/// Which of the three columns of a measure appear in text: the first measures with their difference only, the sort
/// measure with all three.
const NONE: [bool; 3] = [false; 3];
const BEFORE_AND_AFTER: [bool; 3] = [true, true, false];
const AFTER: [bool; 3] = [false, true, true];
const DELTA: [bool; 3] = [false, false, true];

pub(crate) const PACKAGES: Columns<SideRows> = &[
    &[name(heading("package", "Package", "Java package; arrays count for the package of their elements"))],
    &counts::<0>(in_text(CLASSES, NONE)),
    &counts::<1>(in_text(OBJECTS, AFTER)),
    &sizes::<2>(in_text(SHALLOW, DELTA)),
    &sizes::<3>(RETAINED),
    &[growth(SHALLOW_CHANGE)],
];
pub(crate) const CLASS_LOADERS: Columns<SideRows> = &[
    &[name(heading("loader", "Loader", "Class and name of the class loader"))],
    &counts::<0>(in_text(LOADERS, AFTER)),
    &counts::<1>(in_text(CLASSES, NONE)),
    &counts::<2>(in_text(OBJECTS, DELTA)),
    &sizes::<3>(in_text(SHALLOW, DELTA)),
    &sizes::<4>(RETAINED),
    &[growth(SHALLOW_CHANGE)],
];
pub(crate) const OF_THREADS: Columns<SideRows> = &[
    &[name(heading("thread", "Thread", "Thread name"))],
    &counts::<0>(in_text(THREADS, BEFORE_AND_AFTER)),
    &sizes::<1>(RETAINED),
    &[growth(RETAINED_CHANGE)],
];
pub(crate) const STRINGS: Columns<SideRows> = &[
    &[name(heading("text", "Value", "String value, shortened in text output"))],
    &counts::<0>(OBJECTS),
    &sizes::<1>(in_text(SHALLOW, DELTA)),
    &sizes::<2>(WASTED),
    &[growth(SHALLOW_CHANGE)],
];
pub(crate) const COLLECTIONS: Columns<SideRows> = &[
    &[name(heading("class", "Class", "Class of the collections"))],
    &counts::<0>(OBJECTS),
    &counts::<1>(in_text(ELEMENTS, DELTA)),
    &sizes::<2>(in_text(WASTED, DELTA)),
    &sizes::<3>(SHALLOW),
    &[growth(SHALLOW_CHANGE)],
];
pub(crate) const LEAKS: Columns<SideRows> = &[
    &[name(heading("holder", "Holder", "Object or field that holds the leaking objects"))],
    &counts::<0>(in_text(OBJECTS, BEFORE_AND_AFTER)),
    &sizes::<1>(FREES),
    &[growth(FREES_CHANGE)],
];
pub(crate) const OUTSIDE: Columns<SideRows> = &[
    &[name(heading("holder", "Held by", "Field or variable that holds it, and what it is"))],
    &counts::<0>(in_text(OBJECTS, BEFORE_AND_AFTER)),
    &sizes::<1>(NATIVE),
    &[growth(NATIVE_CHANGE)],
];

/// Column of the relative growth of the size by which rows are compared.
const fn growth(heading: Heading) -> Column<SideRows> {
    heading.change(|(what, row), _| Some(row.counts(what.size())))
}

/// Column of the names that rows are matched by.
const fn name(heading: Heading) -> Column<SideRows> {
    heading.for_people(shortened).text(|(_, row), _| Some(row.name.as_str().into()))
}

/// Columns of counts, the `NTH` measure of the rows.
const fn counts<const NTH: usize>([before, after, delta]: Headings) -> [Column<SideRows>; 3] {
    [
        before.count(|(_, row), _| Some(row.counts(NTH).0)),
        after.count(|(_, row), _| Some(row.counts(NTH).1)),
        delta.count_delta(|(_, row), _| Some(CountDelta(row.growth(NTH)))),
    ]
}

/// Columns of sizes, the `NTH` measure of the rows.
const fn sizes<const NTH: usize>([before, after, delta]: Headings) -> [Column<SideRows>; 3] {
    [
        before.bytes(|(_, row), _| Some(Bytes(row.counts(NTH).0))),
        after.bytes(|(_, row), _| Some(Bytes(row.counts(NTH).1))),
        delta.byte_delta(|(_, row), _| Some(ByteDelta(row.growth(NTH)))),
    ]
}

/// Rows that are matched by name, with their kind.
type SideRows = (SideRowKind, SideRow);

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
}

impl TypedTable for SideChanges {
    type Record = SideRows;
    const BY_DUMP: bool = true;

    fn columns(&self) -> Columns<SideRows> {
        match self.what {
            SideRowKind::Packages => PACKAGES,
            SideRowKind::Loaders => CLASS_LOADERS,
            SideRowKind::Threads => OF_THREADS,
            SideRowKind::Strings => STRINGS,
            SideRowKind::Collections => COLLECTIONS,
            SideRowKind::Leaks => LEAKS,
            SideRowKind::Outside => OUTSIDE,
        }
    }

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, row: usize) -> Option<RowOf<'_, Self>> {
        Some((&self.what, self.rows.get(row)?))
    }

    fn passes(&self, _from: TableContext<'_>, (_, row): RowOf<'_, Self>, filter: &TextFilter) -> bool {
        filter.matches(&row.name)
    }

    fn list(&self) -> (&'static str, bool) {
        (DiffRows::Side(self.what).word(), false)
    }
}
