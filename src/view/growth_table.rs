//! Tables of the growth view.

use heaplens_base::{Name, Named};
use heaplens_tables::diff::DiffRows;
use heaplens_tables::dump::javascript_leaks::SnapshotLeakKind;

/// Table of the growth view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GrowthTable {
    /// Comparison of the two dumps.
    Comparison(DiffRows),
    /// Owners through all open dumps of the program.
    OverTime,
    /// Leaks between JavaScript snapshots.
    SnapshotLeaks(SnapshotLeakKind),
}

impl Default for GrowthTable {
    fn default() -> Self {
        Self::Comparison(DiffRows::Owners)
    }
}

/// Tables that no comparison of the command line has.
const OF_WINDOW: [Name<GrowthTable>; 3] = [
    Name::new(GrowthTable::OverTime, "over-time", "Owners over time, with three or more dumps"),
    Name::new(GrowthTable::SnapshotLeaks(SnapshotLeakKind::Stayed), "stayed", "JavaScript: new and still alive"),
    Name::new(GrowthTable::SnapshotLeaks(SnapshotLeakKind::Growing), "growing", "JavaScript: monotonic growth"),
];

/// The tables of `--table`.
impl Named for GrowthTable {
    const NAMES: &'static [Name<Self>] = &{
        let mut names = [OF_WINDOW[0]; DiffRows::NAMES.len() + OF_WINDOW.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = match at.checked_sub(DiffRows::NAMES.len()) {
                Some(own) => OF_WINDOW[own],
                None => {
                    let Name { value, word, help, .. } = DiffRows::NAMES[at];
                    Name::new(Self::Comparison(value), word, help)
                }
            };
            at += 1;
        }
        names
    };
}
