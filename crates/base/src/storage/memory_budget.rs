//! Memory budget of one open: memory up to a limit, files beyond it.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytemuck::Pod;
use memmap2::MmapMut;

use crate::addresses::addresses_left;

use super::{
    Buffer, Column, ColumnFile, Numbers, OutOfMemory, mapping::map_own, out_of_memory, pool::Pool,
    spilling_column::SpillingColumn, writer::Writer,
};

/// Size in bytes up to which arrays stay in memory, whatever the limit.
const SMALL: usize = 1 << 16;

/// Size in bytes from which columns are written in the background.
const LARGE: usize = 1 << 20;

/// Size in bytes up to which requests are granted without asking the system.
const LITTLE: u64 = 1 << 24;

/// Memory for arrays in use, and the file for finished columns.
pub struct MemoryBudget {
    inner: Arc<Inner>,
    writer: Writer,
    is_successful: AtomicBool,
}

/// A file that is being sealed in the background.
pub struct PendingSeal {
    sealed: Arc<OnceLock<bool>>,
    inner: Arc<Inner>,
}

impl PendingSeal {
    /// Waits until the file is complete.
    ///
    /// # Errors
    /// If the file could not be written; the message says why.
    pub fn wait(&self) -> Result<(), String> {
        if *self.sealed.wait() {
            Ok(())
        } else {
            Err(self.inner.file_error().unwrap_or_else(|| "file has no name".to_owned()))
        }
    }
}

struct Inner {
    /// Memory limit for arrays in bytes, if given by the user.
    user_limit: Option<u64>,
    /// Memory limit from the available memory; determined at the first large array.
    default_limit: OnceLock<Option<u64>>,
    pool: Pool,
    /// Folder for unnamed files.
    folder: PathBuf,
    column_file: Mutex<Option<ColumnFile>>,
    /// First error of the file.
    file_error: Mutex<Option<String>>,
    /// Size in bytes of arrays placed in files because of the limit.
    spilled_bytes: AtomicU64,
    /// True if the open failed or was cancelled: columns waiting to be written are dropped.
    is_abandoned: AtomicBool,
}

impl Default for MemoryBudget {
    /// All available memory; no file for columns.
    fn default() -> Self {
        Self::new(None, std::env::temp_dir(), None)
    }
}

impl Drop for MemoryBudget {
    fn drop(&mut self) {
        if !self.is_successful.load(Ordering::Relaxed) {
            self.inner.is_abandoned.store(true, Ordering::Relaxed);
            // Wait, so that no file is left when the caller continues.
            self.writer.wait();
        }
    }
}

impl MemoryBudget {
    /// Creates a budget of `limit` bytes (default: available memory), with unnamed files in `folder` and finished columns
    /// in `column_file`.
    pub fn new(limit: Option<u64>, folder: PathBuf, column_file: Option<ColumnFile>) -> Self {
        let inner = Inner {
            user_limit: limit,
            default_limit: OnceLock::new(),
            pool: Pool::default(),
            folder,
            column_file: Mutex::new(column_file),
            file_error: Mutex::new(None),
            spilled_bytes: AtomicU64::new(0),
            is_abandoned: AtomicBool::new(false),
        };
        Self { inner: Arc::new(inner), writer: Writer::default(), is_successful: AtomicBool::new(false) }
    }

    /// Announces that arrays of at least `bytes` will be in use at a time, so that so much is not returned to the system
    /// in between.
    pub fn expect(&self, bytes: usize) {
        self.require_memory(bytes as u64);
        self.inner.pool.expect(bytes);
    }

    /// Announces the approximate peak memory of the open in bytes. Unwinds with a [`OutOfMemory`] if the process cannot get
    /// it, instead of failing halfway.
    pub fn require_memory(&self, wanted: u64) {
        if wanted <= LITTLE {
            return;
        }
        let addresses = addresses_left().filter(|left| *left < wanted);
        // The system kills a process that exceeds its container's memory. A limit given by the user takes precedence.
        let memory =
            || out_of_memory::group_memory_left().filter(|left| self.inner.user_limit.is_none() && *left < wanted);
        if let Some(left) = addresses.or_else(memory) {
            OutOfMemory { wanted, left: Some(left) }.end_work();
        }
    }

    /// Creates an array of `len` zeros: in memory within the limit, otherwise in a file; in memory if no file can be
    /// created.
    ///
    /// # Panics
    /// With a [`OutOfMemory`] if the allocation fails; the start of the operation catches it.
    pub fn buffer<T: Pod>(&self, len: usize) -> Buffer<T> {
        self.array(len, true)
    }

    /// Like [`MemoryBudget::buffer`], but with arbitrary initial values, for callers that write each value before reading it.
    ///
    /// # Panics
    /// With a [`OutOfMemory`] if the allocation fails.
    pub fn scratch<T: Pod>(&self, len: usize) -> Buffer<T> {
        self.array(len, false)
    }

    fn array<T: Pod>(&self, len: usize, zero: bool) -> Buffer<T> {
        let bytes = len * size_of::<T>();
        let inner = &self.inner;
        if bytes == 0 {
            return Buffer::over(None, 0, None);
        }
        if bytes > SMALL && inner.is_beyond(bytes) {
            match pages_of_file(&inner.folder, bytes) {
                Ok(pages) => {
                    inner.spilled_bytes.fetch_add(bytes as u64, Ordering::Relaxed);
                    return Buffer::over(Some(pages), len, None);
                }
                Err(error) => self.record_error(&error),
            }
        }
        // First wait for pending columns to free their memory: a slow disk must not increase memory use.
        if bytes > LARGE && inner.pool.would_grow(bytes) {
            self.writer.wait();
        }
        let pages = inner.pool.take(bytes, zero);
        let pages = pages.unwrap_or_else(|_none| OutOfMemory { wanted: bytes as u64, left: None }.end_work());
        Buffer::over(Some(pages), len, Some(inner.pool.clone()))
    }

    /// Converts a list to a column: copied into a file if it exceeds the limit, otherwise the list itself.
    pub fn to_column<T: Pod>(&self, values: Vec<T>) -> Column<T> {
        let bytes = values.len() * size_of::<T>();
        if bytes <= SMALL || !self.inner.is_beyond(bytes) {
            return values.into();
        }
        let mut buffer = self.scratch(values.len());
        buffer.copy_from_slice(&values);
        buffer.into()
    }

    /// Writes a finished column to the file under `name`; it stays in memory if there is no file or the disk is full.
    /// Large columns are written in the background.
    pub fn keep<T: Pod + Send + Sync>(&self, name: &'static str, values: impl Into<Column<T>>) -> Column<T> {
        let put = move |column_file: &ColumnFile, column: &Column<T>| column_file.put(name, column.all());
        self.keep_as(values.into(), put, Column::shared, Column::later)
    }

    /// Like [`MemoryBudget::keep`], with the smallest width that fits the largest value.
    pub fn keep_numbers(&self, name: &'static str, values: impl Into<Column<u32>>) -> Numbers {
        let put = move |column_file: &ColumnFile, column: &Column<u32>| Numbers::put(column_file, name, column.all());
        self.keep_as(values.into(), put, |column| Numbers::Words(Column::shared(column)), Numbers::Pending)
    }

    /// Result of `put`, or of `stay` if it fails; `later` wraps the column while it is written in the background.
    fn keep_as<T: Pod + Send + Sync, M: Send + Sync + 'static>(
        &self,
        column: Column<T>,
        put: impl FnOnce(&ColumnFile, &Column<T>) -> io::Result<M> + Send + 'static,
        stay: fn(Arc<Column<T>>) -> M,
        later: fn(Arc<SpillingColumn<Column<T>, M>>) -> M,
    ) -> M {
        let is_large = column.len() * size_of::<T>() >= LARGE;
        let memory = Arc::new(column);
        if !is_large || !self.has_column_file() {
            return self.with_column_file(|column_file| put(column_file, &memory)).unwrap_or_else(|| stay(memory));
        }
        let pending = Arc::new(SpillingColumn::new(memory.clone()));
        let (to, inner) = (pending.clone(), self.inner.clone());
        self.writer.run(move || {
            let written = inner.with_column_file(|column_file| put(column_file, &memory));
            to.set(written.unwrap_or_else(|| stay(memory)));
        });
        later(pending)
    }

    /// Runs `work` with the file in the background; readers of the result wait. Without a file, or if `work` fails, the
    /// result is that of `else_make`.
    pub fn write_in_background<T: Send + Sync + 'static>(
        &self,
        work: impl FnOnce(&ColumnFile) -> io::Result<T> + Send + 'static,
        else_make: impl FnOnce() -> T + Send + 'static,
    ) -> Arc<OnceLock<T>> {
        let made = Arc::new(OnceLock::new());
        let (to, inner) = (made.clone(), self.inner.clone());
        self.writer.run(move || {
            // Set only here.
            let _first = to.set(inner.with_column_file(work).unwrap_or_else(else_make));
        });
        made
    }

    fn has_column_file(&self) -> bool {
        self.inner.column_file.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Runs `work` with the file; `None` if there is no file or `work` fails.
    pub fn with_column_file<T>(&self, work: impl FnOnce(&ColumnFile) -> io::Result<T>) -> Option<T> {
        self.inner.with_column_file(work)
    }

    /// Seals the file in the background once all columns are written, then runs `after`. Use the result to wait for it.
    pub fn seal(self, meta: Vec<u8>, after: impl FnOnce() + Send + 'static) -> PendingSeal {
        let sealed = Arc::new(OnceLock::new());
        let (to, inner) = (sealed.clone(), self.inner.clone());
        self.writer.run(move || {
            let is_sealed = inner.with_column_file(|column_file| column_file.seal(&meta)).unwrap_or(false);
            if is_sealed {
                after();
            }
            let _first = to.set(is_sealed);
        });
        self.mark_successful();
        PendingSeal { sealed, inner: self.inner.clone() }
    }

    /// Marks the open as successful, so that pending columns are written.
    pub fn mark_successful(&self) {
        self.is_successful.store(true, Ordering::Relaxed);
    }

    /// Size in bytes of arrays placed in files so far because of the limit.
    pub fn spilled_bytes(&self) -> u64 {
        self.inner.spilled_bytes.load(Ordering::Relaxed)
    }

    /// First file error, if any; affected columns stayed in memory.
    pub fn file_error(&self) -> Option<String> {
        self.inner.file_error()
    }

    /// Records a file error.
    pub fn record_error(&self, error: &io::Error) {
        self.inner.record_error(error);
    }
}

/// Default memory limit in bytes: 60% of the available memory, so that neither the machine nor the container runs out.
fn default_limit() -> Option<u64> {
    // The rest is for memory outside arrays and for other processes.
    out_of_memory::memory_left().map(|left| left / 10 * 6)
}

impl Inner {
    /// True if `bytes` more would exceed the memory limit.
    fn is_beyond(&self, bytes: usize) -> bool {
        let then = self.pool.used() + bytes as u64;
        let limit = match self.user_limit {
            Some(limit) => Some(limit),
            None if then <= LITTLE => None,
            None => *self.default_limit.get_or_init(default_limit),
        };
        limit.is_some_and(|limit| then > limit)
    }

    fn with_column_file<T>(&self, work: impl FnOnce(&ColumnFile) -> io::Result<T>) -> Option<T> {
        if self.is_abandoned.load(Ordering::Relaxed) {
            return None;
        }
        let column_file = self.column_file.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        match work(&column_file) {
            Ok(done) => Some(done),
            Err(error) => {
                self.record_error(&error);
                *self.column_file.lock().unwrap_or_else(PoisonError::into_inner) = None;
                None
            }
        }
    }

    fn file_error(&self) -> Option<String> {
        self.file_error.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn record_error(&self, error: &io::Error) {
        let text = format!("{error} ({})", self.folder.display());
        self.file_error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(text);
    }
}

/// Maps an unnamed file of `bytes` zeros. The zeros are written, so that a full disk is an error here and not a signal
/// later.
fn pages_of_file(folder: &Path, bytes: usize) -> io::Result<MmapMut> {
    super::folder::create_private(folder)?;
    let mut file: File = tempfile::tempfile_in(folder)?;
    let zeros = vec![0; SMALL];
    let mut left = bytes;
    while left > 0 {
        let part = left.min(zeros.len());
        file.write_all(&zeros[..part])?;
        left -= part;
    }
    map_own(&file, bytes)
}
