//! Synthetic V8 heap snapshots, in the formats of V8 and its relatives. Shares no constant with the reader.

pub mod collections;
pub mod form;
pub mod random;
pub mod sketch_conversion;
pub mod snapshot;
pub mod storage;
pub mod texts;
pub mod write;
