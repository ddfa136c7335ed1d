//! Rows of edges for random access: in memory, or packed in a file.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::degrees::{DegreeNames, Degrees, Packer};
use super::transpose::{Sink, transpose, transpose_into};
use super::{Bits, Csr, Rows};
use heaplens_base::storage::{Column, ColumnFile, MemoryBudget, StoredAnalysis, column_file::Section};
use heaplens_base::{Cancelled, Task};

/// Rows packed together.
const AT_ONCE: usize = 1 << 12;

/// Names of the columns of stored rows.
#[derive(Debug, Clone, Copy)]
pub struct LinkNames {
    /// Column names for the starts of rows.
    pub starts: DegreeNames,
    /// Column name for the targets.
    pub targets: &'static str,
}

/// Edges by row.
pub enum Links {
    /// In memory.
    Memory(Arc<Csr>),
    /// In a file.
    File(Box<FileLinks>),
    /// Being written to a file; lookups wait.
    Pending(Arc<OnceLock<Links>>),
}

/// Edges by row, in a file.
pub struct FileLinks {
    degrees: Degrees,
    targets: Column<u32>,
}

/// Writes rows into a file, in order.
pub struct LinkWriter {
    column_file: ColumnFile,
    names: LinkNames,
    degrees: Packer,
    targets: Section<u32>,
}

impl LinkWriter {
    /// Creates a writer for `rows` rows with `edges` edges in total.
    ///
    /// # Errors
    /// If there are more than the file format allows.
    pub fn new(column_file: &ColumnFile, names: LinkNames, rows: usize, edges: usize) -> std::io::Result<Self> {
        let targets = column_file.section(names.targets, edges)?;
        Ok(Self { column_file: column_file.clone(), names, degrees: Packer::new(rows), targets })
    }

    /// Appends rows.
    pub fn push(&mut self, rows: Rows<'_>) -> std::io::Result<()> {
        let mut degrees = Vec::with_capacity(AT_ONCE);
        for first in (0..rows.rows()).step_by(AT_ONCE) {
            let end = (first + AT_ONCE).min(rows.rows());
            degrees.clear();
            degrees.extend((first as u32..end as u32).map(|row| rows.range(row).len() as u32));
            self.degrees.extend(&degrees);
        }
        self.targets.push(rows.targets())
    }

    /// All rows.
    ///
    /// # Errors
    /// If the file cannot be written, or edges are missing.
    pub fn finish(self) -> std::io::Result<Links> {
        let targets = self.targets.finish()?;
        Ok(Links::File(Box::new(FileLinks {
            degrees: self.degrees.put(&self.column_file, self.names.starts)?,
            targets,
        })))
    }
}

impl Links {
    /// Writes the rows of `csr` to the column file in the background; keeps them in memory if there is none, or the
    /// disk is full.
    pub fn keep(csr: Arc<Csr>, budget: &MemoryBudget, names: LinkNames) -> Self {
        let in_memory = csr.clone();
        let write = move |column_file: &ColumnFile| {
            let rows = csr.view();
            let mut writer = LinkWriter::new(column_file, names, rows.rows(), rows.edges())?;
            writer.push(rows)?;
            writer.finish()
        };
        Self::Pending(budget.write_in_background(write, move || Self::Memory(in_memory)))
    }

    /// Loads the rows stored under these names.
    pub fn find(stored: &StoredAnalysis, names: LinkNames) -> Option<Self> {
        let degrees = Degrees::find(stored, names.starts)?;
        Some(Self::File(Box::new(FileLinks { degrees, targets: stored.column(names.targets)? })))
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Memory(csr) => csr.rows(),
            Self::File(file) => file.degrees.rows(),
            Self::Pending(pending) => pending.wait().rows(),
        }
    }

    /// Number of edges in all rows.
    pub fn edges(&self) -> usize {
        match self {
            Self::Memory(csr) => csr.edges(),
            Self::File(file) => file.targets.len(),
            Self::Pending(pending) => pending.wait().edges(),
        }
    }

    /// Edges of a row; empty if there is no such row, or the file is damaged there.
    pub fn row(&self, row: u32) -> &[u32] {
        match self {
            Self::Memory(csr) => csr.row(row),
            Self::File(file) => file.targets.range(file.degrees.range(row as usize)),
            // A call to `wait` costs as much as the rest.
            Self::Pending(pending) => pending.get().unwrap_or_else(|| pending.wait()).row(row),
        }
    }

    /// Loads what tells where the edges of a row are, in the background.
    #[inline]
    pub fn prefetch_start(&self, row: u32) {
        match self {
            Self::Memory(csr) => csr.view().prefetch_start(row),
            Self::File(file) => file.degrees.prefetch(row as usize),
            Self::Pending(pending) => pending.get().into_iter().for_each(|links| links.prefetch_start(row)),
        }
    }

    /// Number of edges of a row; 0 if there is no such row.
    pub fn degree(&self, row: u32) -> usize {
        match self {
            Self::Memory(csr) => csr.row(row).len(),
            Self::File(file) => file.degrees.degree(row as usize),
            Self::Pending(pending) => pending.wait().degree(row),
        }
    }

    /// Positions of a row's edges among all edges; empty if there is no such row.
    pub fn positions(&self, row: u32) -> Range<usize> {
        match self {
            Self::Memory(csr) if (row as usize) < csr.rows() => csr.view().range(row),
            Self::Memory(_) => 0..0,
            Self::File(file) => file.degrees.range(row as usize),
            Self::Pending(pending) => pending.wait().positions(row),
        }
    }

    /// Sequential access to the rows, in constant time each.
    pub fn walk(&self) -> RowWalk<'_> {
        self.walk_from(0)
    }

    /// The same for the rows from one on.
    pub fn walk_from(&self, row: u32) -> RowWalk<'_> {
        match self {
            Self::Pending(pending) => pending.wait().walk_from(row),
            links => RowWalk { links, row: row as usize, at: links.positions(row).start },
        }
    }

    /// Rows with more than `few` edges, ascending.
    pub fn long_rows(&self, few: usize) -> Vec<u32> {
        match self {
            Self::Memory(csr) => (0..csr.rows() as u32).filter(|&row| csr.row(row).len() > few).collect(),
            Self::File(file) => file.degrees.long_rows(few),
            Self::Pending(pending) => pending.wait().long_rows(few),
        }
    }
}

/// Sequential access in ascending order.
pub struct RowWalk<'a> {
    links: &'a Links,
    /// Next row, and its start.
    row: usize,
    at: usize,
}

impl<'a> RowWalk<'a> {
    /// Edges of a row after the last requested one.
    pub fn row(&mut self, row: u32) -> &'a [u32] {
        let file = match self.links {
            Links::Memory(csr) => return csr.row(row),
            Links::File(file) => file,
            Links::Pending(pending) => return pending.wait().row(row),
        };
        let mut begin = self.at;
        for degree in file.degrees.degrees(self.row..row as usize + 1) {
            (begin, self.at) = (self.at, self.at + degree);
        }
        self.row = row as usize + 1;
        file.targets.range(begin..self.at)
    }
}

/// Reason why not all transposed edges were written to a file.
pub enum LinkWriteError {
    /// Cancelled by the caller.
    Cancelled(Cancelled),
    /// The file cannot be written.
    Io(std::io::Error),
}

impl From<Cancelled> for LinkWriteError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Cancelled(cancelled)
    }
}

impl Sink for LinkWriter {
    type Error = LinkWriteError;

    fn rows(&mut self, degrees: &[u32], sources: &[u32]) -> Result<(), LinkWriteError> {
        self.degrees.extend(degrees);
        self.targets.push(sources).map_err(LinkWriteError::Io)
    }
}

/// Transposed edges, in the column file if there is one, otherwise in memory; and the nodes with exactly one incoming
/// edge.
pub fn transpose_links(
    edges: Rows<'_>,
    budget: &MemoryBudget,
    names: LinkNames,
    task: &Task,
) -> Result<(Links, Bits), Cancelled> {
    let mut cancelled = None;
    let stored = budget.with_column_file(|column_file| {
        let mut writer = LinkWriter::new(column_file, names, edges.rows(), edges.edges())?;
        match transpose_into(edges, &mut writer, task) {
            Ok(single) => Ok(Some((writer.finish()?, single))),
            Err(LinkWriteError::Io(error)) => Err(error),
            Err(LinkWriteError::Cancelled(by)) => {
                cancelled = Some(by);
                Ok(None)
            }
        }
    });
    match (stored.flatten(), cancelled) {
        (Some(transposed), _) => Ok(transposed),
        (None, Some(by)) => Err(by),
        (None, None) => transpose(edges, task).map(|(csr, single)| (Links::Memory(Arc::new(csr)), single)),
    }
}
