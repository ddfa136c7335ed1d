//! Merges the changes of two windows in one file, so that neither undoes the other's.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// Key that identifies the entries of a list, if all have it: stars and notes are stored by dump.
const NAME: &str = "dump";

/// Entries with their keys.
type Parts = Vec<(String, Value)>;

/// Applies all changes from `before` to `ours` to `theirs`: key by key, by dump in lists keyed by dump, and by string in
/// lists of strings; any other value as a whole. `ours` wins in conflicts. Values are no deeper than the JSON reader
/// allows.
pub(super) fn merged(before: &Value, ours: &Value, theirs: Value) -> Value {
    if before == ours {
        return theirs;
    }
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let before = before.as_object().cloned().unwrap_or_default();
            Value::Object(
                parts_merged(&before, ours.clone().into_iter().collect(), theirs.into_iter().collect()).collect(),
            )
        }
        (ours @ Value::Array(_), theirs @ Value::Array(_)) => match (named(ours), named(&theirs)) {
            (Some(own), Some(theirs)) => {
                let before = named(before).unwrap_or_default().into_iter().collect();
                Value::Array(parts_merged(&before, own, theirs).map(|(_, part)| part).collect())
            }
            _ => match [before, ours, &theirs].map(texts) {
                [before, Some(ours), Some(theirs)] => texts_merged(&before.unwrap_or_default(), &ours, &theirs),
                _ => ours.clone(),
            },
        },
        (ours, _) => ours.clone(),
    }
}

/// Their entries in their order without those we removed; then those we changed, in our order.
fn parts_merged(before: &Map<String, Value>, ours: Parts, theirs: Parts) -> impl Iterator<Item = (String, Value)> {
    let own: BTreeSet<String> = ours.iter().map(|(name, _)| name.clone()).collect();
    let (changed, _): (Parts, Parts) = ours.into_iter().partition(|(name, part)| before.get(name) != Some(part));
    let is_changed: BTreeSet<String> = changed.iter().map(|(name, _)| name.clone()).collect();
    let (meet, all): (Parts, Parts) = theirs.into_iter().partition(|(name, _)| is_changed.contains(name));
    let stays = |(name, theirs): (String, Value)| match before.get(&name).filter(|_| !own.contains(&name)) {
        Some(before) => Some((name, without(before, theirs)?)),
        None => Some((name, theirs)),
    };
    let mut all: Parts = all.into_iter().filter_map(stays).collect();
    let mut meet: BTreeMap<String, Value> = meet.into_iter().collect();
    all.extend(changed.into_iter().map(|(name, part)| {
        let theirs = meet.remove(&name).unwrap_or(Value::Null);
        let merged = merged(before.get(&name).unwrap_or(&Value::Null), &part, theirs);
        (name, merged)
    }));
    all.into_iter()
}

/// Remainder of an entry we removed: additions they made inside since, unless they changed the entry itself.
fn without(before: &Value, theirs: Value) -> Option<Value> {
    let mut emptied = before.clone();
    emptied.as_object_mut()?.values_mut().filter_map(Value::as_object_mut).for_each(Map::clear);
    let left = merged(before, &emptied, theirs);
    let holds = left.as_object()?.values().filter_map(Value::as_object).any(|inside| !inside.is_empty());
    holds.then_some(left)
}

/// Strings of a list that contains nothing else.
fn texts(list: &Value) -> Option<Vec<&str>> {
    list.as_array()?.iter().map(Value::as_str).collect()
}

/// Our list, with their new entries at the beginning and without those they removed.
fn texts_merged(before: &[&str], ours: &[&str], theirs: &[&str]) -> Value {
    let is_new = |text: &&&str| !before.contains(*text) && !ours.contains(*text);
    let stays = |text: &&&str| theirs.contains(*text) || !before.contains(*text);
    theirs.iter().filter(is_new).chain(ours.iter().filter(stays)).map(|&text| Value::from(text)).collect()
}

/// Entries of a list keyed by dump.
fn named(list: &Value) -> Option<Parts> {
    let name = |part: &Value| Some((part.get(NAME)?.as_str()?.to_owned(), part.clone()));
    list.as_array()?.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn neither_window_undoes_changes_of_the_other() {
        let before = json!({"theme": "dark", "zoom": 1.0, "marks": [
            {"dump": "a", "marks": {"0x1": {"note": "first"}, "0x2": {"note": "second"}}},
            {"dump": "b", "marks": {"0x1": {"note": "of b"}}},
        ]});
        let ours = json!({"theme": "light", "zoom": 1.0, "marks": [
            {"dump": "a", "marks": {"0x2": {"note": "second"}, "0x3": {"note": "ours"}}},
            {"dump": "b", "marks": {"0x1": {"note": "of b"}}},
        ]});
        let theirs = json!({"theme": "dark", "zoom": 1.5, "recent": ["x"], "marks": [
            {"dump": "a", "marks": {"0x1": {"note": "first"}, "0x2": {"note": "theirs"}}},
            {"dump": "c", "marks": {}},
        ]});
        let both = json!({"theme": "light", "zoom": 1.5, "recent": ["x"], "marks": [
            {"dump": "c", "marks": {}},
            {"dump": "a", "marks": {"0x2": {"note": "theirs"}, "0x3": {"note": "ours"}}},
        ]});
        assert_eq!(merged(&before, &ours, theirs), both);
    }

    #[test]
    fn removing_the_last_entry_keeps_newer_ones() {
        let of = |marks: Value| json!([{"dump": "a", "file": "a.hprof", "marks": marks}]);
        let before = of(json!({"0x1": {"note": "ours"}}));
        let theirs = of(json!({"0x1": {"note": "ours"}, "0x9": {"note": "theirs"}}));
        assert_eq!(merged(&before, &json!([]), theirs), of(json!({"0x9": {"note": "theirs"}})));
        assert_eq!(merged(&before, &json!([]), before.clone()), json!([]));
        assert_eq!(merged(&before, &json!([]), of(json!({"0x1": {"note": "both"}}))), json!([]));
    }

    #[test]
    fn lists_of_strings_are_merged() {
        let (before, ours, theirs) = (json!(["a", "b"]), json!(["x", "b", "a"]), json!(["y", "a"]));
        assert_eq!(merged(&before, &ours, theirs), json!(["y", "x", "a"]));
        assert_eq!(merged(&json!([]), &json!(["x"]), json!(["y"])), json!(["y", "x"]));
    }

    #[test]
    fn values_that_are_no_objects_are_replaced_whole() {
        assert_eq!(merged(&json!([1]), &json!([1, 2]), json!([3])), json!([1, 2]));
        assert_eq!(merged(&json!([1]), &json!([1]), json!([3])), json!([3]));
        assert_eq!(merged(&json!(null), &json!({"a": 1}), json!("damaged")), json!({"a": 1}));
        assert_eq!(merged(&json!({"a": 1}), &json!({}), json!({"a": 2, "b": 3})), json!({"b": 3}));
        // An empty list matches any key.
        let mark = json!([{"dump": "a"}]);
        assert_eq!(merged(&json!([]), &mark, json!([])), mark);
        assert_eq!(merged(&mark, &json!([]), mark.clone()), json!([]));
    }
}
