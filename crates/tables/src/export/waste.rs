//! JSON rows of `strings` and `waste`. Field names are a contract: see `docs/command-line.md`.

#![expect(missing_docs, reason = "names say it; the command line's manual explains them")]

use serde::Serialize;

/// Row of `strings`: a duplicate string.
#[derive(Debug, Serialize)]
pub struct StringsRow {
    pub text: String,
    pub objects: u64,
    pub shallow_bytes: u64,
    pub wasted_bytes: u64,
    pub held_by: Vec<Holders>,
}

/// Holder of some of its strings.
#[derive(Debug, Serialize)]
pub struct Holders {
    pub name: String,
    pub objects: u64,
}

/// Row of `waste`: a kind of waste.
#[derive(Debug, Serialize)]
pub struct WasteRow {
    pub kind: &'static str,
    pub objects: u64,
    pub wasted_bytes: u64,
    pub examples: Vec<String>,
}
