//! Value of a cell, with its forms for people, CSV and JSON. `heaplens-sql` has its form in SQL.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde::ser::{Serialize, Serializer};

use crate::export::printable::{no_formula, one_line};
use heaplens_base::{ByteDelta, Bytes, Count, CountDelta, Share};
use heaplens_heap::{Address, Heap, IdStyle, ObjectId};

/// Value of a cell. Text is borrowed where a row has it.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// No value.
    Null,
    /// Text.
    Text(Cow<'a, str>),
    /// An object: its address or id, and how people write it.
    Object(Address, IdStyle),
    /// True or false, with the words for false and true.
    Flag(bool, &'static [&'static str; 2]),
    /// A number that identifies or ranks: written without separators, sorted as text.
    Numeral(i64),
    /// A count.
    Count(u64),
    /// A whole number of unknown meaning, such as one that a query computes.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// A number of bytes.
    Bytes(Bytes),
    /// A difference of counts.
    CountDelta(CountDelta),
    /// A difference in bytes.
    ByteDelta(ByteDelta),
    /// A share; a number between 0 and 1 for programs.
    Share(Share),
    /// A relative change of a count.
    Change {
        /// Count before.
        before: u64,
        /// Count after.
        after: u64,
    },
}

impl<'a> Value<'a> {
    /// Text.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    /// An object of a heap.
    pub fn object(heap: &Heap, object: ObjectId) -> Self {
        Self::Object(heap.address(object), heap.origin.ids)
    }

    /// A value that may be missing.
    pub fn optional<T>(value: Option<T>, make: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Null, make)
    }

    /// The value with its text changed, if it is one.
    pub(crate) fn map_text(self, change: impl FnOnce(String) -> String) -> Self {
        if let Self::Text(text) = self { Self::text(change(text.into_owned())) } else { self }
    }

    /// The value with its own text.
    pub fn into_static(self) -> Value<'static> {
        match self {
            Self::Null => Value::Null,
            Self::Text(text) => Value::text(text.into_owned()),
            Self::Object(id, style) => Value::Object(id, style),
            Self::Flag(is, words) => Value::Flag(is, words),
            Self::Numeral(number) => Value::Numeral(number),
            Self::Count(count) => Value::Count(count),
            Self::Integer(number) => Value::Integer(number),
            Self::Real(number) => Value::Real(number),
            Self::Bytes(bytes) => Value::Bytes(bytes),
            Self::CountDelta(delta) => Value::CountDelta(delta),
            Self::ByteDelta(delta) => Value::ByteDelta(delta),
            Self::Share(share) => Value::Share(share),
            Self::Change { before, after } => Value::Change { before, after },
        }
    }
}

impl Value<'_> {
    /// The same value without a copy of its text.
    pub fn borrowed(&self) -> Value<'_> {
        if let Self::Text(text) = self { Value::text(&**text) } else { self.clone() }
    }

    /// Text of a value that is no quantity: it is aligned left, and filters search it.
    pub fn words(&self) -> Option<Cow<'_, str>> {
        Some(match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Object(id, style) => style.text(*id).into(),
            Self::Flag(is, words) => words[usize::from(*is)].into(),
            Self::Numeral(number) => number.to_string().into(),
            _ => return None,
        })
    }

    /// True if it is aligned right.
    pub fn is_number(&self) -> bool {
        !matches!(self, Self::Text(_) | Self::Object(..) | Self::Flag(..) | Self::Numeral(_))
    }

    /// Order: by number, or alphabetical; cells without a value are least.
    pub fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Count(a) | Self::Bytes(Bytes(a)), Self::Count(b) | Self::Bytes(Bytes(b))) => a.cmp(b),
            (Self::Real(a), Self::Real(b)) => a.total_cmp(b),
            (Self::Integer(a), Self::Real(b)) => with_real(*a, *b),
            (Self::Real(a), Self::Integer(b)) => with_real(*b, *a).reverse(),
            (Self::Integer(a), Self::Integer(b))
            | (Self::CountDelta(CountDelta(a)), Self::CountDelta(CountDelta(b)))
            | (Self::ByteDelta(ByteDelta(a)), Self::ByteDelta(ByteDelta(b))) => a.cmp(b),
            (Self::Share(a), Self::Share(b)) => {
                let part = |of: &Share, total: u64| u128::from(of.part) * u128::from(total.max(1));
                part(a, b.total).cmp(&part(b, a.total))
            }
            // By the ratio of after to before; added rows are greatest.
            (Self::Change { before: a, after: b }, Self::Change { before: c, after: d }) => {
                let part = |of: u64, by: u64| u128::from(of) * u128::from(by);
                (*a == 0).cmp(&(*c == 0)).then_with(|| part(*b, (*c).max(1)).cmp(&part(*d, (*a).max(1))))
            }
            (Self::Null, Self::Null) => Ordering::Equal,
            (Self::Null, _) => Ordering::Less,
            (_, Self::Null) => Ordering::Greater,
            // A column has one kind of value; otherwise numbers come before text.
            (a, b) => a.words().cmp(&b.words()),
        }
    }

    /// Text for people, with sizes to the byte.
    pub fn exact(&self) -> String {
        match self {
            Self::Text(_) | Self::Object(..) | Self::Flag(..) | Self::Numeral(_) => {
                // A line break would break the row.
                one_line(&self.words().unwrap_or_default())
            }
            Self::Count(n) => Count(*n).to_string(),
            Self::Integer(n) => integer(*n),
            Self::Real(number) => format!("{number:.3}"),
            Self::Bytes(bytes) => bytes.exact(),
            Self::CountDelta(delta) => delta.to_string(),
            Self::ByteDelta(delta) => delta.exact(),
            Self::Share(share) => share.to_string(),
            Self::Change { before, after } => change(*before, *after),
            Self::Null => "–".to_owned(),
        }
    }

    /// Text for people, with short sizes.
    pub fn short(&self) -> String {
        match self {
            Self::Bytes(bytes) => bytes.to_string(),
            Self::ByteDelta(delta) => delta.to_string(),
            value => value.exact(),
        }
    }

    /// Text for CSV.
    pub fn csv(&self) -> String {
        match self {
            Self::Text(_) | Self::Object(..) | Self::Flag(..) | Self::Numeral(_) => {
                no_formula(&self.words().unwrap_or_default()).into_owned()
            }
            Self::Count(n) => n.to_string(),
            Self::Integer(n) => n.to_string(),
            Self::Real(number) => number.to_string(),
            Self::Bytes(bytes) => bytes.0.to_string(),
            Self::CountDelta(CountDelta(delta)) | Self::ByteDelta(ByteDelta(delta)) => delta.to_string(),
            Self::Share(share) => fraction(*share).to_string(),
            Self::Null | Self::Change { before: 0, .. } => String::new(),
            Self::Change { before, after } => relative_change(*before, *after).to_string(),
        }
    }
}

/// A whole number and a float, compared exactly: otherwise sorting would have no total order.
fn with_real(number: i64, real: f64) -> Ordering {
    i128::from(number).cmp(&(real.floor() as i128)).then(0.0_f64.total_cmp(&(real - real.floor())))
}

/// A number with separators.
fn integer(number: i64) -> String {
    let digits = Count(number.unsigned_abs());
    if number < 0 { format!("−{digits}") } else { digits.to_string() }
}

/// Relative change: 0.5 means 50 % more.
pub fn relative_change(before: u64, after: u64) -> f64 {
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
            let share = Share { part: after.abs_diff(before), total: before };
            // From 100 % on, tenths of a percent are omitted.
            if share.per_mille() < 1_000 {
                format!("{sign}{share}")
            } else {
                format!("{sign}{} %", Count(share.per_mille() / 10))
            }
        }
    }
}

/// A number from 0 to 1 as answers state it, to three digits.
pub(crate) fn rounded(fraction: f64) -> f64 {
    (fraction * 1000.0).round() / 1000.0
}

/// A share as a number for programs.
pub fn fraction(share: Share) -> f64 {
    if share.total == 0 { 0.0 } else { share.part as f64 / share.total as f64 }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(_) | Self::Object(..) | Self::Flag(..) | Self::Numeral(_) => {
                to.serialize_str(&self.words().unwrap_or_default())
            }
            Self::Count(n) => to.serialize_u64(*n),
            Self::Integer(n) => to.serialize_i64(*n),
            Self::Real(number) => to.serialize_f64(*number),
            Self::Bytes(bytes) => to.serialize_u64(bytes.0),
            Self::CountDelta(CountDelta(delta)) | Self::ByteDelta(ByteDelta(delta)) => to.serialize_i64(*delta),
            Self::Share(share) => to.serialize_f64(fraction(*share)),
            Self::Null | Self::Change { before: 0, .. } => to.serialize_none(),
            Self::Change { before, after } => to.serialize_f64(relative_change(*before, *after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_as_large_as_a_text() {
        assert_eq!(size_of::<Value<'_>>(), size_of::<String>());
    }

    #[test]
    fn a_value_has_a_form_for_each_reader() {
        let forms = |value: Value<'_>| {
            let json = serde_json::to_string(&value).unwrap_or_default();
            [value.short(), value.exact(), value.csv(), json]
        };
        assert_eq!(forms(Value::Null), ["–", "–", "", "null"]);
        assert_eq!(forms(Value::text("=1\n2")), ["=1 2", "=1 2", "'=1\n2", "\"=1\\n2\""]);
        assert_eq!(
            forms(Value::Object(Address(0x7f00), IdStyle::Address)),
            ["0x7f00", "0x7f00", "0x7f00", "\"0x7f00\""]
        );
        assert_eq!(forms(Value::Object(Address(17), IdStyle::Number)), ["@17", "@17", "@17", "\"@17\""]);
        assert_eq!(forms(Value::Flag(true, &["no", "yes"])), ["yes", "yes", "yes", "\"yes\""]);
        assert_eq!(forms(Value::Numeral(1234)), ["1234", "1234", "1234", "\"1234\""]);
        assert_eq!(forms(Value::Bytes(Bytes(12_345))), ["12.3 kB", "12,345", "12345", "12345"]);
        assert_eq!(forms(Value::Change { before: 0, after: 3 }), ["added", "added", "", "null"]);
        assert_eq!(forms(Value::Change { before: 2, after: 3 }), ["+50.0 %", "+50.0 %", "0.5", "0.5"]);
    }
}
