//! Heap snapshots of V8, made up and written as V8 and its relatives write
//! them. Like the rest of this room it shares no constant with the reader.

pub mod form;
pub mod random;
pub mod sketched;
pub mod snapshot;
pub mod write;
