//! What summaries say of snapshots of JavaScript engines beside what they say of every heap.

use serde::Serialize;

use crate::heap::snapshot::Statistics;
use crate::units::Bytes;

/// Bytes by what they are, as DevTools' statistics show them.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct SnapshotStatistics {
    pub native_bytes: u64,
    pub typed_array_bytes: u64,
    pub code_bytes: u64,
    pub js_array_bytes: u64,
    pub string_bytes: u64,
    pub system_bytes: u64,
    #[serde(skip)]
    of: Statistics,
}

impl SnapshotStatistics {
    /// Those of a snapshot.
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

    /// What each part is called, and its bytes: they add up to the whole.
    pub fn parts(&self) -> [(&'static str, Bytes); 7] {
        let of = &self.of;
        [
            ("Code", of.code),
            ("Strings", of.strings),
            ("JS arrays", of.js_arrays),
            ("Other JS objects", of.other_objects()),
            ("System", of.system),
            ("Typed arrays", of.typed_arrays),
            ("Other native", Bytes(of.native.0.saturating_sub(of.typed_arrays.0))),
        ]
    }
}
