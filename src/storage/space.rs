//! The room that one open may take: memory up to a limit, files beyond it.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use bytemuck::Pod;
use memmap2::MmapMut;

use super::buffer::Buffer;
use super::column::Column;
use super::mapping::map_own;
use super::numbers::Numbers;
use super::pool::Pool;
use super::shelf::Shelf;

/// Below this an array stays in memory, whatever the limit: it would not help.
const SMALL: usize = 1 << 16;

/// Memory for arrays being worked on, and the shelf for columns that are done.
pub struct Space {
    /// Bytes of arrays that memory may hold at a time; `None`: no limit.
    limit: Option<u64>,
    pool: Pool,
    /// Where nameless files go.
    folder: PathBuf,
    shelf: Mutex<Option<Shelf>>,
    /// What went wrong with the shelf.
    trouble: Mutex<Option<String>>,
    /// Bytes of arrays that went to files because of the limit.
    outside: AtomicU64,
}

impl Default for Space {
    /// Memory without limit, and nothing else.
    fn default() -> Self {
        Self::new(None, std::env::temp_dir(), None)
    }
}

impl Space {
    /// At most `limit` bytes of memory; nameless files in `folder`; done columns on `shelf`.
    pub fn new(limit: Option<u64>, folder: PathBuf, shelf: Option<Shelf>) -> Self {
        Self {
            limit,
            pool: Pool::default(),
            folder,
            shelf: Mutex::new(shelf),
            trouble: Mutex::new(None),
            outside: AtomicU64::new(0),
        }
    }

    /// An array of `len` zeros. In memory if it may be, else in a file; in memory all the same where no file
    /// can be made.
    ///
    /// # Panics
    /// When there is no memory left at all, as `vec![0; len]` does.
    pub fn buffer<T: Pod>(&self, len: usize) -> Buffer<T> {
        let bytes = len * size_of::<T>();
        if bytes == 0 {
            return Buffer::over(None, 0, None);
        }
        if bytes > SMALL && self.is_beyond(bytes) {
            match pages_of_file(&self.folder, bytes) {
                Ok(pages) => {
                    self.outside.fetch_add(bytes as u64, Ordering::Relaxed);
                    return Buffer::over(Some(pages), len, None);
                }
                Err(error) => self.tell(&error),
            }
        }
        let pages = self.pool.take(bytes).unwrap_or_else(|error| panic!("{bytes} bytes of memory: {error}"));
        Buffer::over(Some(pages), len, Some(self.pool.clone()))
    }

    /// Whether so much more is more than memory may hold.
    fn is_beyond(&self, bytes: usize) -> bool {
        self.limit.is_some_and(|limit| self.pool.used() + bytes as u64 > limit)
    }

    /// An array with these values, by the same rule as [`Space::buffer`]; the list itself if it is small.
    pub fn settle<T: Pod>(&self, values: Vec<T>) -> Column<T> {
        let bytes = values.len() * size_of::<T>();
        if bytes <= SMALL || !self.is_beyond(bytes) {
            return values.into();
        }
        let mut buffer = self.buffer(values.len());
        buffer.copy_from_slice(&values);
        buffer.into()
    }

    /// Puts a column that is done on the shelf, under `name`; in memory it stays where there is none, or the
    /// disk is full.
    pub fn keep<T: Pod>(&self, name: &'static str, values: impl Into<Column<T>>) -> Column<T> {
        let column = values.into();
        match self.on_shelf(|shelf| shelf.put(name, column.all())) {
            Some(kept) => kept,
            None => column,
        }
    }

    /// As [`Space::keep`], in as few bytes a value as the largest needs.
    pub fn keep_numbers(&self, name: &'static str, values: impl Into<Column<u32>>) -> Numbers {
        let column = values.into();
        match self.on_shelf(|shelf| Numbers::put(shelf, name, column.all())) {
            Some(kept) => kept,
            None => Numbers::from(column),
        }
    }

    /// Does `work` with the shelf, if there is one and it works.
    pub fn on_shelf<T>(&self, work: impl FnOnce(&Shelf) -> io::Result<T>) -> Option<T> {
        let shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        match work(&shelf) {
            Ok(done) => Some(done),
            Err(error) => {
                self.tell(&error);
                *self.shelf.lock().unwrap_or_else(PoisonError::into_inner) = None;
                None
            }
        }
    }

    /// Ends the shelf and gives it its name; says whether there is such a file now.
    pub fn seal(&self, meta: &[u8]) -> bool {
        self.on_shelf(|shelf| shelf.seal(meta)).unwrap_or(false)
    }

    /// Bytes of arrays that went to files so far because of the limit.
    pub fn outside(&self) -> u64 {
        self.outside.load(Ordering::Relaxed)
    }

    /// What went wrong with files, if anything did: the columns stayed in memory.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers what went wrong with files.
    pub fn tell(&self, error: &io::Error) {
        let text = format!("{error} ({})", self.folder.display());
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(text);
    }
}

/// Pages of a file without a name, all zero. They are written once, so that a full disk is an error here and
/// not a signal later.
fn pages_of_file(folder: &Path, bytes: usize) -> io::Result<MmapMut> {
    std::fs::create_dir_all(folder)?;
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
