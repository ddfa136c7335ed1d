//! An entry of a collection as the nodes it refers to.

use heaplens_heap::{LogicalEntry, LogicalKind, ObjectId, Value};

/// An entry: a key and a value of a map, or an element as its value. `None`: a small integer, or nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) key: Option<u32>,
    pub(super) value: Option<u32>,
}

impl Slot {
    /// The entry, in a collection of a kind.
    pub(super) fn entry(self, kind: LogicalKind) -> LogicalEntry {
        let value = |row: Option<u32>| row.and_then(ObjectId::from_raw).map_or(Value::Unavailable, Value::Object);
        match kind {
            LogicalKind::Map => LogicalEntry { key: Some(value(self.key)), value: value(self.value) },
            LogicalKind::List | LogicalKind::Set => LogicalEntry { key: None, value: value(self.key.or(self.value)) },
        }
    }

    /// Sets the key, side 0, or the value.
    pub(super) fn put(&mut self, side: u64, to: u32) {
        let side_value = if side == 0 { &mut self.key } else { &mut self.value };
        side_value.get_or_insert(to);
    }
}
