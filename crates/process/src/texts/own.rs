//! Our own JSON, the file beside a dump.

use super::UnreadableRecord;
use crate::record::{ProcessRecord, SCHEMA};

/// Reads a record that `heaplens take` wrote.
pub(super) fn read(value: serde_json::Value) -> Result<ProcessRecord, UnreadableRecord> {
    let damaged = |error: serde_json::Error| UnreadableRecord::Damaged(error.to_string());
    let record: ProcessRecord = serde_json::from_value(value).map_err(damaged)?;
    if record.heaplens_process > SCHEMA {
        return Err(UnreadableRecord::NewerSchema(record.heaplens_process));
    }
    Ok(record)
}
