//! Analyses, one file each: plain inputs (the heap and exactly the derived
//! columns needed) → a plain result struct. None imports another, none
//! draws, none knows a format.

pub mod android;
pub mod collections;
pub mod cuts;
pub mod diff;
pub mod direct_buffers;
pub mod dominator_tree;
pub mod filter;
pub mod finalizers;
pub mod gaps;
pub mod grouping;
pub mod histogram;
pub mod holders;
pub mod javascript;
pub mod leaks;
pub mod loaders;
pub mod naming;
pub mod object;
pub mod outline;
pub mod overview;
pub mod ownership;
pub mod paths;
pub mod references;
pub mod retained;
pub mod roots;
pub mod route;
pub mod runtime_classes;
pub mod search;
pub mod sites;
pub mod strings;
pub mod threads;
pub mod unreachable;
pub mod waste;
mod wildcard;
