//! The note that tells which instance sizes were measured, which follow from the layout, and which are assumed.

use super::{fitting::SizeInputs, machine::Machine};
use crate::hprof::schema::Schema;
use heaplens_base::Count;
use heaplens_heap::{ImportNote, NoteTopic, Severity};

/// Number of classes named as examples of each origin.
const EXAMPLES: usize = 2;

/// Origin of an instance size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SizeOrigin {
    /// It is the smallest distance from an instance to the next object.
    Measured,
    /// It follows from a layout that matches the measured classes.
    Inferred,
    /// Nothing supports it but the rules of the machine that is likely, or of Eclipse MAT.
    Assumed,
}

/// The origin of a size: `matches` is true if a layout matches the dump and this size follows from it.
pub(super) fn origin(shape: &SizeInputs, size: u64, has_layout: bool, follows: bool) -> SizeOrigin {
    match shape.measured {
        Some(measured) if has_layout && measured.smallest == size => SizeOrigin::Measured,
        _ if follows => SizeOrigin::Inferred,
        _ => SizeOrigin::Assumed,
    }
}

/// The note for the classes with these origins; classes without instances have none.
pub(super) fn note(schema: &Schema, origins: &[Option<SizeOrigin>], machine: Machine) -> Option<ImportNote> {
    let with = |wanted: SizeOrigin, words: &str| {
        let all = schema.classes.iter().zip(origins).filter(|(_, origin)| **origin == Some(wanted));
        let mut names: Vec<&str> = all.map(|(class, _)| class.name.as_str()).collect();
        names.sort_unstable();
        let number = Count(names.len() as u64);
        let more = if names.len() > EXAMPLES { ", …" } else { "" };
        names.truncate(EXAMPLES);
        let examples = if names.is_empty() { String::new() } else { format!(" ({}{more})", names.join(", ")) };
        (number.0, format!("{number} {words}{examples}"))
    };
    let (measured, of_measured) = with(SizeOrigin::Measured, "measured");
    let (inferred, of_inferred) = with(SizeOrigin::Inferred, "inferred from the layout");
    let (assumed, of_assumed) = with(SizeOrigin::Assumed, "assumed");
    let message = format!("sizes of classes ({}): {of_measured}, {of_inferred}, {of_assumed}", machine.name());
    let note = ImportNote::if_any(Severity::Info, u64::from(measured + inferred + assumed > 0), message, None)?;
    Some(note.on(NoteTopic::SizeOrigins))
}
