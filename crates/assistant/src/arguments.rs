//! Arguments of a tool: read from JSON, with errors that say what is expected.

use heaplens_base::Count;
use rmcp::model::JsonObject;
use rmcp::schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::answer::ToolError;
use crate::budget::{DEFAULT_BUDGET, RANGE};

/// Maximum length of a text in the arguments, in bytes.
const LONGEST: usize = 1 << 20;
/// Argument of every tool: length of the answer.
const BUDGET: &str = "max_tokens";

/// Schema of the arguments of a tool, with the one that all have.
pub(crate) fn schema<T: JsonSchema>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = SchemaGenerator::new(settings).into_root_schema_for::<T>();
    let mut schema = match Value::from(schema) {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    };
    // Titles are the names of our types, and the description is that of the type.
    schema.retain(|key, _| !matches!(&**key, "title" | "$schema" | "description"));
    schema.insert("additionalProperties".to_owned(), Value::Bool(false));
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    if let Value::Object(properties) = properties {
        properties.values_mut().for_each(without_null);
        let about = format!("Maximum length of the answer in tokens; default {DEFAULT_BUDGET}");
        let budget = json!({"type": "integer", "minimum": RANGE.0, "maximum": RANGE.1, "description": about});
        properties.insert(BUDGET.to_owned(), budget);
    }
    schema
}

/// An argument that may be left out need not be null, too: some clients know one type only.
fn without_null(property: &mut Value) {
    let Value::Object(property) = property else { return };
    // Formats are those of our types.
    property.remove("format");
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|name| name != "null");
        if let [one] = &types[..] {
            let one = one.clone();
            property.insert("type".to_owned(), one);
        }
    }
}

/// Some clients write every argument as text, and ids as numbers. They mean what the schema says.
fn as_meant(arguments: &mut JsonObject, schema: &JsonObject) {
    let kind_of = |key: &str| schema.get("properties")?.get(key)?.get("type")?.as_str();
    for (key, value) in arguments {
        let meant = match (kind_of(key), &*value) {
            (Some("integer"), Value::String(text)) => text.trim().parse::<u64>().ok().map(Value::from),
            (Some("string"), Value::Number(number)) => Some(Value::from(number.to_string())),
            (Some("array"), Value::String(text)) => {
                let list = serde_json::from_str(text).ok().filter(Value::is_array);
                Some(list.unwrap_or_else(|| Value::Array(vec![Value::from(&**text)])))
            }
            _ => None,
        };
        if let Some(meant) = meant {
            *value = meant;
        }
    }
}

/// Takes the length of the answer out of the arguments.
///
/// # Errors
/// If it is not a number.
pub(crate) fn take_budget(arguments: &mut JsonObject) -> Result<usize, ToolError> {
    match arguments.remove(BUDGET) {
        None | Some(Value::Null) => Ok(DEFAULT_BUDGET),
        Some(given) => given
            .as_u64()
            .or_else(|| given.as_str()?.trim().parse().ok())
            .map(|tokens| usize::try_from(tokens).unwrap_or(usize::MAX))
            .ok_or_else(|| ToolError::new(format!("{BUDGET} must be a whole number from {} to {}.", RANGE.0, RANGE.1))),
    }
}

/// Length of the longest text in an argument, in bytes.
fn longest_text(argument: &Value) -> usize {
    let (mut longest, mut rest) = (0, vec![argument]);
    while let Some(value) = rest.pop() {
        match value {
            Value::String(text) => longest = longest.max(text.len()),
            Value::Array(values) => rest.extend(values),
            Value::Object(values) => {
                longest = values.keys().map(String::len).max().unwrap_or(0).max(longest);
                rest.extend(values.values());
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    longest
}

/// Arguments of `tool`.
///
/// # Errors
/// What is missing, unknown or of another type.
pub(crate) fn read<T: DeserializeOwned + JsonSchema>(tool: &str, mut arguments: JsonObject) -> Result<T, ToolError> {
    if let Some(length) = arguments.values().map(longest_text).max().filter(|&length| length > LONGEST) {
        let (length, most) = (Count(length as u64), Count(LONGEST as u64));
        return Err(ToolError::new(format!("An argument of {tool} is {length} bytes long; the maximum is {most}.")));
    }
    as_meant(&mut arguments, &schema::<T>());
    // The message names the argument as the client wrote it: to the client it is data, too.
    serde_json::from_value(Value::Object(arguments)).map_err(|error| {
        let message = error.to_string().replace("usize", "a whole number");
        ToolError::with(format!("The arguments of {tool} are wrong; its schema is in tools/list."), &message)
    })
}
