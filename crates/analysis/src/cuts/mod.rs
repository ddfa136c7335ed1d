//! Cuts, and what they free: [`Cut`] is a reference, field, object or class that is excluded from the analysis.
//!
//! [`Namer::resolve_cut`](crate::naming::Namer::resolve_cut) reads the text of a cut,
//! [`Namer::cut_name`](crate::naming::Namer::cut_name) writes it. [`what_if()`] computes what a set of cuts frees,
//! exactly, with the freed objects by [`what_if_with_objects`]; [`frees_at_least`] is a lower bound without a search; [`CutEffect`] adds names.
//! [`excluded_references`] is the set for which [`Heap::without`](heaplens_heap::Heap::without) derives a heap of its
//! own; [`Reduction`] says what became of it. [`smallest_cut()`] finds the fewest references that free an object.

mod cut;
mod cut_references;
mod effect;
mod entries;
mod entry_range;
mod fields;
mod freed;
mod gathered_cuts;
mod kinds;
mod leads_to;
mod names;
mod native_freed;
mod other_holders;
mod properties;
mod reduction;
mod resolved_cuts;
mod scripts;
mod smallest;
mod what_if;

pub use self::cut::Cut;
pub use self::effect::CutEffect;
pub use self::entry_range::EntryRange;
pub use self::freed::FreedObjects;
pub use self::kinds::{is_by_id, is_of_kind};
pub use self::other_holders::OtherHolder;
pub use self::reduction::{Reduction, sizes};
pub use self::smallest::{SMALLEST_LIMIT, SmallestCut, smallest_cut};
pub use self::what_if::{CutResult, WhatIf, excluded_references, frees_at_least, what_if, what_if_with_objects};
