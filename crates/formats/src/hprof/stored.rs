//! Serialized names, shapes and stacks for a stored analysis. The caller checks version and integrity; here, damaged data
//! must only do no harm.

use std::sync::Arc;

use super::{record_access::HprofContents, recorded_values::RecordedValues, shapes::Shapes, stacks::Stacks};
use crate::source::Source;
use heaplens_heap::{Contents, ContentsError};

/// Shapes, stacks, and which primitive values are recorded.
type Saved<S, T> = (S, T, RecordedValues);

/// The bytes of names, shapes and stacks.
pub(super) fn save(contents: &HprofContents) -> Vec<u8> {
    let saved: Saved<&Shapes, &Stacks> = (&contents.shapes, &contents.stacks, contents.recorded);
    // Serializing plain structs to memory cannot fail.
    postcard::to_stdvec(&saved).unwrap_or_default()
}

/// Deserializes contents that [`save`] wrote; `file` is the dump, if available.
pub(crate) fn restore(saved: &[u8], file: Option<Source>) -> Result<Arc<dyn Contents>, ContentsError> {
    let damaged = |why: &str| ContentsError(format!("the stored class and field names are damaged: {why}"));
    let (saved, rest) =
        postcard::take_from_bytes::<Saved<Shapes, Stacks>>(saved).map_err(|error| damaged(&error.to_string()))?;
    if !rest.is_empty() {
        return Err(damaged("unexpected trailing data"));
    }
    let (shapes, stacks, recorded) = saved;
    let fault = shapes.fault();
    if let Some(fault) = fault.or_else(|| stacks.lead_nowhere(shapes.len()).then_some("invalid stack reference")) {
        return Err(damaged(fault));
    }
    let mut contents = HprofContents::new(file, shapes, stacks);
    contents.recorded = recorded;
    Ok(Arc::new(contents))
}
