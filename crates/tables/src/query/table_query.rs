//! A table query as plain data: the table that answers it, and the command line that prints it.

use std::{io::Write, sync::Arc};

use super::{Question, RowQuery, TableKind, TableResult};
use crate::columns::headings;
use crate::{OutputForm, Table, TableContext};
use heaplens_analysis::GroupBy;
use heaplens_base::{Name, Named, Task};
use heaplens_heap::Heap;
use heaplens_session::OpenSettings;

/// Rows of a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistogramRows {
    /// Classes.
    Classes,
    /// Groups of classes.
    Groups(GroupBy),
    /// Single objects, as in a list.
    Objects,
}

impl Named for HistogramRows {
    const NAMES: &'static [Name<Self>] = &[
        Name::new(Self::Classes, "class", "By class"),
        Name::new(
            Self::Groups(GroupBy::Package),
            "package",
            "By package; arrays by the package of their element class",
        ),
        Name::new(Self::Groups(GroupBy::PackageTree), "package-tree", "By package: each with all packages below it"),
        Name::new(Self::Groups(GroupBy::Loader), "loader", "By class loader"),
        Name::new(Self::Groups(GroupBy::Superclass), "superclass", "By direct superclass"),
        Name::new(Self::Objects, "object", "No grouping: one row per object"),
    ];
}

/// A table query: kind, filter, order and range of rows.
#[derive(Debug, Clone)]
pub struct TableQuery {
    /// Kind of rows.
    pub kind: Arc<dyn TableKind>,
    /// Filter, order and range.
    pub rows: RowQuery,
}

impl PartialEq for TableQuery {
    fn eq(&self, other: &Self) -> bool {
        *self.kind == *other.kind && self.rows == other.rows
    }
}

impl Eq for TableQuery {}

impl TableQuery {
    /// Query for rows of a table.
    pub fn new(kind: impl TableKind, rows: RowQuery) -> Self {
        Self { kind: Arc::new(kind), rows }
    }

    /// Query for all rows of a table in their default order.
    pub fn all(kind: impl TableKind) -> Self {
        Self::new(kind, RowQuery::default())
    }

    /// Computes the rows.
    ///
    /// # Errors
    /// If the dump does not have the table, or the task is cancelled.
    pub fn table(&self, dump: TableContext<'_>, task: &Task) -> TableResult<Arc<dyn Table>> {
        self.kind.table(dump, &self.rows, task)
    }

    /// Computes and writes the rows, as the command line does.
    ///
    /// # Errors
    /// As [`table`](Self::table), and if they cannot be written.
    pub fn write(&self, dump: TableContext<'_>, form: OutputForm, out: &mut dyn Write, task: &Task) -> TableResult {
        self.kind.write(dump, &self.rows, form, out, task)
    }

    /// True if its rows are objects, of which ages can be added.
    pub fn lists_objects(&self) -> bool {
        let columns = self.kind.relation().map_or(&[][..], |relation| relation.columns);
        columns.iter().any(|column| column.heading.key == headings::AGE.key)
    }

    /// Command line that prints the same rows.
    pub fn command(&self, heap: &Heap, opened: &OpenSettings) -> Question {
        self.kind.command_rows(&self.rows).options(self.kind.command(heap, opened))
    }
}
