//! Sentences about growth and its owners, shared by the window, the command line and the reports.

use std::{cmp::Reverse, time::Duration};

use heaplens_analysis::source_classes;

use super::{DumpSide, EntriesChange, MatchedPart, Matching, OwnerChange, PartChange, similar};
use heaplens_analysis::diff::program::ProgramMatch;
use heaplens_base::{ByteDelta, Bytes, Count, CountDelta, Share};

/// Maximum number of parts listed per owner.
const PARTS: usize = 3;

/// Text if the heaps do not differ.
pub const NOTHING_CHANGED: &str = "The dumps do not differ.";
/// Text if no row differs although something changed.
pub const NO_ROWS: &str = "No rows differ.";

/// Warning about a comparison of two programs, without a full stop; `None` unless they are known to be different.
pub fn different_programs(program: &ProgramMatch) -> Option<String> {
    let because = match &program.names {
        Some([before, after]) => format!("{before}, then {after}"),
        None => "few application classes are in both".to_owned(),
    };
    program
        .is_different()
        .then(|| format!("These are dumps of different programs ({because}): growth between them says little"))
}

/// Growth of an owner: `+20,000 Session, +13.1 MB`.
pub fn growth(owner: &OwnerChange) -> String {
    let part = owner.told_by.and_then(|told_by| owner.parts.get(told_by)).filter(|part| part.added != part.removed);
    let objects = part.map(|part| {
        let class = source_classes::simple(&part.class, part.added.abs_diff(part.removed));
        format!("{} {class}, ", CountDelta::between(part.removed, part.added))
    });
    format!("{}{}", objects.unwrap_or_default(), ByteDelta(owner.charged.bytes))
}

/// Name of an owner, or a title for several similar ones: `shop.SessionCache.CACHE`.
pub fn name(owner: &OwnerChange) -> String {
    let names: Vec<&str> = owner.names.iter().map(String::as_str).collect();
    similar::title(owner.owners, (&owner.short_name, owner.distinction.as_deref()), &names)
}

/// Class, retained sizes and match criterion of an owner.
pub fn owner(owner: &OwnerChange) -> Option<String> {
    let method = owner.how?;
    let (before, after) = (Bytes(owner.before.retained_bytes), Bytes(owner.after.retained_bytes));
    let known = format!("matched by {} ({})", method.words(), method.confidence().name());
    let class = source_classes::class_or_lambda(&owner.class, owner.owners);
    Some(format!("{class}: retained size {before} → {after}; {known}"))
}

/// Bytes moved from or to other owners.
pub fn moved(delta: ByteDelta) -> Option<String> {
    let bytes = Bytes(delta.0.unsigned_abs());
    match delta.0 {
        1.. => Some(format!("{bytes} moved here from other owners")),
        0 => None,
        _ => Some(format!("{bytes} moved to other owners")),
    }
}

/// Added and removed entries, with keys.
pub fn entries(entries: &EntriesChange) -> String {
    let listed = |word: &str, all: u64, some: &[String]| {
        if all == 0 {
            return String::new();
        }
        // Keys may have no text but their class.
        let mut shown: Vec<&str> = some.iter().map(String::as_str).collect();
        shown.dedup();
        let more = all.saturating_sub(shown.len() as u64);
        let rest = if more > 0 && !shown.is_empty() { format!(" and {} more", Count(more)) } else { String::new() };
        let keys = if shown.is_empty() { String::new() } else { format!(": {}", shown.join(", ")) };
        format!("; {} {word}{keys}{rest}", Count(all))
    };
    let EntriesChange { kind, before, after, added, removed, new, gone, .. } = entries;
    let (added, removed) = (listed("added", *added, new), listed("removed", *removed, gone));
    let unknown = not_compared(entries.not_compared_before, entries.not_compared_after);
    let unknown = unknown.map(|unknown| format!("; {unknown}")).unwrap_or_default();
    format!("{kind}: {} → {} entries{added}{removed}{unknown}", Count(*before), Count(*after))
}

/// Entries of which nothing tells whether the other dump has them; `None` if there are none.
pub fn not_compared(before: u64, after: u64) -> Option<String> {
    let why = "their keys are not in the file or ambiguous";
    (before > 0 || after > 0)
        .then(|| format!("{} before and {} after not compared: {why}", Count(before), Count(after)))
}

/// Added and removed objects of a class: `+3 −1 Session`.
pub fn objects(added: u64, removed: u64, class: &str) -> String {
    match (added, removed) {
        (0, 0) => class.to_owned(),
        (added, 0) => format!("+{} {class}", Count(added)),
        (0, removed) => format!("−{} {class}", Count(removed)),
        (added, removed) => format!("+{} −{} {class}", Count(added), Count(removed)),
    }
}

/// Added and removed objects of the classes with most bytes.
pub fn parts(parts: &[PartChange]) -> String {
    let mut turned: Vec<&PartChange> = parts.iter().filter(|p| p.added > 0 || p.removed > 0 || p.bytes != 0).collect();
    turned.sort_by_key(|part| Reverse(part.bytes.unsigned_abs()));
    let part = |part: &&PartChange| {
        let class = source_classes::class_or_lambda(&part.class, part.added.max(part.removed));
        format!("{} {}", objects(part.added, part.removed, &class), ByteDelta(part.bytes))
    };
    let mut shown: Vec<String> = turned.iter().take(PARTS).map(part).collect();
    match turned.len().saturating_sub(PARTS) {
        0 => {}
        1 => shown.push("1 more class".to_owned()),
        more => shown.push(format!("{more} more classes")),
    }
    shown.join(", ")
}

/// Matched and unmatched shares of both heaps.
pub fn matching(matching: &Matching, [before, after]: [Bytes; 2]) -> String {
    let shares = |parts: &mut dyn Iterator<Item = &MatchedPart>| {
        let (old, new) = parts.fold((0, 0), |(old, new), part| (old + part.before.bytes, new + part.after.bytes));
        (Share::of(Bytes(old), before), Share::of(Bytes(new), after))
    };
    let mut methods: Vec<_> = matching.matched.iter().filter(|method| method.part.bytes > 0).collect();
    methods.sort_by_key(|method| Reverse(method.part.bytes));
    let (old, new) = shares(&mut methods.iter().map(|method| &method.part));
    let share = |bytes: u64| Share::of(Bytes(bytes), before + after);
    let shown: Vec<String> =
        methods.iter().map(|method| format!("{} by {}", share(method.part.bytes), method.by)).collect();
    let shown = if shown.is_empty() { String::new() } else { format!(" ({})", shown.join(", ")) };
    let (gone, added) = shares(&mut std::iter::once(&matching.alone));
    let (unknown_old, unknown_new) = shares(&mut std::iter::once(&matching.unknown));
    format!(
        "Matched: {old} of the bytes before and {new} of the bytes after{shown}. Removed: {gone}, added: {added}; \
         ambiguous: {unknown_old} before and {unknown_new} after."
    )
}

/// Time between the dumps: `3m 12s later`.
pub(super) fn later(before: &DumpSide, after: &DumpSide) -> Option<String> {
    let (before, after) = (before.taken_at_millis?, after.taken_at_millis?);
    let seconds = Duration::from_secs(before.abs_diff(after) / 1_000);
    let word = if after < before { "earlier" } else { "later" };
    Some(format!("{} {word}", humantime::format_duration(seconds)))
}
