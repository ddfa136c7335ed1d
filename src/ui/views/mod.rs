//! A file per view. A view has its own small state, reads the answers it is
//! given, and changes nothing else: what a person wants goes out as a command.

pub mod all;
pub mod beside;
mod bitmap;
pub mod bitmaps;
pub mod bytes;
pub mod changes;
pub mod containment;
pub mod copying;
pub mod dominated;
pub mod dominator_tree;
pub mod elements;
pub mod entries;
pub mod fields;
pub mod growth;
pub mod histogram;
pub mod leaks;
pub mod merged_paths;
pub mod note;
pub mod notes;
pub mod object;
pub mod object_columns;
pub mod objects;
pub mod opening;
pub mod overview;
pub mod pages;
pub mod paths;
pub mod picture;
pub mod references;
mod regions;
pub mod report;
pub mod said;
pub mod stars;
pub mod strengths;
pub mod timeline;
pub mod welcome;
