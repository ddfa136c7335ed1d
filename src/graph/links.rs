//! Rows of edges for random access: in memory, or packed in a file.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::bits::Bits;
use super::csr::{Csr, Rows};
use super::degrees::{Degrees, Names, Packer};
use super::transpose::{Sink, transpose, transpose_into};
use crate::storage::column::Column;
use crate::storage::column_file::{ColumnFile, Section};
use crate::storage::memory_budget::MemoryBudget;
use crate::storage::stored::Stored;
use crate::task::{Cancelled, Task};

/// Names of the columns of stored rows.
#[derive(Debug, Clone, Copy)]
pub struct LinkNames {
    /// Column names for the starts of rows.
    pub starts: Names,
    /// Column name for the targets.
    pub targets: &'static str,
}

/// Edges by row.
pub enum Links {
    /// In memory.
    Memory(Arc<Csr>),
    /// In a file.
    Kept(FileLinks),
    /// Being written to a file; lookups wait.
    Later(Arc<OnceLock<Links>>),
}

/// Edges by row, in a file.
pub struct FileLinks {
    degrees: Degrees,
    targets: Column<u32>,
}

/// Writes rows into a file, in order.
pub struct LinkWriter {
    shelf: ColumnFile,
    names: LinkNames,
    degrees: Packer,
    targets: Section<u32>,
}

impl LinkWriter {
    /// Creates a writer for `rows` rows with `edges` edges in total.
    ///
    /// # Errors
    /// If there are more than the file format allows.
    pub fn new(shelf: &ColumnFile, names: LinkNames, rows: usize, edges: usize) -> std::io::Result<Self> {
        let targets = shelf.section(names.targets, edges)?;
        Ok(Self { shelf: shelf.clone(), names, degrees: Packer::new(rows), targets })
    }

    /// Appends rows: number of edges of each, and all edges.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn push(&mut self, degrees: impl IntoIterator<Item = u32>, targets: &[u32]) -> std::io::Result<()> {
        degrees.into_iter().for_each(|degree| self.degrees.push(degree));
        self.targets.push(targets)
    }

    /// All rows.
    ///
    /// # Errors
    /// If the file cannot be written, or edges are missing.
    pub fn finish(self) -> std::io::Result<Links> {
        let targets = self.targets.finish()?;
        Ok(Links::Kept(FileLinks { degrees: self.degrees.put(&self.shelf, self.names.starts)?, targets }))
    }
}

impl Links {
    /// Writes the rows of `csr` to the column file in the background; keeps them in memory if there is none, or the
    /// disk is full.
    pub fn keep(csr: Arc<Csr>, space: &MemoryBudget, names: LinkNames) -> Self {
        let in_memory = csr.clone();
        let write = move |shelf: &ColumnFile| {
            let rows = csr.view();
            let mut writer = LinkWriter::new(shelf, names, rows.rows(), rows.edges())?;
            writer.push((0..rows.rows() as u32).map(|row| rows.range(row).len() as u32), rows.targets())?;
            writer.finish()
        };
        Self::Later(space.put_beside(write, move || Self::Memory(in_memory)))
    }

    /// Loads the rows stored under these names.
    pub fn find(stored: &Stored, names: LinkNames) -> Option<Self> {
        let degrees = Degrees::find(stored, names.starts)?;
        Some(Self::Kept(FileLinks { degrees, targets: stored.column(names.targets)? }))
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Memory(csr) => csr.rows(),
            Self::Kept(kept) => kept.degrees.rows(),
            Self::Later(made) => made.wait().rows(),
        }
    }

    /// Number of edges in all rows.
    pub fn edges(&self) -> usize {
        match self {
            Self::Memory(csr) => csr.edges(),
            Self::Kept(kept) => kept.targets.len(),
            Self::Later(made) => made.wait().edges(),
        }
    }

    /// Edges of a row; empty if there is no such row, or the file is damaged there.
    pub fn row(&self, row: u32) -> &[u32] {
        match self {
            Self::Memory(csr) => csr.row(row),
            Self::Kept(kept) => kept.targets.range(kept.degrees.range(row as usize)),
            Self::Later(made) => made.wait().row(row),
        }
    }

    /// Positions of a row's edges among all edges; empty if there is no such row.
    pub fn positions(&self, row: u32) -> Range<usize> {
        match self {
            Self::Memory(csr) if (row as usize) < csr.rows() => csr.view().range(row),
            Self::Memory(_) => 0..0,
            Self::Kept(kept) => kept.degrees.range(row as usize),
            Self::Later(made) => made.wait().positions(row),
        }
    }

    /// Sequential access to the rows, in constant time each.
    pub fn walk(&self) -> Walk<'_> {
        match self {
            Self::Later(made) => made.wait().walk(),
            links => Walk { links, row: 0, at: 0 },
        }
    }

    /// Rows with more than `few` edges, ascending.
    pub fn long_rows(&self, few: usize) -> Vec<u32> {
        match self {
            Self::Memory(csr) => (0..csr.rows() as u32).filter(|&row| csr.row(row).len() > few).collect(),
            Self::Kept(kept) => kept.degrees.long_rows(few),
            Self::Later(made) => made.wait().long_rows(few),
        }
    }
}

/// Sequential access in ascending order.
pub struct Walk<'a> {
    links: &'a Links,
    /// Next row, and its start.
    row: usize,
    at: usize,
}

impl<'a> Walk<'a> {
    /// Edges of a row after the last requested one.
    pub fn row(&mut self, row: u32) -> &'a [u32] {
        let kept = match self.links {
            Links::Memory(csr) => return csr.row(row),
            Links::Kept(kept) => kept,
            Links::Later(made) => return made.wait().row(row),
        };
        let mut begin = self.at;
        for degree in kept.degrees.degrees(self.row..row as usize + 1) {
            (begin, self.at) = (self.at, self.at + degree);
        }
        self.row = row as usize + 1;
        kept.targets.range(begin..self.at)
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
        self.push(degrees.iter().copied(), sources).map_err(LinkWriteError::Io)
    }
}

/// Transposed edges, in the column file if there is one, otherwise in memory; and the nodes with exactly one incoming
/// edge.
///
/// # Errors
/// [`Cancelled`] if the task was cancelled.
pub fn turned(
    edges: Rows<'_>,
    space: &MemoryBudget,
    names: LinkNames,
    task: &Task,
) -> Result<(Links, Bits), Cancelled> {
    let mut cancelled = None;
    let written = space.on_shelf(|shelf| {
        let mut writer = LinkWriter::new(shelf, names, edges.rows(), edges.edges())?;
        match transpose_into(edges, &mut writer, task) {
            Ok(single) => Ok(Some((writer.finish()?, single))),
            Err(LinkWriteError::Io(error)) => Err(error),
            Err(LinkWriteError::Cancelled(by)) => {
                cancelled = Some(by);
                Ok(None)
            }
        }
    });
    match (written.flatten(), cancelled) {
        (Some(turned), _) => Ok(turned),
        (None, Some(by)) => Err(by),
        (None, None) => transpose(edges, task).map(|(csr, single)| (Links::Memory(Arc::new(csr)), single)),
    }
}
