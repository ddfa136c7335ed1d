//! V8 snapshots: generated ones, compared with a literal and slow implementation of DevTools' rules.

mod arrays;
mod cases;
mod collections;
mod engine_edges;
mod labels;
mod laws;
mod naive;
mod reader;
mod ropes;
mod storage;
mod texts;
