//! A table with the values of its parameters, as plain data: how it is computed, and the command line that prints it.
//! Each query type implements it beside the columns of its table; a table without parameters is its own kind.

use std::any::Any;
use std::fmt;
use std::io::Write;
use std::sync::Arc;

use super::{Question, RowQuery, TableResult};
use crate::relation::Relation;
use crate::{OutputForm, Table, TableContext, write};
use heaplens_base::Task;
use heaplens_heap::Heap;
use heaplens_session::OpenSettings;

/// Values of one type that can be compared with values of any type.
pub trait Comparable: Any {
    /// True if the other value is of this type and equal.
    fn equals(&self, other: &dyn Any) -> bool;
}

impl<K: Any + PartialEq> Comparable for K {
    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }
}

/// A table with the values of its parameters.
pub trait TableKind: Comparable + fmt::Debug + Send + Sync {
    /// The declared table; `None` if the rows are already computed: they bring their columns.
    fn relation(&self) -> Option<&'static Relation>;

    /// Computes the rows, at least those of `rows`.
    ///
    /// # Errors
    /// If the dump does not have the table, or the task is cancelled.
    fn table(&self, dump: TableContext<'_>, rows: &RowQuery, task: &Task) -> TableResult<Arc<dyn Table>>;

    /// Command line that prints all rows in their default order.
    fn command(&self, heap: &Heap, opened: &OpenSettings) -> Question;

    /// Rows of that command that begin with `rows`, if it cannot print these alone.
    fn command_rows(&self, rows: &RowQuery) -> RowQuery {
        rows.clone()
    }

    /// Computes and writes rows, as the command does.
    ///
    /// # Errors
    /// As [`table`](Self::table), and if they cannot be written.
    fn write(
        &self,
        dump: TableContext<'_>,
        rows: &RowQuery,
        form: OutputForm,
        out: &mut dyn Write,
        task: &Task,
    ) -> TableResult {
        write(&*self.table(dump, rows, task)?, dump, rows, form, out, task)
    }

    /// True if rows contain names of objects, which need a namer.
    fn names_objects(&self) -> bool {
        self.relation().is_some_and(|relation| relation.names_objects)
    }
}

impl dyn TableKind {
    /// The query, if it is of this type.
    pub fn downcast<K: TableKind>(&self) -> Option<&K> {
        let kind: &dyn Any = self;
        kind.downcast_ref()
    }
}

impl PartialEq for dyn TableKind {
    fn eq(&self, other: &Self) -> bool {
        self.equals(other)
    }
}

impl Eq for dyn TableKind {}

/// A table without parameters.
impl TableKind for &'static Relation {
    fn relation(&self) -> Option<&'static Relation> {
        Some(self)
    }

    fn table(&self, dump: TableContext<'_>, rows: &RowQuery, task: &Task) -> TableResult<Arc<dyn Table>> {
        Relation::table(self, dump, rows, task)
    }

    fn command(&self, _heap: &Heap, opened: &OpenSettings) -> Question {
        let mut words = self.command.split(' ');
        let mut line = Question::new(words.next().unwrap_or_default(), opened);
        while let (Some(option), Some(value)) = (words.next(), words.next()) {
            line = line.option(option.trim_start_matches('-'), value);
        }
        line
    }
}
