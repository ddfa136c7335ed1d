//! Converts dumps in the form of a cropper to the form of ART, with the record type of Android for arrays without
//! elements, so that all readers can process them.

use super::{conversion_output::ConversionOutput, koom, tailor};
use crate::{error::OpenError, options::ReadOptions, source::Source};
use heaplens_base::{Count, Task, Unit};

/// Converts the dump to the form of ART; returns it unchanged if it already is.
pub(crate) fn convert_cropped(source: Source, options: &ReadOptions, task: &Task) -> Result<Source, OpenError> {
    let is_tailor = tailor::recognises(source.bytes());
    if !is_tailor && !koom::is_cropped(source.bytes()) {
        return Ok(source);
    }
    task.step("Unpacking", Unit::Bytes, source.bytes().len() as u64);
    let mut broken = None;
    let mut converted = source.rewrite(options, |out, blame| {
        let mut output = ConversionOutput::new(out, blame, task);
        let file = source.bytes();
        broken = if is_tailor { tailor::rewrite(file, &mut output)? } else { koom::rewrite(file, &mut output)? };
        Ok(())
    })?;
    let by = if is_tailor { "Tailor" } else { "KOOM" };
    let damage = broken.map(|at| {
        format!(
            "dump cropped by {by} is truncated or damaged at offset {}: the rest of that segment is missing",
            Count(at)
        )
    });
    converted.damage = converted.damage.or(damage);
    Ok(converted)
}
