//! Objects that no path leads to in both heaps, by what they hold: first under the
//! same owner, where being alike is enough; then anywhere, where it takes more.

use rayon::prelude::*;

use super::sequences::alike;
use super::tokens::{Token, Which};
use super::{Candidate, Known, Matching};
use crate::analysis::diff::matches::How;
use crate::analysis::diff::owners::Owners;
use crate::graph::NONE;
use crate::graph::bits::Bits;
use crate::heap::classes::ClassKind;
use crate::heap::ids::ObjectId;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// Kind, owner in the older heap, token.
type Traits = (u32, u32, Token);

/// Matches what is alike under one owner; of twins as many as both heaps have.
pub(super) fn match_under_owners(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    let (old, new) = owners(matching, task)?;
    let this = matching.known();
    let owner_before = |row: u32| old.nearest.get(row as usize).copied().unwrap_or(NONE);
    let owner_after = |row: u32| {
        let nearest = new.nearest.get(row as usize).copied().unwrap_or(NONE);
        this.matches.of_after.get(nearest as usize).copied().unwrap_or(NONE)
    };
    let one = unmatched(this, Which::Before, &old.doomed, task, |row, token| Some((owner_before(row), token)))?;
    let other = unmatched(this, Which::After, &new.doomed, task, |row, token| Some((owner_after(row), token)))?;
    let mut found = Vec::new();
    // Twins beyond those of the other heap are left: which of them is of no account.
    alike(&one, &other, |one, other| {
        let pairs = one.iter().zip(other);
        found.extend(pairs.filter_map(|(&(_, before), &(_, after))| candidate(before, after, How::Content)));
    });
    take(matching, found);
    Ok(())
}

/// Matches what is alike anywhere, and alone so in both heaps; texts, numbers and arrays may be so by chance.
pub(super) fn match_anywhere(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    let none = Bits::default();
    let this = matching.known();
    let alike_anywhere = |which: Which| {
        unmatched(this, which, &none, task, move |row, token| {
            let side = this.side(which);
            let is_plain = ObjectId::from_raw(row).is_some_and(|o| side.heap.class(o).kind == ClassKind::Plain);
            (is_plain && !token.is_value && token.is_telling).then_some((NONE, token))
        })
    };
    let (one, other) = (alike_anywhere(Which::Before)?, alike_anywhere(Which::After)?);
    let mut found = Vec::new();
    alike(&one, &other, |one, other| {
        if let ([(_, before)], [(_, after)]) = (one, other) {
            found.extend(candidate(*before, *after, How::Content));
        }
    });
    take(matching, found);
    Ok(())
}

/// The nearest matched owners of both heaps.
pub(super) fn owners(matching: &Matching<'_>, task: &Task) -> Result<(Owners, Owners), Cancelled> {
    let (pair, matches) = (matching.pair, &matching.matches);
    let (old, new) = rayon::join(
        || Owners::find(pair.before.analyzed, &matches.of_before, &matches.how_before, task),
        || Owners::find(pair.after.analyzed, &matches.of_after, &matches.how_after, task),
    );
    Ok((old?, new?))
}

fn candidate(before: u32, after: u32, how: How) -> Option<Candidate> {
    Some(Candidate { before: ObjectId::from_raw(before)?, after: ObjectId::from_raw(after)?, how, inside: false })
}

/// Takes candidates in the order of the newer heap.
fn take(matching: &mut Matching<'_>, mut found: Vec<Candidate>) {
    found.sort_unstable_by_key(|candidate| candidate.after);
    found.into_iter().for_each(|candidate| matching.take(candidate));
}

/// What is not matched, with its traits, in their order.
fn unmatched(
    this: Known<'_>,
    which: Which,
    but: &Bits,
    task: &Task,
    traits: impl Fn(u32, Token) -> Option<(u32, Token)> + Sync,
) -> Result<Vec<(Traits, u32)>, Cancelled> {
    let side = this.side(which);
    let (matched, how) = match which {
        Which::Before => (&this.matches.of_before, &this.matches.how_before),
        Which::After => (&this.matches.of_after, &this.matches.how_after),
    };
    let blocks = matched.par_chunks(CHECKPOINT_EVERY).enumerate().map(|(block, rows)| {
        task.checkpoint()?;
        let rows = (block * CHECKPOINT_EVERY..).zip(rows).filter(|&(row, &other)| other == NONE && how[row] == 0);
        let rows = rows.filter_map(|(row, _)| {
            let object = ObjectId::new(row).filter(|&object| side.analyzed.is_reachable(object))?;
            if but.contains(object.raw()) {
                return None;
            }
            let token = this.token(which, object)?;
            let (owner, token) = traits(object.raw(), token)?;
            Some(((this.kind(which, object.raw()), owner, token), object.raw()))
        });
        Ok(rows.collect())
    });
    let mut all = blocks.collect::<Result<Vec<Vec<_>>, Cancelled>>()?.concat();
    task.checkpoint()?;
    all.par_sort_unstable();
    Ok(all)
}
