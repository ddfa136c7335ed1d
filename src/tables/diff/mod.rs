//! Before and after: who holds what came and went, and how much more there is of
//! each class, package, loader, thread, text and kind of collection.

mod asked;
mod changes;
mod classes;
mod inside;
mod lent;
pub mod limits;
mod owners;
mod series;
mod sides;
mod write;

pub use asked::{Asked, Compared, Of};
pub use changes::Changes;
pub use classes::ClassChanges;
pub use inside::Inside;
pub use lent::{Lender, Lent};
pub use owners::{OwnerChanges, Wanted, owner_name};
pub use series::{ClassesOverTime, DUMPS, Names, OwnersOverTime, name_over_time};
pub use sides::SideChanges;
pub use write::{Difference, Part, write_difference};

use crate::analysis::diff::growth::Growth;
use crate::analysis::diff::matches::How;
use crate::analysis::diff::{Amount, Change, Side};
use crate::export::diff::{DumpSide, Head, MatchedBy, MatchedPart, Matching, More, SeriesHead};
use crate::export::table::Column;
use crate::heap::notes::ImportNote;

/// Which rows are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rows {
    /// All.
    #[default]
    All,
    /// Those in which the dumps differ.
    Changed,
    /// Those with more bytes than before.
    Grown,
}

/// An opened dump, as an answer names it.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    /// The dump.
    pub side: Side<'a>,
    /// Its file.
    pub file: &'a str,
    /// What there is to say of this open.
    pub remarks: &'a [ImportNote],
}

impl Named<'_> {
    fn told(&self) -> DumpSide {
        let notes = self.side.heap.notes.iter().chain(self.remarks);
        DumpSide::new(self.file.to_owned(), self.side.heap, shown(self.side), notes)
    }
}

/// What a heap shows.
fn shown(side: Side<'_>) -> Amount {
    let totals = side.analyzed.shown;
    Amount { objects: totals.objects, shallow: totals.shallow, ..Amount::default() }
}

fn more(before: Side<'_>, after: Side<'_>) -> More {
    let change = Change { before: shown(before), after: shown(after) };
    More { objects: change.objects().0, bytes: change.shallow().0 }
}

/// What stands above the rows: which dumps these are, their totals, and how much of them was matched.
pub fn head(before: Named<'_>, after: Named<'_>, growth: Option<&Growth>) -> Head {
    let whole = shown(before.side).shallow + shown(after.side).shallow;
    let matching = growth.map(|growth| Matching {
        matched: How::ALL
            .iter()
            .zip(growth.by_how)
            .map(|(how, part)| by(*how, MatchedPart::new(part, whole)))
            .collect(),
        alone: MatchedPart::new(growth.alone, whole),
        unknown: MatchedPart::new(growth.unknown, whole),
    });
    Head { before: before.told(), after: after.told(), delta: more(before.side, after.side), matching }
}

/// The same of dumps in the order of time.
pub fn series_head(dumps: &[Named<'_>]) -> SeriesHead {
    let ends = dumps.first().zip(dumps.last());
    let delta = ends.map_or(More { objects: 0, bytes: 0 }, |(first, last)| more(first.side, last.side));
    SeriesHead { dumps: dumps.iter().map(Named::told).collect(), delta }
}

fn by(how: How, part: MatchedPart) -> MatchedBy {
    MatchedBy { by: how.name(), sureness: how.sureness().name(), part }
}

/// Which column a key names: rows may also be sorted by how much more there is as a part of what there was, which
/// comes after the columns.
fn column_or_change(columns: &[Column], key: &str) -> Option<usize> {
    let place = columns.iter().position(|column| column.key == key);
    place.or_else(|| (key == "change").then_some(columns.len()))
}

/// Columns in which a row says something thrice: before, after, and how much more. What stands before them and
/// after them goes in brackets.
macro_rules! columns {
    ([$($first:expr),*] $(($key:literal, $heading:literal))* [$($last:expr),*]) => {
        &[
            $($first,)*
            $(
                column_with_help(
                    concat!("before_", $key),
                    concat!($heading, " before"),
                    concat!($heading, " in the baseline")
                ),
                column_with_help(
                    concat!("after_", $key),
                    concat!($heading, " after"),
                    concat!($heading, " in the target")
                ),
                column_with_help(
                    concat!("delta_", $key),
                    concat!("Δ ", $heading),
                    concat!($heading, " in the target minus that in the baseline")
                ),
            )*
            $($last,)*
        ]
    };
}
use columns;
