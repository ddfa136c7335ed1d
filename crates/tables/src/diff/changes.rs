//! A computed comparison: the window shows, copies and exports it, and names the command that prints the same.

use std::{fmt, io::Write, path::PathBuf, sync::Arc};

use super::{DiffRows, Difference, Part, write_difference};
use crate::query::{Question, RowQuery, TableKind, TableResult};
use crate::relation::Relation;
use crate::{OutputForm, Table, TableContext, export::diff::DocumentHeader};
use heaplens_base::{Named, Task};
use heaplens_heap::Heap;
use heaplens_session::OpenSettings;

/// One table of a comparison of two dumps, or of a series of dumps.
#[derive(Clone)]
pub struct Changes {
    /// Kind of rows.
    pub of: DiffRows,
    /// Files of the dumps, in order of comparison.
    pub files: Vec<PathBuf>,
    /// Heading above the rows.
    pub head: Arc<DocumentHeader>,
    /// The rows.
    pub table: Arc<dyn Table>,
}

impl TableKind for Changes {
    fn relation(&self) -> Option<&'static Relation> {
        None
    }

    fn table(&self, _dump: TableContext<'_>, _rows: &RowQuery, _task: &Task) -> TableResult<Arc<dyn Table>> {
        Ok(Arc::clone(&self.table))
    }

    /// All dumps are opened with the options of the current one.
    fn command(&self, _heap: &Heap, opened: &OpenSettings) -> Question {
        let mut files = self.files.iter();
        let first = OpenSettings { file: files.next().cloned().unwrap_or_default(), ..opened.clone() };
        files.fold(Question::new("diff", &first), Question::argument).option("of", self.of.word())
    }

    fn write(
        &self,
        dump: TableContext<'_>,
        rows: &RowQuery,
        form: OutputForm,
        out: &mut dyn Write,
        task: &Task,
    ) -> TableResult {
        let head = DocumentHeader::clone(&self.head);
        let parts = vec![Part::Rows(Arc::clone(&self.table))];
        write_difference(&Difference { head, parts, unchanged: false }, dump, rows, form, out, task)
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes").field("of", &self.of).field("files", &self.files).finish_non_exhaustive()
    }
}

/// Computed results are equal if they are the same allocation.
impl PartialEq for Changes {
    fn eq(&self, other: &Self) -> bool {
        self.of == other.of && Arc::ptr_eq(&self.table, &other.table)
    }
}

impl Eq for Changes {}
