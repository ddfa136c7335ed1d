//! Copying a dump into a file on a disk that is not filled by it.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use heaplens_base::{Bytes, Task};

use crate::TakeError;
use crate::complete_dump::CompletenessCheck;
use crate::destination::Space;

/// Bytes copied at once.
const BLOCK: usize = 1 << 20;
/// Bytes between two looks at the free space.
const LOOK: u64 = 64 << 20;

/// Copies all of `from` into `to`, a file in `folder`.
pub(crate) fn copy(
    from: &mut dyn Read,
    to: &mut File,
    folder: &Path,
    task: &Task,
) -> Result<CompletenessCheck, TakeError> {
    let mut writer = Writer::new(to, folder, task);
    let mut block = vec![0; BLOCK];
    loop {
        match from.read(&mut block) {
            Ok(0) => return writer.finish(),
            Ok(read) => writer.write(&block[..read])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(TakeError::Refused(format!("the dump cannot be read: {error}"))),
        }
    }
}

/// Writes a dump of unknown size.
pub(crate) struct Writer<'a> {
    out: io::BufWriter<&'a mut File>,
    folder: &'a Path,
    task: &'a Task,
    written: u64,
    looked: u64,
    check: CompletenessCheck,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(out: &'a mut File, folder: &'a Path, task: &'a Task) -> Self {
        Self {
            out: io::BufWriter::with_capacity(BLOCK, out),
            folder,
            task,
            written: 0,
            looked: 0,
            check: CompletenessCheck::default(),
        }
    }

    /// # Errors
    /// If the disk becomes too full, writing fails, or the task is cancelled.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), TakeError> {
        self.task.checkpoint()?;
        if self.written >= self.looked {
            self.looked = self.written + LOOK;
            Space::of(self.folder)?.check(Bytes(bytes.len() as u64))?;
        }
        self.check.push(bytes);
        self.out.write_all(bytes).map_err(|error| self.failed(error))?;
        self.written += bytes.len() as u64;
        self.task.advance(bytes.len() as u64);
        Ok(())
    }

    /// What arrived, all of it in the file.
    pub(crate) fn finish(mut self) -> Result<CompletenessCheck, TakeError> {
        self.out.flush().map_err(|error| self.failed(error))?;
        Ok(self.check)
    }

    fn failed(&self, error: io::Error) -> TakeError {
        TakeError::file(self.folder, error)
    }
}
