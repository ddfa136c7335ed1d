//! What two windows changed in one file, put together: neither undoes what the other did.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// By what the parts of a list are told apart, where all have it: stars and notes stand by dump.
const NAME: &str = "dump";

/// Parts, each with what it is found by.
type Parts = Vec<(String, Value)>;

/// What `theirs` is with all that changed from `before` to `ours`: key by key, and dump by dump where a list stands by
/// dump; any other value as a whole. What both changed is as in `ours`. Values are no deeper than their reader allows.
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
            _ => ours.clone(),
        },
        (ours, _) => ours.clone(),
    }
}

/// Theirs in their order without those that we took away; then those that we changed, in ours.
fn parts_merged(before: &Map<String, Value>, ours: Parts, theirs: Parts) -> impl Iterator<Item = (String, Value)> {
    let own: BTreeSet<String> = ours.iter().map(|(name, _)| name.clone()).collect();
    let (changed, _): (Parts, Parts) = ours.into_iter().partition(|(name, part)| before.get(name) != Some(part));
    let is_changed: BTreeSet<String> = changed.iter().map(|(name, _)| name.clone()).collect();
    let (meet, mut all): (Parts, Parts) = theirs.into_iter().partition(|(name, _)| is_changed.contains(name));
    all.retain(|(name, _)| own.contains(name) || !before.contains_key(name));
    let mut meet: BTreeMap<String, Value> = meet.into_iter().collect();
    all.extend(changed.into_iter().map(|(name, part)| {
        let theirs = meet.remove(&name).unwrap_or(Value::Null);
        let merged = merged(before.get(&name).unwrap_or(&Value::Null), &part, theirs);
        (name, merged)
    }));
    all.into_iter()
}

/// The parts of a list that stands by dump.
fn named(list: &Value) -> Option<Parts> {
    let name = |part: &Value| Some((part.get(NAME)?.as_str()?.to_owned(), part.clone()));
    list.as_array()?.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn neither_window_undoes_what_the_other_did() {
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
    fn what_is_no_object_is_taken_as_a_whole() {
        assert_eq!(merged(&json!([1]), &json!([1, 2]), json!([3])), json!([1, 2]));
        assert_eq!(merged(&json!([1]), &json!([1]), json!([3])), json!([3]));
        assert_eq!(merged(&json!(null), &json!({"a": 1}), json!("damaged")), json!({"a": 1}));
        assert_eq!(merged(&json!({"a": 1}), &json!({}), json!({"a": 2, "b": 3})), json!({"b": 3}));
        // An empty list stands by anything.
        let mark = json!([{"dump": "a"}]);
        assert_eq!(merged(&json!([]), &mark, json!([])), mark);
        assert_eq!(merged(&mark, &json!([]), mark.clone()), json!([]));
    }
}
