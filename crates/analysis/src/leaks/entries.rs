//! Evidence from a sample of the entries of a collection or array: sizes, creation times, references to enclosing
//! objects.

use std::collections::BTreeMap;

use super::accumulation_point::{AccumulationPoint, Shape, is_most};
use super::contents::{AccumulationContents, SAMPLE};
use super::evidence::{Evidence, MANY};
use super::query::LeakQuery;
use heaplens_base::Bytes;
use heaplens_heap::{Field, LogicalKind, ObjectId, Strength, Value};

/// A `long` within this span before the dump is taken for a time, in milliseconds: six years.
const AGES: u64 = 6 * 365 * 24 * 3600 * 1000;
/// Entries created within this span count as created at once, in milliseconds.
const AT_ONCE: u64 = 1000;
/// Prefixes of compiler-generated fields for enclosing instances and captured variables.
const CAPTURED: [&str; 3] = ["this$", "val$", "arg$"];

/// Number of entries behind soft references, if those are most.
pub(super) fn soft(question: LeakQuery<'_>, inside: &AccumulationContents) -> Option<Evidence> {
    let heap = question.namer.heap;
    let size = inside.collection.as_ref()?.size;
    let is_soft = |value: ObjectId| heap.class(value).strength == Strength::Soft;
    let soft = inside.entries.iter().filter_map(|entry| entry.value.object()).filter(|&value| is_soft(value)).count();
    (soft > 0 && is_nearly_all(soft, inside.entries.len())).then_some(Evidence::Soft(size))
}

/// Evidence that many entries have similar retained sizes.
pub(super) fn alike(question: LeakQuery<'_>, inside: &AccumulationContents) -> Option<Evidence> {
    let size = inside.collection.as_ref()?.size;
    let sizes = inside.entries.iter().filter_map(|entry| entry.value.object());
    let sizes = sizes.map(|value| question.namer.analysis.retained(value)).filter(|size| size.0 > 0);
    let (least, most) =
        sizes.fold((Bytes(u64::MAX), Bytes(0)), |(least, most), size| (least.min(size), most.max(size)));
    (size >= MANY && most.0 > 0 && most.0 / 4 <= least.0).then_some(Evidence::Alike(size, least, most))
}

/// Evidence that entries retain most through one compiler-generated field, such as a listener's enclosing form.
pub(super) fn outer(question: LeakQuery<'_>, entries: &[ObjectId]) -> Option<Evidence> {
    let (heap, analysis) = (question.namer.heap, question.namer.analysis);
    let mut fields: BTreeMap<String, usize> = BTreeMap::new();
    for &entry in entries {
        let is_much = |field: &&Field| {
            let held = field.value.object().filter(|&held| analysis.immediate_dominator(held) == Some(entry));
            CAPTURED.iter().any(|begin| field.name.starts_with(begin))
                && held.is_some_and(|held| is_most(analysis.retained(held), analysis.retained(entry)))
        };
        let fields_of = question.namer.contents.fields(heap, entry).unwrap_or_default();
        if let Some(field) = fields_of.iter().find(is_much) {
            *fields.entry(format!("{}.{}", field.declared_by, field.name)).or_default() += 1;
        }
    }
    let (field, times) = fields.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)))?;
    let is_worth_it = times > 1 && is_nearly_all(times, entries.len());
    is_worth_it.then_some(Evidence::Outer(field, times as u64, entries.len() as u64))
}

/// Evidence from a time field that entries were created over a span of time: up to the dump, or long before it. Records
/// of earlier days that were loaded at start have such times, too.
///
/// `reaches_end`: the last entries are among these; else the newest may be later.
pub(super) fn made(question: LeakQuery<'_>, entries: &[ObjectId], reaches_end: bool) -> Option<Evidence> {
    let dumped = question.namer.heap.origin.taken_at_millis.filter(|&millis| millis > AGES)?;
    let mut fields: BTreeMap<String, (usize, u64, u64)> = BTreeMap::new();
    for &entry in entries {
        for field in question.namer.contents.fields(question.namer.heap, entry).unwrap_or_default() {
            let time = (!field.is_static).then(|| time(question, &field.value)).flatten();
            if let Some(time) = time.filter(|&time| time <= dumped && time > dumped - AGES) {
                let row = fields.entry(format!("{}.{}", field.declared_by, field.name)).or_insert((0, time, time));
                *row = (row.0 + 1, row.1.min(time), row.2.max(time));
            }
        }
    }
    let stated = fields.into_iter().filter(|(_, (times, first, last))| {
        *times > 1 && is_nearly_all(*times, entries.len()) && last - first >= AT_ONCE
    });
    // The earliest time field is the creation time; others are times of last use.
    let (field, (_, first, last)) = stated.min_by_key(|(field, (_, first, _))| (*first, field.clone()))?;
    Some(creation_times(field, (first, last), dumped))
        .filter(|sign| reaches_end || !matches!(sign, Evidence::MadeBefore(..)))
}

/// Evidence from the first and last creation time of entries, and the time of the dump.
fn creation_times(field: String, (first, last): (u64, u64), dumped: u64) -> Evidence {
    if dumped.saturating_sub(last) <= last.saturating_sub(first) {
        Evidence::Made(field, first, last)
    } else {
        Evidence::MadeBefore(field, last, dumped)
    }
}

/// A time in milliseconds since 1970, from a number or a date object.
fn time(question: LeakQuery<'_>, value: &Value) -> Option<u64> {
    let (heap, contents) = (question.namer.heap, question.namer.contents);
    let object = match value {
        Value::Long(millis) => return u64::try_from(*millis).ok(),
        Value::Object(object) => *object,
        _ => return None,
    };
    let (name, factor) = match &*heap.class(object).name {
        "java.util.Date" | "java.sql.Timestamp" => ("fastTime", 1),
        "java.time.Instant" => ("seconds", 1000),
        _ => return None,
    };
    let fields = contents.fields(heap, object).ok()?;
    let number = fields.iter().find(|field| field.name == name && !field.is_static)?;
    let Value::Long(number) = number.value else { return None };
    u64::try_from(number).ok()?.checked_mul(factor)
}

/// A sample of entries: the first, and of array-backed lists also the last, because those are in insertion order.
/// Reaching the end of other collections would take a full walk.
pub(super) fn sample(
    question: LeakQuery<'_>,
    point: &AccumulationPoint,
    inside: &AccumulationContents,
) -> Vec<ObjectId> {
    let (heap, contents) = (question.namer.heap, question.namer.contents);
    match (&inside.collection, point.shape) {
        (Some(collection), _) => {
            let from = collection.size.saturating_sub(SAMPLE).max(inside.entries.len() as u64);
            let is_in_array = collection.kind == LogicalKind::List && inside.is_in_array;
            let range = (is_in_array && from < collection.size).then_some(from..collection.size);
            let last = range.and_then(|range| contents.logical(heap, point.unit, range));
            let last = last.map(|logical| logical.entries).unwrap_or_default();
            inside.entries.iter().chain(&last).filter_map(|entry| entry.value.object()).collect()
        }
        (None, Shape::Array) => {
            let all = heap.references(point.unit);
            let last = all.len().saturating_sub(SAMPLE as usize).max(all.len().min(SAMPLE as usize));
            let some = all.iter().take(SAMPLE as usize).chain(&all[last..]);
            some.filter_map(|&row| ObjectId::from_raw(row)).collect()
        }
        _ => Vec::new(),
    }
}

/// True if [`sample`] has the last entries, too.
pub(super) fn reaches_end(point: &AccumulationPoint, inside: &AccumulationContents) -> bool {
    match &inside.collection {
        Some(collection) => {
            (collection.kind == LogicalKind::List && inside.is_in_array)
                || inside.entries.len() as u64 >= collection.size
        }
        None => point.shape == Shape::Array,
    }
}

/// True of nine tenths.
pub(super) fn is_nearly_all(some: usize, of: usize) -> bool {
    some * 10 >= of * 9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_records_long_before_the_dump_are_no_sign_of_growth() {
        let key = |first, last| creation_times(String::new(), (first, last), 100_000).key();
        assert_eq!(key(10_000, 99_000), "creation times", "up to the dump");
        assert_eq!(key(60_000, 80_000), "creation times", "a pause as long as the span");
        assert_eq!(key(50_000, 70_000), "earlier creation times", "a longer pause");
        assert_eq!(key(0, u64::MAX), "creation times", "no time of a dump is before its objects");
    }
}
