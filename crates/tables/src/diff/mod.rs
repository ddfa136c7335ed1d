//! Comparison tables: owners of added and removed objects, and growth of
//! classes, packages, loaders, threads, strings and collections.

mod borrowed;
mod changes;
pub(crate) mod classes;
mod diff_rows;
mod inside;
pub mod limits;
mod measures;
pub(crate) mod owners;
mod query;
pub(crate) mod series;
pub(crate) mod sides;
mod write;

pub use borrowed::{BorrowedHeaps, HeapLender, SharedComparison};
pub use changes::Changes;
pub use classes::ClassChanges;
pub use diff_rows::DiffRows;
pub use inside::ClassLookup;
pub use owners::{OwnerChanges, OwnerDetail, naming_part, owner_name, owners_name};
pub use query::{DiffQuery, HeapComparison};
pub use series::{ClassesOverTime, DUMPS, Names, OwnersOverTime, name_over_time};
pub use sides::SideChanges;
pub use write::{Difference, Part, write_difference};

use crate::export::diff::{DiffHeader, DumpSide, Increase, MatchMethodRow, MatchedPart, Matching, SeriesHead, words};
use heaplens_analysis::DumpData;
use heaplens_analysis::diff::program::ProgramMatch;
use heaplens_analysis::diff::{Amount, Change, Growth, MatchMethod};
use heaplens_heap::ImportNote;

/// Selection of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ChangeFilter {
    /// All rows.
    #[default]
    All,
    /// Rows in which the dumps differ.
    Changed,
    /// Rows with more bytes than before.
    Grown,
}

/// An opened dump with the data for headings.
#[derive(Clone, Copy)]
pub struct NamedDump<'a> {
    /// The dump.
    pub side: DumpData<'a>,
    /// Its file.
    pub file: &'a str,
    /// Notes about this open.
    pub open_warnings: &'a [ImportNote],
}

impl NamedDump<'_> {
    fn side(&self) -> DumpSide {
        let notes = self.side.heap.notes.iter().chain(self.open_warnings);
        DumpSide::new(self.file.to_owned(), self.side.heap, shown(self.side), notes)
    }

    /// Whether this and a later dump are of one program.
    fn program_match(&self, after: &Self) -> ProgramMatch {
        ProgramMatch::of(self.side, after.side, after.side.answers.runtime_classes())
    }
}

/// Totals of the shown objects.
fn shown(side: DumpData<'_>) -> Amount {
    let totals = side.analysis.shown;
    Amount { objects: totals.objects, shallow: totals.shallow, ..Amount::default() }
}

fn more(before: DumpData<'_>, after: DumpData<'_>) -> Increase {
    let change = Change { before: shown(before), after: shown(after) };
    Increase { objects: change.objects().0, bytes: change.shallow().0 }
}

/// Heading above the rows: dumps, totals, and matched share.
pub fn head(before: NamedDump<'_>, after: NamedDump<'_>, growth: Option<&Growth>) -> DiffHeader {
    let total = shown(before.side).shallow + shown(after.side).shallow;
    let matching = growth.map(|growth| Matching {
        matched: MatchMethod::ALL
            .iter()
            .zip(growth.by_how)
            .map(|(method, part)| MatchMethodRow {
                by: method.name(),
                confidence: method.confidence().name(),
                part: MatchedPart::new(part, total),
            })
            .collect(),
        alone: MatchedPart::new(growth.alone, total),
        unknown: MatchedPart::new(growth.unknown, total),
    });
    let program = before.program_match(&after);
    let warning = words::different_programs(&program);
    let (delta, same_program) = (more(before.side, after.side), program.is_same);
    DiffHeader { before: before.side(), after: after.side(), delta, same_program, matching, warning }
}

/// Heading of a series of dumps in chronological order.
pub fn series_head(dumps: &[NamedDump<'_>]) -> SeriesHead {
    let ends = dumps.first().zip(dumps.last());
    let delta = ends.map_or(Increase { objects: 0, bytes: 0 }, |(first, last)| more(first.side, last.side));
    let (last, others) = dumps.split_last().map_or((None, dumps), |(last, others)| (Some(last), others));
    let programs: Vec<_> = others.iter().filter_map(|dump| Some(dump.program_match(last?))).collect();
    let warning = programs.iter().find_map(words::different_programs);
    let is_same_of_all = programs.iter().all(|program| program.is_same == Some(true)).then_some(true);
    let same_program = if warning.is_some() { Some(false) } else { is_same_of_all };
    SeriesHead { dumps: dumps.iter().map(NamedDump::side).collect(), delta, same_program, warning }
}
