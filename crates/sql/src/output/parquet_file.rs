//! Rows as a Parquet file, a group of rows at a time: memory holds one group.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Encoding, LogicalType, Repetition, Type as Stored};
use parquet::data_type::{BoolType, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{ColumnPath, Type};

use super::column_data::{ColumnData, Values};
use crate::value::SqlType;
use heaplens_tables::columns::Value;

/// Rows of a group.
pub(crate) const GROUP: usize = 1 << 18;

/// Writes a Parquet file. Ids and sizes are signed numbers of 64 bits: not every reader knows others.
pub struct ParquetWriter<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<ColumnData>,
    /// Rows of the current group, and of all groups before.
    rows: usize,
    written: u64,
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
    pub fn row<'v>(&mut self, values: impl Iterator<Item = Value<'v>>) -> Result<(), ParquetError> {
        for (column, value) in self.columns.iter_mut().zip(values) {
            column.push(&value);
        }
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
            write(column, &mut writer)?;
            writer.close()?;
            column.clear();
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

/// Writes the values of a column.
fn write(column: &ColumnData, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
    let defined = Some(&column.defined[..]);
    match &column.values {
        Values::Integers(values) => writer.typed::<Int64Type>().write_batch(values, defined, None)?,
        Values::Reals(values) => writer.typed::<DoubleType>().write_batch(values, defined, None)?,
        Values::Flags(values) => writer.typed::<BoolType>().write_batch(values, defined, None)?,
        Values::Texts(values, _) => writer.typed::<ByteArrayType>().write_batch(values, defined, None)?,
    };
    Ok(())
}
