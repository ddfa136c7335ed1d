//! Converts dumps in the form of a cropper to the form of ART, with the record type of Android for arrays without
//! elements, so that all readers can process them.

use std::io::Write;

use super::{koom, tailor};
use crate::formats::ReadOptions;
use crate::formats::error::OpenError;
use crate::formats::source::Source;
use heaplens_base::task::{Task, Unit};
use heaplens_base::units::Count;

/// Output of a rewritten dump.
pub(super) struct ConversionOutput<'a> {
    out: &'a mut dyn Write,
    blame: &'a dyn Fn(std::io::Error) -> OpenError,
    task: &'a Task,
    records: u32,
}

impl ConversionOutput<'_> {
    /// Writes the next bytes.
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

/// Result of a rewrite.
#[derive(Debug, Default)]
pub(super) struct ConversionResult {
    /// Offset at which reading stopped.
    broken: Option<u64>,
}

impl ConversionResult {
    pub(super) fn broken(at: u64) -> Self {
        Self { broken: Some(at) }
    }
}

/// Converts the dump to the form of ART; returns it unchanged if it already is.
pub(in crate::formats) fn convert_cropped(
    source: Source,
    options: &ReadOptions,
    task: &Task,
) -> Result<Source, OpenError> {
    let is_tailor = tailor::recognises(source.bytes());
    if !is_tailor && !koom::is_cropped(source.bytes()) {
        return Ok(source);
    }
    task.step("Unpacking", Unit::Bytes, source.bytes().len() as u64);
    let mut broken = None;
    let mut whole = source.rewrite(options, |out, blame| {
        let mut output = ConversionOutput { out, blame, task, records: 0 };
        let file = source.bytes();
        let done = if is_tailor { tailor::rewrite(file, &mut output)? } else { koom::rewrite(file, &mut output)? };
        broken = done.broken;
        Ok(())
    })?;
    let by = if is_tailor { "Tailor" } else { "KOOM" };
    let damage = broken.map(|at| {
        format!(
            "dump cropped by {by} is truncated or damaged at offset {}: the rest of that segment is missing",
            Count(at)
        )
    });
    whole.damage = whole.damage.or(damage);
    Ok(whole)
}
