//! Rows of what grew since the baseline.

pub mod owners;
pub mod owners_over_time;
pub mod rows;
pub mod snapshots;
