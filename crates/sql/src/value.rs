//! Values of columns, and types of columns, as queries have them.

use std::borrow::Cow;

use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, ValueRef};

use heaplens_base::Bytes;
use heaplens_heap::{Address, Heap, ObjectId};
use heaplens_tables::ColumnKind;
use heaplens_tables::columns::Datum;

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
            ColumnKind::Share | ColumnKind::Change => Self::Real,
            ColumnKind::Flag => Self::Flag,
        }
    }
}

/// A value of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum SqlValue<'a> {
    /// No value.
    Null,
    /// A whole number, a size, an id or a flag.
    Integer(i64),
    /// A float.
    Real(f64),
    /// Text.
    Text(Cow<'a, str>),
}

impl SqlValue<'_> {
    /// Whole number.
    pub fn count(count: u64) -> Self {
        Self::Integer(count as i64)
    }

    /// Size in bytes.
    pub fn bytes(bytes: Bytes) -> Self {
        Self::count(bytes.0)
    }

    /// An object.
    pub fn object(heap: &Heap, object: ObjectId) -> Self {
        Self::count(heap.address(object).0)
    }
}

impl<'a> SqlValue<'a> {
    /// Text.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    /// A value, or none.
    pub fn of<T>(value: Option<T>, make: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Null, make)
    }

    /// The value of a cell.
    pub fn of_datum(heap: &Heap, datum: Datum) -> Self {
        match datum {
            Datum::Text(text) => Self::text(text),
            Datum::Object(object) => Self::object(heap, object),
            Datum::Integer(number) => Self::Integer(number),
            Datum::Real(number) => Self::Real(number),
            Datum::Nothing => Self::Null,
        }
    }
}

impl SqlValue<'_> {
    /// The same value without a copy of its text.
    pub fn borrowed(&self) -> SqlValue<'_> {
        match self {
            SqlValue::Text(text) => SqlValue::text(&**text),
            SqlValue::Integer(number) => SqlValue::Integer(*number),
            SqlValue::Real(number) => SqlValue::Real(*number),
            SqlValue::Null => SqlValue::Null,
        }
    }

    /// The same value with its own text.
    pub fn to_static(&self) -> SqlValue<'static> {
        match self.borrowed() {
            SqlValue::Text(text) => SqlValue::text(text.into_owned()),
            SqlValue::Integer(number) => SqlValue::Integer(number),
            SqlValue::Real(number) => SqlValue::Real(number),
            SqlValue::Null => SqlValue::Null,
        }
    }
}

/// Size of the texts of a row, in bytes.
pub(crate) fn text_bytes(row: &[SqlValue<'_>]) -> usize {
    row.iter().map(|value| if let SqlValue::Text(text) = value { text.len() } else { 0 }).sum()
}

/// The object with an id; `None` if the heap has none.
pub(crate) fn object_of_id(heap: &Heap, id: i64) -> Option<ObjectId> {
    heap.at(Address(id as u64))
}

impl ToSql for SqlValue<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}
