//! What an audit found so far.

use super::bytes::is_zero;
use crate::value_check::{KindCheck, ValueExample, ValueKind};

/// Kinds of values in this format.
pub(super) const KINDS: [ValueKind; 7] = [
    ValueKind::Texts,
    ValueKind::Arrays,
    ValueKind::Boxed,
    ValueKind::Fields,
    ValueKind::Names,
    ValueKind::Unused,
    ValueKind::Unassigned,
];

/// Blank character of strippers.
pub(super) const BLANK: u8 = b'?';

/// What was found so far.
pub(super) struct Findings {
    pub(super) kinds: [KindCheck; KINDS.len()],
    pub(super) broken: Option<u64>,
}

impl Default for Findings {
    fn default() -> Self {
        Self { kinds: KINDS.map(KindCheck::new), broken: None }
    }
}

impl Findings {
    pub(super) fn see(&mut self, kind: ValueKind, has_value: bool, example: impl FnOnce() -> ValueExample) {
        if let Some(of) = self.kinds.iter_mut().find(|of| of.kind == kind) {
            of.see(has_value, example);
        }
    }

    /// Bytes of no known meaning at an offset, which must be zero.
    pub(super) fn see_unassigned(&mut self, bytes: &[u8], offset: usize, what: &str) {
        if !bytes.is_empty() {
            self.see(ValueKind::Unassigned, !is_zero(bytes), || ValueExample {
                id: format!("offset {offset}"),
                class: what.to_owned(),
                length: bytes.len() as u64,
            });
        }
    }

    /// The offset at which a part of the file became unreadable.
    pub(super) fn see_broken(&mut self, offset: usize) {
        self.broken.get_or_insert(offset as u64);
    }

    pub(super) fn add(&mut self, later: Self) {
        self.kinds.iter_mut().zip(later.kinds).for_each(|(all, part)| all.add(part));
        self.broken = self.broken.or(later.broken);
    }
}
