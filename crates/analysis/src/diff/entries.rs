//! Added and removed entries of a collection, by key.

use super::matching::collections::read;
use super::matching::context::MatchContext;
use super::matching::entry_pairs::{EntryPairs, EntryStatus};
use super::{Pair, matches::Matches};
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{LogicalCollection, LogicalKind, ObjectId, Value, constants::enum_constant};

/// Maximum number of characters of a key.
const SHOWN: usize = 60;

/// Text of a key that is not in the file: a small integer of JavaScript.
const NOT_RECORDED: &str = "(unrecorded key)";

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
    pub in_both: u64,
    /// Number of added entries.
    pub added: u64,
    /// Number of removed entries.
    pub removed: u64,
    /// Number of entries of the baseline of which nothing tells whether the target has them: their keys are not in the
    /// file, or are objects of which only the class is known.
    pub not_compared_before: u64,
    /// Number of such entries of the target.
    pub not_compared_after: u64,
    /// First added entries, in the collection's own order.
    pub new: Vec<Entry>,
    /// First removed entries.
    pub removed_entries: Vec<Entry>,
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
    let EntryPairs { pairs, before: of_old, after: of_new } =
        EntryPairs::of(MatchContext::new(pair, matches), &old, &new);
    let list = |side: DumpData<'_>, logical: &LogicalCollection, status: &[EntryStatus]| {
        let alone = (0..status.len()).filter(|&at| status[at] == EntryStatus::Alone);
        alone.take(listed).map(|at| entry(side, logical, at)).collect()
    };
    let count = |all: &[EntryStatus], wanted| all.iter().filter(|&&status| status == wanted).count() as u64;
    Ok(Some(Entries {
        kind: old.kind,
        before: old.entries.len() as u64,
        after: new.entries.len() as u64,
        in_both: pairs.len() as u64,
        added: count(&of_new, EntryStatus::Alone),
        removed: count(&of_old, EntryStatus::Alone),
        not_compared_before: count(&of_old, EntryStatus::NotCompared),
        not_compared_after: count(&of_new, EntryStatus::NotCompared),
        new: list(pair.after, &new, &of_new),
        removed_entries: list(pair.before, &old, &of_old),
    }))
}

fn entry(side: DumpData<'_>, logical: &LogicalCollection, at: usize) -> Entry {
    let entry = logical.entries[at];
    let key = match logical.kind {
        LogicalKind::List => format!("[{at}]"),
        LogicalKind::Map if entry.key == Some(Value::Unavailable) => {
            format!("{NOT_RECORDED} → {}", written(side, entry.value))
        }
        LogicalKind::Map | LogicalKind::Set => written(side, entry.key.unwrap_or(entry.value)),
    };
    Entry { key, value: entry.value.object() }
}

/// Text of a key that is a string or a boxed value, as in source code: `"user-17"`, `17L`. `None` for other objects.
pub fn literal(dump: DumpData<'_>, object: ObjectId) -> Option<String> {
    if let Some(text) = dump.contents.text(dump.heap, object, SHOWN + 1) {
        let cut = text.chars().count() > SHOWN;
        let text: String = text.chars().take(SHOWN).collect();
        return Some(format!("{:?}{}", text, if cut { "…" } else { "" }));
    }
    Some(match dump.contents.boxed(dump.heap, object)? {
        Value::Long(number) => format!("{number}L"),
        other => other.to_string(),
    })
}

/// Text of a key.
fn written(side: DumpData<'_>, key: Value) -> String {
    let Some(object) = key.object() else { return key.to_string() };
    if let Some(literal) = literal(side, object) {
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
