//! Identity of strings and numbers by content, to compare the values of two snapshots. A value that the file has only in
//! part, or not at all, has none.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::meta::NodeKind;
use super::reader::SnapshotReader;
use crate::heap::{Class, ValueKind};

/// Kind of value of the nodes of a class.
pub(super) fn value_kind(class: &Class) -> Option<ValueKind> {
    match &*class.name {
        "(string)" | "(concatenated string)" | "(sliced string)" | "(slicedstring)" => Some(ValueKind::Text),
        "(number)" => Some(ValueKind::Number),
        "(bigint)" => Some(ValueKind::BigInt),
        _ => None,
    }
    .filter(|_| !class.unlisted)
}

impl SnapshotReader<'_> {
    /// Hash of a string or a number. `None` for other nodes, and if the file does not have the whole value.
    pub(super) fn digest(self, row: u32) -> Option<u64> {
        let node = self.node(row)?;
        let mut hash = FxHasher::default();
        if node.kind == NodeKind::Number {
            hash.write(self.number(row)?.as_bytes());
        } else {
            let text = self.known_text(&node, row).filter(|text| text.is_whole)?;
            text.hash.sums.iter().for_each(|sum| hash.write(&sum.to_le_bytes()));
        }
        Some(hash.finish())
    }
}
