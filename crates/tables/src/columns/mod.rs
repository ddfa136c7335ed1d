//! Column of a table, declared once: everything reads this declaration — text, CSV, JSON, Markdown, sorting, the
//! window and `docs/tables.md`.
//!
//! A table is a [`TypedTable`](crate::TypedTable): a list of rows and a list of columns of such rows.
//!
//! ```ignore
//! const COLUMNS: &[Column<Item<FinalizerRow>>] = &[
//!     headings::CLASS.text(|row, from| from.class_name(row.class)),
//!     headings::OBJECTS.count(|row, _| Some(row.objects.len() as u64)),
//!     heading("state", "State", "running, waiting or registered").text(|row, _| Some(row.state.name().into())),
//! ];
//! ```
//!
//! The method of the heading is the type of the column ([`ColumnKind`]); the closure reads the value of a row, `None`
//! if it has none. [`Condition`](Condition) says which dumps have the column,
//! [`TextPlace`](TextPlace) where it appears in text. Writers and the window know a table as
//! `dyn Table`: [`Table::columns`](crate::Table::columns) gives a [`ColumnInfo`] per column (key, title, definition,
//! kind), and [`Table::cell`](crate::Table::cell) the cell at its place.

mod cell;
mod column;
mod heading;
pub mod headings;
mod record;

pub use cell::Cell;
pub(crate) use cell::fraction;
pub use column::{Column, ColumnInfo, ColumnKind, Columns, Get, Getter, GetterAt};
pub use heading::{Condition, Heading, TextPlace, heading};
pub use record::{Item, Record};
