//! Controllers of the tables and trees of the main area. A view describes its rows, columns, query and empty states as
//! a [`table::TableSource`] or [`tree::Outline`]; a controller owns filter, order, search, cursor, keys, selection,
//! copying and export.

pub mod placeholder;
pub mod table;
pub mod tree;

pub use self::placeholder::Placeholder;
pub use self::table::{Activation, TableController, TableSource};
pub use self::tree::{TreeController, TreeSource};
