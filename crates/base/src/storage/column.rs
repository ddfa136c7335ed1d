//! Finished columns: immutable, one value per row.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use bytemuck::Pod;

use super::mapping::{MappedSlice, Mapping};
use super::{Buffer, checks::Checks, prefetch, spilling_column::SpillingColumn};

/// A column in memory, or in a mapped file.
///
/// Blocks of a stored analysis are verified before they are read; a damaged block reads as absent, and the file is marked
/// as damaged.
pub struct Column<T: 'static> {
    data: ColumnData<T>,
    /// The values, once all of them are in a file and none is left to verify. Most lookups end here.
    settled: OnceLock<MappedSlice<T>>,
}

enum ColumnData<T: 'static> {
    Memory(Vec<T>),
    Buffer(Buffer<T>),
    Shared(Arc<Column<T>>),
    File(FileValues<T>),
    /// Being written to a file.
    Pending(Arc<SpillingColumn<Column<T>, Column<T>>>),
}

/// Sequential reader of a column: looks up and verifies many values at once.
pub struct ForwardColumn<'a, T: 'static> {
    column: &'a Column<T>,
    first: usize,
    values: &'a [T],
}

/// Number of values looked up at once; a power of two.
const AHEAD: usize = 1 << 12;

/// Values in a file of which some may not be verified.
struct FileValues<T: 'static> {
    values: MappedSlice<T>,
    /// Checksums; `None` if this process wrote the file.
    checks: Option<Arc<Checks>>,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T> From<ColumnData<T>> for Column<T> {
    fn from(data: ColumnData<T>) -> Self {
        Self { data, settled: OnceLock::new() }
    }
}

impl<T> From<Vec<T>> for Column<T> {
    fn from(values: Vec<T>) -> Self {
        ColumnData::Memory(values).into()
    }
}

impl<T> From<Buffer<T>> for Column<T> {
    fn from(values: Buffer<T>) -> Self {
        ColumnData::Buffer(values).into()
    }
}

impl<T: Pod> Column<T> {
    /// Column in the byte range `bytes` of a mapped file; `None` if the range is out of bounds or misaligned for `T`.
    pub(super) fn mapped(mapping: &Mapping, bytes: Range<usize>, checks: Option<Arc<Checks>>) -> Option<Self> {
        // An empty range may be misaligned.
        if bytes.is_empty() {
            return Some(Self::default());
        }
        let values = mapping.slice(bytes)?;
        Some(ColumnData::File(FileValues { values, checks }).into())
    }

    /// Column that shares the values of another.
    pub(super) fn shared(column: Arc<Self>) -> Self {
        ColumnData::Shared(column).into()
    }

    /// Column that is being written to a file.
    pub(super) fn later(pending: Arc<SpillingColumn<Self, Self>>) -> Self {
        ColumnData::Pending(pending).into()
    }

    /// Number of values.
    #[inline]
    pub fn len(&self) -> usize {
        match self.settled.get() {
            Some(values) => values.get().len(),
            None => self.find_len(),
        }
    }

    #[inline(never)]
    fn find_len(&self) -> usize {
        match &self.data {
            ColumnData::Memory(values) => values.len(),
            ColumnData::Buffer(values) => values.len(),
            ColumnData::File(file) => file.values.get().len(),
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
        match self.settled.get() {
            Some(values) => values.get().get(row).copied(),
            None => self.find(row),
        }
    }

    /// [`Column::get`] while the values are in memory, being written, or not all verified.
    #[inline(never)]
    fn find(&self, row: usize) -> Option<T> {
        self.settle();
        match &self.data {
            ColumnData::Memory(values) => values.get(row).copied(),
            ColumnData::Buffer(values) => values.get(row).copied(),
            ColumnData::File(file) => file.rows(row..row.checked_add(1)?)?.first().copied(),
            ColumnData::Shared(column) => column.get(row),
            ColumnData::Pending(pending) => pending.get(|memory| memory.get(row), |written| written.get(row)),
        }
    }

    /// Loads the value of a row in the background. Does nothing past the end, or while the column is being written.
    #[inline]
    pub fn prefetch(&self, row: usize) {
        match self.settled.get() {
            Some(values) => prefetch(values.get(), row),
            None => self.prefetch_unsettled(row),
        }
    }

    #[inline(never)]
    fn prefetch_unsettled(&self, row: usize) {
        match &self.data {
            ColumnData::Memory(values) => prefetch(values, row),
            ColumnData::Buffer(values) => prefetch(values, row),
            ColumnData::File(file) => prefetch(file.values.get(), row),
            ColumnData::Shared(column) => column.prefetch(row),
            ColumnData::Pending(_) => {}
        }
    }

    /// Values of a range of rows; empty if the range exceeds the column, or if the file is damaged there.
    #[inline]
    pub fn range(&self, rows: Range<usize>) -> &[T] {
        match self.settled.get() {
            Some(values) => values.get().get(rows).unwrap_or(&[]),
            None => self.find_range(rows),
        }
    }

    #[inline(never)]
    fn find_range(&self, rows: Range<usize>) -> &[T] {
        self.settle();
        let values = match &self.data {
            ColumnData::Memory(values) => values.get(rows),
            ColumnData::Buffer(values) => values.get(rows),
            ColumnData::File(file) => file.rows(rows),
            ColumnData::Shared(column) => return column.range(rows),
            ColumnData::Pending(pending) => return pending.wait().range(rows),
        };
        values.unwrap_or(&[])
    }

    /// Notices that the values are complete: `settled`.
    fn settle(&self) {
        let values = match &self.data {
            ColumnData::File(file) => file.settled(),
            ColumnData::Pending(pending) => pending.written().and_then(|written| match &written.data {
                ColumnData::File(file) => file.settled(),
                _ => None,
            }),
            ColumnData::Memory(_) | ColumnData::Buffer(_) | ColumnData::Shared(_) => None,
        };
        if let Some(values) = values {
            // Other threads set the same.
            let _set = self.settled.set(values.clone());
        }
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

impl<T: Pod> FileValues<T> {
    fn rows(&self, rows: Range<usize>) -> Option<&[T]> {
        let values = self.values.get().get(rows.clone())?;
        let Some(checks) = &self.checks else { return Some(values) };
        let bytes = rows.start * size_of::<T>()..rows.end * size_of::<T>();
        let section = bytemuck::cast_slice(self.values.get());
        checks.note_lookup(section, rows.start);
        checks.hold(section, bytes).then_some(values)
    }

    /// The values, if none is left to verify.
    fn settled(&self) -> Option<&MappedSlice<T>> {
        self.checks.as_ref().is_none_or(|checks| checks.all_hold()).then_some(&self.values)
    }
}

#[cfg(all(test, not(miri)))]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::super::checks::BLOCK;
    use super::super::stored::Key;
    use super::super::{ColumnFile, StoredAnalysis};
    use super::*;

    const NAME: &str = "values";
    const VALUES: usize = 3 * BLOCK / size_of::<u32>();

    /// The numbers of all rows, stored.
    fn write(path: &Path) {
        let file = ColumnFile::named(path, Key::default()).expect("a file");
        file.put(NAME, &(0..VALUES as u32).collect::<Vec<u32>>()).expect("room for it");
        assert!(file.seal(&[]).expect("it is complete"));
    }

    fn column(path: &Path) -> (StoredAnalysis, Column<u32>) {
        let stored = StoredAnalysis::open(path, None).expect("a stored analysis");
        let column = stored.column(NAME).expect("the column");
        (stored, column)
    }

    #[test]
    fn a_column_settles_once_all_of_it_is_verified() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("stored");
        write(&path);
        let (_stored, intact) = column(&path);
        assert_eq!(intact.all().len(), VALUES);
        assert!(intact.get(1) == Some(1) && intact.settled.get().is_some());
        let (_stored, one_row) = column(&path);
        for _ in 0..100 {
            assert_eq!(one_row.get(256), Some(256));
        }
        assert!(one_row.get(1) == Some(1) && one_row.settled.get().is_some(), "looked up often enough");
        for column in [intact, one_row] {
            assert!((0..VALUES).all(|row| column.get(row) == Some(row as u32)));
            assert_eq!((column.get(VALUES), column.len()), (None, VALUES));
            assert!(column.range(VALUES - 1..VALUES + 1).is_empty());
        }
    }

    #[test]
    fn a_column_with_a_damaged_block_never_settles() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("stored");
        write(&path);
        let damaged = BLOCK / size_of::<u32>()..2 * BLOCK / size_of::<u32>();
        let mut bytes = fs::read(&path).expect("it is there");
        let first = (damaged.start as u32).to_ne_bytes();
        let at = bytes
            .windows(8)
            .position(|bytes| bytes[..4] == first && bytes[4..] == (damaged.start as u32 + 1).to_ne_bytes());
        bytes[at.expect("the first value of the block")] ^= 1;
        fs::write(&path, bytes).expect("room for it");
        let (stored, column) = column(&path);
        for _ in 0..3 {
            for row in 0..VALUES {
                assert_eq!(column.get(row), (!damaged.contains(&row)).then_some(row as u32));
            }
        }
        assert!(column.settled.get().is_none() && column.all().is_empty() && stored.is_damaged());
    }
}
