//! [`Column`]: a heading with a type and the function that reads its value from a row.

use std::io::{self, Write};
use std::{borrow::Cow, cmp::Ordering, ops::Deref};

use serde::Serialize;

use crate::TableContext;
use crate::columns::{Condition, Heading, Record, Value};
use heaplens_base::{ByteDelta, Bytes, CHECKPOINT_EVERY, Cancelled, CountDelta, Share, Task};
use heaplens_heap::ObjectId;

/// Reads a value of a row; `None` if the row has none.
pub type Getter<K, T> = for<'a> fn(<K as Record>::Row<'a>, TableContext<'a>) -> Option<T>;

/// Reads the `nth` value of several.
pub type GetterAt<K, T> = for<'a> fn(<K as Record>::Row<'a>, TableContext<'a>, usize) -> Option<T>;

/// Writes the value of a row in JSON; it is the `nth` written row.
pub type WriteJson<K> = for<'a> fn(<K as Record>::Row<'a>, TableContext<'a>, usize, &mut dyn Write) -> io::Result<()>;

/// Writes a value as JSON.
///
/// # Errors
/// If it cannot be written.
pub fn json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    Ok(serde_json::to_writer(out, value)?)
}

/// A column of rows of kind `K`.
pub struct Column<K: Record> {
    /// Key, title and definition.
    pub heading: Heading,
    /// Type and value.
    pub get: Get<K>,
    /// Its form in JSON.
    pub json: Json<K>,
}

/// Form of a column in JSON.
pub enum Json<K: Record> {
    /// The value of the cell.
    Cell,
    /// Written by a function: a list that the cell counts or joins, an object.
    Written(WriteJson<K>),
    /// None.
    Omitted,
}

/// Groups of columns, one after the other: groups are shared by tables.
pub type Columns<K> = &'static [&'static [Column<K>]];

/// Type of a column, with the function that reads its value.
pub enum Get<K: Record> {
    /// Text.
    Text(for<'a> fn(K::Row<'a>, TableContext<'a>) -> Option<Cow<'a, str>>),
    /// An object; written as its address or id.
    Object(Getter<K, ObjectId>),
    /// A number of 32 bits.
    Number(Getter<K, u32>),
    /// A count.
    Count(Getter<K, u64>),
    /// A number that identifies or ranks, such as a thread id: written without separators, sorted as text.
    Numeral(Getter<K, i64>),
    /// A size in bytes.
    Bytes(Getter<K, Bytes>),
    /// A size in bytes, one of several with one getter.
    BytesAt(usize, GetterAt<K, Bytes>),
    /// A part of a whole.
    Share(Getter<K, Share>),
    /// A number from 0 to 1, written as such.
    Fraction(Getter<K, f64>),
    /// True or false, with the words for false and true: words in JSON too, as scripts know them.
    Flag(&'static [&'static str; 2], Getter<K, bool>),
    /// A difference of counts.
    CountDelta(Getter<K, CountDelta>),
    /// A difference of sizes in bytes.
    ByteDelta(Getter<K, ByteDelta>),
    /// A relative change of a count: before and after.
    Change(Getter<K, (u64, u64)>),
}

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Text.
    Text,
    /// Address or id of an object.
    Object,
    /// Number of 32 bits.
    Number,
    /// Count of 64 bits.
    Count,
    /// Number that identifies or ranks.
    Numeral,
    /// Bytes, 64 bits.
    Bytes,
    /// Share between 0 and 1, a float of 64 bits.
    Share,
    /// Number between 0 and 1, a float of 64 bits.
    Fraction,
    /// True or false.
    Flag,
    /// Difference of counts, signed, 64 bits.
    CountDelta,
    /// Difference in bytes, signed, 64 bits.
    ByteDelta,
    /// Relative change, a float of 64 bits: 0.5 is 50 % more.
    Change,
}

/// A column without its rows.
#[derive(Debug, Clone, Copy)]
pub struct ColumnInfo {
    /// Place in the table, for [`Table::cell`](crate::Table::cell).
    pub index: usize,
    /// Key, title and definition.
    pub heading: Heading,
    /// Type.
    pub kind: ColumnKind,
}

impl Deref for ColumnInfo {
    type Target = Heading;

    fn deref(&self) -> &Heading {
        &self.heading
    }
}

impl ColumnKind {
    /// True if it is aligned right, and sorted descending first.
    pub const fn is_number(self) -> bool {
        !matches!(self, Self::Text | Self::Object | Self::Numeral | Self::Flag)
    }

    /// Type for the readers of `docs/tables.md`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Object => "object id",
            Self::Number => "u32",
            Self::Count => "u64",
            Self::Numeral | Self::CountDelta => "i64",
            Self::Bytes => "u64, bytes",
            Self::Share | Self::Fraction => "f64, share of 1",
            Self::Flag => "bool",
            Self::ByteDelta => "i64, bytes",
            Self::Change => "f64, relative change",
        }
    }
}

impl<K: Record> Column<K> {
    /// An entry of rows in JSON that is a column nowhere else.
    pub const fn of_json(key: &'static str, write: WriteJson<K>) -> Self {
        let heading = Heading::plain(key, "").when(Condition::Json);
        Self { heading, json: Json::Written(write), get: Get::Text(|_, _| None) }
    }

    /// With a form of its own in JSON.
    #[must_use]
    pub const fn in_json(self, write: WriteJson<K>) -> Self {
        Self { json: Json::Written(write), ..self }
    }

    /// Without an entry in JSON.
    #[must_use]
    pub const fn not_in_json(self) -> Self {
        Self { json: Json::Omitted, ..self }
    }

    /// Its type.
    pub const fn kind(&self) -> ColumnKind {
        match self.get {
            Get::Text(_) => ColumnKind::Text,
            Get::Object(_) => ColumnKind::Object,
            Get::Number(_) => ColumnKind::Number,
            Get::Count(_) => ColumnKind::Count,
            Get::Numeral(_) => ColumnKind::Numeral,
            Get::Bytes(_) | Get::BytesAt(..) => ColumnKind::Bytes,
            Get::Share(_) => ColumnKind::Share,
            Get::Fraction(_) => ColumnKind::Fraction,
            Get::Flag(..) => ColumnKind::Flag,
            Get::CountDelta(_) => ColumnKind::CountDelta,
            Get::ByteDelta(_) => ColumnKind::ByteDelta,
            Get::Change(_) => ColumnKind::Change,
        }
    }

    /// The column at a place of its table, without its rows.
    pub const fn info(&self, index: usize) -> ColumnInfo {
        ColumnInfo { index, heading: self.heading, kind: self.kind() }
    }

    /// Value of a row.
    pub fn cell<'a>(&self, row: K::Row<'a>, dump: TableContext<'a>) -> Value<'a> {
        match self.get {
            Get::Text(get) => Value::optional(get(row, dump), Value::Text),
            Get::Object(get) => Value::optional(get(row, dump), |object| Value::object(dump.heap, object)),
            Get::Number(get) => Value::optional(get(row, dump), |number| Value::Count(number.into())),
            Get::Count(get) => Value::optional(get(row, dump), Value::Count),
            Get::Numeral(get) => Value::optional(get(row, dump), Value::Numeral),
            Get::Bytes(get) => Value::optional(get(row, dump), Value::Bytes),
            Get::BytesAt(nth, get) => Value::optional(get(row, dump, nth), Value::Bytes),
            Get::Share(get) => Value::optional(get(row, dump), Value::Share),
            Get::Fraction(get) => Value::optional(get(row, dump), Value::Real),
            Get::Flag(words, get) => Value::optional(get(row, dump), |is| Value::Flag(is, words)),
            Get::CountDelta(get) => Value::optional(get(row, dump), Value::CountDelta),
            Get::ByteDelta(get) => Value::optional(get(row, dump), Value::ByteDelta),
            Get::Change(get) => Value::optional(get(row, dump), |(before, after)| Value::Change { before, after }),
        }
    }

    /// Sorts the numbers of rows by their values: numbers descending, text ascending, or reversed. Rows without a
    /// value are least, ties stay in the given order.
    pub fn sort<'a>(
        &self,
        rows: &mut Vec<u32>,
        row: impl Fn(usize) -> Option<K::Row<'a>>,
        dump: TableContext<'a>,
        reverse: bool,
        task: &Task,
    ) -> Result<(), Cancelled> {
        let mut sorting = Sorting { rows, task, descending: self.kind().is_number() != reverse };
        let row = |at: u32| row(at as usize);
        match self.get {
            Get::Text(get) => sorting.by(&|at| get(row(at)?, dump), Ord::cmp),
            Get::Object(get) => sorting.by(&|at| Some(dump.heap.id_text(get(row(at)?, dump)?)), Ord::cmp),
            Get::Number(get) => sorting.by(&|at| get(row(at)?, dump), Ord::cmp),
            Get::Count(get) => sorting.by(&|at| get(row(at)?, dump), Ord::cmp),
            Get::Numeral(get) => sorting.by(&|at| Some(get(row(at)?, dump)?.to_string()), Ord::cmp),
            Get::Bytes(get) => sorting.by(&|at| get(row(at)?, dump), Ord::cmp),
            Get::BytesAt(nth, get) => sorting.by(&|at| get(row(at)?, dump, nth), Ord::cmp),
            Get::Flag(words, get) => sorting.by(&|at| Some(words[usize::from(get(row(at)?, dump)?)]), Ord::cmp),
            Get::CountDelta(get) => sorting.by(&|at| get(row(at)?, dump), Ord::cmp),
            Get::ByteDelta(get) => sorting.by(&|at| get(row(at)?, dump), Ord::cmp),
            Get::Share(_) | Get::Fraction(_) | Get::Change(_) => {
                sorting.by(&|at| Some(self.cell(row(at)?, dump)), Value::order)
            }
        }
    }
}

impl Heading {
    /// Column of text.
    pub const fn text<K: Record>(
        self,
        get: for<'a> fn(K::Row<'a>, TableContext<'a>) -> Option<Cow<'a, str>>,
    ) -> Column<K> {
        Column { heading: self, json: Json::Cell, get: Get::Text(get) }
    }

    /// Column of objects.
    pub const fn object<K: Record>(self, get: Getter<K, ObjectId>) -> Column<K> {
        Column { heading: self, json: Json::Cell, get: Get::Object(get) }
    }

    /// Column of numbers of 32 bits: a distance, a depth, a width.
    pub const fn number<K: Record>(self, get: Getter<K, u32>) -> Column<K> {
        Column { heading: self, json: Json::Cell, get: Get::Number(get) }
    }

    /// Column of counts.
    pub const fn count<K: Record>(self, get: Getter<K, u64>) -> Column<K> {
        Column { heading: self, json: Json::Cell, get: Get::Count(get) }
    }

    /// Column of numerals, which identify rather than count.
    pub const fn numeral<K: Record>(self, get: Getter<K, i64>) -> Column<K> {
        Column { heading: self, json: Json::Cell, get: Get::Numeral(get) }
    }

    /// Column of sizes.
    pub const fn bytes<K: Record>(self, get: Getter<K, Bytes>) -> Column<K> {
        Column { heading: self, json: Json::Cell, get: Get::Bytes(get) }
    }

    /// Column of sizes, the `nth` of several with one getter.
    pub const fn bytes_at<K: Record>(self, nth: usize, get: GetterAt<K, Bytes>) -> Column<K> {
        Column { heading: self, json: Json::Cell, get: Get::BytesAt(nth, get) }
    }

    /// Column of shares.
    pub const fn share<K: Record>(self, get: Getter<K, Share>) -> Column<K> {
        Column { heading: self, json: Json::Cell, get: Get::Share(get) }
    }

    /// Column of numbers from 0 to 1, written as such.
    pub const fn fraction<K: Record>(self, get: Getter<K, f64>) -> Column<K> {
        Column { heading: self, json: Json::Cell, get: Get::Fraction(get) }
    }

    /// Column of flags, written as `yes` and `no`.
    pub const fn flag<K: Record>(self, get: Getter<K, bool>) -> Column<K> {
        Column { heading: self, json: Json::Cell, get: Get::Flag(&["no", "yes"], get) }
    }

    /// Column of flags, written as `true` and `false`: the threads of earlier versions have them so.
    pub const fn true_or_false<K: Record>(self, get: Getter<K, bool>) -> Column<K> {
        Column { heading: self, json: Json::Cell, get: Get::Flag(&["false", "true"], get) }
    }

    /// Column of differences of counts.
    pub const fn count_delta<K: Record>(self, get: Getter<K, CountDelta>) -> Column<K> {
        Column { heading: self, json: Json::Cell, get: Get::CountDelta(get) }
    }

    /// Column of differences of sizes.
    pub const fn byte_delta<K: Record>(self, get: Getter<K, ByteDelta>) -> Column<K> {
        Column { heading: self, json: Json::Cell, get: Get::ByteDelta(get) }
    }

    /// Column of relative changes: count before and after.
    pub const fn change<K: Record>(self, get: Getter<K, (u64, u64)>) -> Column<K> {
        Column { heading: self, json: Json::Cell, get: Get::Change(get) }
    }
}

/// Rows to sort.
struct Sorting<'r> {
    rows: &'r mut Vec<u32>,
    task: &'r Task,
    descending: bool,
}

impl Sorting<'_> {
    /// Sorts by values of one type. The values are read through `dyn`: one sort for each type, not for each table,
    /// which was half of what the compiler generated for this crate.
    fn by<V>(&mut self, value: &dyn Fn(u32) -> Option<V>, order: fn(&V, &V) -> Ordering) -> Result<(), Cancelled> {
        let mut keyed: Vec<(Option<V>, u32)> = Vec::with_capacity(self.rows.len());
        for (nth, &row) in self.rows.iter().enumerate() {
            if nth.is_multiple_of(CHECKPOINT_EVERY >> 6) {
                self.task.checkpoint()?;
            }
            keyed.push((value(row), row));
        }
        let order = |a: &Option<V>, b: &Option<V>| match (a, b) {
            (Some(a), Some(b)) => order(a, b),
            (a, b) => a.is_some().cmp(&b.is_some()),
        };
        keyed.sort_by(|(a, _), (b, _)| if self.descending { order(b, a) } else { order(a, b) });
        self.rows.clear();
        self.rows.extend(keyed.into_iter().map(|(_, row)| row));
        Ok(())
    }
}
