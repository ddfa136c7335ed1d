//! Owners and classes over time: a column for each dump.

use std::io::{self, Write};
use std::sync::{Arc, OnceLock};

use super::ChangeFilter;
use crate::columns::{Column, Columns, Condition, Item, Record, heading, headings};
use crate::export::diff::{ClassAmount, ClassSeriesRow, OwnerSeriesRow};
use crate::{TableContext, TypedTable};
use heaplens_analysis::diff::{Amount, Change};
use heaplens_analysis::leaks::no_single_owner;
use heaplens_analysis::{Namer, TextFilter};
use heaplens_base::{ByteDelta, CountDelta, Task};
use heaplens_session::OwnerSeries;
use heaplens_session::series::{ClassSeries, Series, SeriesKind, grew_every_time, grown};

/// Maximum number of dumps with a column.
pub const DUMPS: usize = 24;

/// Rows with amounts in each dump.
trait OverTime: Record {
    /// Objects and sizes in each dump, oldest first.
    fn amounts(row: Self::Row<'_>) -> &[Amount];
}

/// Columns of the retained size in each dump.
const fn in_each_dump<K: OverTime>() -> [Column<K>; DUMPS] {
    macro_rules! columns {
        ($($nth:literal)*) => {
            [$(
                heading(
                    concat!("retained_bytes_", $nth),
                    concat!("Retained size ", $nth),
                    concat!("Retained size in dump ", $nth),
                )
                .when(Condition::Dump($nth - 1))
                .bytes_at($nth - 1, |row, _, nth| Some(K::amounts(row).get(nth)?.retained)),
            )*]
        };
    }
    columns!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24)
}

pub(crate) const OWNERS: Columns<OwnerOverTime<'static>> = &[
    &[
        headings::OWNER.text(|row, _| Some(row.table.name(row.nth).0.into())),
        headings::CLASS.text(|row, _| Some(row.table.name(row.nth).1.into())),
        heading("charged_bytes", "Growth", "Net change in bytes attributed to this owner, summed over all intervals")
            .byte_delta(|row, _| Some(row.series.charged)),
        heading("delta_retained_bytes", "Δ retained size", "Retained size in the last dump minus that in the first")
            .byte_delta(|row, _| Some(grown(&row.series.amounts, |amount| amount.retained))),
    ],
    &in_each_dump(),
];
pub(crate) const CLASSES: Columns<Item<ClassSeries>> = &[
    &[
        headings::CLASS.text(|row, _| Some(row.class.0.as_ref().into())),
        headings::LOADER.text(|row, _| row.class.1.as_deref().map(Into::into)),
        heading("delta_objects", "Δ objects", "Objects in the last dump minus objects in the first")
            .count_delta(|row, _| Some(CountDelta(more(&row.amounts).objects))),
        heading("delta_shallow_bytes", "Δ shallow size", "Shallow size in the last dump minus that in the first")
            .byte_delta(|row, _| Some(ByteDelta(more(&row.amounts).shallow_bytes))),
        heading("delta_retained_bytes", "Δ retained size", "Retained size in the last dump minus that in the first")
            .byte_delta(|row, _| Some(ByteDelta(more(&row.amounts).retained_bytes))),
    ],
    &in_each_dump(),
];

impl OverTime for Item<ClassSeries> {
    fn amounts(row: Self::Row<'_>) -> &[Amount] {
        &row.amounts
    }
}

/// An owner in its table.
#[derive(Clone, Copy)]
pub struct OwnerOverTime<'a> {
    table: &'a OwnersOverTime<'a>,
    nth: usize,
    series: &'a OwnerSeries,
}

impl Record for OwnerOverTime<'static> {
    type Row<'a> = OwnerOverTime<'a>;
}

impl OverTime for OwnerOverTime<'static> {
    fn amounts(row: Self::Row<'_>) -> &[Amount] {
        &row.series.amounts
    }
}

/// True if a row is shown.
fn is_listed(amounts: &[Amount], which: ChangeFilter, every_time: bool, more: ByteDelta) -> bool {
    let is_listed = match which {
        ChangeFilter::All => true,
        ChangeFilter::Changed => amounts.windows(2).any(|two| two[0] != two[1]),
        ChangeFilter::Grown => more.0 > 0,
    };
    is_listed && (!every_time || grew_every_time(amounts))
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
        let is_listed = |row: &&ClassSeries| {
            is_listed(&row.amounts, which, every_time, grown(&row.amounts, |amount| amount.shallow))
        };
        Self { dumps, rows: series.classes.iter().filter(is_listed).collect() }
    }
}

impl TypedTable for ClassesOverTime<'_> {
    type Record = Item<ClassSeries>;
    const COLUMNS: Columns<Item<ClassSeries>> = CLASSES;
    const LIST: (&'static str, bool) = ("classes", false);

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, row: usize) -> Option<&ClassSeries> {
        self.rows.get(row).copied()
    }

    fn offers(&self, condition: Condition) -> bool {
        is_offered(condition, self.dumps)
    }

    fn passes(&self, _from: TableContext<'_>, row: &ClassSeries, filter: &TextFilter) -> bool {
        filter.matches(&row.class.0)
    }

    fn write_row(&self, _: TableContext<'_>, row: &ClassSeries, _: usize, out: &mut dyn Write) -> io::Result<()> {
        let values = ClassSeriesRow {
            class: &row.class.0,
            loader: row.class.1.as_deref(),
            series: row.amounts.iter().copied().map(ClassAmount::of).collect(),
            delta: more(&row.amounts),
        };
        Ok(serde_json::to_writer(out, &values)?)
    }
}

/// True if a series of so many dumps has the columns with this condition; of more dumps than have a column, all do.
fn is_offered(condition: Condition, dumps: usize) -> bool {
    if let Condition::Dump(nth) = condition { nth < dumps } else { true }
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
        (_, Some(in_last)) => {
            // This task is never cancelled.
            let (namer, object, task) = (*in_last.0, in_last.1, Task::new());
            let name = namer.short_name(object, &task).ok().flatten().map(|name| name.to_string());
            let path = || namer.name(object, &task).ok().flatten();
            (name.or_else(path).unwrap_or_else(|| class(&in_last)), class(&in_last))
        }
        (SeriesKind::Top((name, _)), None) => (no_single_owner(name), name.to_string()),
        (SeriesKind::Objects(_), None) => (String::new(), String::new()),
    }
}

impl<'a> OwnersOverTime<'a> {
    /// Rows of a series of dumps; only those that grew in every interval if `every_time`.
    pub fn new(dumps: usize, names: Names<'a>, series: Arc<Series>, which: ChangeFilter, every_time: bool) -> Self {
        let is_listed = |(_, row): &(u32, &OwnerSeries)| is_listed(&row.amounts, which, every_time, row.charged);
        let rows: Vec<u32> = (0..).zip(&series.owners).filter(is_listed).map(|(at, _)| at).collect();
        let known = rows.iter().map(|_| OnceLock::new()).collect();
        Self { dumps, series, rows, names, known }
    }

    /// The shown owners, in their order.
    pub fn rows(&self) -> impl Iterator<Item = &OwnerSeries> {
        self.rows.iter().filter_map(|&at| self.series.owners.get(at as usize))
    }

    /// Name and class of a row's owner.
    pub fn name(&self, row: usize) -> (&str, &str) {
        let name = || self.row(row).map(|row| (self.names)(row.series)).unwrap_or_default();
        let known = self.known.get(row).map(|known| known.get_or_init(name));
        known.map_or(("", ""), |(name, class)| (name, class))
    }
}

impl TypedTable for OwnersOverTime<'_> {
    type Record = OwnerOverTime<'static>;
    const COLUMNS: Columns<OwnerOverTime<'static>> = OWNERS;
    const LIST: (&'static str, bool) = ("owners", false);

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, row: usize) -> Option<OwnerOverTime<'_>> {
        let series = self.series.owners.get(*self.rows.get(row)? as usize)?;
        Some(OwnerOverTime { table: self, nth: row, series })
    }

    fn offers(&self, condition: Condition) -> bool {
        is_offered(condition, self.dumps)
    }

    fn passes(&self, _from: TableContext<'_>, row: OwnerOverTime<'_>, filter: &TextFilter) -> bool {
        let (name, class) = self.name(row.nth);
        filter.matches(name) || filter.matches(class)
    }

    fn write_row(&self, _: TableContext<'_>, row: OwnerOverTime<'_>, _: usize, out: &mut dyn Write) -> io::Result<()> {
        let ((owner, class), row) = (self.name(row.nth), row.series);
        let owners = match &row.owner {
            SeriesKind::Objects(objects) => objects.len() as u64,
            SeriesKind::Top(_) => 1,
        };
        let row_values = OwnerSeriesRow {
            owner: owner.to_owned(),
            class: class.to_owned(),
            owners,
            series: row.amounts.iter().copied().map(ClassAmount::of).collect(),
            delta: more(&row.amounts),
            charged_bytes: row.charged.0,
        };
        Ok(serde_json::to_writer(out, &row_values)?)
    }
}
