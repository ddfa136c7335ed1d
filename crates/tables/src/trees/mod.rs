//! Trees that are far too large to expand completely, as rows: levels are read or computed in the background when they
//! are expanded.

pub mod dominators;
mod merged_baseline;
pub mod merged_paths;
pub mod merged_trunk;
pub mod ownership;
pub mod reference_levels;
pub mod row_anchor;
pub mod tree;
