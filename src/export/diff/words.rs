//! Growth in sentences: who holds what came and went. The window, the command
//! line and the reports say the same.

use std::time::Duration;

use super::{DumpSide, EntriesChange, MatchedPart, Matching, OwnerChange, PartChange};
use crate::units::{ByteDelta, Bytes, Count, CountDelta, Share};

/// Parts that are told of an owner.
const PARTS: usize = 3;

/// What is said where both heaps are alike.
pub const NOTHING_CHANGED: &str = "The dumps do not differ.";
/// What is said where there is no row to show, though something changed.
pub const NO_ROWS: &str = "No rows differ.";

/// ` +20,000 Session, +13.1 MB`: what an owner has more than before.
pub fn growth(owner: &OwnerChange) -> String {
    let part = owner.told_by.and_then(|told_by| owner.parts.get(told_by)).filter(|part| part.came != part.went);
    let objects = part.map(|part| {
        let class = part.class.rsplit_once('.').map_or(&*part.class, |(_, class)| class);
        format!("{} {class}, ", CountDelta::between(part.went, part.came))
    });
    format!("{}{}", objects.unwrap_or_default(), ByteDelta(owner.charged.bytes))
}

/// `shop.SessionCache.CACHE`, or the first of several that are alike.
pub fn name(owner: &OwnerChange) -> String {
    match owner.owners {
        0 | 1 => owner.owner.clone(),
        2 => format!("{} and 1 similar owner", owner.owner),
        several => format!("{} and {} similar owners", owner.owner, Count(several - 1)),
    }
}

/// Of which class an owner is, what it retains, and how it is known to be the same.
pub fn owner(owner: &OwnerChange) -> Option<String> {
    let how = owner.how?;
    let (before, after) = (Bytes(owner.before.retained_bytes), Bytes(owner.after.retained_bytes));
    let known = format!("matched by {} ({})", how.words(), how.sureness().name());
    Some(format!("{}: retained size {before} → {after}; {known}", owner.class))
}

/// What went over to an owner from others, or from it to others.
pub fn moved(owner: &OwnerChange) -> Option<String> {
    let bytes = Bytes(owner.moved_bytes.unsigned_abs());
    match owner.moved_bytes {
        1.. => Some(format!("{bytes} moved here from other owners")),
        0 => None,
        _ => Some(format!("{bytes} moved to other owners")),
    }
}

/// How many entries came and went, and which.
pub fn entries(entries: &EntriesChange) -> String {
    let listed = |word: &str, all: u64, some: &[String]| {
        if all == 0 {
            return String::new();
        }
        // Keys of one class may have nothing else to be told by.
        let mut told: Vec<&str> = some.iter().map(String::as_str).collect();
        told.dedup();
        let more = all.saturating_sub(told.len() as u64);
        let rest = if more > 0 && !told.is_empty() { format!(" and {} more", Count(more)) } else { String::new() };
        let keys = if told.is_empty() { String::new() } else { format!(": {}", told.join(", ")) };
        format!("; {} {word}{keys}{rest}", Count(all))
    };
    let EntriesChange { kind, before, after, came, went, new, gone, .. } = entries;
    let (came, went) = (listed("added", *came, new), listed("removed", *went, gone));
    format!("{kind}: {} → {} entries{came}{went}", Count(*before), Count(*after))
}

/// What came and went, by class: that which makes the most bytes.
pub fn parts(parts: &[PartChange]) -> String {
    let turned: Vec<&PartChange> = parts.iter().filter(|p| p.came > 0 || p.went > 0 || p.bytes != 0).collect();
    let part = |part: &&PartChange| {
        let objects = match (part.came, part.went) {
            (0, 0) => String::new(),
            (came, 0) => format!("+{} ", Count(came)),
            (0, went) => format!("−{} ", Count(went)),
            (came, went) => format!("+{} −{} ", Count(came), Count(went)),
        };
        format!("{objects}{} {}", part.class, ByteDelta(part.bytes))
    };
    let mut told: Vec<String> = turned.iter().take(PARTS).map(part).collect();
    match turned.len().saturating_sub(PARTS) {
        0 => {}
        1 => told.push("1 more class".to_owned()),
        more => told.push(format!("{more} more classes")),
    }
    told.join(", ")
}

/// How much of both heaps was matched, in a sentence, and in another what was not.
pub fn matching(matching: &Matching, [before, after]: [Bytes; 2]) -> String {
    let shares = |parts: &mut dyn Iterator<Item = &MatchedPart>| {
        let (old, new) = parts.fold((0, 0), |(old, new), part| (old + part.before.bytes, new + part.after.bytes));
        (Share::of(Bytes(old), before), Share::of(Bytes(new), after))
    };
    let mut ways: Vec<_> = matching.matched.iter().filter(|way| way.part.bytes > 0).collect();
    ways.sort_by_key(|way| std::cmp::Reverse(way.part.bytes));
    let (old, new) = shares(&mut ways.iter().map(|way| &way.part));
    let share = |bytes: u64| Share::of(Bytes(bytes), before + after);
    let told: Vec<String> = ways.iter().map(|way| format!("{} by {}", share(way.part.bytes), way.by)).collect();
    let told = if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) };
    let (gone, came) = shares(&mut std::iter::once(&matching.alone));
    let (unknown_old, unknown_new) = shares(&mut std::iter::once(&matching.unknown));
    format!(
        "Matched: {old} of the bytes before and {new} of the bytes after{told}. Removed: {gone}, added: {came}; \
         ambiguous: {unknown_old} before and {unknown_new} after."
    )
}

/// `3m 12s later`: how the second dump was taken after the first.
pub(super) fn later(before: &DumpSide, after: &DumpSide) -> Option<String> {
    let (before, after) = (before.taken_at_millis?, after.taken_at_millis?);
    let seconds = Duration::from_secs(before.abs_diff(after) / 1_000);
    let word = if after < before { "earlier" } else { "later" };
    Some(format!("{} {word}", humantime::format_duration(seconds)))
}
