//! The list of leaks: the search for findings, waste and Android leaks, and its rows in groups.

pub mod android_leaks;
pub mod cut_search;
pub mod filter;
pub mod groups;
pub mod lines;
pub mod search;
pub mod verdicts;
