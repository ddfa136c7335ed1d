//! Reads rows of Parquet files, such as those that [`crate::ParquetWriter`] or Spark wrote, column by column.

use parquet::basic::Type;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};

use heaplens_base::library_call::guarded;
use heaplens_tables::columns::Value;

/// Rows that are read at once.
const BATCH: usize = 4_096;

/// Rows of a file, in their order. Memory holds some thousand rows, whatever the file claims.
pub struct ParquetRows<R: ChunkReader + 'static> {
    file: SerializedFileReader<R>,
    /// Names of the columns that are read, and their places in the file.
    columns: Vec<(String, usize)>,
    next_group: usize,
    /// Readers of the columns of the current group.
    readers: Vec<ColumnReader>,
    /// Values of some rows by column, and the next of them.
    batch: Vec<Vec<Value<'static>>>,
    next_row: usize,
}

impl<R: ChunkReader + 'static> ParquetRows<R> {
    /// Opens a file, to read the columns that are wanted.
    ///
    /// # Errors
    /// If it is no Parquet file, or damaged, or a wanted column is neither text nor a number.
    pub fn open(file: R, is_wanted: impl Fn(&str) -> bool) -> Result<Self, ParquetError> {
        let file = caught(|| SerializedFileReader::new(file))?;
        let declared = file.metadata().file_metadata().schema_descr().columns();
        let mut columns = Vec::new();
        for (index, column) in declared.iter().enumerate().filter(|(_, column)| is_wanted(column.name())) {
            let is_plain = column.path().parts().len() == 1 && column.max_rep_level() == 0;
            if !is_plain || matches!(column.physical_type(), Type::INT96 | Type::FIXED_LEN_BYTE_ARRAY) {
                let why = format!("the column {} is neither text nor a number", column.path().string());
                return Err(ParquetError::General(why));
            }
            columns.push((column.name().to_owned(), index));
        }
        let (readers, batch) = (Vec::new(), Vec::new());
        Ok(Self { file, columns, next_group: 0, readers, batch, next_row: 0 })
    }

    /// Names of the columns that are read.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// Reads rows until there are some; false at the end of the file.
    fn read_batch(&mut self) -> Result<bool, ParquetError> {
        loop {
            let readers = &mut self.readers;
            self.batch = caught(|| readers.iter_mut().map(values).collect::<Result<_, ParquetError>>())?;
            self.next_row = 0;
            if self.batch.iter().any(|column| !column.is_empty()) {
                return Ok(true);
            }
            if self.next_group == self.file.num_row_groups() {
                return Ok(false);
            }
            let (file, columns, next) = (&self.file, &self.columns, self.next_group);
            self.next_group += 1;
            self.readers = caught(|| {
                let group = file.get_row_group(next)?;
                columns.iter().map(|(_, index)| group.get_column_reader(*index)).collect::<Result<_, ParquetError>>()
            })?;
        }
    }

    fn read_row(&mut self) -> Result<Option<Vec<Value<'static>>>, ParquetError> {
        let is_over = self.batch.iter().all(|column| self.next_row >= column.len());
        if is_over && !self.read_batch()? {
            return Ok(None);
        }
        let row = self.next_row;
        self.next_row += 1;
        let take = |column: &mut Vec<Value<'static>>| {
            column.get_mut(row).map_or(Value::Null, |value| std::mem::replace(value, Value::Null))
        };
        Ok(Some(self.batch.iter_mut().map(take).collect()))
    }
}

impl<R: ChunkReader + 'static> Iterator for ParquetRows<R> {
    /// Values in the order of the columns; what is neither text nor a number is null.
    type Item = Result<Vec<Value<'static>>, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_row().transpose()
    }
}

/// What a call of the library returns, which panics on some damaged files: then the file is not read on.
fn caught<T>(call: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    guarded(call).unwrap_or_else(|_| Err(ParquetError::General("the file is damaged".to_owned())))
}

/// The next values of a column.
fn values(reader: &mut ColumnReader) -> Result<Vec<Value<'static>>, ParquetError> {
    match reader {
        ColumnReader::BoolColumnReader(reader) => read(reader, |flag| Value::Integer(flag.into())),
        ColumnReader::Int32ColumnReader(reader) => read(reader, |number| Value::Integer(number.into())),
        ColumnReader::Int64ColumnReader(reader) => read(reader, Value::Integer),
        ColumnReader::FloatColumnReader(reader) => read(reader, |number| Value::Real(number.into())),
        ColumnReader::DoubleColumnReader(reader) => read(reader, Value::Real),
        ColumnReader::ByteArrayColumnReader(reader) => {
            read(reader, |text: ByteArray| text.as_utf8().map_or(Value::Null, |text| Value::text(text.to_owned())))
        }
        // Refused when the file was opened.
        ColumnReader::Int96ColumnReader(_) | ColumnReader::FixedLenByteArrayColumnReader(_) => Ok(Vec::new()),
    }
}

/// Reads as many rows as a batch has, or those that are left.
fn read<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    make: impl Fn(T::T) -> Value<'static>,
) -> Result<Vec<Value<'static>>, ParquetError> {
    let (mut values, mut levels, mut all) = (Vec::new(), Vec::new(), Vec::new());
    while all.len() < BATCH {
        values.clear();
        levels.clear();
        let (read, ..) = reader.read_records(BATCH - all.len(), Some(&mut levels), None, &mut values)?;
        if read == 0 {
            break;
        }
        let mut values = values.drain(..);
        if levels.is_empty() {
            // Every row has a value.
            all.extend(values.map(&make));
        } else {
            let value = |&level: &i16| if level > 0 { values.next().map_or(Value::Null, &make) } else { Value::Null };
            all.extend(levels.iter().map(value));
        }
    }
    Ok(all)
}
