//! Functions that return rows: `SELECT … FROM path(id)`.

mod entries;
mod graph;

pub(crate) use self::entries::text_or_boxed;

use std::sync::Arc;

use super::listed::{Compute, Listed};
use crate::relation::{ColumnRole, Relation, RowsError, SqlColumn};
use crate::source::QuerySource;
use crate::value::{SqlType, SqlValue, object_of_id};
use heaplens_core::heap::ObjectId;

/// A function: its name, what it returns, columns, arguments, rows.
struct Function {
    name: &'static str,
    about: &'static str,
    columns: &'static [(&'static str, SqlType, &'static str)],
    arguments: &'static [(&'static str, SqlType)],
    compute: Compute,
}

const FUNCTIONS: [Function; 8] = [
    graph::PATH,
    graph::DOMINATORS,
    graph::RETAINED_SET,
    graph::REACHABLE_FROM,
    graph::FREED_BY,
    entries::ENTRIES,
    entries::ELEMENTS,
    entries::FIELDS,
];

/// All of them: name with arguments, description, relation.
pub(crate) fn functions(source: &Arc<QuerySource>) -> Vec<(&'static str, &'static str, Arc<dyn Relation>)> {
    let relation = |function: Function| {
        let shown = function.columns.iter().map(|&(name, kind, about)| SqlColumn::shown(name, kind, about));
        let arguments = function.arguments.iter().map(|&(name, kind)| {
            SqlColumn::shown(name, kind, "Argument of the function").with_role(ColumnRole::Argument)
        });
        let listed = Listed::new(Arc::clone(source), shown.chain(arguments).collect(), function.compute);
        (function.name, function.about, Arc::new(listed) as Arc<dyn Relation>)
    };
    FUNCTIONS.into_iter().map(relation).collect()
}

/// The object that the first argument of a function is: an id, or a text as people write it.
fn object(
    source: &QuerySource,
    function: &str,
    arguments: &[SqlValue<'static>],
) -> Result<Option<ObjectId>, RowsError> {
    match arguments.first() {
        Some(&SqlValue::Integer(id)) => Ok(object_of_id(source.heap(), id)),
        Some(SqlValue::Text(text)) => Ok(source.heap().find(text)),
        // SQL's NULL: there is no such object.
        Some(SqlValue::Null) if arguments.len() > 1 => Ok(None),
        _ => Err(RowsError::Message(format!("{function} needs the id of an object: {function}(id)"))),
    }
}
