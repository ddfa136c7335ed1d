//! Owners and classes over time: a column for each dump.

use std::io::{self, Write};
use std::sync::{Arc, OnceLock};

use super::ChangeFilter;
use crate::export::diff::{ClassAmount, ClassSeriesRow, OwnerSeriesRow};
use crate::export::table::Cell;
use crate::export::table_context::TableContext;
use crate::heading::{Heading, heading};
use crate::headings;
use crate::{Table, optional};
use heaplens_analysis::diff::{Amount, Change};
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::naming::Namer;
use heaplens_base::task::Task;
use heaplens_base::units::{ByteDelta, CountDelta};
use heaplens_session::series::{ClassSeries, OwnerSeries, Series, SeriesKind, grew_every_time, grown};

/// Maximum number of dumps with a column.
pub const DUMPS: usize = 24;

macro_rules! series_columns {
    ([$($first:expr),*] $($nth:literal)*) => {
        &[$($first,)* $(heading(concat!("retained_bytes_", $nth), concat!("Retained size ", $nth), concat!("Retained size in dump ", $nth)),)*]
    };
}

const OWNERS: &[Heading] = series_columns!(
    [
        headings::OWNER,
        headings::CLASS,
        heading("charged_bytes", "Growth", "Net change in bytes attributed to this owner, summed over all intervals"),
        heading("delta_retained_bytes", "Δ retained size", "Retained size in the last dump minus that in the first")
    ] 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
);
const CLASSES: &[Heading] = series_columns!(
    [
        headings::CLASS,
        headings::LOADER,
        heading("delta_objects", "Δ objects", "Objects in the last dump minus objects in the first"),
        heading("delta_shallow_bytes", "Δ shallow size", "Shallow size in the last dump minus that in the first"),
        heading("delta_retained_bytes", "Δ retained size", "Retained size in the last dump minus that in the first")
    ] 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
);

/// True if a row is shown.
fn is_told(amounts: &[Amount], which: ChangeFilter, every_time: bool, more: ByteDelta) -> bool {
    let told = match which {
        ChangeFilter::All => true,
        ChangeFilter::Changed => amounts.windows(2).any(|two| two[0] != two[1]),
        ChangeFilter::Grown => more.0 > 0,
    };
    told && (!every_time || grew_every_time(amounts))
}

/// Objects and sizes in the last dump minus those in the first.
fn more(amounts: &[Amount]) -> ClassAmount<i64> {
    let (before, after) = (amounts.first().copied(), amounts.last().copied());
    ClassAmount::more(&Change { before: before.unwrap_or_default(), after: after.unwrap_or_default() })
}

/// Classes over time.
pub struct ClassesOverTime<'a> {
    dumps: usize,
    rows: Vec<&'a ClassSeries>,
}

impl<'a> ClassesOverTime<'a> {
    /// Rows of a series of dumps; only those that grew in every interval if `every_time`.
    pub fn new(dumps: usize, series: &'a Series, which: ChangeFilter, every_time: bool) -> Self {
        let told =
            |row: &&ClassSeries| is_told(&row.amounts, which, every_time, grown(&row.amounts, |amount| amount.shallow));
        Self { dumps, rows: series.classes.iter().filter(told).collect() }
    }
}

impl Table for ClassesOverTime<'_> {
    fn old_columns(&self) -> &'static [Heading] {
        CLASSES.get(..5 + self.dumps).unwrap_or(CLASSES)
    }

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn cell(&self, _from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(row) = self.rows.get(row) else { return Cell::Nothing };
        let more = || more(&row.amounts);
        match column {
            0 => Cell::Text(row.class.0.to_string()),
            1 => optional(row.class.1.as_deref().map(str::to_owned)),
            2 => Cell::More(CountDelta(more().objects)),
            3 => Cell::Growth(ByteDelta(more().shallow_bytes)),
            4 => Cell::Growth(ByteDelta(more().retained_bytes)),
            nth => row.amounts.get(nth - 5).map_or(Cell::Nothing, |amount| Cell::Size(amount.retained)),
        }
    }

    fn passes(&self, _from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.rows.get(row).is_some_and(|row| filter.matches(&row.class.0))
    }

    fn list(&self) -> (&'static str, bool) {
        ("classes", false)
    }

    fn write_row(&self, _from: TableContext<'_>, row: usize, _nth: usize, out: &mut dyn Write) -> io::Result<()> {
        let Some(row) = self.rows.get(row) else { return Ok(()) };
        let told = ClassSeriesRow {
            class: &row.class.0,
            loader: row.class.1.as_deref(),
            series: row.amounts.iter().copied().map(ClassAmount::of).collect(),
            delta: more(&row.amounts),
        };
        Ok(serde_json::to_writer(out, &told)?)
    }
}

/// Function that returns the name and class of an owner.
pub type Names<'a> = Box<dyn Fn(&OwnerSeries) -> (String, String) + Send + Sync + 'a>;

/// Owners over time. Each is named when its name is first needed.
pub struct OwnersOverTime<'a> {
    dumps: usize,
    series: Arc<Series>,
    /// Indices of the shown owners.
    rows: Vec<u32>,
    names: Names<'a>,
    known: Vec<OnceLock<(String, String)>>,
}

/// Name and class of an owner in the last dump that contains it; `namers` belong to all dumps.
pub fn name_over_time(namers: &[Namer<'_>], row: &OwnerSeries) -> (String, String) {
    let class = |(namer, object): &(&Namer<'_>, _)| namer.heap.class(*object).name.to_string();
    match (&row.owner, row.last().and_then(|(dump, object)| Some((namers.get(dump)?, object)))) {
        (_, Some(found)) => {
            // This task is never cancelled.
            let name = found.0.name(found.1, &Task::new()).ok().flatten();
            (name.unwrap_or_else(|| class(&found)), class(&found))
        }
        (SeriesKind::Top((name, _)), None) => (super::owners::of_nobody(name), name.to_string()),
        (SeriesKind::Objects(_), None) => (String::new(), String::new()),
    }
}

impl<'a> OwnersOverTime<'a> {
    /// Rows of a series of dumps; only those that grew in every interval if `every_time`.
    pub fn new(dumps: usize, names: Names<'a>, series: Arc<Series>, which: ChangeFilter, every_time: bool) -> Self {
        let told = |(_, row): &(u32, &OwnerSeries)| is_told(&row.amounts, which, every_time, row.charged);
        let rows: Vec<u32> = (0..).zip(&series.owners).filter(told).map(|(at, _)| at).collect();
        let known = rows.iter().map(|_| OnceLock::new()).collect();
        Self { dumps, series, rows, names, known }
    }

    /// The shown owners, in their order.
    pub fn rows(&self) -> impl Iterator<Item = &OwnerSeries> {
        self.rows.iter().filter_map(|&at| self.series.owners.get(at as usize))
    }

    fn row(&self, row: usize) -> Option<&OwnerSeries> {
        self.series.owners.get(*self.rows.get(row)? as usize)
    }

    /// Name and class of a row's owner.
    pub fn name(&self, row: usize) -> (&str, &str) {
        let name = || self.row(row).map(&self.names).unwrap_or_default();
        let known = self.known.get(row).map(|known| known.get_or_init(name));
        known.map_or(("", ""), |(name, class)| (name, class))
    }
}

impl Table for OwnersOverTime<'_> {
    fn old_columns(&self) -> &'static [Heading] {
        OWNERS.get(..4 + self.dumps).unwrap_or(OWNERS)
    }

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn cell(&self, _from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let (name, Some(row)) = (self.name(row), self.row(row)) else { return Cell::Nothing };
        match column {
            0 => Cell::Text(name.0.to_owned()),
            1 => Cell::Text(name.1.to_owned()),
            2 => Cell::Growth(row.charged),
            3 => Cell::Growth(grown(&row.amounts, |amount| amount.retained)),
            nth => row.amounts.get(nth - 4).map_or(Cell::Nothing, |amount| Cell::Size(amount.retained)),
        }
    }

    fn passes(&self, _from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        let (name, class) = self.name(row);
        filter.matches(name) || filter.matches(class)
    }

    fn list(&self) -> (&'static str, bool) {
        ("owners", false)
    }

    fn write_row(&self, _from: TableContext<'_>, row: usize, _nth: usize, out: &mut dyn Write) -> io::Result<()> {
        let ((owner, class), Some(row)) = (self.name(row), self.row(row)) else { return Ok(()) };
        let owners = match &row.owner {
            SeriesKind::Objects(objects) => objects.len() as u64,
            SeriesKind::Top(_) => 1,
        };
        let told = OwnerSeriesRow {
            owner: owner.to_owned(),
            class: class.to_owned(),
            owners,
            series: row.amounts.iter().copied().map(ClassAmount::of).collect(),
            delta: more(&row.amounts),
            charged_bytes: row.charged.0,
        };
        Ok(serde_json::to_writer(out, &told)?)
    }
}
