//! An earlier digest, to compare with.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::fleet::Fleet;
use super::record::{CLASS, DigestRecord, FINDING};

/// Bytes of an earlier digest, by fingerprint and by class.
#[derive(Debug, Default)]
pub struct Baseline(FxHashMap<(Arc<str>, Arc<str>), u64>);

impl Baseline {
    /// Baseline of the digests of a fleet, usually of one dump.
    pub fn of(fleet: &Fleet) -> Self {
        let mut bytes = FxHashMap::default();
        for record in fleet.findings.iter().chain(&fleet.classes) {
            if let Some(key) = key(record) {
                *bytes.entry(key).or_default() += record.retained_bytes.unwrap_or(0);
            }
        }
        Self(bytes)
    }

    /// Bytes in the baseline of what a record is about; `None` if the baseline does not list it: it may have been too
    /// small for the list.
    pub(crate) fn bytes(&self, record: &DigestRecord) -> Option<u64> {
        self.0.get(&key(record)?).copied()
    }
}

/// What a record is compared by; `None` for the record of a dump.
fn key(record: &DigestRecord) -> Option<(Arc<str>, Arc<str>)> {
    let kind = record.record.clone()?;
    let of = match &*kind {
        FINDING => record.fingerprint.clone(),
        CLASS => record.class.clone(),
        _ => None,
    };
    Some((kind, of?))
}
