//! What Android says of an app.

use heaplens_process::{ProcessRecord, RecordKind};

use super::{Recording, gap};
use crate::TakeError;

/// A record by the text of `dumpsys meminfo`, or by why there is none.
pub(crate) fn record_android(process: &str, meminfo: impl FnOnce() -> Result<String, TakeError>) -> ProcessRecord {
    let mut recording = Recording::begin(RecordKind::Android, process.parse().ok());
    let record = recording.record();
    match meminfo() {
        Ok(text) => match ProcessRecord::read("dumpsys meminfo", text.as_bytes()) {
            Ok(parts) => record.add(parts),
            Err(_) => gap(record, "memory of the app", first_line(&text)),
        },
        Err(error) => gap(record, "memory of the app", error.to_string()),
    }
    recording.end()
}

/// What a device says in place of the figures.
fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no answer");
    format!("the device says: {}", line.chars().take(200).collect::<String>())
}
