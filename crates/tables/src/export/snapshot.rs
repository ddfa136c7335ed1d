//! Additional summary data of JavaScript snapshots.

use serde::Serialize;

use heaplens_heap::snapshot::Statistics;

/// Bytes by category, as in DevTools' statistics.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct SnapshotStatistics {
    pub native_bytes: u64,
    pub typed_array_bytes: u64,
    pub code_bytes: u64,
    pub js_array_bytes: u64,
    pub string_bytes: u64,
    pub system_bytes: u64,
    /// Lines for people.
    #[serde(skip)]
    pub of: Statistics,
}

impl SnapshotStatistics {
    /// Statistics of a snapshot.
    pub fn new(of: &Statistics) -> Self {
        Self {
            native_bytes: of.native.0,
            typed_array_bytes: of.typed_arrays.0,
            code_bytes: of.code.0,
            js_array_bytes: of.js_arrays.0,
            string_bytes: of.strings.0,
            system_bytes: of.system.0,
            of: *of,
        }
    }
}
