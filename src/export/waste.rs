//! The shapes of the json answers of `strings` and `waste`. Field names are a
//! contract: see `docs/command-line.md`.

use serde::Serialize;

/// Answer of `strings`; `R` is a list of [`StringsRow`].
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct Strings<R> {
    pub groups: u64,
    pub objects: u64,
    pub shallow_bytes: u64,
    pub wasted_bytes: u64,
    pub rows: R,
}

/// A text that stands in the heap more than once.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct StringsRow {
    pub text: String,
    pub objects: u64,
    pub shallow_bytes: u64,
    pub wasted_bytes: u64,
    pub held_by: Vec<Holders>,
}

/// Who holds some of its strings.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct Holders {
    pub name: String,
    pub objects: u64,
}

/// Answer of `waste`.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct Waste {
    pub rows: Vec<WasteRow>,
}

/// A kind of waste.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct WasteRow {
    pub kind: &'static str,
    pub objects: u64,
    pub wasted_bytes: u64,
    pub examples: Vec<String>,
}
