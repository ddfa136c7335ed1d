//! What a function that returns rows is.

use super::listed::Compute;
use crate::relation::RowsError;
use crate::source::QuerySource;
use crate::value::{SqlType, object_of_id};
use heaplens_heap::ObjectId;
use heaplens_tables::columns::Value;

/// A function: its name, what it returns, columns, arguments, rows.
pub(crate) struct Function {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) columns: &'static [(&'static str, SqlType, &'static str)],
    pub(super) arguments: &'static [(&'static str, SqlType)],
    pub(super) compute: Compute,
}

/// The object that the first argument of a function is: an id, or a text as people write it.
pub(super) fn object(
    source: &QuerySource,
    function: &str,
    arguments: &[Value<'static>],
) -> Result<Option<ObjectId>, RowsError> {
    match arguments.first() {
        Some(&Value::Integer(id)) => Ok(object_of_id(source.heap(), id)),
        Some(Value::Text(text)) => {
            let number = text.trim().parse().ok().and_then(|id| object_of_id(source.heap(), id));
            Ok(number.or_else(|| source.heap().find(text)))
        }
        _ => Err(RowsError::Message(format!("{function} needs the id of an object: {function}(id)"))),
    }
}
