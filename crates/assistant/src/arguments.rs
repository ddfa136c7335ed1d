//! Arguments of a tool: read from JSON, with errors that say what is expected.

use rmcp::model::JsonObject;
use rmcp::schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::answer::ToolError;
use crate::budget::{RANGE, USUAL};

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
        let about = format!("Maximum length of the answer in tokens; default {USUAL}");
        let budget = json!({"type": "integer", "minimum": RANGE.0, "maximum": RANGE.1, "description": about});
        properties.insert(BUDGET.to_owned(), budget);
    }
    schema
}

/// Takes the length of the answer out of the arguments.
///
/// # Errors
/// If it is not a number.
pub(crate) fn take_budget(arguments: &mut JsonObject) -> Result<usize, ToolError> {
    match arguments.remove(BUDGET) {
        None | Some(Value::Null) => Ok(USUAL),
        Some(given) => given
            .as_u64()
            .map(|tokens| usize::try_from(tokens).unwrap_or(usize::MAX))
            .ok_or_else(|| ToolError::new(format!("{BUDGET} must be a whole number from {} to {}.", RANGE.0, RANGE.1))),
    }
}

/// Arguments of `tool`.
///
/// # Errors
/// What is missing, unknown or of another type.
pub(crate) fn read<T: DeserializeOwned>(tool: &str, arguments: JsonObject) -> Result<T, ToolError> {
    // The message names the argument as the client wrote it: to the client it is data, too.
    serde_json::from_value(Value::Object(arguments)).map_err(|error| {
        ToolError::with(format!("The arguments of {tool} are wrong; its schema is in tools/list."), error)
    })
}
