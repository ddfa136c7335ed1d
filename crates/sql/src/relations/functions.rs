//! Functions that return rows: `SELECT … FROM path(id)`.

use std::sync::Arc;

use super::function::Function;
use super::listed::Listed;
use super::{entries, graph};
use crate::relation::{ColumnRole, Relation, SqlColumn};
use crate::source::QuerySource;

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
