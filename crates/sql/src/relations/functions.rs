//! Functions that return rows: `SELECT … FROM path(id)`.

use std::sync::Arc;

use super::function::{Function, object};
use super::listed::{Listed, table_rows};
use super::{entries, graph, removals};
use crate::relation::{ColumnRole, RowsError, SqlColumn, SqlRelation};
use crate::source::QuerySource;
use crate::value::SqlType;
use heaplens_analysis::Direction;
use heaplens_tables::TableQuery;
use heaplens_tables::dump::references::{REFERENCES, ReferencesQuery};

const FUNCTIONS: [Function; 10] = [
    graph::PATH,
    graph::DOMINATORS,
    graph::RETAINED_SET,
    graph::REACHABLE_FROM,
    removals::FREED_BY,
    removals::WHAT_IF,
    removals::SMALLEST_CUT,
    entries::ENTRIES,
    entries::ELEMENTS,
    entries::FIELDS,
];

/// All of them: name with arguments, description, relation.
pub(crate) fn functions(source: &Arc<QuerySource>) -> Vec<(&'static str, &'static str, Arc<dyn SqlRelation>)> {
    let relation = |function: Function| {
        let shown = function.columns.iter().map(|&(name, kind, about)| SqlColumn::shown(name, kind, about));
        let arguments = function.arguments.iter().map(|&(name, kind)| {
            SqlColumn::shown(name, kind, "Argument of the function").with_role(ColumnRole::Argument)
        });
        let listed = Listed::new(Arc::clone(source), shown.chain(arguments).collect(), function.compute);
        (function.name, function.about, Arc::new(listed) as Arc<dyn SqlRelation>)
    };
    let references = [
        ("incoming", "References to an object, as the command references lists them", Direction::Incoming),
        (
            "outgoing",
            "References of an object, that to its class first, as the command references lists them",
            Direction::Outgoing,
        ),
    ];
    let references = references.map(|(name, about, direction)| {
        (name, about, Arc::new(reference_function(Arc::clone(source), name, direction)) as Arc<dyn SqlRelation>)
    });
    FUNCTIONS.into_iter().map(relation).chain(references).collect()
}

/// The table of the references of an object as a function.
fn reference_function(source: Arc<QuerySource>, name: &'static str, direction: Direction) -> Listed {
    let declared = REFERENCES.columns;
    let shown = declared.iter().map(|column| SqlColumn::of_heading(&column.heading, column.kind));
    let argument = SqlColumn::shown("of", SqlType::Object, "Argument of the function").with_role(ColumnRole::Argument);
    let columns = shown.chain([argument]).collect();
    Listed::new(source, columns, move |source, arguments, task| {
        let Some(of) = object(source, name, arguments)? else { return Ok(Vec::new()) };
        let dump = source.context();
        let query = TableQuery::all(ReferencesQuery { of, direction });
        let table = query.table(dump, task).map_err(RowsError::from)?;
        table_rows(source, &*table, declared, task)
    })
}
