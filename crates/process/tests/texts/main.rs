//! Texts that other tools print, as records. The samples are real output, shortened; `kubectl-describe.txt` and
//! `meminfo.txt` were written by hand after the format.
#![expect(clippy::unwrap_used, reason = "a test fails by it, and says where")]

mod damaged;
mod jvm;
mod system;

use heaplens_process::ProcessRecord;

/// A sample by its name, and its bytes.
fn sample(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/texts/samples/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).unwrap()
}

/// The record of a sample. No text is recorded that could be a secret.
fn read(name: &str) -> ProcessRecord {
    let bytes = sample(name);
    let record = ProcessRecord::read(name, &bytes).unwrap();
    assert_eq!(record.sources, [name]);
    let json = serde_json::to_string(&record).unwrap();
    assert!(!json.contains("planted"), "{name}: {json}");
    record
}
