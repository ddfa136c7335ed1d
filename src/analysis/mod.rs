//! Questions, one file each: plain inputs (the heap and exactly the derived
//! columns it needs) → a plain answer struct. None imports another, none
//! draws, none knows a format.

pub mod collections;
pub mod dominator_tree;
pub mod filter;
pub mod histogram;
pub mod object;
pub mod paths;
pub mod references;
pub mod strings;
pub mod waste;
