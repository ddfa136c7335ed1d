//! The record of the process beside a dump, and texts of other tools that are read with a dump.

use std::io::Read;
use std::path::Path;

use heaplens_platform::files::open_regular;
use heaplens_process::{Gap, ProcessRecord, RECORD_LIMIT};

/// The record beside the dump at `path`. One that cannot be read is a record of that alone. `None` if there is none.
pub fn record_beside(path: &Path) -> Option<ProcessRecord> {
    let beside = ProcessRecord::path_beside(path);
    if !beside.is_file() {
        return None;
    }
    Some(read_record(&beside).unwrap_or_else(|why| {
        let name = beside.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let gap = Gap { what: format!("the process ({name})"), why };
        ProcessRecord { gaps: vec![gap], ..ProcessRecord::new(name) }
    }))
}

/// Bytes that tell whether a file is about a process. A record is read as a whole.
const BEGINNING: u64 = 1 << 20;

/// True if a file is a record, or a text of another tool about a process.
pub fn is_record(path: &Path) -> bool {
    let mut bytes = Vec::new();
    let read = open_regular(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut bytes));
    read.is_ok() && ProcessRecord::read("", &bytes).is_ok()
}

/// Reads a record, or a text of another tool about the process.
///
/// # Errors
/// Why it cannot be read.
pub fn read_record(path: &Path) -> Result<ProcessRecord, String> {
    let mut bytes = Vec::new();
    let file = open_regular(path).map_err(|error| error.to_string())?;
    file.take(RECORD_LIMIT as u64 + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    ProcessRecord::read(&name, &bytes).map_err(|error| error.to_string())
}
