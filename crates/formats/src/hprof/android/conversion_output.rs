//! Output of a rewritten dump, checked for cancellation.

use std::io::Write;

use crate::error::OpenError;
use heaplens_base::Task;

/// Output of a rewritten dump.
pub(super) struct ConversionOutput<'a> {
    out: &'a mut dyn Write,
    blame: &'a dyn Fn(std::io::Error) -> OpenError,
    task: &'a Task,
    records: u32,
}

impl<'a> ConversionOutput<'a> {
    /// Writes to `out`, and reports errors of it by `blame`.
    pub(super) fn new(out: &'a mut dyn Write, blame: &'a dyn Fn(std::io::Error) -> OpenError, task: &'a Task) -> Self {
        Self { out, blame, task, records: 0 }
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), OpenError> {
        self.task.advance_checked(bytes.len() as u64)?;
        self.out.write_all(bytes).map_err(self.blame)
    }

    /// Checks for cancellation at intervals.
    pub(super) fn checkpoint(&mut self) -> Result<(), OpenError> {
        self.records = self.records.wrapping_add(1);
        if self.records.is_multiple_of(1 << 12) {
            self.task.checkpoint()?;
        }
        Ok(())
    }
}
