//! The value of one cell, for programs that compute with it: queries and files of columns.

use heaplens_heap::ObjectId;

/// Value of a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Datum {
    /// Text.
    Text(String),
    /// An object.
    Object(ObjectId),
    /// A count, a size in bytes, a difference, a numeral; 0 or 1 for a flag.
    Integer(i64),
    /// A share of 1, or a relative change.
    Real(f64),
    /// No value.
    Nothing,
}
