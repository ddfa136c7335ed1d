//! A file of columns being written. Columns are put on it as they are done,
//! mapped at once, and their memory given back; at the end a directory and a
//! header turn it into a stored analysis (see [`super::stored`] for the form).
//!
//! Until it is sealed the file has a name that no reader looks for.

use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytemuck::Pod;
use tempfile::NamedTempFile;

use super::checks::{BLOCK, sums};
use super::column::Column;
use super::folder::unfinished;
use super::mapping::Mapping;
use super::stored::{ALIGNMENT, Directory, Entry, HEADER, Header, Key, META};

/// Blocks that are written at a time.
const BLOCKS_AT_ONCE: usize = 16;

/// A file of columns being written; clones are the same file.
#[derive(Clone)]
pub struct Shelf(Arc<Inner>);

struct Inner {
    file: File,
    contents: Mutex<Contents>,
    /// Held while writing: the system lets one at a time write to a file, and has the others spin.
    turn: Mutex<()>,
}

struct Contents {
    /// The name it has and the one it gets; none for a file that is not kept.
    names: Option<(NamedTempFile, PathBuf)>,
    key: Key,
    entries: Vec<Entry>,
    /// Where the next section goes.
    end: u64,
}

impl Shelf {
    /// A shelf that becomes the file `target` when it is sealed.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn named(target: &Path, key: Key) -> io::Result<Self> {
        let unfinished = unfinished(target)?;
        let file = unfinished.as_file().try_clone()?;
        Ok(Self::over(file, Some((unfinished, target.to_owned())), key))
    }

    /// A shelf that is gone when the last of its columns is.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn nameless(folder: &Path) -> io::Result<Self> {
        super::folder::create_private(folder)?;
        Ok(Self::over(tempfile::tempfile_in(folder)?, None, Key::default()))
    }

    fn over(file: File, names: Option<(NamedTempFile, PathBuf)>, key: Key) -> Self {
        let contents = Contents { names, key, entries: Vec::new(), end: HEADER as u64 };
        Self(Arc::new(Inner { file, contents: Mutex::new(contents), turn: Mutex::new(()) }))
    }

    fn contents(&self) -> std::sync::MutexGuard<'_, Contents> {
        self.0.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a column, and gives it back as it stands in the file.
    ///
    /// # Errors
    /// When the file cannot be written, as on a full disk.
    pub fn put<T: Pod>(&self, name: &'static str, values: &[T]) -> io::Result<Column<T>> {
        let mut section = self.section(name, values.len())?;
        section.push(values)?;
        section.finish()
    }

    /// Begins a section of `len` values, to be pushed bit by bit.
    ///
    /// # Errors
    /// When there are more than a file can hold.
    pub fn section<T: Pod>(&self, name: &'static str, len: usize) -> io::Result<Section<T>> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or(io::ErrorKind::FileTooLarge)?;
        let mut contents = self.contents();
        let at = contents.end.next_multiple_of(ALIGNMENT);
        contents.end = at.checked_add(bytes as u64).ok_or(io::ErrorKind::FileTooLarge)?;
        drop(contents);
        let entry =
            Entry { name: name.into(), width: size_of::<T>() as u32, at, bytes: bytes as u64, sums: Vec::new() };
        Ok(Section { shelf: self.clone(), entry, waiting: Vec::new(), written: 0, values: PhantomData })
    }

    /// Writes `meta`, the directory and the header, and gives the file its name; says whether it gets one.
    ///
    /// # Errors
    /// When the file cannot be written or named.
    pub fn seal(&self, meta: &[u8]) -> io::Result<bool> {
        let Some((unfinished, target)) = self.contents().names.take() else { return Ok(false) };
        self.put(META, meta)?;
        let mut contents = self.contents();
        let directory = Directory { entries: std::mem::take(&mut contents.entries) };
        let directory = postcard::to_allocvec(&directory).map_err(io::Error::other)?;
        let at = contents.end.next_multiple_of(ALIGNMENT);
        write_at(&self.0.file, &directory, at)?;
        let header = Header::new(contents.key, at, &directory);
        write_at(&self.0.file, &header.bytes(), 0)?;
        // In one step: whoever looks sees all of it or nothing.
        unfinished.persist(&target).map_err(|error| error.error)?;
        Ok(true)
    }
}

/// A section being written.
pub struct Section<T> {
    shelf: Shelf,
    entry: Entry,
    /// Not yet written: less than [`BLOCKS_AT_ONCE`].
    waiting: Vec<u8>,
    written: u64,
    values: PhantomData<T>,
}

impl<T: Pod> Section<T> {
    /// Adds values.
    ///
    /// # Errors
    /// When they cannot be written, or are more than were announced.
    pub fn push(&mut self, values: &[T]) -> io::Result<()> {
        let mut bytes: &[u8] = bytemuck::cast_slice(values);
        let many = BLOCKS_AT_ONCE * BLOCK;
        if !self.waiting.is_empty() {
            let part = bytes.len().min(many - self.waiting.len());
            self.waiting.extend_from_slice(&bytes[..part]);
            bytes = &bytes[part..];
            if self.waiting.len() < many {
                return Ok(());
            }
            let full = std::mem::take(&mut self.waiting);
            self.write(&full)?;
            self.waiting = full;
            self.waiting.clear();
        }
        // What fills blocks needs no copy.
        let whole = bytes.len() / many * many;
        for part in bytes[..whole].chunks(many) {
            self.write(part)?;
        }
        self.waiting.extend_from_slice(&bytes[whole..]);
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.written + bytes.len() as u64 > self.entry.bytes {
            return Err(io::Error::other("a column is longer than was announced"));
        }
        self.entry.sums.extend(sums(bytes));
        let turn = self.shelf.0.turn.lock().unwrap_or_else(PoisonError::into_inner);
        write_at(&self.shelf.0.file, bytes, self.entry.at + self.written)?;
        drop(turn);
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// The column, once all its values are written.
    ///
    /// # Errors
    /// When the rest cannot be written, or values are missing.
    pub fn finish(mut self) -> io::Result<Column<T>> {
        let rest = std::mem::take(&mut self.waiting);
        self.write(&rest)?;
        if self.written != self.entry.bytes {
            return Err(io::Error::other("a column is shorter than was announced"));
        }
        let range = self.entry.at..self.entry.at + self.entry.bytes;
        let mapping = Mapping::part(&self.shelf.0.file, range)?;
        let bytes = 0..mapping.len();
        self.shelf.contents().entries.push(self.entry);
        Column::mapped(mapping, bytes, None).ok_or_else(|| io::Error::other("a column is not aligned"))
    }
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

#[cfg(windows)]
fn write_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, at)?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        bytes = &bytes[written..];
        at += written as u64;
    }
    Ok(())
}
