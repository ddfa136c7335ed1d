//! The file beside the dump.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use heaplens_base::Bytes;
use heaplens_platform::files::TemporaryFile;
use heaplens_process::ProcessRecord;

/// Name prefix of the file while it is written.
const UNFINISHED: &str = ".heaplens-";

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

/// Writes a record beside a complete dump. Only the user can read it, as the dump. An existing file is not overwritten.
///
/// # Errors
/// A sentence; then there is no file.
pub(crate) fn write_beside(record: &ProcessRecord, dump: &Path) -> Result<RecordFile, String> {
    let path = ProcessRecord::path_beside(dump);
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => format!("{} exists, so the process is not recorded", path.display()),
        _ => format!("{}: {error}; the process is not recorded", path.display()),
    };
    write(record, &path).map_err(failed)?;
    let size = Bytes(fs::metadata(&path).map_err(failed)?.len());
    Ok(RecordFile { path: path.clone(), size, cost: record.cost_millis.map(Duration::from_millis) })
}

fn write(record: &ProcessRecord, path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut text = serde_json::to_vec(record)?;
    text.push(b'\n');
    let mut unfinished = TemporaryFile::new_in(folder, UNFINISHED)?;
    unfinished.file_mut().write_all(&text)?;
    unfinished.into_path().persist_new(path)
}
