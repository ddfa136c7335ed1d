//! One file or folder per view, with the type that implements [`page::ViewPage`]; `src/view/list.rs` lists them.

pub mod all;
pub mod baseline_object;
mod bitmap;
pub mod bitmaps;
pub mod bytes;
pub mod changes;
mod class_chooser;
pub mod containment;
pub mod copying;
pub mod dominated;
pub mod dominator_tree;
pub mod elements;
pub mod entries;
pub mod fields;
pub mod finding_menu;
mod group;
pub mod growth;
pub mod histogram;
pub mod leaks;
pub mod merged_paths;
pub mod note;
pub mod object;
pub mod object_columns;
mod object_facts;
pub mod object_verdict;
pub mod objects;
pub mod opening;
pub mod overview;
pub mod ownership;
pub mod page;
pub mod paged;
pub mod parse_warnings;
pub mod paths;
pub mod picture;
mod process;
pub mod query;
mod reference_row;
pub mod references;
mod regions;
pub mod related;
pub mod report;
pub mod route;
pub mod stars;
pub mod strengths;
pub mod timeline;
pub mod welcome;

use crate::ui::ViewContext;

/// True if the side panes have something to show: an object, or several of them.
pub fn fills_panes(context: &ViewContext<'_>) -> bool {
    context.location.object.is_some() || group::count(context).is_some()
}
