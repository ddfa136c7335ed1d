//! Graph algorithms: nodes are `u32`, edges are compressed sparse rows, weights are `u64`. This module knows nothing of
//! heaps, so every algorithm is tested on random graphs and benchmarked on large ones without any dump. Nothing
//! recurses: a chain of five million nodes is ordinary input.

pub mod bits;
pub mod components;
mod crossings;
pub mod csr;
pub mod degrees;
pub mod descent;
pub mod digraph;
pub mod distances;
pub mod dominators;
pub mod forest;
pub mod groups;
mod instances;
pub mod leaves;
pub mod links;
pub mod marks;
pub mod order;
mod parentheses;
pub mod ranks;
pub mod reach;
pub mod search;
pub mod sparse_sums;
pub mod sums;
pub mod transpose;
pub mod tree;
mod visits;

/// Absent node: no parent, not reached, no hub.
pub const NONE: u32 = u32::MAX;
