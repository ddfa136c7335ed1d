//! Logical view of a collection, independent of its implementation: elements in order, or entries by key, and unused
//! capacity.

use super::contents::Value;
use super::facts::Heap;
use super::ids::ObjectId;
use crate::units::Bytes;

/// Kind of collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogicalKind {
    /// Keys with values.
    Map,
    /// Elements in an order.
    List,
    /// Elements.
    Set,
}

impl LogicalKind {
    /// The word people and JSON see.
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

/// A collection as its user sees it, whatever it is built of.
#[derive(Debug, Clone, PartialEq)]
pub struct Logical {
    /// Kind of collection.
    pub kind: LogicalKind,
    /// Entries it says it has. A damaged dump may hold fewer.
    pub size: u64,
    /// Entries its arrays have room for; `None` where it is built of no array.
    pub capacity: Option<u64>,
    /// The arrays that give it room.
    pub backing: Vec<ObjectId>,
    /// Other objects it is built of: what it wraps, and the nodes of the entries that were asked for.
    pub internals: Vec<ObjectId>,
    /// The entries that were asked for, in its own order.
    pub entries: Vec<LogicalEntry>,
}

/// Room that is partly used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Places in use.
    pub used: u64,
    /// Places there are.
    pub capacity: u64,
    /// The array they are in.
    pub array: ObjectId,
}

impl Room {
    /// The part of `bytes`, which is all the places together, that nothing is in.
    pub fn unused(used: u64, capacity: u64, bytes: Bytes) -> Bytes {
        let free = capacity.saturating_sub(used);
        // Bytes of the heap times places of an array can be more than a u64 holds.
        let part = (u128::from(bytes.0) * u128::from(free)).checked_div(capacity.into());
        Bytes(part.unwrap_or(0) as u64)
    }
}

impl Logical {
    /// Whether it holds something, but in less than a quarter of its room.
    pub fn is_sparse(&self) -> bool {
        self.size > 0 && self.capacity.is_some_and(|capacity| self.size.saturating_mul(4) < capacity)
    }

    /// The arrays that are its own: those of what it wraps are not.
    pub fn own_backing(&self) -> &[ObjectId] {
        if self.internals.is_empty() { &self.backing } else { &[] }
    }

    /// The part of its own arrays that nothing is in.
    pub fn unused(&self, heap: &Heap) -> Bytes {
        let bytes = self.own_backing().iter().map(|&array| heap.shallow(array)).sum();
        Room::unused(self.size, self.capacity.unwrap_or(0), bytes)
    }
}
