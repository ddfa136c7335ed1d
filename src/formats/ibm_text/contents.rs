//! Reads the lines of one object again.

use std::ops::Range;
use std::sync::Arc;

use super::lines::{Line, Lines, line, references};
use crate::formats::ibm::contents::{NumberedContents, Outgoing, Records};
use crate::formats::ibm::javacore::Told;
use crate::formats::source::Source;
use crate::heap::classes::ClassKind;
use crate::heap::contents::{Contents, ContentsError};
use crate::heap::facts::Heap;
use crate::heap::ids::{Address, ObjectId};

/// Reader for the lines of a file.
pub(super) struct TextRecords {
    /// The dump; `None` for a stored analysis opened without it.
    pub(super) file: Option<Source>,
}

impl Records for TextRecords {
    fn outgoing(&self, heap: &Heap, object: ObjectId, range: Range<u64>) -> Result<Option<Outgoing>, ContentsError> {
        let (Some(file), Some(offset)) = (&self.file, self.place(heap, object)) else { return Ok(None) };
        let file = file.bytes();
        let mut lines = Lines::new(file, offset, file.len() as u64);
        let record = lines.next().map(|(_, bytes)| line(bytes));
        let Some(Line::Record(record)) = record
            .filter(|line| matches!(line, Line::Record(record) if Address(record.address) == heap.address(object)))
        else {
            let message = format!("cannot read the record at offset {offset} again: the dump file has changed");
            return Err(ContentsError(message));
        };
        let mut outgoing = Outgoing::default();
        let mut list = record.references;
        loop {
            for to in references(list) {
                if range.contains(&outgoing.references) {
                    outgoing.targets.push(to);
                }
                outgoing.references += 1;
            }
            list = match lines.next().map(|(_, bytes)| line(bytes)) {
                Some(Line::References(more)) => more,
                Some(Line::Blank | Line::Bad | Line::Comment(_)) => &[],
                Some(Line::Record(_)) | None => break,
            };
        }
        // The file does not record if nulls were omitted, so use the printed references.
        let is_array = heap.class(object).kind == ClassKind::ObjectArray;
        outgoing.length = is_array.then_some(outgoing.references);
        Ok(Some(outgoing))
    }

    fn save(&self, told: &Told) -> Vec<u8> {
        // Serializing plain structs to memory cannot fail.
        postcard::to_stdvec(told).unwrap_or_default()
    }
}

impl TextRecords {
    /// Offset of the record of an object. May be 0, unlike in formats with a header.
    fn place(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        Some(heap.file_offset(object).unwrap_or(0)).filter(|_| self.file.is_some())
    }
}

/// Deserializes saved contents; `file` is the dump, if available.
pub(in crate::formats) fn restore(
    saved: &[u8],
    file: Option<Source>,
    heap: &Heap,
) -> Result<Arc<dyn Contents>, ContentsError> {
    let damaged = || ContentsError("the stored thread data is damaged".to_owned());
    let told: Told = postcard::from_bytes(saved).map_err(|_damage| damaged())?;
    if !told.is_within(heap.len()) {
        return Err(damaged());
    }
    Ok(Arc::new(NumberedContents::new(TextRecords { file }, told)))
}
