//! Cuts of what a query returns: `SELECT id FROM objects WHERE …` in the stead of the name of a reference.

use std::sync::Arc;

use crate::answer::AnswerColumn;
use crate::answer_sink::AnswerSink;
use crate::database::{Database, Limits};
use crate::error::QueryError;
use crate::source::QuerySource;
use heaplens_analysis::Cut;
use heaplens_analysis::naming::Unresolved;
use heaplens_base::{Cancelled, Task};
use heaplens_dump::Dump;
use heaplens_heap::{Heap, ObjectId};
use heaplens_session::leaks::LeakRules;
use heaplens_tables::columns::Value;

/// First words of a query.
const BEGINS: [&str; 2] = ["select", "with"];

/// True if the text of a cut is a query.
fn is_query(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    BEGINS.iter().any(|begin| word.eq_ignore_ascii_case(begin)) && text.trim() != word
}

/// Resolves the text of a cut, which may be a query: see [`Namer::resolve_cut`](heaplens_analysis::naming::Namer::resolve_cut) for others.
///
/// # Errors
/// [`Unresolved`] if nothing has this name, the query fails or returns no objects, or the task is cancelled.
pub fn resolve_cut(dump: &Dump, text: &str, task: &Task) -> Result<Cut, Unresolved> {
    if !is_query(text) {
        return dump.namer(task)?.resolve_cut(text, task);
    }
    let text = text.trim();
    let mut objects = ReturnedObjects { heap: &dump.facts.heap, column: None, has_ids: false, objects: Vec::new() };
    let mut run = || {
        let mut database = Database::new(QuerySource::of(dump, LeakRules::default()), None)?;
        database.run(text, Limits::default(), task, &mut objects)
    };
    run().map_err(|error| match error {
        QueryError::Cancelled => Unresolved::Cancelled,
        error => Unresolved::NotFound(format!("the query fails: {error}")),
    })?;
    if task.is_cancelled() {
        return Err(Cancelled.into());
    }
    let why = match (objects.has_ids, objects.objects.is_empty()) {
        (_, false) => return Ok(Cut::Query { text: text.into(), objects: Arc::from(objects.objects) }),
        (true, true) => "the query returns no objects",
        (false, true) => "the query has no column with objects: select their id",
    };
    Err(Unresolved::NotFound(why.to_owned()))
}

/// The objects of the first column that has some.
struct ReturnedObjects<'a> {
    heap: &'a Heap,
    column: Option<(usize, AnswerColumn)>,
    has_ids: bool,
    objects: Vec<ObjectId>,
}

impl AnswerSink for ReturnedObjects<'_> {
    fn begin(&mut self, columns: &[AnswerColumn]) {
        let is_object = |(_, column): &(usize, &AnswerColumn)| column.is_of_objects();
        self.column = columns.iter().enumerate().find(is_object).map(|(at, column)| (at, column.clone()));
        self.has_ids = self.column.is_some();
    }

    fn row(&mut self, row: Vec<Value<'static>>) -> bool {
        let Some((at, column)) = &self.column else { return false };
        self.objects.extend(row.get(*at).and_then(|value| column.object(self.heap, value)));
        true
    }
}
