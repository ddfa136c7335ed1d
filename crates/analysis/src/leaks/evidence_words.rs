//! Evidence for and against a leak as clauses, with the figures of this dump.

use std::fmt;

use super::contents::SAMPLE;
use super::evidence::{Evidence, Novelty};
use crate::source_classes;
use heaplens_base::invisible::one_line;
use heaplens_base::times::rfc3339;
use heaplens_base::{Bytes, Count};

/// A clause that begins with a small letter: `entries were never removed: 1,200 were added (modCount), 1,200 remain`.
impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&clause(self))
    }
}

fn clause(evidence: &Evidence) -> String {
    match evidence {
        Evidence::NeverRemoved(size) => {
            format!("entries were never removed: {0} were added (modCount), {0} remain", Count(*size))
        }
        Evidence::Removed(removed, size) => {
            format!("at least {} entries were removed again, {} remain", Count(*removed), Count(*size))
        }
        Evidence::Changed(changes, size) => {
            let changes = Count(*changes);
            format!(
                "it was changed {changes} times more often than its {} elements were added (modCount): removed from, or sorted",
                Count(*size)
            )
        }
        Evidence::TakenFrom => "elements are taken from it".to_owned(),
        // An array of Java has one length for ever.
        Evidence::Grows(class) if class.ends_with("[]") => {
            format!("{} is full, but it is a copy of a shorter one, or its elements grow", one_line(class))
        }
        Evidence::Grows(class) => format!("{} grows as elements are added", one_line(class)),
        Evidence::Room(used, length) => {
            format!("the array has room: {} of its {} places are used", Count(*used), Count(*length))
        }
        Evidence::Unchanging(class) => format!("{} is immutable", one_line(class)),
        Evidence::OneSize(length) => format!("its capacity is fixed at {}", Count(*length)),
        Evidence::Bound(field, value) => {
            format!("it is full at its limit of {}: {}", Count(*value), one_line(field))
        }
        Evidence::WeightBound(field, value, used) => {
            let (limit, used) = (Count(*value), Count(*used));
            format!("it is full at its limit of {limit}: {}; {used} count against it", one_line(field))
        }
        Evidence::Evicts(size) => {
            format!("older entries are removed, and a round number of them remains: {}", Count(*size))
        }
        Evidence::Generations(class) => {
            format!("{} replaces its older entries when the newer ones reach its limit", one_line(class))
        }
        Evidence::SingleArray(length) => format!("a single array of {} elements cannot grow", Count(*length)),
        Evidence::NearlyAll(class, objects, all) if objects == all => {
            format!("it contains all {} {} of the heap", Count(*all), source_classes::class_or_lambda(class, *all))
        }
        Evidence::NearlyAll(class, objects, all) => {
            format!(
                "it contains {} of the {} {} of the heap",
                Count(*objects),
                Count(*all),
                source_classes::class_or_lambda(class, *all)
            )
        }
        Evidence::Alike(entries, least, most) => {
            let all = format!("its {} entries have similar retained sizes, {}", Count(*entries), range(*least, *most));
            if *entries > SAMPLE { format!("the first {} of {all}", Count(SAMPLE)) } else { all }
        }
        Evidence::Loaders { count, class, twice } => {
            let loaders = format!("it retains {} class loaders of class {}", Count(*count), one_line(class));
            match twice {
                Some(twice) => format!("{loaders}; several of them define {}", one_line(twice)),
                None => loaders,
            }
        }
        Evidence::Mostly(reference, bytes) => {
            format!("cutting only {} in each of them frees {bytes}", one_line(reference))
        }
        Evidence::InEach(field, bytes) => format!("{} of its entries holds {bytes} in all", one_line(field)),
        Evidence::Functions(class, count, of) => {
            format!("{} are functions, tasks or exceptions, such as {}", sampled(*count, *of), one_line(class))
        }
        Evidence::HoldFunctions(class, count, of) => {
            format!("{} hold functions, tasks or exceptions, such as {}", sampled(*count, *of), one_line(class))
        }
        Evidence::Refer(class, count, of) => format!(
            "{} refer to objects of the application outside of them, such as {}",
            sampled(*count, *of),
            one_line(class)
        ),
        Evidence::Known(id) => format!("known pattern {} matches", one_line(id)),
        Evidence::InThreads(threads) => format!("{} threads hold one each, as long as they run", Count(*threads)),
        Evidence::Waiting(waiting, of) => {
            format!(
                "{} of its {} cleaning actions have a collected referent but were not run",
                Count(*waiting),
                Count(*of)
            )
        }
        Evidence::Allocated(first, last) => match Novelty::of(*first, *last) {
            Novelty::Newest => {
                format!("{} among the newest of the heap: {}", which(*first, "are"), allocated(*first, *last))
            }
            Novelty::New => format!("{} rather new: {}", which(*first, "are"), allocated(*first, *last)),
            Novelty::OverTime => {
                format!("its objects were added over a long time: {}", allocated(*first, *last))
            }
            Novelty::Old => {
                format!("few of its objects are among the newest of the heap: {}", allocated(*first, *last))
            }
            Novelty::Oldest => format!("its objects are in the older half of the heap: {}", allocated(*first, *last)),
        },
        Evidence::LikelyAllocated(first, last) => {
            let age = match Novelty::of(*first, *last) {
                Novelty::Newest => which(*first, "are likely to be") + " among the newest of the heap",
                Novelty::New => which(*first, "are likely to be") + " rather new",
                Novelty::OverTime => "its objects are likely to have been added over a long time".to_owned(),
                Novelty::Old => "few of its objects are likely to be among the newest of the heap".to_owned(),
                Novelty::Oldest => "its objects are likely to be in the older half of the heap".to_owned(),
            };
            format!("{age}: {}, if addresses are in the order of allocation, as most are", allocated(*first, *last))
        }
        Evidence::Recent(objects) => {
            format!("about {} of its objects were allocated since the last young collection", Count(*objects))
        }
        Evidence::NotRecent(expected) => format!(
            "none of its objects was allocated since the last young collection, where about {} were expected",
            Count(*expected)
        ),
        Evidence::OfLibrary(None) => "objects of a library, held by the library".to_owned(),
        Evidence::OfLibrary(Some(library)) => format!("objects of a library, held by the library: {library}"),
        Evidence::OfRuntime => "the runtime holds it independently of the application".to_owned(),
        Evidence::Outer(field, times, of) => format!(
            "entries retain what was captured when they were created through {}, in {} of {} sampled entries",
            one_line(field),
            Count(*times),
            Count(*of)
        ),
        Evidence::Made(field, first, last) => {
            let (first, last) = (time(*first), time(*last));
            format!("entries were created from {first} to {last}, by {}", one_line(field))
        }
        Evidence::MadeBefore(field, last, dumped) => {
            let before = interval(dumped.saturating_sub(*last));
            format!(
                "the newest of its sampled entries is of {}, {before} before the dump, by {}",
                time(*last),
                one_line(field)
            )
        }
        Evidence::Full(size) => {
            format!("the queue is full: {} elements wait, added faster than they are removed", Count(*size))
        }
        Evidence::Grew { grown, code, is_replaced, bytes: (before, after), objects, .. } => {
            let alone = Bytes(after.0.saturating_sub(before.0));
            let of_code = if code.0 > grown.0 / 10 { format!(", {code} of it code") } else { String::new() };
            let held = if grown.0 / 2 > alone.0 { ", most of it in objects that others hold, too" } else { "" };
            let replaced = if *is_replaced { ", while many of its objects were replaced" } else { "" };
            let sizes = compared(*before, *after, *objects);
            // The comparison attributes nearly what both sizes differ by, which a reader can check.
            let is_alike = alone.0 > 0 && held.is_empty() && alone.0 / 2 <= grown.0;
            let by = if is_alike { alone } else { *grown };
            let moved = if alone.0 / 2 > grown.0 { "; other objects held the rest before" } else { "" };
            format!("it grew by {by} since the baseline{of_code}{held}{replaced}: {sizes}{moved}")
        }
        Evidence::DidNotGrow { bytes: (before, after), objects } => {
            let is_moved = after.0.saturating_sub(before.0) > before.0 / 10;
            let moved = if is_moved { "; other objects held the rest before" } else { "" };
            format!("it did not grow since the baseline: {}{moved}", compared(*before, *after, *objects))
        }
        Evidence::Soft(objects) => {
            format!("soft references hold its {} entries, which are cleared before memory runs out", Count(*objects))
        }
    }
}

/// All objects of a structure, or some if their oldest tenth is in the older half of the heap.
fn which(first: u8, are: &str) -> String {
    if first >= 50 { format!("its objects {are}") } else { format!("some of its objects {are}") }
}

/// `all 50 sampled entries`, `49 of 50 sampled entries`
fn sampled(count: u64, of: u64) -> String {
    let part = if count == of { "all".to_owned() } else { format!("{} of", Count(count)) };
    format!("{part} {} sampled entries", Count(of))
}

/// `3 days`, of milliseconds.
fn interval(millis: u64) -> String {
    match millis / 1000 {
        seconds @ 0..120 => Count(seconds).of("second", "seconds"),
        seconds @ 120..7_200 => Count(seconds / 60).of("minute", "minutes"),
        seconds @ 7_200..172_800 => Count(seconds / 3_600).of("hour", "hours"),
        seconds => Count(seconds / 86_400).of("day", "days"),
    }
}

/// `0.3 MB in 903 objects before, 5.4 MB in 18,003 objects now`
fn compared(before: Bytes, after: Bytes, (objects_before, objects_after): (u64, u64)) -> String {
    if before == Bytes(0) {
        return format!("nothing before, {after} in {} now", Count(objects_after).of("object", "objects"));
    }
    let side = |bytes: Bytes, objects: u64| format!("{bytes} in {}", Count(objects).of("object", "objects"));
    format!("{} before, {} now", side(before, objects_before), side(after, objects_after))
}

/// `most were allocated after 40 % and before 99 % of all other objects`
fn allocated(first: u8, last: u8) -> String {
    if first == last {
        return format!("most were allocated after about {first} % of all other objects");
    }
    format!("most were allocated after {first} % and before {last} % of all other objects")
}

/// `2026-03-01T10:00:00Z`
fn time(millis: u64) -> String {
    rfc3339(millis).unwrap_or_else(|| format!("{millis} ms"))
}

fn range(least: Bytes, most: Bytes) -> String {
    if least.to_string() == most.to_string() { format!("{most} each") } else { format!("{least} to {most} each") }
}
