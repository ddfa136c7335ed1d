//! The file beside the dump.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use heaplens_base::Bytes;
use heaplens_process::ProcessRecord;

use crate::TakeError;
use crate::destination::Destination;

/// A record that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordFile {
    /// The file.
    pub path: PathBuf,
    /// Its size.
    pub size: Bytes,
    /// Time that recording took, before the dump; `None` if another machine did it.
    pub cost: Option<Duration>,
}

/// Writes a record beside a complete dump, by the rules of dumps: only the user can read it, it appears under its name when
/// it is complete, and an existing file is not overwritten.
///
/// # Errors
/// A sentence; then there is no file.
pub(crate) fn write_beside(record: &ProcessRecord, dump: &Path) -> Result<RecordFile, String> {
    let path = ProcessRecord::path_beside(dump);
    let size = write(record, &path).map_err(|error| format!("the process is not recorded: {error}"))?;
    Ok(RecordFile { path, size, cost: record.cost_millis.map(Duration::from_millis) })
}

fn write(record: &ProcessRecord, path: &Path) -> Result<Bytes, TakeError> {
    let destination = Destination::new(path)?;
    let mut text = serde_json::to_vec(record).map_err(|error| TakeError::file(path, error.into()))?;
    text.push(b'\n');
    let mut unfinished = destination.unfinished()?;
    unfinished.file_mut().write_all(&text).map_err(|error| TakeError::file(path, error))?;
    destination.finish(unfinished.into_path())?;
    Ok(Bytes(text.len() as u64))
}
