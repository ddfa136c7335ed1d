//! Values of columns, and types of columns, as queries have them.

use rusqlite::types::ValueRef;

use heaplens_base::{ByteDelta, Bytes, CountDelta};
use heaplens_heap::{Address, Heap, ObjectId};
use heaplens_tables::ColumnKind;
use heaplens_tables::columns::{Value, fraction, relative_change};

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SqlType {
    /// An object: its id, a number. [`Heap::id_text`] is how people read it.
    Object,
    /// An object of the older of two dumps: its id.
    OlderObject,
    /// A size in bytes.
    Bytes,
    /// A whole number of 64 bits.
    Integer,
    /// A float of 64 bits.
    Real,
    /// Text.
    Text,
    /// 0 or 1.
    Flag,
}

impl SqlType {
    /// All types.
    pub const ALL: [Self; 7] =
        [Self::Object, Self::OlderObject, Self::Bytes, Self::Integer, Self::Real, Self::Text, Self::Flag];

    /// Word in the declaration of a column.
    pub fn word(self) -> &'static str {
        match self {
            Self::Object => "OBJECT",
            Self::OlderObject => "OLDER_OBJECT",
            Self::Bytes => "BYTES",
            Self::Integer => "INTEGER",
            Self::Real => "REAL",
            Self::Text => "TEXT",
            Self::Flag => "BOOLEAN",
        }
    }

    /// True for ids of objects.
    pub fn is_id(self) -> bool {
        matches!(self, Self::Object | Self::OlderObject)
    }

    /// The type declared with a word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

impl From<ColumnKind> for SqlType {
    fn from(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::Text => Self::Text,
            ColumnKind::Object => Self::Object,
            ColumnKind::Number | ColumnKind::Count | ColumnKind::Numeral | ColumnKind::CountDelta => Self::Integer,
            ColumnKind::Bytes | ColumnKind::ByteDelta => Self::Bytes,
            ColumnKind::Share | ColumnKind::Fraction | ColumnKind::Change => Self::Real,
            ColumnKind::Flag => Self::Flag,
        }
    }
}

/// Size of the texts of a row, in bytes.
pub(crate) fn text_bytes(row: &[Value<'_>]) -> usize {
    row.iter().map(|value| if let Value::Text(text) = value { text.len() } else { 0 }).sum()
}

/// The object with an id; `None` if the heap has none.
pub(crate) fn object_of_id(heap: &Heap, id: i64) -> Option<ObjectId> {
    heap.at(Address(id as u64))
}

/// A value in its form in SQL: null, a number or text. An object is the number of its id.
pub fn sql_form<'v>(value: &'v Value<'_>) -> ValueRef<'v> {
    match value {
        Value::Null | Value::Change { before: 0, .. } => ValueRef::Null,
        Value::Text(text) => ValueRef::Text(text.as_bytes()),
        Value::Object(Address(number), _) | Value::Count(number) | Value::Bytes(Bytes(number)) => {
            ValueRef::Integer(*number as i64)
        }
        Value::Integer(number)
        | Value::Numeral(number)
        | Value::CountDelta(CountDelta(number))
        | Value::ByteDelta(ByteDelta(number)) => ValueRef::Integer(*number),
        Value::Flag(is, _) => ValueRef::Integer((*is).into()),
        Value::Real(number) => ValueRef::Real(*number),
        Value::Share(share) => ValueRef::Real(fraction(*share)),
        Value::Change { before, after } => ValueRef::Real(relative_change(*before, *after)),
    }
}
