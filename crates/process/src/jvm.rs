//! What a Java virtual machine says of itself: flags, heap, metaspace, code cache, native memory tracking.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bounded;

/// Figures of a JVM; an absent part was not recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct JvmRecord {
    /// Flags about memory with their values in force: `MaxHeapSize`, `ThreadStackSize`, `UseG1GC`. No others, and no
    /// arguments, as these may be secrets.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub flags: BTreeMap<String, String>,
    /// The Java heap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heap: Option<JvmHeap>,
    /// Metadata of classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metaspace: Option<Metaspace>,
    /// Compiled code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<CodeCache>,
    /// Native memory by category, if the JVM tracks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native: Option<NativeTracking>,
    /// Class loaders by class, those with the most metadata first; at most 1,000.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "bounded::list")]
    pub loaders: Vec<LoaderMetadata>,
}

/// The Java heap, garbage included.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct JvmHeap {
    /// Name of the collector, as the JVM prints it: `garbage-first`, `PSYoungGen`.
    pub collector: String,
    /// Bytes in use, before the collection that a dump begins with.
    pub used: u64,
    /// Bytes of committed memory.
    pub committed: u64,
    /// Bytes of reserved addresses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reserved: Option<u64>,
    /// Its parts, such as generations.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "bounded::list")]
    pub areas: Vec<HeapArea>,
}

/// A part of the Java heap.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HeapArea {
    /// Its name: `eden space`, `tenured generation`.
    pub name: String,
    /// Bytes in use.
    pub used: u64,
    /// Bytes of committed memory.
    pub committed: u64,
    /// First address and the one after the last, if they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub addresses: Option<(u64, u64)>,
}

/// Metadata of classes, in bytes. The class space is a part of the totals.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Metaspace {
    /// In use.
    pub used: u64,
    /// Committed.
    pub committed: u64,
    /// Reserved addresses.
    pub reserved: u64,
    /// In use in the compressed class space.
    pub class_used: u64,
    /// Committed in the compressed class space.
    pub class_committed: u64,
}

/// Metadata of the classes that loaders of one class have defined.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LoaderMetadata {
    /// Class of the loaders; empty for the bootstrap loader.
    pub class: String,
    /// Number of loaders, hidden classes with metadata of their own not counted.
    pub loaders: u64,
    /// Number of classes, hidden ones included.
    pub classes: u64,
    /// Size of their metadata, in words before JDK 22 and in bytes since: only shares are comparable.
    pub size: u64,
}

/// Compiled code, in bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CodeCache {
    /// Largest size.
    pub size: u64,
    /// In use.
    pub used: u64,
    /// Most in use at any time.
    pub peak: u64,
    /// Addresses of its segments: first, after the last committed, after the last reserved.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "bounded::list")]
    pub segments: Vec<(u64, u64, u64)>,
}

/// Native memory tracking of a JVM (`-XX:NativeMemoryTracking=summary`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NativeTracking {
    /// Reserved bytes of all categories.
    pub reserved: u64,
    /// Committed bytes of all categories.
    pub committed: u64,
    /// The categories, as the JVM lists them.
    #[serde(deserialize_with = "bounded::list")]
    pub categories: Vec<TrackedCategory>,
}

/// A category of native memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrackedCategory {
    /// Its name: `Java Heap`, `Class`, `Thread`, `Code`, `GC`, `Other`.
    pub name: String,
    /// Reserved bytes.
    pub reserved: u64,
    /// Committed bytes.
    pub committed: u64,
    /// Bytes that were allocated by `malloc`, a part of the committed ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub malloc: Option<u64>,
    /// How many things it has: threads, classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
}

impl JvmRecord {
    /// Adds parts of another record that this one does not have.
    pub(crate) fn add(&mut self, other: Self) {
        for (flag, value) in other.flags {
            self.flags.entry(flag).or_insert(value);
        }
        self.heap = self.heap.take().or(other.heap);
        self.metaspace = self.metaspace.take().or(other.metaspace);
        self.code = self.code.take().or(other.code);
        self.native = self.native.take().or(other.native);
        if self.loaders.is_empty() {
            self.loaders = other.loaders;
        }
    }
}

impl NativeTracking {
    /// The category with this name.
    pub fn category(&self, name: &str) -> Option<&TrackedCategory> {
        self.categories.iter().find(|category| category.name == name)
    }
}
