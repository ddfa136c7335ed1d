//! Tables of a heap, one module per kind.

pub(crate) mod class_fields;
pub(crate) mod comparison;
pub(crate) mod dominator_tree;
pub(crate) mod entries;
pub(crate) mod findings;
mod function;
pub(crate) mod functions;
mod graph;
pub(crate) mod held_rows;
pub(crate) mod listed;
pub(crate) mod objects;
mod of_classes;
pub(crate) mod references;
mod removals;
pub(crate) mod roots;
pub(crate) mod stacks;
pub(crate) mod statistics;
pub(crate) mod texts;
pub(crate) mod typed;
