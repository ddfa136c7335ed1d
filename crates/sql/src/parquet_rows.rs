//! Reads rows of Parquet files, such as those that [`crate::ParquetWriter`] or Spark wrote: a group of rows at a time,
//! column by column.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};

use crate::value::SqlValue;

/// Rows of a file, in their order.
pub struct ParquetRows<R: ChunkReader + 'static> {
    file: SerializedFileReader<R>,
    columns: Vec<String>,
    next_group: usize,
    /// Values of the current group by column, and its next row.
    group: Vec<Vec<SqlValue<'static>>>,
    next_row: usize,
}

impl<R: ChunkReader + 'static> ParquetRows<R> {
    /// Opens a file.
    ///
    /// # Errors
    /// If it is no Parquet file, or damaged, or its rows have parts.
    pub fn open(file: R) -> Result<Self, ParquetError> {
        let file = SerializedFileReader::new(file)?;
        let schema = file.metadata().file_metadata().schema_descr();
        if let Some(nested) = schema.columns().iter().find(|column| column.path().parts().len() != 1) {
            return Err(ParquetError::General(format!("the column {} has parts", nested.path().string())));
        }
        if let Some(list) = schema.columns().iter().find(|column| column.max_rep_level() > 0) {
            return Err(ParquetError::General(format!("the column {} has lists", list.name())));
        }
        let columns = schema.columns().iter().map(|column| column.name().to_owned()).collect();
        Ok(Self { file, columns, next_group: 0, group: Vec::new(), next_row: 0 })
    }

    /// Names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Reads the next group with rows; false at the end of the file.
    fn read_group(&mut self) -> Result<bool, ParquetError> {
        if self.next_group == self.file.num_row_groups() {
            return Ok(false);
        }
        let group = self.file.get_row_group(self.next_group)?;
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        self.next_group += 1;
        let column = |place: usize| values(group.get_column_reader(place)?, rows);
        self.group = (0..self.columns.len()).map(column).collect::<Result<_, ParquetError>>()?;
        self.next_row = 0;
        Ok(true)
    }

    fn read_row(&mut self) -> Result<Option<Vec<SqlValue<'static>>>, ParquetError> {
        while self.group.first().is_none_or(|column| self.next_row >= column.len()) {
            if !self.read_group()? {
                return Ok(None);
            }
        }
        let row = self.next_row;
        self.next_row += 1;
        let take = |column: &mut Vec<SqlValue<'static>>| {
            column.get_mut(row).map_or(SqlValue::Null, |value| std::mem::replace(value, SqlValue::Null))
        };
        Ok(Some(self.group.iter_mut().map(take).collect()))
    }
}

impl<R: ChunkReader + 'static> Iterator for ParquetRows<R> {
    /// Values in the order of the columns; what is neither text nor a number is null.
    type Item = Result<Vec<SqlValue<'static>>, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_row().transpose()
    }
}

/// Values of a column in a group of rows.
fn values(reader: ColumnReader, rows: usize) -> Result<Vec<SqlValue<'static>>, ParquetError> {
    match reader {
        ColumnReader::BoolColumnReader(reader) => read(reader, rows, |flag| SqlValue::Integer(flag.into())),
        ColumnReader::Int32ColumnReader(reader) => read(reader, rows, |number| SqlValue::Integer(number.into())),
        ColumnReader::Int64ColumnReader(reader) => read(reader, rows, SqlValue::Integer),
        ColumnReader::FloatColumnReader(reader) => read(reader, rows, |number| SqlValue::Real(number.into())),
        ColumnReader::DoubleColumnReader(reader) => read(reader, rows, SqlValue::Real),
        ColumnReader::ByteArrayColumnReader(reader) => read(reader, rows, |text: ByteArray| {
            text.as_utf8().map_or(SqlValue::Null, |text| SqlValue::text(text.to_owned()))
        }),
        ColumnReader::Int96ColumnReader(_) | ColumnReader::FixedLenByteArrayColumnReader(_) => {
            Ok(vec![SqlValue::Null; rows])
        }
    }
}

/// Reads a column. The number of rows is that of the metadata, which may claim anything: nothing is sized by it.
fn read<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    rows: usize,
    make: impl Fn(T::T) -> SqlValue<'static>,
) -> Result<Vec<SqlValue<'static>>, ParquetError> {
    let (mut found, mut levels, mut all) = (Vec::new(), Vec::new(), Vec::new());
    while all.len() < rows {
        found.clear();
        levels.clear();
        let (read, ..) = reader.read_records(rows - all.len(), Some(&mut levels), None, &mut found)?;
        if read == 0 {
            break;
        }
        let mut found = found.drain(..);
        if levels.is_empty() {
            // Every row has a value.
            all.extend(found.map(&make));
        } else {
            let value =
                |&level: &i16| if level > 0 { found.next().map_or(SqlValue::Null, &make) } else { SqlValue::Null };
            all.extend(levels.iter().map(value));
        }
    }
    Ok(all)
}
