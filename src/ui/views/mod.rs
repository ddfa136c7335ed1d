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

/// What the side panes have to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaneContent {
    /// An object, or several of them.
    Objects,
    /// A class is selected, about which they say nothing.
    Class,
    /// Neither.
    Nothing,
}

/// What the side panes have to show of the selection.
pub fn pane_content(context: &ViewContext<'_>) -> PaneContent {
    if context.location.object.is_some() || group::count(context).is_some() {
        PaneContent::Objects
    } else if context.location.class.is_some() {
        PaneContent::Class
    } else {
        PaneContent::Nothing
    }
}
