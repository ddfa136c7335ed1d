//! A line of a baseline: a finding that was accepted.

use serde::{Deserialize, Serialize};

use heaplens_base::Bytes;

/// An accepted finding.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineEntry {
    /// Identifies the finding.
    pub fingerprint: String,
    /// Stable key of its kind.
    #[serde(default)]
    pub kind: String,
    /// Title without values of the program, and without figures.
    #[serde(default)]
    pub title: String,
    /// Owner, by its name without values; empty of waste.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub owner: String,
    /// Class that accumulates; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub class: String,
    /// Bytes that a fix frees.
    pub bytes: u64,
    /// Number of their objects.
    #[serde(default)]
    pub objects: u64,
    /// Accepted growth, such as `2MB`, instead of that of the check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grow_by: Option<String>,
    /// Accepted growth in percent, instead of that of the check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grow_by_percent: Option<serde_json::Number>,
    /// Why it is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl BaselineEntry {
    /// Accepted growth in bytes of the entry itself.
    pub(super) fn own_bytes(&self) -> Option<Bytes> {
        // It was checked when the file was read.
        self.grow_by.as_deref().and_then(|text| Bytes::parse(text).ok())
    }

    /// Accepted growth in percent of the entry itself.
    pub(super) fn own_percent(&self) -> Option<f64> {
        self.grow_by_percent.as_ref().and_then(serde_json::Number::as_f64)
    }

    /// Reason why the entry cannot be used.
    pub(super) fn fault(&self) -> Option<String> {
        let size = self.grow_by.as_deref().and_then(|text| Bytes::parse(text).err());
        let percent = self.own_percent().filter(|percent| !(0.0..=1e6).contains(percent));
        let empty = self.fingerprint.is_empty().then(|| "the fingerprint is empty".to_owned());
        size.map(|why| format!("grow_by: {why}"))
            .or_else(|| percent.map(|_| "grow_by_percent: expected a number from 0 to 1000000".to_owned()))
            .or(empty)
    }
}
