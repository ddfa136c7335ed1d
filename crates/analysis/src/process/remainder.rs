//! Memory of a process that is not charged to a part yet.

use super::part::{Basis, PartKind, ProcessPart};
use heaplens_base::Bytes;

/// Why memory is unexplained, where nothing more is known.
pub(super) const NOTHING_EXPLAINS: &str = "memory of malloc and mmap that neither the dump nor the record explains";

/// Bytes that further parts may take.
pub(super) struct Remainder(u64);

impl Remainder {
    /// No limit: the size of the process is not known.
    pub(super) fn unlimited() -> Self {
        Self(u64::MAX)
    }

    /// What `parts` leave of the resident memory; with mappings, their anonymous memory that has no kind.
    pub(super) fn of(resident: u64, parts: &[ProcessPart], anonymous: Option<u64>) -> Self {
        Self(anonymous.unwrap_or_else(|| resident.saturating_sub(sum(parts))))
    }

    /// Takes so many bytes, or what is left.
    pub(super) fn take(&mut self, bytes: u64) -> Bytes {
        let taken = bytes.min(self.0);
        self.0 -= taken;
        Bytes(taken)
    }
}

/// What the parts leave of the resident memory, as the last part.
pub(super) fn unexplained(resident: u64, parts: &[ProcessPart]) -> ProcessPart {
    let rest = resident.saturating_sub(sum(parts));
    ProcessPart::new(PartKind::Unexplained, Bytes(rest), Basis::Inferred)
}

fn sum(parts: &[ProcessPart]) -> u64 {
    parts.iter().map(|part| part.bytes.0).sum()
}
