//! One cell of a table, in the forms for people, CSV and JSON.

use std::cmp::Ordering;

use serde::ser::{Serialize, Serializer};

use crate::export::printable::{no_formula, one_line};
use heaplens_base::{ByteDelta, Bytes, Count, CountDelta, Share};

/// One cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Text.
    Text(String),
    /// A count.
    Count(u64),
    /// A whole number of unknown meaning, such as one that a query computes.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// A number of bytes.
    Size(Bytes),
    /// A difference of counts.
    More(CountDelta),
    /// A difference in bytes.
    Growth(ByteDelta),
    /// A share; a number between 0 and 1 for programs.
    Share(Share),
    /// A relative change of a count.
    Change {
        /// Count before.
        before: u64,
        /// Count after.
        after: u64,
    },
    /// No value.
    Nothing,
}

impl Cell {
    /// True if it is aligned right.
    pub fn is_number(&self) -> bool {
        !matches!(self, Self::Text(_))
    }

    /// Order: by number, or alphabetical; cells without a value are least.
    pub fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Count(a) | Self::Size(Bytes(a)), Self::Count(b) | Self::Size(Bytes(b))) => a.cmp(b),
            (Self::Real(a), Self::Real(b)) => a.total_cmp(b),
            (Self::Integer(a), Self::Integer(b))
            | (Self::More(CountDelta(a)), Self::More(CountDelta(b)))
            | (Self::Growth(ByteDelta(a)), Self::Growth(ByteDelta(b))) => a.cmp(b),
            (Self::Share(a), Self::Share(b)) => {
                let part = |of: &Share, whole: u64| u128::from(of.part) * u128::from(whole.max(1));
                part(a, b.whole).cmp(&part(b, a.whole))
            }
            // By the ratio of after to before; added rows are greatest.
            (Self::Change { before: a, after: b }, Self::Change { before: c, after: d }) => {
                let part = |of: u64, by: u64| u128::from(of) * u128::from(by);
                (*a == 0).cmp(&(*c == 0)).then_with(|| part(*b, (*c).max(1)).cmp(&part(*d, (*a).max(1))))
            }
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Nothing, Self::Nothing) => Ordering::Equal,
            (Self::Nothing, _) => Ordering::Less,
            (_, Self::Nothing) => Ordering::Greater,
            // A column has one kind of value; otherwise numbers come before text.
            (a, b) => b.is_number().cmp(&a.is_number()),
        }
    }

    /// Text for people.
    pub fn for_people(&self) -> String {
        match self {
            // A line break would break the row.
            Self::Text(text) => one_line(text),
            Self::Count(n) => Count(*n).to_string(),
            Self::Integer(n) => integer(*n),
            Self::Real(number) => format!("{number:.3}"),
            Self::Size(bytes) => bytes.exact(),
            Self::More(more) => more.to_string(),
            Self::Growth(more) => more.exact(),
            Self::Share(share) => share.to_string(),
            Self::Change { before, after } => change(*before, *after),
            Self::Nothing => "–".to_owned(),
        }
    }

    /// The cell with its text changed, if it is one.
    pub(crate) fn map_text(self, change: impl FnOnce(String) -> String) -> Self {
        if let Self::Text(text) = self { Self::Text(change(text)) } else { self }
    }

    /// Text for people in reports, with short sizes.
    pub fn short(&self) -> String {
        match self {
            Self::Size(bytes) => bytes.to_string(),
            Self::Growth(more) => more.to_string(),
            cell => cell.for_people(),
        }
    }

    /// Text for CSV.
    pub fn for_csv(&self) -> String {
        match self {
            Self::Text(text) => no_formula(text).into_owned(),
            Self::Count(n) => n.to_string(),
            Self::Integer(n) => n.to_string(),
            Self::Real(number) => number.to_string(),
            Self::Size(bytes) => bytes.0.to_string(),
            Self::More(CountDelta(more)) | Self::Growth(ByteDelta(more)) => more.to_string(),
            Self::Share(share) => fraction(*share).to_string(),
            Self::Nothing | Self::Change { before: 0, .. } => String::new(),
            Self::Change { before, after } => relative_change(*before, *after).to_string(),
        }
    }
}

/// A number with separators.
fn integer(number: i64) -> String {
    let digits = Count(number.unsigned_abs());
    if number < 0 { format!("−{digits}") } else { digits.to_string() }
}

/// Relative change: 0.5 means 50 % more.
pub(crate) fn relative_change(before: u64, after: u64) -> f64 {
    (after as f64 - before as f64) / before as f64
}

/// `+50.0 %`, `added`, `removed`.
fn change(before: u64, after: u64) -> String {
    match (before, after) {
        (0, 0) => String::new(),
        (0, _) => "added".to_owned(),
        (_, 0) => "removed".to_owned(),
        _ if before == after => "0.0 %".to_owned(),
        _ => {
            let sign = if after > before { '+' } else { '−' };
            let share = Share { part: after.abs_diff(before), whole: before };
            // From 100 % on, tenths of a percent are omitted.
            if share.per_mille() < 1_000 {
                format!("{sign}{share}")
            } else {
                format!("{sign}{} %", Count(share.per_mille() / 10))
            }
        }
    }
}

/// A share as a number for programs.
pub fn fraction(share: Share) -> f64 {
    if share.whole == 0 { 0.0 } else { share.part as f64 / share.whole as f64 }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => to.serialize_str(text),
            Self::Count(n) => to.serialize_u64(*n),
            Self::Integer(n) => to.serialize_i64(*n),
            Self::Real(number) => to.serialize_f64(*number),
            Self::Size(bytes) => to.serialize_u64(bytes.0),
            Self::More(CountDelta(more)) | Self::Growth(ByteDelta(more)) => to.serialize_i64(*more),
            Self::Share(share) => to.serialize_f64(fraction(*share)),
            Self::Nothing | Self::Change { before: 0, .. } => to.serialize_none(),
            Self::Change { before, after } => to.serialize_f64(relative_change(*before, *after)),
        }
    }
}
