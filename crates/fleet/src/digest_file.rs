//! Digests in files: Parquet, or a line of JSON for each record.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use super::identity::partitions;
use super::record::{COLUMNS, DigestRecord, place};
use heaplens_base::{Cancelled, Task};
use heaplens_sql::{ParquetRows, ParquetWriter, SqlType, SqlValue};

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
        file.row((0..COLUMNS.len()).map(|place| record.value(place))).map_err(io::Error::other)?;
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

/// Calls `take` with each record of a file. Columns that the file lacks are taken from folders such as `app=shop`.
///
/// # Errors
/// If the task is cancelled, or the file cannot be read. Records before the fault were taken.
pub fn read(path: &Path, task: &Task, mut take: impl FnMut(DigestRecord)) -> Result<(), DigestFileError> {
    let failed = |why: &dyn std::fmt::Display| DigestFileError::File(format!("{}: {why}", path.display()));
    let file = File::open(path).map_err(|error| failed(&error))?;
    let of_folders: Vec<(usize, SqlValue<'static>)> =
        partitions(path).filter_map(|(key, value)| Some((place(key)?, SqlValue::text(value)))).collect();
    let mut complete = |mut record: DigestRecord| {
        for (place, value) in &of_folders {
            if record.value(*place) == SqlValue::Null {
                record.set(*place, value);
            }
        }
        take(record);
    };
    match DigestForm::of(path) {
        Some(DigestForm::JsonLines) => {
            for (line, number) in BufReader::new(file).lines().zip(1_u64..) {
                task.checkpoint()?;
                let line = line.map_err(|error| failed(&error))?;
                if !line.trim().is_empty() {
                    let at_line = |error| failed(&format!("line {number}: {error}"));
                    complete(serde_json::from_str(&line).map_err(at_line)?);
                }
            }
        }
        _ => {
            let rows = ParquetRows::open(file).map_err(|error| failed(&error))?;
            let places: Vec<Option<usize>> = rows.columns().iter().map(|column| place(column)).collect();
            if !rows.columns().iter().any(|column| column == "record") {
                return Err(failed(&"no column 'record': this is no digest"));
            }
            for row in rows {
                task.checkpoint()?;
                let mut record = DigestRecord::default();
                for (place, value) in places.iter().zip(&row.map_err(|error| failed(&error))?) {
                    place.iter().for_each(|&place| record.set(place, value));
                }
                complete(record);
            }
        }
    }
    Ok(())
}
