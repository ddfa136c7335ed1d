//! The room that one open may take: memory up to a limit, files beyond it.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytemuck::Pod;
use memmap2::MmapMut;

use super::buffer::Buffer;
use super::column::Column;
use super::mapping::map_own;
use super::numbers::Numbers;
use super::pending::Pending;
use super::pool::Pool;
use super::shelf::Shelf;
use super::shortage::{self, Shortage};
use super::writer::Writer;

/// Below this an array stays in memory, whatever the limit: it would not help.
const SMALL: usize = 1 << 16;

/// Above this a column is written beside.
const LARGE: usize = 1 << 20;

/// So many bytes there are always, as far as a question to the system is worth.
const LITTLE: u64 = 1 << 24;

/// Memory for arrays being worked on, and the shelf for columns that are done.
pub struct Space {
    inner: Arc<Inner>,
    writer: Writer,
    ended_well: AtomicBool,
}

/// A file that is being completed.
pub struct Sealing {
    sealed: Arc<OnceLock<bool>>,
    inner: Arc<Inner>,
}

impl Sealing {
    /// Waits; says whether the file is there.
    ///
    /// # Errors
    /// Why it is not.
    pub fn wait(&self) -> Result<(), String> {
        if *self.sealed.wait() { Ok(()) } else { Err(self.inner.why().unwrap_or_else(|| "it has no name".to_owned())) }
    }
}

struct Inner {
    /// Bytes of arrays that memory may hold at a time, if somebody said so.
    given: Option<u64>,
    /// The same as far as there is memory; asked when the first large array is wanted.
    found: OnceLock<Option<u64>>,
    pool: Pool,
    /// Where nameless files go.
    folder: PathBuf,
    shelf: Mutex<Option<Shelf>>,
    /// What went wrong with the shelf.
    trouble: Mutex<Option<String>>,
    /// Bytes of arrays that went to files because of the limit.
    outside: AtomicU64,
    /// Nobody wants the columns any more that wait to be written.
    given_up: AtomicBool,
}

impl Default for Space {
    /// What memory there is, and nothing else.
    fn default() -> Self {
        Self::new(None, std::env::temp_dir(), None)
    }
}

impl Drop for Space {
    fn drop(&mut self) {
        if !self.ended_well.load(Ordering::Relaxed) {
            self.inner.given_up.store(true, Ordering::Relaxed);
            // Who gave it up may look at once what is left: nothing, from here on.
            self.writer.wait();
        }
    }
}

impl Space {
    /// At most `limit` bytes of memory, without one what there is; nameless files in `folder`; done columns on `shelf`.
    pub fn new(limit: Option<u64>, folder: PathBuf, shelf: Option<Shelf>) -> Self {
        let inner = Inner {
            given: limit,
            found: OnceLock::new(),
            pool: Pool::default(),
            folder,
            shelf: Mutex::new(shelf),
            trouble: Mutex::new(None),
            outside: AtomicU64::new(0),
            given_up: AtomicBool::new(false),
        };
        Self { inner: Arc::new(inner), writer: Writer::default(), ended_well: AtomicBool::new(false) }
    }

    /// Says how many bytes of arrays there will be at a time at least: so much is not given back to the system
    /// in between.
    pub fn expect(&self, bytes: usize) {
        self.will_take(bytes as u64);
        self.inner.pool.expect(bytes);
    }

    /// Says about how many bytes the work takes at its peak. Where the process may not have so many, it ends here, not
    /// halfway.
    pub fn will_take(&self, wanted: u64) {
        if wanted <= LITTLE {
            return;
        }
        let addresses = shortage::addresses_left().filter(|left| *left < wanted);
        // The system would end the process for more than its container has. Who says how much memory may be used has
        // thought of that.
        let memory = || shortage::group_memory_left().filter(|left| self.inner.given.is_none() && *left < wanted);
        if let Some(left) = addresses.or_else(memory) {
            Shortage { wanted, left: Some(left) }.end_work();
        }
    }

    /// An array of `len` zeros. In memory if it may be, else in a file; in memory all the same where no file
    /// can be made.
    ///
    /// # Panics
    /// When there is no memory left at all: with a [`Shortage`], which whoever began the work looks for.
    pub fn buffer<T: Pod>(&self, len: usize) -> Buffer<T> {
        self.array(len, true)
    }

    /// As [`Space::buffer`], for who writes to every place before reading it: what it holds at first is left
    /// over from others.
    ///
    /// # Panics
    /// When there is no memory left at all.
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
                    inner.outside.fetch_add(bytes as u64, Ordering::Relaxed);
                    return Buffer::over(Some(pages), len, None);
                }
                Err(error) => self.tell(&error),
            }
        }
        // Columns that wait to be written give their memory back first: a slow disk must not cost memory.
        if bytes > LARGE && inner.pool.would_grow(bytes) {
            self.writer.wait();
        }
        let pages = inner.pool.take(bytes, zero);
        let pages = pages.unwrap_or_else(|_none| Shortage { wanted: bytes as u64, left: None }.end_work());
        Buffer::over(Some(pages), len, Some(inner.pool.clone()))
    }

    /// An array with these values, by the same rule as [`Space::buffer`]; the list itself if it is small.
    pub fn settle<T: Pod>(&self, values: Vec<T>) -> Column<T> {
        let bytes = values.len() * size_of::<T>();
        if bytes <= SMALL || !self.inner.is_beyond(bytes) {
            return values.into();
        }
        let mut buffer = self.scratch(values.len());
        buffer.copy_from_slice(&values);
        buffer.into()
    }

    /// Puts a column that is done on the shelf, under `name`; in memory it stays where there is none, or the
    /// disk is full. Large ones are written beside.
    pub fn keep<T: Pod + Send + Sync>(&self, name: &'static str, values: impl Into<Column<T>>) -> Column<T> {
        let put = move |shelf: &Shelf, column: &Column<T>| shelf.put(name, column.all());
        self.keep_as(values.into(), put, Column::shared, Column::later)
    }

    /// As [`Space::keep`], in as few bytes a value as the largest needs.
    pub fn keep_numbers(&self, name: &'static str, values: impl Into<Column<u32>>) -> Numbers {
        let put = move |shelf: &Shelf, column: &Column<u32>| Numbers::put(shelf, name, column.all());
        self.keep_as(values.into(), put, |column| Numbers::Words(Column::shared(column)), Numbers::Later)
    }

    /// What `put` makes of a column, or `stay` where it cannot; `later` stands for it while it is written beside.
    fn keep_as<T: Pod + Send + Sync, M: Send + Sync + 'static>(
        &self,
        column: Column<T>,
        put: impl FnOnce(&Shelf, &Column<T>) -> io::Result<M> + Send + 'static,
        stay: fn(Arc<Column<T>>) -> M,
        later: fn(Arc<Pending<T, M>>) -> M,
    ) -> M {
        let is_large = column.len() * size_of::<T>() >= LARGE;
        let memory = Arc::new(column);
        if !is_large || !self.has_shelf() {
            return self.on_shelf(|shelf| put(shelf, &memory)).unwrap_or_else(|| stay(memory));
        }
        let pending = Arc::new(Pending::new(memory.clone()));
        let (to, inner) = (pending.clone(), self.inner.clone());
        self.writer.run(move || {
            let kept = inner.on_shelf(|shelf| put(shelf, &memory));
            to.set(kept.unwrap_or_else(|| stay(memory)));
        });
        later(pending)
    }

    /// Has `work` done with the shelf beside; whoever wants what it makes waits. Without a shelf, or where it
    /// fails, `else_make` makes it.
    pub fn put_beside<T: Send + Sync + 'static>(
        &self,
        work: impl FnOnce(&Shelf) -> io::Result<T> + Send + 'static,
        else_make: impl FnOnce() -> T + Send + 'static,
    ) -> Arc<OnceLock<T>> {
        let made = Arc::new(OnceLock::new());
        let (to, inner) = (made.clone(), self.inner.clone());
        self.writer.run(move || {
            // It is set once, here.
            let _first = to.set(inner.on_shelf(work).unwrap_or_else(else_make));
        });
        made
    }

    fn has_shelf(&self) -> bool {
        self.inner.shelf.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Does `work` with the shelf, if there is one and it works.
    pub fn on_shelf<T>(&self, work: impl FnOnce(&Shelf) -> io::Result<T>) -> Option<T> {
        self.inner.on_shelf(work)
    }

    /// Ends the shelf and gives it its name, once all that is kept is written, beside; then does `after`. Says
    /// in the end whether there is such a file now. The space takes nothing more.
    pub fn seal(self, meta: Vec<u8>, after: impl FnOnce() + Send + 'static) -> Sealing {
        let sealed = Arc::new(OnceLock::new());
        let (to, inner) = (sealed.clone(), self.inner.clone());
        self.writer.run(move || {
            let there = inner.on_shelf(|shelf| shelf.seal(&meta)).unwrap_or(false);
            if there {
                after();
            }
            let _first = to.set(there);
        });
        self.settle_down();
        Sealing { sealed, inner: self.inner.clone() }
    }

    /// Says that the open has ended well: what waits to be written is written.
    pub fn settle_down(&self) {
        self.ended_well.store(true, Ordering::Relaxed);
    }

    /// Bytes of arrays that went to files so far because of the limit.
    pub fn outside(&self) -> u64 {
        self.inner.outside.load(Ordering::Relaxed)
    }

    /// What went wrong with files, if anything did: the columns stayed in memory.
    pub fn trouble(&self) -> Option<String> {
        self.inner.why()
    }

    /// Remembers what went wrong with files.
    pub fn tell(&self, error: &io::Error) {
        self.inner.tell(error);
    }
}

/// As much memory as this process can have: what it takes beyond that is worked on in files, so that neither the
/// machine nor the limit of a container stops it.
fn memory_to_be_had() -> Option<u64> {
    // A part stays for what is not in arrays, and for others.
    shortage::memory_left().map(|left| left / 10 * 6)
}

impl Inner {
    /// Whether so much more is more than memory may hold.
    fn is_beyond(&self, bytes: usize) -> bool {
        let then = self.pool.used() + bytes as u64;
        let limit = match self.given {
            Some(limit) => Some(limit),
            None if then <= LITTLE => None,
            None => *self.found.get_or_init(memory_to_be_had),
        };
        limit.is_some_and(|limit| then > limit)
    }

    fn on_shelf<T>(&self, work: impl FnOnce(&Shelf) -> io::Result<T>) -> Option<T> {
        if self.given_up.load(Ordering::Relaxed) {
            return None;
        }
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

    fn why(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn tell(&self, error: &io::Error) {
        let text = format!("{error} ({})", self.folder.display());
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(text);
    }
}

/// Pages of a file without a name, all zero. They are written once, so that a full disk is an error here and
/// not a signal later.
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
