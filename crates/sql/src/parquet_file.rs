//! Rows as a Parquet file, a group of rows at a time: memory holds one group.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Encoding, LogicalType, Repetition, Type as Stored};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{ColumnPath, Type};
use rustc_hash::FxHashMap;

use crate::value::{SqlType, SqlValue};

/// Rows of a group.
pub(crate) const GROUP: usize = 1 << 18;
/// Distinct texts of a column that are kept, so that repeated ones need no memory.
const KEPT_TEXTS: usize = 1 << 14;
/// Longest text that is kept.
const KEPT_LENGTH: usize = 256;

/// Writes a Parquet file. Ids and sizes are signed numbers of 64 bits: not every reader knows others.
pub struct ParquetWriter<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<ColumnData>,
    /// Rows of the current group, and of all groups before.
    rows: usize,
    written: u64,
}

/// Values of a group in a column.
pub(crate) struct ColumnData {
    /// By row, 1 if there is a value.
    defined: Vec<i16>,
    values: Values,
}

enum Values {
    Integers(Vec<i64>),
    Reals(Vec<f64>),
    Flags(Vec<bool>),
    Texts(Vec<ByteArray>, FxHashMap<String, ByteArray>),
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins a file with these columns. `notes` are in its footer.
    ///
    /// # Errors
    /// If writing fails.
    pub fn new(out: W, columns: &[(&str, SqlType)], notes: &[(&str, String)]) -> Result<Self, ParquetError> {
        let fields = columns.iter().map(|&(name, kind)| field(name, kind).map(Arc::new)).collect::<Result<_, _>>()?;
        let schema = Type::group_type_builder("schema").with_fields(fields).build()?;
        let notes = notes.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone())).collect();
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("heaplens ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::SNAPPY)
            .set_key_value_metadata(Some(notes));
        for &(name, kind) in columns {
            if matches!(kind, SqlType::Object | SqlType::OlderObject | SqlType::Bytes | SqlType::Integer) {
                let path = ColumnPath::from(name);
                // Numbers of many values: neighbours are near each other.
                properties = properties.set_column_encoding(path.clone(), Encoding::DELTA_BINARY_PACKED);
                // Hardly any id is there twice.
                properties = properties.set_column_dictionary_enabled(path, !kind.is_id());
            }
        }
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties.build()))?;
        let columns = columns.iter().map(|&(_, kind)| ColumnData::new(kind)).collect();
        Ok(Self { writer, columns, rows: 0, written: 0 })
    }

    /// Adds a row: a value for each column.
    ///
    /// # Errors
    /// If writing fails.
    pub fn row<'v>(&mut self, values: impl Iterator<Item = SqlValue<'v>>) -> Result<(), ParquetError> {
        self.columns.iter_mut().zip(values).for_each(|(column, value)| column.push(&value));
        self.rows += 1;
        if self.rows == GROUP { self.write_group() } else { Ok(()) }
    }

    /// Adds a group of rows: values of all columns, equally many.
    pub(crate) fn group(&mut self, columns: Vec<ColumnData>) -> Result<(), ParquetError> {
        let rows = columns.first().map_or(0, |column| column.defined.len());
        if rows == 0 {
            return Ok(());
        }
        (self.columns, self.rows) = (columns, rows);
        self.write_group()
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            let Some(mut writer) = group.next_column()? else { break };
            column.write(&mut writer)?;
            writer.close()?;
        }
        group.close()?;
        self.written += self.rows as u64;
        self.rows = 0;
        Ok(())
    }

    /// Ends the file; returns the number of rows.
    ///
    /// # Errors
    /// If writing fails.
    pub fn end(mut self) -> Result<u64, ParquetError> {
        if self.rows > 0 {
            self.write_group()?;
        }
        self.writer.finish()?;
        Ok(self.written)
    }
}

fn field(name: &str, kind: SqlType) -> Result<Type, ParquetError> {
    let (stored, logical) = match kind {
        SqlType::Object | SqlType::OlderObject | SqlType::Bytes | SqlType::Integer => (Stored::INT64, None),
        SqlType::Real => (Stored::DOUBLE, None),
        SqlType::Flag => (Stored::BOOLEAN, None),
        SqlType::Text => (Stored::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let converted = if logical.is_some() { ConvertedType::UTF8 } else { ConvertedType::NONE };
    Type::primitive_type_builder(name, stored)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .with_converted_type(converted)
        .build()
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

    /// Adds a value; one that the type of the column cannot have is none.
    fn push(&mut self, value: &SqlValue<'_>) {
        let is_value = match (&mut self.values, value) {
            (Values::Integers(values), &SqlValue::Integer(number)) => {
                values.push(number);
                true
            }
            (Values::Reals(values), &SqlValue::Real(number)) => {
                values.push(number);
                true
            }
            (Values::Reals(values), &SqlValue::Integer(number)) => {
                values.push(number as f64);
                true
            }
            (Values::Flags(values), &SqlValue::Integer(flag)) => {
                values.push(flag != 0);
                true
            }
            (Values::Texts(values, kept), SqlValue::Text(text)) => {
                values.push(text_value(text, kept));
                true
            }
            // Answers may have numbers beside texts.
            (Values::Texts(values, kept), &SqlValue::Integer(number)) => {
                values.push(text_value(&number.to_string(), kept));
                true
            }
            (Values::Texts(values, kept), &SqlValue::Real(number)) => {
                values.push(text_value(&number.to_string(), kept));
                true
            }
            _ => false,
        };
        self.defined.push(is_value.into());
    }

    /// Writes the values, and forgets them.
    fn write(&mut self, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let defined = Some(&self.defined[..]);
        match &mut self.values {
            Values::Integers(values) => {
                writer.typed::<Int64Type>().write_batch(values, defined, None)?;
                values.clear();
            }
            Values::Reals(values) => {
                writer.typed::<DoubleType>().write_batch(values, defined, None)?;
                values.clear();
            }
            Values::Flags(values) => {
                writer.typed::<BoolType>().write_batch(values, defined, None)?;
                values.clear();
            }
            Values::Texts(values, kept) => {
                writer.typed::<ByteArrayType>().write_batch(values, defined, None)?;
                values.clear();
                kept.clear();
            }
        }
        self.defined.clear();
        Ok(())
    }
}

/// A text, shared with earlier rows if it is a usual one.
fn text_value(text: &str, kept: &mut FxHashMap<String, ByteArray>) -> ByteArray {
    if let Some(known) = kept.get(text) {
        return known.clone();
    }
    let value = ByteArray::from(text.as_bytes().to_vec());
    if kept.len() < KEPT_TEXTS && text.len() <= KEPT_LENGTH {
        kept.insert(text.to_owned(), value.clone());
    }
    value
}
