//! What is known of the text of a string that consists of others: the hash of what the file has, and whether that is all.

use super::text_hash::TextHash;

/// Text of a string that consists of others: what is known of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct KnownText {
    /// Hash of what the file has. A part that is missing, or the rest of one, is a unit.
    pub(super) hash: TextHash,
    /// True if that is all.
    pub(super) is_whole: bool,
}

impl KnownText {
    /// An empty text.
    pub(super) const EMPTY: Self = Self { hash: TextHash { units: 0, sums: [0; 2] }, is_whole: true };

    /// This text followed by another.
    pub(super) fn followed_by(self, next: Self) -> Self {
        Self { hash: self.hash.followed_by(next.hash), is_whole: self.is_whole && next.is_whole }
    }
}
