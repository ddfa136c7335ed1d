//! Growth in sentences: who holds what came and went. The window, the command
//! line and the reports say the same.

use std::time::Duration;

use super::{DumpSide, EntriesChange, Matching, OwnerChange, PartChange};
use crate::units::{ByteDelta, Bytes, Count, CountDelta, Share};

/// Parts that are told of an owner.
const PARTS: usize = 3;

/// What is said where both heaps are alike.
pub const NOTHING_CHANGED: &str = "Nothing changed.";
/// What is said where there is no row to show, though something changed.
pub const NO_ROWS: &str = "No row differs.";

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
        2 => format!("{} and another like it", owner.owner),
        several => format!("{} and {} like it", owner.owner, Count(several - 1)),
    }
}

/// Of which class an owner is, what it retains, and how it is known to be the same.
pub fn owner(owner: &OwnerChange) -> Option<String> {
    let how = owner.how?;
    let (before, after) = (Bytes(owner.before.retained_bytes), Bytes(owner.after.retained_bytes));
    let known = format!("the same by {} ({})", how.words(), how.sureness().name());
    Some(format!("{} retained {before}, now {after}; {known}", owner.class))
}

/// How many entries came and went, and which.
pub fn entries(entries: &EntriesChange) -> String {
    let EntriesChange { kind, before, after, came, went, new, gone, .. } = entries;
    let listed = |word: &str, all: u64, some: &[String]| {
        let more = all.saturating_sub(some.len() as u64);
        let mut text = format!("{} {word}", Count(all));
        if !some.is_empty() {
            text.push_str(": ");
            text.push_str(&some.join(", "));
            if more > 0 {
                text.push_str(&format!(" and {} more", Count(more)));
            }
        }
        text
    };
    let (came, went) = (listed("came", *came, new), listed("went", *went, gone));
    format!("{kind} of {}, now {}; {came}; {went}", Count(*before), Count(*after))
}

/// What came and went, by class: that which makes the most bytes.
pub fn parts(parts: &[PartChange]) -> String {
    let part = |part: &PartChange| {
        let objects = match (part.came, part.went) {
            (0, 0) => String::new(),
            (came, 0) => format!("+{} ", Count(came)),
            (0, went) => format!("−{} ", Count(went)),
            (came, went) => format!("+{} −{} ", Count(came), Count(went)),
        };
        format!("{objects}{} {}", part.class, ByteDelta(part.bytes))
    };
    let mut told: Vec<String> = parts.iter().take(PARTS).map(part).collect();
    match parts.len().saturating_sub(PARTS) {
        0 => {}
        1 => told.push("1 more class".to_owned()),
        more => told.push(format!("{more} more classes")),
    }
    told.join(", ")
}

/// How much of both heaps was matched, in one sentence.
pub fn matching(matching: &Matching, whole: Bytes) -> String {
    let share = |bytes: u64| Share::of(Bytes(bytes), whole);
    let mut ways: Vec<_> = matching.matched.iter().filter(|way| way.part.bytes > 0).collect();
    ways.sort_by_key(|way| std::cmp::Reverse(way.part.bytes));
    let all = ways.iter().map(|way| way.part.bytes).sum();
    let ways: Vec<String> = ways.iter().map(|way| format!("{} by {}", share(way.part.bytes), way.by)).collect();
    let how = if ways.is_empty() { String::new() } else { format!(" ({})", ways.join(", ")) };
    let (alone, unknown) = (share(matching.alone.bytes), share(matching.unknown.bytes));
    format!("Matched: {} of the bytes of both{how}; {alone} are in one alone, {unknown} may be in both.", share(all))
}

/// `3m 12s later`: how the second dump was taken after the first.
pub(super) fn later(before: &DumpSide, after: &DumpSide) -> Option<String> {
    let (before, after) = (before.taken_at_millis?, after.taken_at_millis?);
    let seconds = Duration::from_secs(before.abs_diff(after) / 1_000);
    let word = if after < before { "earlier" } else { "later" };
    Some(format!("{} {word}", humantime::format_duration(seconds)))
}

/// The title of a list: `Owners`.
pub fn title(list: &str) -> &'static str {
    match list {
        "owners" => "Owners",
        "classes" => "Classes",
        "packages" => "Packages",
        "loaders" => "Class loaders",
        "threads" => "Threads",
        "strings" => "Duplicate strings",
        _ => "Collections",
    }
}
