//! Limits of the rules for when a dump is due.

use heaplens_base::Bytes;

/// When a dump is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlarmRules {
    /// Number of rounds in a row in which a class must grow.
    pub rounds: usize,
    /// Bytes that it must grow by in these rounds together.
    pub min_growth: Bytes,
    /// Percent of its size that it must grow by in these rounds together.
    pub percent: u64,
    /// Percent of its limit that the old generation must fill; `None` for no such rule.
    pub old_generation: Option<u8>,
}

impl Default for AlarmRules {
    fn default() -> Self {
        Self { rounds: 3, min_growth: Bytes(1 << 20), percent: 10, old_generation: Some(90) }
    }
}
