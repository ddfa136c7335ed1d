//! Added and removed entries of a collection, by key.

use super::matching::collections::{keys, read};
use super::matching::context::MatchContext;
use super::matching::sequences::{alike, sequences};
use super::{HeapSide, Pair, Side, matches::Matches};
use heaplens_base::{Cancelled, Task};
use heaplens_core::heap::{Contents, Heap, LogicalCollection, LogicalKind, ObjectId, Value, constants::enum_constant};

/// Maximum number of characters of a key.
const SHOWN: usize = 60;

/// An entry that exists in only one of the heaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its key as text without addresses: `"user-17"`; for a list its index.
    pub key: String,
    /// The value, or the element.
    pub value: Option<ObjectId>,
}

/// Entries of one collection before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entries {
    /// List, set or map.
    pub kind: LogicalKind,
    /// Number of entries in the baseline.
    pub before: u64,
    /// Number of entries in the target.
    pub after: u64,
    /// Number of entries in both.
    pub kept: u64,
    /// Number of added entries.
    pub came: u64,
    /// Number of removed entries.
    pub went: u64,
    /// First added entries, in the collection's own order.
    pub new: Vec<Entry>,
    /// First removed entries.
    pub gone: Vec<Entry>,
}

/// Added and removed entries of a collection in both heaps; at most `listed` of each by name. `None` if it
/// is no known collection, has too many entries to compare by key, or the dump file is missing.
pub fn entries(
    pair: Pair<'_>,
    matches: &Matches,
    before: ObjectId,
    after: ObjectId,
    listed: usize,
    task: &Task,
) -> Result<Option<Entries>, Cancelled> {
    let (Some(old), Some(new)) = (read(pair.before, before), read(pair.after, after)) else { return Ok(None) };
    if old.kind != new.kind {
        return Ok(None);
    }
    task.checkpoint()?;
    let known = MatchContext::new(pair, matches);
    let (mut kept_old, mut kept_new) = (vec![false; old.entries.len()], vec![false; new.entries.len()]);
    let mut keep = |one: usize, other: usize| {
        kept_old[one] = true;
        kept_new[other] = true;
    };
    if !old.is_by_key() || !new.is_by_key() {
        let elements = |logical: &LogicalCollection| logical.entries.iter().map(|entry| entry.value.object()).collect();
        let (one, other): (Vec<Option<ObjectId>>, Vec<_>) = (elements(&old), elements(&new));
        sequences(known, &one, &other).into_iter().for_each(|same| keep(same.before, same.after));
    } else {
        let (one, other) = (keys(known, HeapSide::Before, &old), keys(known, HeapSide::After, &new));
        alike(&one, &other, |one, other| {
            one.iter().zip(other).for_each(|(&(_, one), &(_, other))| keep(one as usize, other as usize));
        });
    }
    let list = |side: Side<'_>, logical: &LogicalCollection, kept: &[bool]| {
        let left = (0..kept.len()).filter(|&at| !kept[at]);
        left.take(listed).map(|at| entry(side, logical, at)).collect()
    };
    let count = |kept: &[bool]| kept.iter().filter(|&&kept| kept).count() as u64;
    let kept = count(&kept_new);
    let one_sided = |kept: &[bool]| kept.len() as u64 - count(kept);
    Ok(Some(Entries {
        kind: old.kind,
        before: old.entries.len() as u64,
        after: new.entries.len() as u64,
        kept,
        came: one_sided(&kept_new),
        went: one_sided(&kept_old),
        new: list(pair.after, &new, &kept_new),
        gone: list(pair.before, &old, &kept_old),
    }))
}

fn entry(side: Side<'_>, logical: &LogicalCollection, at: usize) -> Entry {
    let entry = logical.entries[at];
    let key = match logical.kind {
        LogicalKind::List => format!("[{at}]"),
        LogicalKind::Map | LogicalKind::Set => written(side, entry.identity()),
    };
    Entry { key, value: entry.value.object() }
}

/// Text of a key that is a string or a boxed value, as in source code: `"user-17"`, `17L`. `None` for other objects.
pub fn literal(heap: &Heap, contents: &dyn Contents, object: ObjectId) -> Option<String> {
    if let Some(text) = contents.text(heap, object, SHOWN + 1) {
        let cut = text.chars().count() > SHOWN;
        let text: String = text.chars().take(SHOWN).collect();
        return Some(format!("{:?}{}", text, if cut { "…" } else { "" }));
    }
    Some(match contents.boxed(heap, object)? {
        Value::Long(number) => format!("{number}L"),
        other => other.to_string(),
    })
}

/// Text of a key.
fn written(side: Side<'_>, key: Value) -> String {
    let Some(object) = key.object() else { return key.to_string() };
    if let Some(literal) = literal(side.heap, side.contents, object) {
        return literal;
    }
    if let Some((class, name)) = enum_constant(side.heap, side.contents, object, SHOWN) {
        return format!("{}.{name}", side.heap.classes.get(class).name);
    }
    let class = match side.heap.classes.of_object(object) {
        Some(class) => return format!("{}.class", side.heap.classes.get(class).name),
        None => &side.heap.class(object).name,
    };
    let label = side.contents.label(side.heap, object);
    label.map_or_else(|| class.to_string(), |label| format!("{class} {label}"))
}
