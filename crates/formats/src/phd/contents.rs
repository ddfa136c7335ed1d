//! Reads the record of one object again.

use std::{ops::Range, sync::Arc};

use super::records::{Form, RecordContents, record_at};
use crate::ibm::contents::{DecodedRecord, NumberedContents, Records};
use crate::{ibm::javacore::ThreadTable, source::Source};
use heaplens_heap::{Address, Contents, ContentsError, Heap, ObjectId};

/// Reader for single records.
pub(super) struct PhdRecords {
    /// The dump; `None` for a stored analysis opened without it.
    pub(super) file: Option<Source>,
    pub(super) form: Form,
}

impl Records for PhdRecords {
    fn decode(&self, heap: &Heap, object: ObjectId, range: Range<u64>) -> Result<Option<DecodedRecord>, ContentsError> {
        let (Some(file), Some(offset)) = (&self.file, heap.file_offset(object)) else { return Ok(None) };
        let Address(address) = heap.address(object);
        let mut record = record_at(file.bytes(), self.form, offset, address).ok_or_else(|| {
            ContentsError(format!("cannot read the record at offset {offset} again: the dump file has changed"))
        })?;
        // Same rule as when the heap was filled.
        let array = heap.class(object).object.map(|class| heap.address(class).0);
        record.take_leading(self.form, |first, word| array == Some(first) && first != word);
        let all = record.references;
        let references = all.len() as u64;
        let range = range.start.min(references)..range.end.min(references);
        let backwards = matches!(record.contents, RecordContents::Objects { .. });
        let targets = range.filter_map(|at| all.at(if backwards { references - 1 - at } else { at } as usize));
        let length = match record.contents {
            RecordContents::Objects { length, .. } => Some(length.map_or(references, u64::from)),
            RecordContents::Primitives { length, .. } => Some(length),
            RecordContents::Instance { .. } | RecordContents::Class { .. } => None,
        };
        Ok(Some(DecodedRecord { targets: targets.collect(), references, length }))
    }

    fn save(&self, threads: &ThreadTable) -> Vec<u8> {
        // Serializing plain structs to memory cannot fail.
        postcard::to_stdvec(&(self.form, threads)).unwrap_or_default()
    }
}

/// Deserializes saved contents; `file` is the dump, if available.
pub(super) fn restore(saved: &[u8], file: Option<Source>, heap: &Heap) -> Result<Arc<dyn Contents>, ContentsError> {
    let damaged = || ContentsError("the stored record data is damaged".to_owned());
    let (form, threads): (Form, ThreadTable) = postcard::from_bytes(saved).map_err(|_damage| damaged())?;
    if !form.is_sound() || !threads.is_within(heap.len()) {
        return Err(damaged());
    }
    Ok(Arc::new(NumberedContents::new(PhdRecords { file, form }, threads)))
}
