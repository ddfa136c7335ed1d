//! The answer of a query, as an exported file.

use std::io::Write;
use std::sync::Arc;

use heaplens_base::Task;
use heaplens_session::OpenDump;
use heaplens_session::leaks::LeakRules;
use heaplens_sql::{
    AnswerColumn, AnswerOutput, AnswerSink, Database, Limits, OutputError, QueryError, QuerySource, TextForm,
    TextOutput,
};
use heaplens_tables::columns::Value;
use heaplens_tables::{OutputForm, TableError};

/// An answered query.
#[derive(Debug, Clone, PartialEq)]
pub struct AnsweredQuery {
    /// The query.
    pub query: String,
    /// Rules for the findings that it reads.
    pub rules: Arc<LeakRules>,
    /// The answer in the order of its rows on screen; `None` if the screen has only the first rows: then the query
    /// runs again for all of them.
    pub rows: Option<(Vec<AnswerColumn>, Vec<Vec<Value<'static>>>)>,
}

impl AnsweredQuery {
    /// Writes all rows as CSV or JSON.
    ///
    /// # Errors
    /// If the query has no answer any more, the file cannot be written, or the task is cancelled.
    pub fn write(&self, dump: &OpenDump, form: OutputForm, out: &mut dyn Write, task: &Task) -> Result<(), TableError> {
        let form = if form == OutputForm::Json { TextForm::Json } else { TextForm::Csv };
        let mut output = Box::new(TextOutput::new(out, Some(Arc::clone(&dump.heap)), form));
        if let Some((columns, rows)) = &self.rows {
            output.begin(columns);
            for (row, written) in rows.iter().zip(0..) {
                task.checkpoint_at(written).map_err(TableError::from)?;
                if !output.row(row.clone()) {
                    break;
                }
            }
        } else {
            let (source, before) = sources(dump, &self.rules);
            let mut database = Database::new(source, before).map_err(failed)?;
            database.run(&self.query, Limits::default(), task, &mut *output).map_err(failed)?;
        }
        output.end().map_err(|error| match error {
            OutputError::Output(error) => TableError::Output(error),
            OutputError::Form(why) => TableError::InvalidQuery(why),
        })
    }
}

/// Sources of queries: the dump, and the older one if it is compared.
pub fn sources(dump: &OpenDump, rules: &LeakRules) -> (Arc<QuerySource>, Option<Arc<QuerySource>>) {
    let before = dump.baseline.as_ref().map(|baseline| QuerySource::of(&baseline.before, rules.clone()));
    (QuerySource::of(dump, rules.clone()), before)
}

fn failed(error: QueryError) -> TableError {
    match error {
        QueryError::Cancelled => TableError::Cancelled,
        error => TableError::InvalidQuery(error.to_string()),
    }
}
