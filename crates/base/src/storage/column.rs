//! Finished columns: immutable, one value per row.

use std::{ops::Range, sync::Arc};

use bytemuck::Pod;

use super::{Buffer, checks::Checks, mapping::Mapping, spilling_column::SpillingColumn};

/// A column in memory, or in a mapped file.
///
/// Blocks of a stored analysis are verified when they are read; a damaged block reads as absent, and the file is
/// marked as damaged.
pub struct Column<T>(ColumnData<T>);

enum ColumnData<T> {
    Memory(Vec<T>),
    Buffer(Buffer<T>),
    Shared(Arc<Column<T>>),
    File(FileRange),
    /// Being written to a file.
    Pending(Arc<SpillingColumn<Column<T>, Column<T>>>),
}

/// Sequential reader of a column: looks up and verifies many values at once.
pub struct ForwardColumn<'a, T> {
    column: &'a Column<T>,
    first: usize,
    values: &'a [T],
}

/// Number of values looked up at once; a power of two.
const AHEAD: usize = 1 << 12;

/// A column in a byte range of a mapped file.
struct FileRange {
    mapping: Mapping,
    bytes: Range<usize>,
    /// Checksums; `None` if this process wrote the file.
    checks: Option<Arc<Checks>>,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self(ColumnData::Memory(Vec::new()))
    }
}

impl<T> From<Vec<T>> for Column<T> {
    fn from(values: Vec<T>) -> Self {
        Self(ColumnData::Memory(values))
    }
}

impl<T> From<Buffer<T>> for Column<T> {
    fn from(values: Buffer<T>) -> Self {
        Self(ColumnData::Buffer(values))
    }
}

impl<T: Pod> Column<T> {
    /// Column in the byte range `bytes` of a mapped file; `None` if the range is out of bounds or misaligned for `T`.
    pub(super) fn mapped(mapping: Mapping, bytes: Range<usize>, checks: Option<Arc<Checks>>) -> Option<Self> {
        // An empty range may be misaligned.
        if bytes.is_empty() {
            return Some(Self::default());
        }
        bytemuck::try_cast_slice::<u8, T>(mapping.get(bytes.clone())?).ok()?;
        Some(Self(ColumnData::File(FileRange { mapping, bytes, checks })))
    }

    /// Column that shares the values of another.
    pub(super) fn shared(column: Arc<Self>) -> Self {
        Self(ColumnData::Shared(column))
    }

    /// Column that is being written to a file.
    pub(super) fn later(pending: Arc<SpillingColumn<Self, Self>>) -> Self {
        Self(ColumnData::Pending(pending))
    }

    /// Number of values.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.0 {
            ColumnData::Memory(values) => values.len(),
            ColumnData::Buffer(values) => values.len(),
            ColumnData::File(part) => part.bytes.len() / size_of::<T>(),
            ColumnData::Shared(column) => column.len(),
            ColumnData::Pending(pending) => pending.wait().len(),
        }
    }

    /// True if the column has no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Value of a row; `None` past the end, or if the file is damaged there.
    #[inline]
    pub fn get(&self, row: usize) -> Option<T> {
        match &self.0 {
            ColumnData::Memory(values) => values.get(row).copied(),
            ColumnData::Buffer(values) => values.get(row).copied(),
            ColumnData::File(part) => part.row(row),
            ColumnData::Shared(column) => column.get(row),
            ColumnData::Pending(pending) => match pending.written().map(|written| &written.0) {
                Some(ColumnData::File(part)) => part.row(row),
                _ => pending.get(|memory| memory.get(row), |written| written.get(row)),
            },
        }
    }

    /// Values of a range of rows; empty if the range exceeds the column, or if the file is damaged there.
    #[inline]
    pub fn range(&self, rows: Range<usize>) -> &[T] {
        let values = match &self.0 {
            ColumnData::Memory(values) => values.get(rows),
            ColumnData::Buffer(values) => values.get(rows),
            ColumnData::File(part) => part.rows(rows),
            ColumnData::Shared(column) => return column.range(rows),
            ColumnData::Pending(pending) => return pending.wait().range(rows),
        };
        values.unwrap_or(&[])
    }

    /// Sequential reader of the column.
    pub fn forward(&self) -> ForwardColumn<'_, T> {
        ForwardColumn { column: self, first: 0, values: &[] }
    }

    /// All values; empty if any block of the file is damaged.
    #[inline]
    pub fn all(&self) -> &[T] {
        self.range(0..self.len())
    }
}

impl<T: Pod> ForwardColumn<'_, T> {
    /// Value of a row; `None` past the end, or if the file is damaged there.
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

impl FileRange {
    /// Value of one row: less work than a range, and most lookups are of one row.
    #[inline]
    fn row<T: Pod>(&self, row: usize) -> Option<T> {
        let section = self.mapping.get(self.bytes.clone())?;
        let from = row.checked_mul(size_of::<T>())?;
        let value = section.get(from..from.checked_add(size_of::<T>())?)?;
        if let Some(checks) = &self.checks
            && !checks.hold(section, from..from + size_of::<T>())
        {
            return None;
        }
        Some(bytemuck::pod_read_unaligned(value))
    }

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
        // Alignment was checked when the column was created; sections start at multiples of 64 bytes.
        bytemuck::try_cast_slice(values).ok()
    }
}
