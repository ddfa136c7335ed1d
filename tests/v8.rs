//! V8 snapshots: generated ones, compared with a literal and slow implementation of DevTools' rules.

#[path = "v8/broken.rs"]
mod broken;
#[path = "v8/cases.rs"]
mod cases;
#[path = "v8/laws.rs"]
mod laws;
#[path = "v8/naive/mod.rs"]
mod naive;
#[path = "v8/reader.rs"]
mod reader;
#[path = "v8/ropes.rs"]
mod ropes;
#[path = "v8/same_heap.rs"]
mod same_heap;
