//! Before and after: who holds what came and went, and how much more there is of
//! each class, package, loader, thread, text and kind of collection.

mod asked;
mod classes;
pub mod limits;

mod owners;
mod sides;
mod write;

pub use asked::{Asked, Compared, Of};
pub use classes::ClassChanges;
pub use owners::{OwnerChanges, Wanted, owner_name};
pub use sides::SideChanges;
pub use write::{Difference, Part, write_difference};

use crate::analysis::diff::growth::Growth;
use crate::analysis::diff::matches::How;
use crate::analysis::diff::{Amount, Change, Pair, Side};
use crate::export::diff::{DumpSide, Head, MatchedBy, MatchedPart, Matching, More};
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

/// What stands above the rows: which dumps these are, their totals, and how much of them was matched.
pub fn head(pair: Pair<'_>, files: [(&str, &[ImportNote]); 2], growth: Option<&Growth>) -> Head {
    let change = Change { before: shown(pair.before), after: shown(pair.after) };
    let side = |of: Side<'_>, (file, remarks): (&str, &[ImportNote]), shown: Amount| {
        DumpSide::new(file.to_owned(), of.heap, shown, of.heap.notes.iter().chain(remarks))
    };
    let whole = change.before.shallow + change.after.shallow;
    let matching = growth.map(|growth| Matching {
        matched: How::ALL
            .iter()
            .zip(growth.by_how)
            .map(|(how, part)| by(*how, MatchedPart::new(part, whole)))
            .collect(),
        alone: MatchedPart::new(growth.alone, whole),
        unknown: MatchedPart::new(growth.unknown, whole),
    });
    let [before, after] = files;
    Head {
        before: side(pair.before, before, change.before),
        after: side(pair.after, after, change.after),
        delta: More { objects: change.objects().0, bytes: change.shallow().0 },
        matching,
    }
}

fn by(how: How, part: MatchedPart) -> MatchedBy {
    MatchedBy { by: how.name(), sureness: how.sureness().name(), part }
}

/// What a heap shows.
fn shown(side: Side<'_>) -> Amount {
    let totals = side.analyzed.shown;
    Amount { objects: totals.objects, shallow: totals.shallow, ..Amount::default() }
}

/// Columns in which a row says something thrice: before, after, and how much more. What stands before them and
/// after them goes in brackets.
macro_rules! columns {
    ([$($first:expr),*] $(($key:literal, $heading:literal))* [$($last:expr),*]) => {
        &[
            $($first,)*
            $(
                column(concat!("before_", $key), concat!($heading, " before")),
                column(concat!("after_", $key), concat!($heading, " after")),
                column(concat!("delta_", $key), concat!($heading, " ±")),
            )*
            $($last,)*
        ]
    };
}
use columns;
