//! Growth that scripts of a JavaScript engine hold, such as its own modules: it follows from what the application does, and
//! comes after that.

use crate::answers::DumpData;
use crate::diff::{kinds::ComparedClassId, matches::Matches};
use crate::naming::is_of_engine;
use heaplens_heap::{ObjectId, ScriptPosition};

/// Maximum number of dominators among which a script is looked for.
const STEPS: usize = 32;
/// Number of the first rows that are put in order.
pub(super) const FIRST: usize = 64;
/// A row of the engine comes after rows of the application with this part of its growth.
const PART: u64 = 10;

/// True if scripts of the engine hold a structure, and what was added to it are no objects of the application. `added` are the
/// kinds of the added objects, with their number.
pub(super) fn is_growth_of_engine(
    side: DumpData<'_>,
    matches: &Matches,
    structure: ObjectId,
    added: &[(ComparedClassId, u64)],
) -> bool {
    side.heap.snapshot().is_some()
        && is_held_by_engine(side, structure)
        && !has_objects_of_application(side, matches, added)
}

/// True if the nearest script above an object is one of the engine.
fn is_held_by_engine(side: DumpData<'_>, object: ObjectId) -> bool {
    let mut dominators = std::iter::successors(Some(object), |&at| side.analysis.immediate_dominator(at)).take(STEPS);
    let script = dominators.find_map(|at| {
        let by_class = side.heap.class(at).made_at.and_then(|position| script_of(side, position));
        by_class.or_else(|| side.contents.script_location(side.heap, at)?.script)
    });
    script.is_some_and(|script| is_of_engine(&script))
}

/// True if objects that a script of the application constructs are many among those that were added.
fn has_objects_of_application(side: DumpData<'_>, matches: &Matches, added: &[(ComparedClassId, u64)]) -> bool {
    let most = added.iter().map(|&(_, count)| count).max().unwrap_or(0);
    added.iter().any(|&(kind, count)| {
        let position = matches.kinds.get(kind).and_then(|kind| kind.made_at);
        let script = position.and_then(|position| script_of(side, position));
        count.saturating_mul(PART) >= most && script.is_some_and(|script| !is_of_engine(&script))
    })
}

fn script_of(side: DumpData<'_>, position: ScriptPosition) -> Option<String> {
    side.contents.script_name(position.script)
}

/// Moves what the engine holds behind what grew in the application by a part of it. `rows` are ordered by growth.
pub(crate) fn put_after_application<T>(rows: &mut [T], is_of_engine: impl Fn(&T) -> bool, grown: impl Fn(&T) -> u64) {
    let count = rows.len().min(FIRST);
    let first = &mut rows[..count];
    for at in (0..count).rev().filter(|_| count > 1) {
        let (all, mut to) = (grown(&first[at]), at);
        while is_of_engine(&first[to])
            && first
                .get(to + 1)
                .is_some_and(|next| !is_of_engine(next) && grown(next) > 0 && grown(next).saturating_mul(PART) >= all)
        {
            first.swap(to, to + 1);
            to += 1;
        }
    }
}
