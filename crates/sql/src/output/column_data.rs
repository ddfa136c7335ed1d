//! Values of a column, collected until a group of rows is written.

use parquet::data_type::ByteArray;
use rusqlite::types::ValueRef;
use rustc_hash::FxHashMap;

use crate::value::{SqlType, sql_form};
use heaplens_tables::columns::Value;

/// Distinct texts of a column that are kept, so that repeated ones need no memory.
const KEPT_TEXTS: usize = 1 << 14;
/// Longest text that is kept.
const KEPT_LENGTH: usize = 256;

/// Values of a group in a column.
pub(crate) struct ColumnData {
    /// By row, 1 if there is a value.
    pub(super) defined: Vec<i16>,
    /// The values that there are.
    pub(super) values: Values,
}

/// Values of one type.
pub(super) enum Values {
    Integers(Vec<i64>),
    Reals(Vec<f64>),
    Flags(Vec<bool>),
    Texts(Vec<ByteArray>, FxHashMap<Vec<u8>, ByteArray>),
}

impl ColumnData {
    pub(crate) fn new(kind: SqlType) -> Self {
        let values = match kind {
            SqlType::Object | SqlType::OlderObject | SqlType::Bytes | SqlType::Integer => Values::Integers(Vec::new()),
            SqlType::Real => Values::Reals(Vec::new()),
            SqlType::Flag => Values::Flags(Vec::new()),
            SqlType::Text => Values::Texts(Vec::new(), FxHashMap::default()),
        };
        Self { defined: Vec::new(), values }
    }

    /// Adds a whole number to a column of numbers.
    pub(crate) fn integer(&mut self, value: Option<i64>) {
        if let Values::Integers(values) = &mut self.values {
            values.extend(value);
        }
        self.defined.push(value.is_some().into());
    }

    /// Adds a flag to a column of flags.
    pub(crate) fn flag(&mut self, value: Option<bool>) {
        if let Values::Flags(values) = &mut self.values {
            values.extend(value);
        }
        self.defined.push(value.is_some().into());
    }

    /// Adds a text to a column of texts.
    pub(crate) fn text(&mut self, value: Option<ByteArray>) {
        self.defined.push(value.is_some().into());
        if let Values::Texts(values, _) = &mut self.values {
            values.extend(value);
        }
    }

    /// Adds the values of another column of the same type.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.defined.append(&mut other.defined);
        match (&mut self.values, other.values) {
            (Values::Integers(values), Values::Integers(mut more)) => values.append(&mut more),
            (Values::Reals(values), Values::Reals(mut more)) => values.append(&mut more),
            (Values::Flags(values), Values::Flags(mut more)) => values.append(&mut more),
            (Values::Texts(values, _), Values::Texts(mut more, _)) => values.append(&mut more),
            _ => {}
        }
    }

    /// Adds a value; returns false if the type of the column cannot have it: then it is none.
    pub(super) fn push(&mut self, value: &Value<'_>) -> bool {
        let value = sql_form(value);
        let is_value = match (&mut self.values, value) {
            (Values::Integers(values), ValueRef::Integer(number)) => {
                values.push(number);
                true
            }
            (Values::Reals(values), ValueRef::Real(number)) => {
                values.push(number);
                true
            }
            (Values::Reals(values), ValueRef::Integer(number)) => {
                values.push(number as f64);
                true
            }
            (Values::Flags(values), ValueRef::Integer(flag)) => {
                values.push(flag != 0);
                true
            }
            (Values::Texts(values, known_texts), ValueRef::Text(text)) => {
                values.push(text_value(text, known_texts));
                true
            }
            // Answers may have numbers beside texts.
            (Values::Texts(values, known_texts), ValueRef::Integer(number)) => {
                values.push(text_value(number.to_string().as_bytes(), known_texts));
                true
            }
            (Values::Texts(values, known_texts), ValueRef::Real(number)) => {
                values.push(text_value(number.to_string().as_bytes(), known_texts));
                true
            }
            _ => false,
        };
        self.defined.push(is_value.into());
        is_value || value == ValueRef::Null
    }

    /// Forgets the values.
    pub(super) fn clear(&mut self) {
        self.defined.clear();
        match &mut self.values {
            Values::Integers(values) => values.clear(),
            Values::Reals(values) => values.clear(),
            Values::Flags(values) => values.clear(),
            Values::Texts(values, known_texts) => {
                values.clear();
                known_texts.clear();
            }
        }
    }
}

/// A text, shared with earlier rows if it is a usual one.
fn text_value(text: &[u8], known_texts: &mut FxHashMap<Vec<u8>, ByteArray>) -> ByteArray {
    if let Some(known) = known_texts.get(text) {
        return known.clone();
    }
    let value = ByteArray::from(text.to_vec());
    if known_texts.len() < KEPT_TEXTS && text.len() <= KEPT_LENGTH {
        known_texts.insert(text.to_owned(), value.clone());
    }
    value
}
