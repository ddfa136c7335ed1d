//! What a process used at the moment when its dump was taken, and what limited it.
//!
//! A [`ProcessRecord`] is a small JSON file beside the dump, which `heaplens take` writes, or is made of texts that other
//! tools print. It holds what was measured, and says what was not. What the numbers mean together with the heap is not
//! decided here.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test fails by it, and says where"))]

mod bounded;
mod jvm;
mod machine;
mod record;
mod script;
pub mod texts;

pub use jvm::{CodeCache, HeapArea, JvmHeap, JvmRecord, LoaderMetadata, Metaspace, NativeTracking, TrackedCategory};
pub use machine::{Descriptors, Limits, MachineMemory, Mapping, MemoryTotals, ThreadName};
pub use record::{Gap, ProcessRecord, RecordKind, SCHEMA};
pub use script::{HeapSpace, ScriptRecord};
pub use texts::{LIMIT as RECORD_LIMIT, UnreadableRecord};
