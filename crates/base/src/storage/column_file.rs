//! Writer of a file of columns. Finished columns are appended and mapped, and their memory is freed. At the end, a
//! directory and a header turn the file into a stored analysis (format: [`super::stored`]).
//!
//! Until it is sealed, the file has a temporary name that readers ignore.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fs::File, io, marker::PhantomData};

use bytemuck::Pod;
use heaplens_platform::files::{TemporaryFile, write_all_at};

use super::checks::{BLOCK, sums};
use super::folder::unfinished;
use super::stored::{ALIGNMENT, Directory, Entry, HEADER, Header, Key, META};
use super::{Column, mapping::Mapping};

/// Number of blocks per write.
const BLOCKS_AT_ONCE: usize = 16;

/// A file of columns being written; clones refer to the same file.
#[derive(Clone)]
pub struct ColumnFile(Arc<Inner>);

struct Inner {
    file: File,
    contents: Mutex<Contents>,
    /// True if the file will be sealed: its blocks get checksums.
    is_named: bool,
    /// Serializes writes: the system allows one writer per file at a time and lets others spin.
    turn: Mutex<()>,
}

struct Contents {
    /// Temporary file and final name; `None` for a file without a name.
    names: Option<(TemporaryFile, PathBuf)>,
    key: Key,
    entries: Vec<Entry>,
    /// Offset of the next section.
    end: u64,
}

impl ColumnFile {
    /// Creates a file that is renamed to `target` when sealed.
    pub fn named(target: &Path, key: Key) -> io::Result<Self> {
        let unfinished = unfinished(target)?;
        let file = unfinished.file().try_clone()?;
        Ok(Self::over(file, Some((unfinished, target.to_owned())), key))
    }

    /// Creates an unnamed file that is deleted with the last of its columns.
    pub fn nameless(folder: &Path) -> io::Result<Self> {
        super::folder::create_private(folder)?;
        Ok(Self::over(tempfile::tempfile_in(folder)?, None, Key::default()))
    }

    fn over(file: File, names: Option<(TemporaryFile, PathBuf)>, key: Key) -> Self {
        let is_named = names.is_some();
        let contents = Contents { names, key, entries: Vec::new(), end: HEADER as u64 };
        Self(Arc::new(Inner { file, is_named, contents: Mutex::new(contents), turn: Mutex::new(()) }))
    }

    fn contents(&self) -> std::sync::MutexGuard<'_, Contents> {
        self.0.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a column and returns it mapped from the file.
    pub fn put<T: Pod>(&self, name: &'static str, values: &[T]) -> io::Result<Column<T>> {
        let mut section = self.section(name, values.len())?;
        section.push(values)?;
        section.finish()
    }

    /// Starts a section of `len` values, which are then added with [`Section::push`].
    ///
    /// # Errors
    /// If the file would become too large.
    pub fn section<T: Pod>(&self, name: &'static str, len: usize) -> io::Result<Section<T>> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or(io::ErrorKind::FileTooLarge)?;
        let mut contents = self.contents();
        let at = contents.end.next_multiple_of(ALIGNMENT);
        contents.end = at.checked_add(bytes as u64).ok_or(io::ErrorKind::FileTooLarge)?;
        drop(contents);
        let entry =
            Entry { name: name.into(), width: size_of::<T>() as u32, at, bytes: bytes as u64, sums: Vec::new() };
        Ok(Section { column_file: self.clone(), entry, waiting: Vec::new(), written: 0, values: PhantomData })
    }

    /// Writes `meta`, the directory and the header, and renames the file. Returns false for an unnamed file.
    pub fn seal(&self, meta: &[u8]) -> io::Result<bool> {
        let Some((unfinished, target)) = self.contents().names.take() else { return Ok(false) };
        self.put(META, meta)?;
        let mut contents = self.contents();
        let directory = Directory { entries: std::mem::take(&mut contents.entries) };
        let directory = postcard::to_allocvec(&directory).map_err(io::Error::other)?;
        let at = contents.end.next_multiple_of(ALIGNMENT);
        write_all_at(&self.0.file, &directory, at)?;
        let header = Header::new(contents.key, at, &directory);
        write_all_at(&self.0.file, &header.bytes(), 0)?;
        // Atomic: other processes see the complete file or none.
        unfinished.persist(&target)?;
        Ok(true)
    }
}

/// A section being written.
pub struct Section<T> {
    column_file: ColumnFile,
    entry: Entry,
    /// Bytes not yet written: fewer than [`BLOCKS_AT_ONCE`] blocks.
    waiting: Vec<u8>,
    written: u64,
    values: PhantomData<T>,
}

impl<T: Pod> Section<T> {
    /// Appends values.
    ///
    /// # Errors
    /// If they cannot be written, or exceed the announced number.
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
        // Full blocks are written without a copy.
        let aligned = bytes.len() / many * many;
        for part in bytes[..aligned].chunks(many) {
            self.write(part)?;
        }
        self.waiting.extend_from_slice(&bytes[aligned..]);
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.written + bytes.len() as u64 > self.entry.bytes {
            return Err(io::Error::other("column is longer than its declared size"));
        }
        if self.column_file.0.is_named {
            self.entry.sums.extend(sums(bytes));
        }
        let turn = self.column_file.0.turn.lock().unwrap_or_else(PoisonError::into_inner);
        write_all_at(&self.column_file.0.file, bytes, self.entry.at + self.written)?;
        drop(turn);
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Writes the rest and returns the mapped column.
    ///
    /// # Errors
    /// If the rest cannot be written, or values are missing.
    pub fn finish(mut self) -> io::Result<Column<T>> {
        let rest = std::mem::take(&mut self.waiting);
        self.write(&rest)?;
        if self.written != self.entry.bytes {
            return Err(io::Error::other("column is shorter than its declared size"));
        }
        let range = self.entry.at..self.entry.at + self.entry.bytes;
        let mapping = Mapping::part(&self.column_file.0.file, range)?;
        let bytes = 0..mapping.len();
        self.column_file.contents().entries.push(self.entry);
        Column::mapped(&mapping, bytes, None).ok_or_else(|| io::Error::other("a column is not aligned"))
    }
}
