//! Age limits: objects with a time, older than so many minutes when the dump was taken.
//!
//! A field is a time if the newest of its values is at most a week before the dump, and none is after it: no name is
//! read. Of several fields the one with the latest times counts: that of the last access, not of the creation.

use crate::answers::DumpData;
use crate::cuts::Cut;
use crate::rows::shown_of;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, Field, ObjectId, Value, shown_names};

/// Number of entries read.
const SAMPLED: u64 = 1_000;
/// Part of the entries that must be of one class, and have the time.
const MOST: f64 = 0.9;
/// Ages in minutes.
const AGES: [u64; 2] = [30, 24 * 60];
/// Units of a time since 1970, in parts of a second.
const UNITS: [i64; 4] = [1, 1_000, 1_000_000, 1_000_000_000];
const SECONDS_OF_WEEK: i64 = 7 * 24 * 3600;
/// Clocks are not exact.
const TOLERANCE: i64 = 60;

/// An age limit.
pub(super) struct AgeLimit {
    pub(super) field: String,
    pub(super) minutes: u64,
    /// The objects that are older, as a query.
    pub(super) cut: Cut,
}

/// Age limits for the objects that a structure has as its entries, with their class.
pub(super) fn limits_of(
    of: DumpData<'_>,
    structure: ObjectId,
    task: &Task,
) -> Result<Vec<(ClassId, AgeLimit)>, Cancelled> {
    let DumpData { heap, contents, .. } = of;
    let Some(taken) = heap.origin.taken_at_millis.map(|millis| (millis / 1_000) as i64) else { return Ok(Vec::new()) };
    let Some(entries) = contents.logical(heap, structure, 0..SAMPLED).map(|logical| logical.entries) else {
        return Ok(Vec::new());
    };
    let values: Vec<ObjectId> = entries.iter().filter_map(|entry| entry.value.object()).collect();
    let Some(class) = most_common(of, &values) else { return Ok(Vec::new()) };
    let sample: Vec<ObjectId> = values.into_iter().filter(|&object| heap.class_id(object) == class).collect();
    let Some((field, unit)) = time_of(of, &sample, taken) else { return Ok(Vec::new()) };
    let times = times(of, class, &field, task)?;
    let limits = AGES.into_iter().map(|minutes| {
        let latest = taken * unit - minutes as i64 * 60 * unit;
        let older = times.iter().filter(|&&(_, time)| time < latest).map(|&(object, _)| object);
        (minutes, older.collect::<Vec<ObjectId>>())
    });
    let limits = limits.filter(|(_, older)| !older.is_empty());
    let limit = |(minutes, older): (u64, Vec<ObjectId>)| {
        let text = query(&heap.classes.get(class).name, &field, (unit, minutes));
        let cut = Cut::Query { text: text.into(), objects: older.into() };
        (class, AgeLimit { field: field.clone(), minutes, cut })
    };
    Ok(limits.map(limit).collect())
}

/// The class of most objects.
fn most_common(of: DumpData<'_>, objects: &[ObjectId]) -> Option<ClassId> {
    let class = of.heap.class_id(*objects.get(objects.len() / 2)?);
    let alike = objects.iter().filter(|&&object| of.heap.class_id(object) == class).count();
    (alike as f64 >= objects.len() as f64 * MOST && of.contents.array_length(of.heap, *objects.first()?).is_none())
        .then_some(class)
}

/// The field with the time of objects of one class, and its unit.
fn time_of(of: DumpData<'_>, sample: &[ObjectId], taken: i64) -> Option<(String, i64)> {
    let read = |&object: &ObjectId| longs(of, object);
    let rows: Vec<Vec<(String, i64)>> = sample.iter().map(read).collect();
    let fields = rows.first()?.iter().map(|(name, _)| name.clone());
    let times = fields.enumerate().filter_map(|(at, name)| {
        // Without a time an object has 0.
        let values = rows.iter().filter_map(|row| row.get(at)).map(|&(_, value)| value).filter(|&value| value > 0);
        let values: Vec<i64> = values.collect();
        let (newest, oldest) = (*values.iter().max()?, *values.iter().min()?);
        let unit = UNITS.into_iter().find(|unit| {
            let age = taken - newest / unit;
            (-TOLERANCE..=SECONDS_OF_WEEK).contains(&age) && oldest / unit > 0
        })?;
        let has_most = values.len() as f64 >= rows.len() as f64 * MOST;
        let sum: i128 = values.iter().map(|&value| i128::from(value / unit)).sum();
        has_most.then_some((sum / values.len() as i128, name, unit))
    });
    times.max_by_key(|(mean, ..)| *mean).map(|(_, name, unit)| (name, unit))
}

/// Fields of an object with 64-bit numbers, by their names, unless another field hides them.
fn longs(of: DumpData<'_>, object: ObjectId) -> Vec<(String, i64)> {
    let fields = of.contents.fields(of.heap, object).unwrap_or_default();
    let named = shown_names(&fields).into_iter().zip(&fields);
    let long = |(name, field): (String, &Field)| match field.value {
        Value::Long(value) if !name.contains('.') => Some((name, value)),
        _ => None,
    };
    named.filter_map(long).collect()
}

/// Times of all reachable objects of a class.
fn times(of: DumpData<'_>, class: ClassId, field: &str, task: &Task) -> Result<Vec<(ObjectId, i64)>, Cancelled> {
    let mut times = Vec::new();
    for object in shown_of(of, |other| other == class, task)? {
        task.checkpoint()?;
        let time = longs(of, object).into_iter().find(|(name, _)| name == field);
        times.extend(time.map(|(_, time)| (object, time)));
    }
    Ok(times)
}

/// The query that returns the objects, in each dump of the program.
fn query(class: &str, field: &str, (unit, minutes): (i64, u64)) -> String {
    let quoted = |name: &str| name.replace('"', "\"\"");
    let taken = "(SELECT number FROM statistics WHERE name = 'taken_at_millis')";
    let (taken, age) = match unit {
        1 => (format!("{taken} / 1000"), minutes * 60),
        unit => {
            let per_milli = unit / 1_000;
            let times = if per_milli == 1 { String::new() } else { format!(" * {per_milli}") };
            (format!("{taken}{times}"), minutes * 60 * unit as u64)
        }
    };
    format!("SELECT object FROM \"{}\" WHERE \"{}\" < {taken} - {age}", quoted(class), quoted(field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_count_in_the_unit_of_the_field() {
        let of = |unit| query("shop.Session", "seen", (unit, 30));
        let taken = "(SELECT number FROM statistics WHERE name = 'taken_at_millis')";
        assert_eq!(of(1), format!("SELECT object FROM \"shop.Session\" WHERE \"seen\" < {taken} / 1000 - 1800"));
        assert_eq!(of(1_000), format!("SELECT object FROM \"shop.Session\" WHERE \"seen\" < {taken} - 1800000"));
        assert_eq!(
            of(1_000_000),
            format!("SELECT object FROM \"shop.Session\" WHERE \"seen\" < {taken} * 1000 - 1800000000")
        );
    }
}
