//! Length of an answer: lists are shortened until it fits.

use serde_json::{Value, json};

use crate::answer::ListPart;
use crate::fence::{LONGEST, cut_texts, written_length};

/// Length of an answer in tokens of a model, unless the client asks for another.
pub(crate) const DEFAULT_BUDGET: usize = 2_000;
/// Shortest and longest answer that a client may ask for.
pub(crate) const RANGE: (usize, usize) = (200, 25_000);
/// Bytes of a token: JSON with names and numbers has about three.
const TOKEN: usize = 3;

/// Lengths to which lists inside rows are cut, one after another, before rows are left out.
const INNER: [usize; 3] = [24, 12, 6];
/// Length to which texts are cut if a single row is still too long.
const SHORT: usize = 60;

/// Shortens the data to `tokens`. The list of `part`, or the longest list of an answer without one, loses its last rows;
/// `left_out` in the data says how many and what to ask for. Returns a sentence about it; empty if all fits.
pub(crate) fn fit(data: &mut Value, part: Option<ListPart>, tokens: usize) -> String {
    cut_texts(data, LONGEST);
    let most = tokens.clamp(RANGE.0, RANGE.1) * TOKEN;
    let mut inner = 0;
    for longest in INNER {
        if length(data) <= most {
            break;
        }
        inner += shorten_inner(data, longest, 0);
    }
    let before = part.map_or(0, |part| rows_of(data, part.key));
    let mut rows = 0;
    while length(data) > most {
        let Some(list) = longest_list(data, part.map(|part| part.key)) else { break };
        let Some(last) = list.pop() else { break };
        let over = length(&last);
        drop(last);
        rows += 1;
        // Not one by one through a list of thousands.
        let ahead = list.len() / 64;
        if over * ahead < most / 8 {
            rows += ahead;
            list.truncate(list.len() - ahead);
        }
    }
    // Those of the list are told with how to ask for them.
    rows -= before.saturating_sub(part.map_or(0, |part| rows_of(data, part.key))).min(rows);
    if length(data) > most {
        cut_texts(data, SHORT);
    }
    shortened_note(data, part, rows, inner)
}

/// Says what was left out, in the data and as a sentence.
fn shortened_note(data: &mut Value, part: Option<ListPart>, rows: usize, inner: usize) -> String {
    let mut words = Vec::new();
    if let Some(part) = part {
        let shown = rows_of(data, part.key);
        let until = part.skip.saturating_add(shown);
        let (key, first) = (part.key, part.skip.saturating_add(1));
        let more = part.total.is_none_or(|total| until < total);
        if more {
            let of = part.total.map_or(String::new(), |total| format!(" of {total}"));
            words.push(if shown == 0 {
                format!("The first of {key} does not fit: raise max_tokens, up to {}.", RANGE.1)
            } else {
                let which = if first == until { first.to_string() } else { format!("{first} to {until}") };
                let next = format!("for the next, call again with \"skip\": {until}, or a larger max_tokens");
                format!("This is {which}{of} in {key}; {next}.")
            });
            let left = part.total.map(|total| total.saturating_sub(until));
            if let Value::Object(object) = data {
                object.insert("left_out".to_owned(), json!({"of": key, "rows": left, "next": {"skip": until}}));
            }
        }
    }
    if rows > 0 {
        let other = if part.is_some() { " of other lists" } else { "" };
        words.push(format!("{rows} rows{other} were left out; a larger max_tokens, up to {}, shows more.", RANGE.1));
        if let Value::Object(object) = data {
            object.entry("left_out").or_insert_with(|| json!({"rows": rows}));
        }
    }
    if inner > 0 {
        words.push(format!("Lists within rows are shortened by {inner} items; a larger max_tokens shows more."));
    }
    words.join(" ")
}

fn rows_of(data: &Value, key: &str) -> usize {
    data.get(key).and_then(Value::as_array).map_or(0, Vec::len)
}

/// Length within the fence, in bytes.
fn length(value: &Value) -> usize {
    match value {
        Value::Null => 4,
        Value::Bool(_) => 5,
        Value::Number(number) => number.to_string().len(),
        Value::String(text) => written_length(text) + 2,
        Value::Array(list) => 2 + list.iter().map(|item| length(item) + 1).sum::<usize>(),
        Value::Object(object) => {
            2 + object.iter().map(|(key, value)| written_length(key) + 4 + length(value)).sum::<usize>()
        }
    }
}

/// Cuts lists below the rows of other lists to `longest` items: both ends of a path, the beginning of others. Returns
/// the number of items left out.
fn shorten_inner(value: &mut Value, longest: usize, depth: usize) -> usize {
    match value {
        Value::Array(list) => {
            let mut left = 0;
            if depth > 0 && list.len() > longest {
                left = list.len() - longest;
                let is_path = list.iter().all(|item| item.get("reference").is_some());
                let at = if is_path { longest / 2 } else { longest };
                list.drain(at..at + left);
            }
            left + list.iter_mut().map(|item| shorten_inner(item, longest, depth + 1)).sum::<usize>()
        }
        Value::Object(object) => object.values_mut().map(|value| shorten_inner(value, longest, depth)).sum(),
        _ => 0,
    }
}

/// The list with this key, while it has more than one row; otherwise the longest list.
fn longest_list<'a>(data: &'a mut Value, key: Option<&str>) -> Option<&'a mut Vec<Value>> {
    let object = data.as_object_mut()?;
    let named = key.filter(|&key| object.get(key).and_then(Value::as_array).is_some_and(|list| list.len() > 1));
    let name = named.map(str::to_owned).or_else(|| {
        let lists = object.iter().filter(|(_, value)| holds_rows(value));
        lists.max_by_key(|(_, value)| length(value)).map(|(name, _)| name.clone())
    })?;
    let child = object.get_mut(&name)?;
    if child.is_array() { child.as_array_mut() } else { longest_list(child, None) }
}

/// True for a list with rows, and for an object with such a list.
fn holds_rows(value: &Value) -> bool {
    match value {
        Value::Array(list) => !list.is_empty(),
        Value::Object(object) => object.values().any(holds_rows),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(count: usize) -> Value {
        let row = |n: usize| json!({"id": format!("0x{n:x}"), "class": "shop.Cart", "steps": vec![n; 40]});
        json!({"rows": (0..count).map(row).collect::<Vec<_>>(), "objects": count})
    }

    #[test]
    fn every_answer_fits() {
        for count in [0, 1, 2, 10, 1_000] {
            for tokens in [0, 200, 500, 2_000, usize::MAX] {
                for part in [None, Some(ListPart { key: "rows", skip: 3, total: Some(count + 3) })] {
                    let mut data = rows(count);
                    let words = fit(&mut data, part, tokens);
                    let most = tokens.clamp(RANGE.0, RANGE.1) * TOKEN;
                    // What is left out is told in addition.
                    assert!(length(&data) <= most + 100, "{count} {tokens}: {}", length(&data));
                    let shown = data["rows"].as_array().expect("rows").len();
                    assert_eq!(data.get("left_out").is_some(), shown < count, "{count} {tokens} {words}");
                    if shown < count && part.is_some() && shown > 0 {
                        assert!(words.contains(&format!("{} of {} in rows", shown + 3, count + 3)), "{words}");
                        assert_eq!(data["left_out"]["next"]["skip"], shown + 3);
                    }
                }
            }
        }
    }

    #[test]
    fn a_path_keeps_both_ends() {
        let step = |n: usize| json!({"id": format!("{n:0100}"), "reference": "next"});
        let mut data = json!({"paths": [{"steps": (0..30).map(step).collect::<Vec<_>>()}]});
        let words = fit(&mut data, None, 1_200);
        let steps = data["paths"][0]["steps"].as_array().expect("steps");
        assert!(steps.len() < 30 && words.contains("shortened"), "{words}");
        assert_eq!((&steps[0], &steps[steps.len() - 1]), (&step(0), &step(29)));
    }
}
