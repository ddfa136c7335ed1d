//! Columns of tables. A column is declared once: text, CSV, JSON, Markdown, sorting, the window and `docs/tables.md`
//! read the declaration.
//!
//! ```
//! use heaplens_heap::ObjectId;
//! use heaplens_tables::columns::{Columns, Item, heading, headings};
//!
//! /// A row: a lock with the objects that wait for it.
//! struct Lock {
//!     object: ObjectId,
//!     waiting: Vec<ObjectId>,
//!     is_fair: bool,
//! }
//!
//! const COLUMNS: Columns<Item<Lock>> = &[&[
//!     headings::ID.object(|lock, _| Some(lock.object)),
//!     headings::CLASS.text(|lock, dump| dump.class_of(lock.object)),
//!     heading("waiting", "Waiting", "Number of threads that wait for the lock")
//!         .count(|lock, _| Some(lock.waiting.len() as u64)),
//!     heading("fair", "Fair", "Whether threads get the lock in their order").flag(|lock, _| Some(lock.is_fair)),
//!     headings::RETAINED.bytes(|lock, dump| Some(dump.analysis.retained(lock.object))),
//! ]];
//! ```
//!
//! The method of the heading is the type of the column ([`ColumnKind`]); its closure reads the value of a row, `None`
//! if it has none. [`Condition`] says which dumps have the column, [`TextPlace`] where it appears in text, [`Json`] its
//! form in JSON. With its
//! columns a `Vec<Lock>` is a table: [`List::new`](crate::List::new). Rows that are computed or borrowed have a
//! [`Record`] of their own and a [`TypedTable`](crate::TypedTable).
//!
//! Writers and the window know a table as `dyn Table`: [`Table::columns`](crate::Table::columns) gives a [`ColumnInfo`]
//! per column (key, title, definition, kind), and [`Table::cell`](crate::Table::cell) the [`Value`] at its place.

mod column;
mod heading;
pub mod headings;
mod record;
mod value;

pub use column::{Column, ColumnInfo, ColumnKind, Columns, Get, Getter, GetterAt, Json, WriteJson, json};
pub use heading::{Condition, Heading, TextPlace, heading};
pub use record::{Item, Record};
pub(crate) use value::rounded;
pub use value::{Value, fraction, relative_change};
