//! Which rows of a table are wanted, and in which order.

use std::io;
use std::ops::RangeInclusive;

use super::{Arranged, Table};
use crate::analysis::filter::TextFilter;
use crate::export::dictionary::Dictionary;
use crate::export::table::Cell;
use crate::session::jobs::JobError;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// What is asked of the rows of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// Only rows that contain this text.
    pub filter: String,
    /// Only rows at these places of the usual order, from 1; none: all.
    pub places: Vec<RangeInclusive<u32>>,
    /// Sorted by this column.
    pub sort: Option<String>,
    /// In the opposite order.
    pub reverse: bool,
    /// Rows to leave out at the beginning.
    pub skip: usize,
    /// Rows at most.
    pub top: Option<usize>,
    /// Of objects also who of the application holds each.
    pub owner: bool,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Trouble {
    /// It was cancelled.
    Cancelled,
    /// What was asked for makes no sense, and why.
    Wish(String),
    /// Nobody takes the answer.
    Output(io::Error),
}

impl From<Cancelled> for Trouble {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<Trouble> for JobError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Cancelled => Self::Cancelled,
            Trouble::Wish(what) => Self::Failed(what),
            Trouble::Output(error) => Self::Failed(error.to_string()),
        }
    }
}

impl Arrangement {
    /// The filter, understood.
    ///
    /// # Errors
    /// What is wrong with its regular expression.
    pub fn pattern(&self) -> Result<TextFilter, Trouble> {
        TextFilter::parse(&self.filter).map_err(Trouble::Wish)
    }

    /// The part of `rows` that is wanted.
    pub fn part<'a>(&self, rows: impl Iterator<Item = u32> + 'a) -> Box<dyn Iterator<Item = u32> + 'a> {
        Box::new(rows.skip(self.skip).take(self.top.unwrap_or(usize::MAX)))
    }

    /// Whether the row at a place, counted from 0, is among the wanted places.
    pub fn has_place(&self, place: u32) -> bool {
        self.places.is_empty() || self.places.iter().any(|range| range.contains(&place.saturating_add(1)))
    }
}

/// Which column `key` is.
///
/// # Errors
/// With the columns that there are.
pub(super) fn column_of<T: Table + ?Sized>(table: &T, key: &str) -> Result<usize, Trouble> {
    table.column(key).ok_or_else(|| {
        let keys: Vec<&str> = table.columns().iter().map(|column| column.key).collect();
        no_column(key, &keys)
    })
}

/// There is no column `key`, but there are these.
pub(super) fn no_column(key: &str, keys: &[&str]) -> Trouble {
    Trouble::Wish(format!("cannot sort by '{key}'; the columns are: {}", keys.join(", ")))
}

pub(super) fn sort_by_cells<T: Table + ?Sized>(
    table: &T,
    from: Dictionary<'_>,
    rows: &mut Vec<u32>,
    (key, reverse): (&str, bool),
    task: &Task,
) -> Result<(), Trouble> {
    let column = column_of(table, key)?;
    let mut keyed: Vec<(Cell, u32)> = Vec::with_capacity(rows.len());
    for (at, &row) in rows.iter().enumerate() {
        if at.is_multiple_of(CHECKPOINT_EVERY >> 6) {
            task.checkpoint()?;
        }
        keyed.push((table.cell(from, row as usize, column), row));
    }
    let words = keyed.iter().any(|(cell, _)| !cell.is_number());
    keyed.sort_by(|(a, _), (b, _)| if words == reverse { b.order(a) } else { a.order(b) });
    *rows = keyed.into_iter().map(|(_, row)| row).collect();
    Ok(())
}

pub(super) fn arrange<'a, T: Table + ?Sized>(
    table: &'a T,
    from: Dictionary<'a>,
    how: &Arrangement,
    task: &Task,
) -> Result<Arranged<'a>, Trouble> {
    let filter = how.pattern()?;
    let mut rows = Vec::new();
    for row in 0..table.count() {
        if row.is_multiple_of(CHECKPOINT_EVERY >> 6) {
            task.checkpoint()?;
        }
        if how.has_place(row as u32) && (filter.is_empty() || table.passes(from, row, &filter)) {
            rows.push(row as u32);
        }
    }
    match &how.sort {
        Some(key) => table.sort(from, &mut rows, (key, how.reverse), task)?,
        None if how.reverse => rows.reverse(),
        None => {}
    }
    let totals = table.totals(from, &rows);
    let expected = rows.len() as u64;
    Ok(Arranged { rows: how.part(rows.into_iter()), totals, expected })
}
