//! *What if this reference were not there?* What a collection would free if some references were cut, and what would
//! be kept all the same, by whom.
//!
//! Cuts add up: several are asked as one set. Only what the cut references lead to can change, and with it what these
//! objects dominate or hold together: so the search for what stays goes no further than below the nearest object that
//! dominates all of them. Where all cuts lead to one object no search is needed: whether anybody else refers to it
//! says all.

mod held;
mod meant;

pub use self::held::OtherWay;

use rayon::prelude::*;

use self::held::Held;
use self::meant::Meant;
use crate::heap::analyzed::Analyzed;
use crate::heap::contents::Contents;
use crate::heap::cut::Cut;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::heap::left_out::LeftOut;
use crate::heap::reach::{holders, instances_outside, reached_below};
use crate::heap::totals::Totals;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task, Unit};
use crate::units::Bytes;

/// What some cuts together would do.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WhatIf {
    /// What would be freed.
    pub freed: Totals,
    /// What is shown in all, to tell shares of.
    pub of: Totals,
    /// References that are cut. Of an object or class that is cut, those are all that lead to it.
    pub references: u64,
    /// What the cut references lead to keeps alive (each byte once), as far as it would be kept all the same.
    pub still_held: Totals,
    /// In how many other ways: references from what would be kept to an object that a cut reference leads to, by
    /// others than it keeps alive itself. Each reason why such an object is a root is one too.
    pub ways: u64,
    /// The first of them: to what keeps most alive.
    pub some_ways: Vec<OtherWay>,
    /// Instances whose field is to be cut and could not be read: the dump is not here, or damaged there.
    pub unread: u64,
}

/// What would be freed if all of `cuts` were made, exactly.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn what_if(
    heap: &Heap,
    contents: &dyn Contents,
    analyzed: &Analyzed,
    cuts: &[Cut],
    task: &Task,
) -> Result<WhatIf, Cancelled> {
    let meant = Meant::of(heap, contents, analyzed, cuts, task)?;
    let answer = WhatIf { of: analyzed.shown, references: meant.references, unread: meant.unread, ..WhatIf::default() };
    let Some((first, last)) = meant.places else { return Ok(answer) };
    if first == last {
        return of_one(heap, contents, analyzed, &meant, answer, task);
    }
    task.step("Marking remaining objects", Unit::Objects, analyzed.shown.objects);
    let above = above_all(analyzed, first, last, task)?;
    let left = reached_below(heap, analyzed, above, &meant.left_out, task)?;
    task.step("Counting freed objects", Unit::Objects, heap.len() as u64);
    let region = above.and_then(|above| analyzed.subtree(above)).unwrap_or(0..u32::MAX);
    let held = Held::below(analyzed, &meant.targets, task)?;
    let freed = count(heap, analyzed, task, |row, place| region.contains(&place) && !left.contains(row))?;
    // Outside of the region nothing changed.
    let is_left = |row: u32, place: u32| !region.contains(&place) || left.contains(row);
    let still_held = count(heap, analyzed, task, |row, place| held.contains(place) && is_left(row, place))?;
    let (ways, some_ways) = held.ways(heap, contents, analyzed, &meant, &left, task)?;
    Ok(WhatIf { freed, still_held, ways, some_ways, ..answer })
}

/// The references and objects that cuts leave out: for [`Heap::without`].
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn left_out(
    heap: &Heap,
    contents: &dyn Contents,
    analyzed: &Analyzed,
    cuts: &[Cut],
    task: &Task,
) -> Result<LeftOut, Cancelled> {
    Ok(Meant::of(heap, contents, analyzed, cuts, task)?.left_out)
}

/// Where everything that is cut leads to one object: it goes with all it keeps alive, or nothing does.
fn of_one(
    heap: &Heap,
    contents: &dyn Contents,
    analyzed: &Analyzed,
    meant: &Meant,
    answer: WhatIf,
    task: &Task,
) -> Result<WhatIf, Cancelled> {
    let Some(object) = meant.places.and_then(|(place, _)| analyzed.at_place(place)) else { return Ok(answer) };
    let kept = analyzed.kept_by(object);
    let (mut ways, mut some_ways) = (0_u64, Vec::new());
    for holder in holders(heap, analyzed, object, &meant.left_out) {
        if ways.is_multiple_of(CHECKPOINT_EVERY as u64 >> 4) {
            task.checkpoint()?;
        }
        if some_ways.len() < held::NAMED {
            some_ways.push(OtherWay::new(heap, contents, &meant.fields, object, holder));
        }
        ways += 1;
    }
    for of in instances_outside(heap, analyzed, object, &meant.left_out) {
        if some_ways.len() < held::NAMED {
            some_ways.push(OtherWay::of_instance(heap, object, of));
        }
        ways += 1;
    }
    Ok(match ways {
        0 => WhatIf { freed: kept, ..answer },
        ways => WhatIf { still_held: kept, ways, some_ways, ..answer },
    })
}

/// The nearest object that dominates everything between two places, and is none of it. `None` where only all roots
/// together do.
fn above_all(analyzed: &Analyzed, first: u32, last: u32, task: &Task) -> Result<Option<ObjectId>, Cancelled> {
    // What begins with a place is read from above: an object that dominates the first and the last dominates all.
    let mut at = analyzed.at_place(first).and_then(|object| analyzed.immediate_dominator(object));
    let mut steps = 0_usize;
    while let Some(above) = at.filter(|&above| analyzed.subtree(above).is_none_or(|below| !below.contains(&last))) {
        steps += 1;
        if steps.is_multiple_of(CHECKPOINT_EVERY >> 4) {
            task.checkpoint()?;
        }
        at = analyzed.immediate_dominator(above);
    }
    Ok(at)
}

/// Counts the shown objects that are meant, by row and place.
fn count(
    heap: &Heap,
    analyzed: &Analyzed,
    task: &Task,
    is_meant: impl Fn(u32, u32) -> bool + Sync,
) -> Result<Totals, Cancelled> {
    let blocks = analyzed.places().par_chunks(CHECKPOINT_EVERY).enumerate().map(|(block, places)| {
        task.advance_checked(places.len() as u64 / 2)?;
        let mut totals = Totals::default();
        for (row, &place) in ((block * CHECKPOINT_EVERY) as u32..).zip(places) {
            if place != 0 && is_meant(row, place) {
                let shallow = ObjectId::from_raw(row).map_or(Bytes(0), |object| heap.shallow(object));
                totals.add(Totals { objects: 1, shallow });
            }
        }
        Ok(totals)
    });
    blocks.try_reduce(Totals::default, |mut all, more| {
        all.add(more);
        Ok(all)
    })
}

/// A bound for what would be freed at least, without a search: what is kept alive by those objects that nobody holds
/// any more once the cuts are made. Of fields in all instances nothing is said here; the exact answer is [`what_if`].
/// Takes as long as it takes to look at who refers to the objects.
pub fn frees_at_least(heap: &Heap, analyzed: &Analyzed, cuts: &[Cut]) -> Bytes {
    let left_out = LeftOut::of_single(heap, cuts);
    let led_to = cuts.iter().filter_map(|cut| match cut {
        Cut::Reference { to: object, .. } | Cut::Object(object) => Some(*object),
        Cut::Field { .. } | Cut::Class(_) => None,
    });
    let goes = |&object: &ObjectId| {
        holders(heap, analyzed, object, &left_out).next().is_none()
            && instances_outside(heap, analyzed, object, &left_out).next().is_none()
    };
    let single = analyzed.retained_together(led_to.filter(goes));
    let classes = cuts.iter().filter_map(|cut| match cut {
        Cut::Class(class) => Some(analyzed.class_retained(*class)),
        _ => None,
    });
    classes.fold(single, Bytes::max)
}
