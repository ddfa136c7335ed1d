//! The dominator tree, expanded level by level.

mod expanding;
mod levels;
mod queries;
mod reveal;
mod reveal_path;
mod selected_rows;

pub use levels::{Level, Levels, RowContent};
pub use reveal::RevealTarget;
pub use selected_rows::listing_of_group;
