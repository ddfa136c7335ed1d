//! Our own JSON, the file beside a dump.

use super::unreadable::UnreadableRecord;
use crate::record::{ProcessRecord, SCHEMA};

/// Reads a record that `heaplens take` wrote.
pub(super) fn read(bytes: &[u8]) -> Result<ProcessRecord, UnreadableRecord> {
    let record: ProcessRecord = serde_json::from_slice(bytes).map_err(|error| UnreadableRecord::damaged(&error))?;
    if record.heaplens_process > SCHEMA {
        return Err(UnreadableRecord::NewerSchema(record.heaplens_process));
    }
    Ok(record)
}
