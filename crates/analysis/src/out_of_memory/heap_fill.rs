//! How full the heap is.

use super::limits;
use crate::answers::DumpData;
use heaplens_base::Bytes;
use heaplens_heap::Value;

/// The class with the limit of direct buffers, newer name first. Without an option that sets it, that is the largest size
/// of the heap.
const LIMIT_CLASSES: [&str; 2] = ["jdk.internal.misc.VM", "sun.misc.VM"];
/// Its field, and the property that an option sets.
const LIMIT: &str = "directMemory";
const LIMIT_PROPERTY: &str = "sun.nio.MaxDirectMemorySize";

/// Bytes of the heap.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HeapFill {
    /// Of all objects in the dump.
    pub used: Bytes,
    /// True if the dump is incomplete: more was in use.
    pub is_partial: bool,
    /// Largest size of the heap; `None` if neither the dump nor a record of its process tells it.
    pub max: Option<Bytes>,
}

impl HeapFill {
    pub(super) fn of(dump: DumpData<'_>) -> Self {
        let used = dump.analysis.shown.shallow + dump.analysis.unreachable.shallow;
        let value = LIMIT_CLASSES.iter().find_map(|class| dump.static_field(class, LIMIT));
        let max = match value {
            Some(Value::Long(bytes)) if bytes > 0 && bytes < i64::MAX => Some(bytes),
            _ => None,
        };
        // Redacted contents have neither the number nor the property.
        let is_set = || !dump.system_properties(&[LIMIT_PROPERTY]).is_empty();
        let max = max.filter(|_| !is_set()).map(i64::cast_unsigned).or_else(|| limits::flag(dump, "MaxHeapSize"));
        let is_partial = dump.heap.is_incomplete();
        Self { used, is_partial, max: max.map(Bytes).filter(|max| *max >= used) }
    }

    /// True if at least four fifths are in use; `None` if the largest size is unknown.
    pub fn is_full(&self) -> Option<bool> {
        self.max.filter(|_| !self.is_partial).map(|max| u128::from(self.used.0) * 5 >= u128::from(max.0) * 4)
    }
}
