//! Index for reading nodes and edges again from the file: offsets of every 64th of each, position of the strings, and
//! the record fields. It contains no names and no values.

use serde::{Deserialize, Serialize};

use super::{meta::Head, strings::Strings, text_rules::TextRules};
use heaplens_heap::CommonShape;

/// Positions in the file.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Index {
    /// Section `snapshot`, as in the file.
    pub(super) head: String,
    /// Offsets of every 64th node.
    pub(super) nodes: RecordOffsets,
    /// The first edge of every 64th node.
    pub(super) first_edges: Vec<u64>,
    /// Offsets of every 64th edge.
    pub(super) edges: RecordOffsets,
    pub(super) strings: Strings,
    /// What they have of the texts of the program.
    pub(super) texts: TextRules,
    /// Script positions of constructors, by object, ascending: script, line and column, from 0.
    pub(super) locations: Vec<(u32, [u32; 3])>,
    /// Common shapes of plain objects.
    pub(super) shapes: Vec<CommonShape>,
    /// Other sections, read on demand: ranges between their brackets.
    pub(super) samples: Option<(u64, u64)>,
    pub(super) functions: Option<(u64, u64)>,
    pub(super) trace_tree: Option<(u64, u64)>,
}

/// File offsets of records in an array of numbers.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct RecordOffsets {
    pub(super) blocks: Vec<u64>,
    /// End of the array.
    pub(super) end: u64,
    pub(super) count: u64,
}

impl Index {
    /// Section `snapshot`, parsed.
    pub(super) fn head(&self) -> Option<Head> {
        serde_json::from_str(&self.head).ok()
    }
}
