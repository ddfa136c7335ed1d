//! Columns of unsigned integers, stored with the smallest width that fits the largest value.

use std::{io, sync::Arc};

use bytemuck::Pod;

use super::{Column, ColumnFile, ForwardColumn, StoredAnalysis, prefetch, spilling_column::SpillingColumn};

/// Column of unsigned integers of 1, 2 or 4 bytes.
pub enum Numbers {
    /// All values below 2⁸.
    Bytes(Column<u8>),
    /// All values below 2¹⁶.
    Shorts(Column<u16>),
    /// Any values.
    Words(Column<u32>),
    /// Being written to a file.
    Pending(Arc<SpillingColumn<Column<u32>, Numbers>>),
}

/// Values of a column as a slice, for fast repeated access.
#[derive(Clone, Copy)]
pub enum Slices<'a> {
    /// All values below 2⁸.
    Bytes(&'a [u8]),
    /// All values below 2¹⁶.
    Shorts(&'a [u16]),
    /// Any values.
    Words(&'a [u32]),
}

/// Sequential reader of a column.
pub enum ForwardNumbers<'a> {
    /// All values below 2⁸.
    Bytes(ForwardColumn<'a, u8>),
    /// All values below 2¹⁶.
    Shorts(ForwardColumn<'a, u16>),
    /// Any values.
    Words(ForwardColumn<'a, u32>),
}

impl ForwardNumbers<'_> {
    /// Value of a row; `None` past the end, or if the file is damaged there.
    #[inline]
    pub fn get(&mut self, row: usize) -> Option<u32> {
        match self {
            Self::Bytes(values) => values.get(row).map(u32::from),
            Self::Shorts(values) => values.get(row).map(u32::from),
            Self::Words(values) => values.get(row),
        }
    }
}

impl Slices<'_> {
    /// Value of a row; `None` past the end.
    #[inline]
    pub fn get(&self, row: usize) -> Option<u32> {
        match self {
            Self::Bytes(values) => values.get(row).copied().map(u32::from),
            Self::Shorts(values) => values.get(row).copied().map(u32::from),
            Self::Words(values) => values.get(row).copied(),
        }
    }

    /// Loads the value of a row in the background.
    #[inline]
    pub fn prefetch(&self, row: usize) {
        match self {
            Self::Bytes(values) => prefetch(values, row),
            Self::Shorts(values) => prefetch(values, row),
            Self::Words(values) => prefetch(values, row),
        }
    }
}

impl Default for Numbers {
    fn default() -> Self {
        Self::Words(Column::default())
    }
}

impl From<Column<u32>> for Numbers {
    fn from(values: Column<u32>) -> Self {
        Self::Words(values)
    }
}

impl Numbers {
    /// All values; waits until they are available. For a stored analysis this reads and verifies the whole column.
    pub fn slices(&self) -> Slices<'_> {
        match self {
            Self::Pending(pending) => pending.wait().slices(),
            Self::Bytes(values) => Slices::Bytes(values.all()),
            Self::Shorts(values) => Slices::Shorts(values.all()),
            Self::Words(values) => Slices::Words(values.all()),
        }
    }

    /// Sequential reader of the column.
    pub fn forward(&self) -> ForwardNumbers<'_> {
        match self {
            Self::Pending(pending) => pending.wait().forward(),
            Self::Bytes(values) => ForwardNumbers::Bytes(values.forward()),
            Self::Shorts(values) => ForwardNumbers::Shorts(values.forward()),
            Self::Words(values) => ForwardNumbers::Words(values.forward()),
        }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Pending(pending) => pending.wait().len(),
            Self::Bytes(values) => values.len(),
            Self::Shorts(values) => values.len(),
            Self::Words(values) => values.len(),
        }
    }

    /// True if the column has no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Value of a row; `None` past the end, or if the file is damaged there.
    #[inline]
    pub fn get(&self, row: usize) -> Option<u32> {
        let numbers = match self {
            Self::Pending(pending) => match pending.written() {
                Some(written) => written,
                None => return pending.get(|memory| memory.get(row), |written| written.get(row)),
            },
            numbers => numbers,
        };
        match numbers {
            Self::Bytes(values) => values.get(row).map(u32::from),
            Self::Shorts(values) => values.get(row).map(u32::from),
            Self::Words(values) => values.get(row),
            // Written columns are not pending.
            Self::Pending(pending) => pending.wait().get(row),
        }
    }

    /// Loads the value of a row in the background. Does nothing past the end, or while the column is being written.
    #[inline]
    pub fn prefetch(&self, row: usize) {
        match self {
            Self::Pending(pending) => pending.written().into_iter().for_each(|written| written.prefetch(row)),
            Self::Bytes(values) => values.prefetch(row),
            Self::Shorts(values) => values.prefetch(row),
            Self::Words(values) => values.prefetch(row),
        }
    }

    /// Writes `values` with the smallest width that fits the largest value.
    pub(super) fn put(column_file: &ColumnFile, name: &'static str, values: &[u32]) -> io::Result<Self> {
        let largest = largest(values);
        Ok(if u8::try_from(largest).is_ok() {
            Self::Bytes(narrowed(column_file, name, values)?)
        } else if u16::try_from(largest).is_ok() {
            Self::Shorts(narrowed(column_file, name, values)?)
        } else {
            Self::Words(column_file.put(name, values)?)
        })
    }

    /// Reads the column stored under `name`.
    pub fn find(stored: &StoredAnalysis, name: &str) -> Option<Self> {
        match stored.width(name)? {
            1 => stored.column(name).map(Self::Bytes),
            2 => stored.column(name).map(Self::Shorts),
            _ => stored.column(name).map(Self::Words),
        }
    }
}

/// Single-threaded: the writer thread must not wait for pool threads, which may wait for it.
fn largest(values: &[u32]) -> u32 {
    values.iter().copied().fold(0, u32::max)
}

/// Writes values as type `T`, block by block; all must fit.
fn narrowed<T: Pod + TryFrom<u32>>(
    column_file: &ColumnFile,
    name: &'static str,
    values: &[u32],
) -> io::Result<Column<T>> {
    let mut section = column_file.section::<T>(name, values.len())?;
    let mut block = Vec::new();
    for part in values.chunks(1 << 16) {
        block.clear();
        block.extend(part.iter().map(|&v| T::try_from(v).unwrap_or_else(|_| unreachable!("the largest fits"))));
        section.push(&block)?;
    }
    section.finish()
}
