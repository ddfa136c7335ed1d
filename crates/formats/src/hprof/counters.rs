//! Numbers that count the entries of a collection: plain ones, those of counters shared by threads.

use super::peek::{Fields, Peek};
use heaplens_heap::{ObjectId, Value};

/// Maximum number of cells of a striped counter; there are usually as many as CPU cores.
const CELLS: u64 = 1_024;

/// Parts of a striped counter: its base and its cells.
fn parts(fields: Fields<'_>, base: &str, cells: &str) -> Option<Vec<i64>> {
    let mut parts = vec![fields.integer(base)?];
    if let Some(cells) = fields.object(&[cells]) {
        let peek = fields.peek;
        let array = peek.array(cells)?;
        let cells = (0..u64::from(array.length).min(CELLS)).filter_map(|at| peek.element(&array, at)?.object());
        parts.extend(cells.filter_map(|cell| peek.fields(cell, "")?.integer("value")));
    }
    Some(parts)
}

/// Sum of a striped counter and its cells.
pub(super) fn added(fields: Fields<'_>, base: &str, cells: &str) -> Option<i64> {
    parts(fields, base, cells).map(|parts| parts.into_iter().fold(0, i64::saturating_add))
}

/// Sum of a striped counter whose parts are the bits of floating-point numbers.
pub(super) fn added_floats(fields: Fields<'_>, base: &str, cells: &str) -> Option<f64> {
    parts(fields, base, cells).map(|parts| parts.into_iter().map(|bits| f64::from_bits(bits.cast_unsigned())).sum())
}

/// A count from a number, an atomic number or a striped counter.
pub(super) fn count(peek: Peek<'_>, value: Value) -> Option<u64> {
    let unsigned = |number: i64| u64::try_from(number).unwrap_or(0);
    match value {
        Value::Byte(n) => Some(unsigned(n.into())),
        Value::Short(n) => Some(unsigned(n.into())),
        Value::Int(n) => Some(unsigned(n.into())),
        Value::Long(n) => Some(unsigned(n)),
        Value::Object(counter) => shared_count(peek, counter),
        _ => None,
    }
}

fn shared_count(peek: Peek<'_>, counter: ObjectId) -> Option<u64> {
    let unsigned = |number: i64| u64::try_from(number).unwrap_or(0);
    match peek.class_name(counter) {
        "java.util.concurrent.atomic.AtomicInteger" | "java.util.concurrent.atomic.AtomicLong" => {
            peek.fields(counter, "")?.integer("value").map(unsigned)
        }
        "java.util.concurrent.atomic.LongAdder" => {
            added(peek.fields(counter, "java.util.concurrent.atomic.Striped64")?, "base", "cells").map(unsigned)
        }
        _ => None,
    }
}
