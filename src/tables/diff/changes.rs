//! What changed, worked out already: the window shows it, copies and exports it,
//! and names the command that prints the same.

use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Difference, Of, Part, write_difference};
use crate::export::command_line::{CommandLine, OpenedAs};
use crate::export::dictionary::Dictionary;
use crate::export::diff::Heading;
use crate::tables::{Arrangement, Form, Table, Trouble};
use crate::task::Task;

/// One table of what changed between two dumps, or from each of several to the next.
#[derive(Clone)]
pub struct Changes {
    /// What the rows are.
    pub of: Of,
    /// The files of the dumps, in the order in which they are compared.
    pub files: Vec<PathBuf>,
    /// What stands above the rows.
    pub head: Arc<Heading>,
    /// The rows.
    pub table: Arc<dyn Table>,
}

impl Changes {
    /// The command that prints them; all dumps are opened in the same way as the one that is looked at.
    pub fn command(&self, opened: &OpenedAs) -> CommandLine {
        let mut files = self.files.iter();
        let first = OpenedAs { file: files.next().cloned().unwrap_or_default(), ..opened.clone() };
        files.fold(CommandLine::new("diff", &first), CommandLine::argument).option("of", self.of.name())
    }

    /// Writes them as that command does.
    ///
    /// # Errors
    /// [`Trouble`] says why not, or why not to the end.
    pub fn write(
        &self,
        from: Dictionary<'_>,
        how: &Arrangement,
        form: Form,
        out: &mut dyn Write,
        task: &Task,
    ) -> Result<(), Trouble> {
        let head = Heading::clone(&self.head);
        let parts = vec![Part::Rows(Arc::clone(&self.table))];
        write_difference(&Difference { head, parts, unchanged: false }, from, how, form, out, task)
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes").field("of", &self.of).field("files", &self.files).finish_non_exhaustive()
    }
}

/// What was worked out once is the same; of anything else nobody asks.
impl PartialEq for Changes {
    fn eq(&self, other: &Self) -> bool {
        self.of == other.of && Arc::ptr_eq(&self.table, &other.table)
    }
}

impl Eq for Changes {}
