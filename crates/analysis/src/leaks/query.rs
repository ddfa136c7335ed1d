//! Input of the leak search, and of its comparison with a baseline.

use super::rules::LeakRules;
use crate::diff::{Growth, Matches};
use crate::naming::Namer;
use heaplens_base::Bytes;

/// Input of the leak search.
#[derive(Clone, Copy)]
pub struct LeakQuery<'a> {
    /// Names of objects, and the dump.
    pub namer: Namer<'a>,
    /// True if ages of objects are evidence.
    pub with_ages: bool,
    /// Built-in rules and verdicts.
    pub rules: &'a LeakRules,
    /// Findings that free less are left out.
    pub min_bytes: Bytes,
}

/// A later dump and its baseline.
#[derive(Clone, Copy)]
pub struct BaselineQuery<'a> {
    /// The later dump.
    pub question: LeakQuery<'a>,
    /// The baseline.
    pub before: Namer<'a>,
    /// Matched objects of both.
    pub matches: &'a Matches,
    /// Growth by owner between both.
    pub growth: &'a Growth,
}

/// Default minimum of a finding: 1 % of the reachable bytes.
pub fn default_min_bytes(total: Bytes) -> Bytes {
    Bytes(total.0.div_ceil(100).max(1))
}
