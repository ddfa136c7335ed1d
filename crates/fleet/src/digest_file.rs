//! Digests in files: Parquet, or a line of JSON for each record.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use super::identity::{UNKNOWN, partitions};
use super::record::{COLUMNS, DigestRecord, index_of};
use super::version_order::version_order;
use heaplens_base::{Cancelled, Task};
use heaplens_platform::files::open_regular;
use heaplens_sql::{ParquetRows, ParquetWriter, SqlType};
use heaplens_tables::columns::Value;

/// Form of a file of digests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DigestForm {
    /// Parquet.
    Parquet,
    /// A line of JSON for each record.
    JsonLines,
}

impl DigestForm {
    /// Form of a file by its name; `None` if it is no file of digests.
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        // What starts with an underscore or a dot is not data, as in Hadoop.
        if name.starts_with(['_', '.']) {
            return None;
        }
        match path.extension()?.to_str()? {
            "parquet" => Some(Self::Parquet),
            "jsonl" => Some(Self::JsonLines),
            _ => None,
        }
    }
}

/// Writes records.
///
/// # Errors
/// If writing fails.
pub fn write(out: impl Write + Send, form: DigestForm, records: &[DigestRecord]) -> io::Result<()> {
    let mut out = out;
    if form == DigestForm::JsonLines {
        for record in records {
            serde_json::to_writer(&mut out, record)?;
            out.write_all(b"\n")?;
        }
        return out.flush();
    }
    let columns: Vec<(&str, SqlType)> = COLUMNS.iter().map(|&(name, kind, _)| (name, kind)).collect();
    let notes = [("heaplens", env!("CARGO_PKG_VERSION").to_owned())];
    let mut file = ParquetWriter::new(out, &columns, &notes).map_err(io::Error::other)?;
    for record in records {
        file.row((0..COLUMNS.len()).map(|index| record.value(index))).map_err(io::Error::other)?;
    }
    file.end().map(drop).map_err(io::Error::other)
}

/// Reason why a file of digests was not read to its end.
#[derive(Debug)]
pub enum DigestFileError {
    /// Cancelled.
    Cancelled,
    /// The file is no digest, or it is damaged.
    File(String),
}

impl From<Cancelled> for DigestFileError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// Maximum number of records of a file, and bytes of a line: a file that has more is no digest.
const MOST: usize = 5_000_000;
const LONGEST_LINE: u64 = 1 << 20;
/// Largest number of a record: sums of many do not exceed 64 bits.
const LARGEST: u64 = 1 << 46;

/// Calls `take` with each record of a file. Columns that the file lacks are taken from folders such as `app=shop`.
///
/// # Errors
/// If the task is cancelled, or the file cannot be read. Records before the fault were taken.
pub fn read(path: &Path, task: &Task, mut take: impl FnMut(DigestRecord)) -> Result<(), DigestFileError> {
    let failed = |why: &dyn std::fmt::Display| DigestFileError::File(format!("{}: {why}", path.display()));
    let file = open_regular(path).map_err(|error| failed(&error))?;
    let of_folders: Vec<(usize, Value<'static>)> =
        partitions(path).filter_map(|(key, value)| Some((index_of(key)?, Value::text(value)))).collect();
    let mut count = 0;
    let mut complete = |mut record: DigestRecord| {
        count += 1;
        task.checkpoint_at(count)?;
        for (index, value) in &of_folders {
            if record.value(*index) == Value::Null {
                record.set(*index, value);
            }
        }
        let fault = if count > MOST { Some("more records than a digest has") } else { completed(&mut record) };
        if let Some(why) = fault {
            return Err(failed(&format!("record {count}: {why}")));
        }
        take(record);
        Ok(())
    };
    if DigestForm::of(path) == Some(DigestForm::JsonLines) {
        let mut lines = BufReader::new(file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length =
                lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(|error| failed(&error))?;
            match length as u64 {
                0 => return Ok(()),
                LONGEST_LINE => return Err(failed(&"a line is longer than a record can be")),
                _ if line.iter().all(u8::is_ascii_whitespace) => {}
                _ => complete(serde_json::from_slice(&line).map_err(|error| failed(&error))?)?,
            }
        }
    }
    let rows = ParquetRows::open(file, |column| index_of(column).is_some()).map_err(|error| failed(&error))?;
    let columns: Vec<usize> = rows.columns().filter_map(index_of).collect();
    for row in rows {
        let mut record = DigestRecord::default();
        for (index, value) in columns.iter().zip(&row.map_err(|error| failed(&error))?) {
            record.set(*index, value);
        }
        complete(record)?;
    }
    Ok(())
}

/// Gives a record what its writer may have left out; the reason if it is none.
fn completed(record: &mut DigestRecord) -> Option<&'static str> {
    if record.record.is_none() || record.dump.is_none() {
        return Some("no column 'record' or 'dump': this is no digest");
    }
    if record.numbers().any(|number| number > LARGEST) {
        return Some("a number is larger than a dump can have");
    }
    for text in [&mut record.app, &mut record.version, &mut record.device] {
        text.get_or_insert_with(|| UNKNOWN.into());
    }
    if record.version_order.is_none() {
        record.version_order = record.version.as_deref().map(|version| version_order(version).into());
    }
    if record.dump_id.is_none() {
        record.dump_id = Some(record.own_id());
    }
    None
}
