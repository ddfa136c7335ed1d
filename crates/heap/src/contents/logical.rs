//! Logical view of a collection, independent of its implementation: elements in order, or entries by key, and unused
//! capacity.

use super::values::Value;
use crate::{Heap, ObjectId};
use heaplens_base::Bytes;
use serde::{Deserialize, Serialize};

/// Kind of collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Hash)]
pub enum LogicalKind {
    /// Keys with values.
    Map,
    /// Elements in an order.
    List,
    /// Elements.
    Set,
}

impl LogicalKind {
    /// Name in the user interface and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::List => "list",
            Self::Set => "set",
        }
    }
}

/// Entry of a collection: a key with its value, or an element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogicalEntry {
    /// The key, in a map.
    pub key: Option<Value>,
    /// The value or element.
    pub value: Value,
}

/// Collection as seen by the program, independent of its implementation.
#[derive(Debug, Clone, PartialEq)]
pub struct LogicalCollection {
    /// Kind of collection.
    pub kind: LogicalKind,
    /// Declared number of entries. A damaged dump may have fewer.
    pub size: u64,
    /// Number of entries that fit into its arrays; `None` if it has no arrays.
    pub capacity: Option<u64>,
    /// Backing arrays.
    pub backing: Vec<ObjectId>,
    /// Other objects of its implementation: wrapped collections, and the nodes of the requested entries.
    pub internals: Vec<ObjectId>,
    /// Requested entries, in the order of the collection.
    pub entries: Vec<LogicalEntry>,
    /// Places that removed entries left, if its table keeps them in the order of insertion.
    pub vacated: Option<Vacated>,
}

/// Places of removed entries in a table that keeps the order of insertion, since it was last made anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Vacated {
    /// Number of places before the oldest entry.
    pub before: u64,
    /// Number of places between two entries.
    pub between: u64,
}

/// Partly used capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capacity {
    /// Places in use.
    pub used: u64,
    /// Places there are.
    pub capacity: u64,
    /// The array they are in.
    pub array: ObjectId,
}

impl Capacity {
    /// Unused share of `bytes`, the size of all slots together.
    pub fn unused(used: u64, capacity: u64, bytes: Bytes) -> Bytes {
        let free = capacity.saturating_sub(used);
        // Bytes times slots may exceed a u64.
        let part = (u128::from(bytes.0) * u128::from(free)).checked_div(capacity.into());
        Bytes(part.unwrap_or(0) as u64)
    }
}

impl LogicalCollection {
    /// True if it is not empty, but less than a quarter of its capacity is used.
    pub fn is_sparse(&self) -> bool {
        self.size > 0 && self.capacity.is_some_and(|capacity| self.size.saturating_mul(4) < capacity)
    }

    /// Backing arrays of its own, without those of a wrapped collection.
    pub fn own_backing(&self) -> &[ObjectId] {
        if self.internals.is_empty() { &self.backing } else { &[] }
    }

    /// Unused capacity of its own arrays, in bytes.
    pub fn unused(&self, heap: &Heap) -> Bytes {
        let bytes = self.own_backing().iter().map(|&array| heap.shallow(array)).sum();
        Capacity::unused(self.size, self.capacity.unwrap_or(0), bytes)
    }
}
