//! Finished columns: numbers that no longer change, a value per row.

use std::ops::Range;
use std::sync::Arc;

use bytemuck::Pod;

use super::buffer::Buffer;
use super::checks::Checks;
use super::mapping::Mapping;
use super::pending::Pending;

/// A column in memory, or in a mapped file.
///
/// One that comes from the stored analysis is checked block by block as it is
/// read; what is damaged reads as absent, and the file is marked.
pub struct Column<T>(Place<T>);

enum Place<T> {
    Memory(Vec<T>),
    Buffer(Buffer<T>),
    Shared(Arc<Column<T>>),
    File(Part),
    /// On its way into a file.
    Later(Arc<Pending<T, Column<T>>>),
}

/// A column read from the front to the back: what stands behind a value that was read costs next to nothing, as the
/// part of the column that holds both is found, and checked, once.
pub struct Forward<'a, T> {
    column: &'a Column<T>,
    first: usize,
    values: &'a [T],
}

/// Values that are found at once, as a power of two.
const AHEAD: usize = 1 << 12;

/// Bytes of a file that hold a column.
struct Part {
    mapping: Mapping,
    bytes: Range<usize>,
    /// How to tell damage, if the file was not written by this process.
    checks: Option<Arc<Checks>>,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self(Place::Memory(Vec::new()))
    }
}

impl<T> From<Vec<T>> for Column<T> {
    fn from(values: Vec<T>) -> Self {
        Self(Place::Memory(values))
    }
}

impl<T> From<Buffer<T>> for Column<T> {
    fn from(values: Buffer<T>) -> Self {
        Self(Place::Buffer(values))
    }
}

impl<T: Pod> Column<T> {
    /// The column in `bytes` of a mapped file. `None` if no values of this type can stand there.
    pub(super) fn mapped(mapping: Mapping, bytes: Range<usize>, checks: Option<Arc<Checks>>) -> Option<Self> {
        // Nothing has no place, and so no alignment.
        if bytes.is_empty() {
            return Some(Self::default());
        }
        bytemuck::try_cast_slice::<u8, T>(mapping.get(bytes.clone())?).ok()?;
        Some(Self(Place::File(Part { mapping, bytes, checks })))
    }

    /// The same column as another.
    pub(super) fn shared(column: Arc<Self>) -> Self {
        Self(Place::Shared(column))
    }

    /// The column that is on its way.
    pub(super) fn later(pending: Arc<Pending<T, Self>>) -> Self {
        Self(Place::Later(pending))
    }

    /// How many values.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.0 {
            Place::Memory(values) => values.len(),
            Place::Buffer(values) => values.len(),
            Place::File(part) => part.bytes.len() / size_of::<T>(),
            Place::Shared(column) => column.len(),
            Place::Later(pending) => pending.wait().len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One value; `None` past the end, and where the file is damaged.
    #[inline]
    pub fn get(&self, row: usize) -> Option<T> {
        match &self.0 {
            Place::Memory(values) => values.get(row).copied(),
            Place::Buffer(values) => values.get(row).copied(),
            Place::File(_) => self.range(row..row.checked_add(1)?).first().copied(),
            Place::Shared(column) => column.get(row),
            Place::Later(pending) => pending.get(row, |made| made.get(row)),
        }
    }

    /// Some values; none where they go past the end, or the file is damaged.
    #[inline]
    pub fn range(&self, rows: Range<usize>) -> &[T] {
        let values = match &self.0 {
            Place::Memory(values) => values.get(rows),
            Place::Buffer(values) => values.get(rows),
            Place::File(part) => part.rows(rows),
            Place::Shared(column) => return column.range(rows),
            Place::Later(pending) => return pending.wait().range(rows),
        };
        values.unwrap_or(&[])
    }

    /// The column, to be read from the front to the back.
    pub fn forward(&self) -> Forward<'_, T> {
        Forward { column: self, first: 0, values: &[] }
    }

    /// All values; none if any block of the file is damaged.
    #[inline]
    pub fn all(&self) -> &[T] {
        self.range(0..self.len())
    }
}

impl<T: Pod> Forward<'_, T> {
    /// One value; `None` past the end, and where the file is damaged.
    #[inline]
    pub fn get(&mut self, row: usize) -> Option<T> {
        if let Some(value) = self.values.get(row.wrapping_sub(self.first)) {
            return Some(*value);
        }
        self.first = row & !(AHEAD - 1);
        self.values = self.column.range(self.first..self.column.len().min(self.first + AHEAD));
        self.values.get(row - self.first).copied()
    }
}

impl Part {
    #[inline]
    fn rows<T: Pod>(&self, rows: Range<usize>) -> Option<&[T]> {
        let bytes = self.mapping.get(self.bytes.clone())?;
        let wanted = rows.start.checked_mul(size_of::<T>())?..rows.end.checked_mul(size_of::<T>())?;
        let values = bytes.get(wanted.clone())?;
        if let Some(checks) = &self.checks
            && !checks.hold(bytes, wanted)
        {
            return None;
        }
        // Shown to fit when the column was made: sections begin at multiples of a page.
        bytemuck::try_cast_slice(values).ok()
    }
}
