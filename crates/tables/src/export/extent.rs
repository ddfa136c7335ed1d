//! Objects and bytes of a part of a heap, in JSON.

use serde::Serialize;

use heaplens_heap::Totals;

/// Objects and bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Extent {
    /// Number of objects.
    pub objects: u64,
    /// Sum of their shallow sizes.
    pub bytes: u64,
}

impl From<Totals> for Extent {
    fn from(totals: Totals) -> Self {
        Self { objects: totals.objects, bytes: totals.shallow.0 }
    }
}
