//! Errors for unreadable raw heaps, and the place of damage in readable ones.

use crate::error::{FormatError, OpenError};

/// Error for an unreadable file.
pub(super) fn wrong(offset: u64, expected: &str, actual: &str, advice: &'static str) -> OpenError {
    FormatError::new("ArkTS raw heap", offset, expected, actual, advice).into()
}

/// Offset of the first damage in a file.
#[derive(Debug, Default)]
pub(super) struct Damage(pub(super) Option<u64>);

impl Damage {
    pub(super) fn at(&mut self, offset: u64) {
        self.0.get_or_insert(offset);
    }
}
