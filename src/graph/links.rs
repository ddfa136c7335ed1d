//! Rows of edges to be looked up one by one: in memory as they were made, or
//! packed in a file.

use super::csr::{Csr, Rows};
use super::degrees::{Degrees, Names, Packer};
use crate::storage::column::Column;
use crate::storage::shelf::{Section, Shelf};
use crate::storage::space::Space;
use crate::storage::stored::Stored;

/// The names of the columns of kept rows.
#[derive(Debug, Clone, Copy)]
pub struct LinkNames {
    /// Of where rows begin.
    pub starts: Names,
    /// Of the edges.
    pub targets: &'static str,
}

/// Edges by row.
pub enum Links {
    /// In memory.
    Memory(Csr),
    /// In a file.
    Kept(Kept),
}

/// Edges by row, in a file.
pub struct Kept {
    degrees: Degrees,
    targets: Column<u32>,
}

/// Writes rows into a file, in their order, some at a time.
pub struct LinkWriter {
    shelf: Shelf,
    names: LinkNames,
    degrees: Packer,
    targets: Section<u32>,
}

impl LinkWriter {
    /// For `rows` rows of `edges` edges in all.
    ///
    /// # Errors
    /// When there are more than a file can hold.
    pub fn new(shelf: &Shelf, names: LinkNames, rows: usize, edges: usize) -> std::io::Result<Self> {
        let targets = shelf.section(names.targets, edges)?;
        Ok(Self { shelf: shelf.clone(), names, degrees: Packer::new(rows), targets })
    }

    /// The next rows: how many edges each has, and all of these.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn push(&mut self, degrees: impl IntoIterator<Item = u32>, targets: &[u32]) -> std::io::Result<()> {
        degrees.into_iter().for_each(|degree| self.degrees.push(degree));
        self.targets.push(targets)
    }

    /// All rows.
    ///
    /// # Errors
    /// When the file cannot be written, or edges are missing.
    pub fn finish(self) -> std::io::Result<Links> {
        let targets = self.targets.finish()?;
        Ok(Links::Kept(Kept { degrees: self.degrees.put(&self.shelf, self.names.starts)?, targets }))
    }
}

impl Links {
    /// The rows of `csr` on the shelf; `None` where there is none, or it cannot be written.
    pub fn keep(csr: &Csr, space: &Space, names: LinkNames) -> Option<Self> {
        let rows = csr.view();
        space.on_shelf(|shelf| {
            let mut writer = LinkWriter::new(shelf, names, rows.rows(), rows.edges())?;
            writer.push((0..rows.rows() as u32).map(|row| rows.range(row).len() as u32), rows.targets())?;
            writer.finish()
        })
    }

    /// Rows that were kept under these names.
    pub fn find(stored: &Stored, names: LinkNames) -> Option<Self> {
        let degrees = Degrees::find(stored, names.starts)?;
        Some(Self::Kept(Kept { degrees, targets: stored.column(names.targets)? }))
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Memory(csr) => csr.rows(),
            Self::Kept(kept) => kept.degrees.rows(),
        }
    }

    /// How many edges in all rows.
    pub fn edges(&self) -> usize {
        match self {
            Self::Memory(csr) => csr.edges(),
            Self::Kept(kept) => kept.targets.len(),
        }
    }

    /// The edges of a row; none if there is no such row, or the file is damaged there.
    pub fn row(&self, row: u32) -> &[u32] {
        match self {
            Self::Memory(csr) => csr.row(row),
            Self::Kept(kept) => kept.targets.range(kept.degrees.range(row as usize)),
        }
    }

    /// The rows as slices, if they are in memory.
    pub fn view(&self) -> Option<Rows<'_>> {
        match self {
            Self::Memory(csr) => Some(csr.view()),
            Self::Kept(_) => None,
        }
    }
}
