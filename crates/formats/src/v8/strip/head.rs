//! The section `snapshot` as it is written: the members that readers know, and names of fields and types.

use serde_json::{Map, Value};

use super::snapshot::malformed;
use crate::error::OpenError;

/// Members with a number.
pub(super) const NUMBERS: [&str; 6] =
    ["node_count", "edge_count", "trace_function_count", "root_index", "extra_native_bytes", "unrecorded"];
/// Member with the names of fields and types.
pub(super) const META: &str = "meta";
/// Members of `meta`, each a list of names, or of lists of names.
pub(super) const LISTS: [&str; 8] = [
    "node_fields",
    "node_types",
    "edge_fields",
    "edge_types",
    "trace_function_info_fields",
    "trace_node_fields",
    "sample_fields",
    "location_fields",
];
/// Member that names the engine of a converted snapshot, and its only text.
pub(super) const ENGINE: (&str, &str) = ("engine", "JavaScriptCore");
/// Name of a field or a type that no writer would give: it may be a text of the program.
const UNKNOWN: &str = "unknown";
/// Maximum length of a name in bytes.
const LONGEST: usize = 40;

/// Members of a section that remain.
pub(super) fn known_members(text: &str) -> Result<Map<String, Value>, OpenError> {
    let head: Value = serde_json::from_str(text).map_err(|_not_json| malformed(0))?;
    let mut members = Map::new();
    for (key, value) in head.as_object().into_iter().flatten() {
        match value {
            Value::Number(number) if NUMBERS.contains(&&**key) && number.is_u64() => {
                members.insert(key.clone(), value.clone());
            }
            Value::String(engine) if (key.as_str(), engine.as_str()) == ENGINE => {
                members.insert(key.clone(), value.clone());
            }
            Value::Object(meta) if key == META => {
                let lists = meta.iter().filter(|(name, _)| LISTS.contains(&&***name));
                let lists = lists.map(|(name, list)| (name.clone(), names(list, true)));
                members.insert(key.clone(), Value::Object(lists.collect()));
            }
            _ => {}
        }
    }
    Ok(members)
}

/// Names, or lists of names, that writers give.
fn names(value: &Value, may_nest: bool) -> Value {
    match value {
        Value::Array(list) if may_nest => {
            Value::Array(list.iter().map(|value| names(value, is_outer(value))).collect())
        }
        Value::String(name) if is_name(name) => value.clone(),
        _ => Value::String(UNKNOWN.to_owned()),
    }
}

/// True of a list within the outer list.
fn is_outer(value: &Value) -> bool {
    value.as_array().is_some_and(|list| !list.iter().any(Value::is_array))
}

/// True if a writer may give this name to a field or a type.
pub(super) fn is_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b' ' | b'-');
    name.len() <= LONGEST && name.bytes().all(is_letter)
}
