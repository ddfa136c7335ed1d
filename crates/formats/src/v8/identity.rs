//! Identity of strings and numbers by content, to compare the values of two snapshots. A value that the file has only in
//! part, or not at all, has none.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::meta::NodeKind;
use super::reader::SnapshotReader;
use heaplens_heap::{Class, ValueKind};

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
            return Some(hash.finish());
        }
        // Stripping replaced the texts by others, which two files have in another order.
        let text = self.known_text(&node, row).filter(|text| text.is_whole && !self.index.texts.is_stripped())?.hash;
        hash.write_u64(text.units);
        text.sums.into_iter().for_each(|sum| hash.write_u64(sum));
        Some(hash.finish())
    }
}
