//! What a JavaScript engine says of itself: `process.memoryUsage()`, heap spaces, resources.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bounded;

/// Figures of a JavaScript engine in bytes; an absent value was not recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScriptRecord {
    /// Resident memory of the process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resident: Option<u64>,
    /// Memory that the heap has from the system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heap_total: Option<u64>,
    /// Memory in use in the heap, garbage included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heap_used: Option<u64>,
    /// Limit of the heap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heap_limit: Option<u64>,
    /// Memory of native objects that JavaScript objects hold, array buffers included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external: Option<u64>,
    /// Memory of array buffers, Node's buffers included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array_buffers: Option<u64>,
    /// Memory that the engine allocated by `malloc`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub malloced: Option<u64>,
    /// Worker threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workers: Option<u64>,
    /// Memory that the heaps of the workers have from the system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workers_heap: Option<u64>,
    /// Handles of libuv by type: `tcp`, `timer`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub handles: BTreeMap<String, u64>,
    /// Spaces of the heap.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "bounded::list")]
    pub spaces: Vec<HeapSpace>,
}

/// A space of the heap of V8.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HeapSpace {
    /// Its name: `old_space`.
    pub name: String,
    /// Memory that it has from the system.
    pub size: u64,
    /// Memory in use.
    pub used: u64,
}
