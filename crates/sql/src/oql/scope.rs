//! A table that a query selects from: its names, and what its rows are. Expressions are looked up in it.

/// A table that a query selects from, and what is known of its rows.
pub(super) struct Scope {
    /// The alias in the query.
    pub(super) alias: Option<String>,
    /// The name in SQL.
    pub(super) name: String,
    /// Table with its name.
    pub(super) sql: String,
    /// What its rows are.
    pub(super) rows: Rows,
}

/// Rows of a table.
pub(super) enum Rows {
    /// Instances of one class.
    Class(ClassRows),
    /// Objects with their class and sizes.
    Objects,
    /// Rows of a query with these columns.
    Columns(Vec<String>),
}

/// Instances of one class, with their fields as columns.
pub(super) struct ClassRows {
    /// The name of the class, as a table.
    pub(super) name: String,
    /// Names of fields with those of their columns.
    pub(super) fields: Vec<(String, String)>,
    /// True if instances have no other fields.
    pub(super) is_complete: bool,
}
