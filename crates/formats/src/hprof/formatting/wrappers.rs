//! Objects that consist of a few others: tuples, ranges, references with a mark, values that are computed later.

use crate::hprof::peek::Fields;
use heaplens_heap::Value;

/// Number of elements of a tuple that are shown.
const ELEMENTS: usize = 4;

/// A tuple of Scala or Vavr: `(1, two)`. Scala has subclasses for numbers, with fields such as `_1$mcI$sp`.
pub(super) fn tuple(fields: Fields<'_>, depth: u32) -> Option<String> {
    let mut elements = Vec::new();
    for at in 1..=ELEMENTS + 1 {
        let (name, special) = (format!("_{at}"), format!("_{at}$mc"));
        // A subclass comes first.
        let Some((_, value)) = fields.all().find(|(field, _)| *field == name || field.starts_with(&special)) else {
            break;
        };
        elements.push(if at > ELEMENTS { "…".to_owned() } else { fields.peek.shown(value, depth) });
    }
    (!elements.is_empty()).then(|| format!("({})", elements.join(", ")))
}

/// `kotlin.Pair` and `kotlin.Triple`.
pub(super) fn pair(fields: Fields<'_>, depth: u32) -> Option<String> {
    let elements = ["first", "second", "third"].into_iter().map_while(|name| fields.get(name));
    let elements: Vec<String> = elements.map(|value| fields.peek.shown(value, depth)).collect();
    (!elements.is_empty()).then(|| format!("({})", elements.join(", ")))
}

/// Value of a `kotlin.Lazy`, once it is computed.
pub(super) fn lazy(fields: Fields<'_>, depth: u32) -> Option<String> {
    let value = fields.any(&["_value", "value"])?;
    let is_missing = value.object().is_some_and(|value| fields.peek.class_name(value) == "kotlin.UNINITIALIZED_VALUE");
    Some(if is_missing { "not initialized".to_owned() } else { fields.peek.shown(value, depth) })
}

/// `1..10`, or `1..10 step 3`, of Kotlin.
pub(super) fn progression(fields: Fields<'_>) -> Option<String> {
    let (first, last, step) = (fields.get("first")?, fields.get("last")?, fields.integer("step")?);
    Some(if step == 1 { format!("{first}..{last}") } else { format!("{first}..{last} step {step}") })
}

/// A range of Guava, such as `[1..5)`: its bounds are cuts below or above a value.
pub(super) fn range(fields: Fields<'_>, depth: u32) -> Option<String> {
    let peek = fields.peek;
    let bound = |name, below, above, none: &str| {
        let cut = fields.object(&[name])?;
        let endpoint = || Some(peek.shown(peek.fields(cut, "")?.get("endpoint")?, depth));
        Some(match peek.class_name(cut).rsplit_once('$')?.1 {
            "BelowValue" => (below, endpoint()?),
            "AboveValue" => (above, endpoint()?),
            _ => (if below == '[' { above } else { below }, none.to_owned()),
        })
    };
    let (open, lower) = bound("lowerBound", '[', '(', "-∞")?;
    let (close, upper) = bound("upperBound", ')', ']', "+∞")?;
    Some(format!("{open}{lower}..{upper}{close}"))
}

/// Reference and stamp of an `AtomicStampedReference`, or mark of an `AtomicMarkableReference`.
pub(super) fn marked(fields: Fields<'_>, depth: u32) -> Option<String> {
    let pair = fields.inside(&["pair"])?;
    let mark = match (pair.get("stamp"), pair.get("mark")) {
        (Some(stamp), _) => format!("stamp {stamp}"),
        (None, Some(Value::Bool(true))) => "marked".to_owned(),
        (None, _) => "not marked".to_owned(),
    };
    Some(format!("{}, {mark}", fields.peek.shown(pair.get("reference")?, depth)))
}
