//! Reads the lines of one object again.

use std::{ops::Range, sync::Arc};

use super::lines::{Line, Lines, line, references};
use crate::ibm::contents::{DecodedRecord, NumberedContents, Records};
use crate::{ibm::javacore::ThreadTable, source::Source};
use heaplens_heap::{Address, ClassKind, Contents, ContentsError, Heap, ObjectId};

/// Reader for the lines of a file.
pub(super) struct TextRecords {
    /// The dump; `None` for a stored analysis opened without it.
    pub(super) file: Option<Source>,
}

impl Records for TextRecords {
    fn decode(&self, heap: &Heap, object: ObjectId, range: Range<u64>) -> Result<Option<DecodedRecord>, ContentsError> {
        let (Some(file), Some(offset)) = (&self.file, self.offset(heap, object)) else { return Ok(None) };
        let file = file.bytes();
        let mut lines = Lines::new(file, offset, file.len() as u64);
        let record = lines.next().map(|(_, bytes)| line(bytes));
        let Some(Line::Record(record)) = record
            .filter(|line| matches!(line, Line::Record(record) if Address(record.address) == heap.address(object)))
        else {
            let message = format!("cannot read the record at offset {offset} again: the dump file has changed");
            return Err(ContentsError(message));
        };
        let mut decoded = DecodedRecord::default();
        let mut list = record.references;
        loop {
            for to in references(list) {
                if range.contains(&decoded.references) {
                    decoded.targets.push(to);
                }
                decoded.references += 1;
            }
            list = match lines.next().map(|(_, bytes)| line(bytes)) {
                Some(Line::References(more)) => more,
                Some(Line::Blank | Line::Bad | Line::Comment(_)) => &[],
                Some(Line::Record(_)) | None => break,
            };
        }
        // The file does not record if nulls were omitted, so use the printed references.
        let is_array = heap.class(object).kind == ClassKind::ObjectArray;
        decoded.length = is_array.then_some(decoded.references);
        Ok(Some(decoded))
    }

    fn save(&self, threads: &ThreadTable) -> Vec<u8> {
        // Serializing plain structs to memory cannot fail.
        postcard::to_stdvec(threads).unwrap_or_default()
    }
}

impl TextRecords {
    /// Offset of the record of an object. May be 0, unlike in formats with a header.
    fn offset(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        Some(heap.file_offset(object).unwrap_or(0)).filter(|_| self.file.is_some())
    }
}

/// Deserializes saved contents; `file` is the dump, if available.
pub(super) fn restore(saved: &[u8], file: Option<Source>, heap: &Heap) -> Result<Arc<dyn Contents>, ContentsError> {
    let damaged = || ContentsError("the stored thread data is damaged".to_owned());
    let threads: ThreadTable = postcard::from_bytes(saved).map_err(|_damage| damaged())?;
    if !threads.is_within(heap.len()) {
        return Err(damaged());
    }
    Ok(Arc::new(NumberedContents::new(TextRecords { file }, threads)))
}
