//! Serialized names and shapes for a stored analysis. The caller checks version and integrity; here, damaged data must
//! only do no harm.

use std::sync::Arc;

use super::contents::HprofContents;
use super::shapes::Shapes;
use crate::formats::source::Source;
use crate::heap::contents::{Contents, ContentsError};

/// The bytes of `shapes`.
pub(super) fn save(shapes: &Shapes) -> Vec<u8> {
    // Serializing plain structs to memory cannot fail.
    postcard::to_stdvec(shapes).unwrap_or_default()
}

/// Deserializes contents that [`save`] wrote; `file` is the dump, if available.
pub(crate) fn restore(saved: &[u8], file: Option<Source>) -> Result<Arc<dyn Contents>, ContentsError> {
    let damaged = |why: &str| ContentsError(format!("the stored class and field names are damaged: {why}"));
    let (shapes, rest) = postcard::take_from_bytes::<Shapes>(saved).map_err(|error| damaged(&error.to_string()))?;
    if !rest.is_empty() {
        return Err(damaged("unexpected trailing data"));
    }
    if let Some(fault) = shapes.fault() {
        return Err(damaged(fault));
    }
    Ok(Arc::new(HprofContents::new(file, shapes)))
}
