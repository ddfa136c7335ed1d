//! `query`: SQL over a dump.

use std::sync::Arc;
use std::time::Duration;

use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::rows::Page;
use super::tool::Tool;
use crate::answer::{Answer, ListPart, ToolError, ToolResult};
use crate::assistant::Assistant;
use heaplens_base::{Count, Task};
use heaplens_sql::{AnswerColumn, AnswerSink, CollectedAnswer, Database, Limits, QueryError};
use heaplens_tables::columns::Value;

/// Number of rows, unless the client asks for another.
const DEFAULT_ROWS: usize = 50;
/// Two heaps that the schema may be.
const ONE_OR_OTHER: &str =
    "With \"cuts\", the schema before is the heap with these references: leave out \"before\", or \"cuts\".";
/// Longest time of a query.
const LONGEST: Duration = Duration::from_mins(2);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Query {
    /// Name of an open dump (d1, d2, …), or a file, which is opened
    dump: String,
    /// References to leave out, by name (Class.field, "name" of a "cut"): answers for the heap without them
    #[serde(default)]
    cuts: Vec<String>,
    /// One SQL statement (SQLite), or OQL as Eclipse MAT writes it. Empty: the tables with their columns
    sql: String,
    /// Name of an open older dump, whose tables are in the schema before: before.objects
    before: Option<String>,
    /// Number of rows; default 50
    top: Option<usize>,
    /// Number of rows to skip
    skip: Option<usize>,
}

impl Tool for Query {
    const NAME: &'static str = "query";
    const ABOUT: &'static str = "Run SQL over the heap, reading only: tables objects(id, class, shallow_bytes, retained_bytes, dominator, …), classes, \"references\", roots, threads, strings, findings, one table for each class with its fields (SELECT size FROM \"java.util.HashMap\"), and functions path(id), retained_set(id), owner(id), name(id), field(id, 'a.b'). With an empty sql it lists tables and columns.";

    fn call(self, assistant: &Assistant, task: &Task) -> ToolResult {
        let dump = assistant.dump_without(&self.dump, &self.cuts, task)?;
        let before = match &self.before {
            Some(_) if !self.cuts.is_empty() => return Err(ToolError::new(ONE_OR_OTHER)),
            Some(name) => Some(assistant.dump(name, task)?),
            None if !self.cuts.is_empty() => Some(assistant.dump(&self.dump, task)?),
            None => None,
        };
        let older = before.as_ref().map(|dump| Arc::clone(&dump.source));
        let mut database = Database::new(Arc::clone(&dump.source), older).map_err(failed)?;
        let page = Page::new(self.top, self.skip, DEFAULT_ROWS);
        if self.sql.trim().is_empty() {
            return Ok(catalog(&database, page));
        }
        let mut paged = PagedAnswer { skip: page.skip, page: CollectedAnswer::new(page.top + 1) };
        database.run(&self.sql, Limits { time: Some(LONGEST) }, task, &mut paged).map_err(failed)?;
        let rows_found = paged.page;
        let columns: Vec<&str> = rows_found.columns.iter().map(|column| &*column.name).collect();
        // Ids as other tools take them.
        let cells = |row: &Vec<Value<'static>>| -> serde_json::Result<Json> {
            let cells = rows_found.columns.iter().zip(row).map(|(column, value)| column.cell(Some(dump.heap()), value));
            cells.map(|cell| serde_json::to_value(&cell)).collect()
        };
        let rows = rows_found.rows.iter().map(cells).collect::<serde_json::Result<Vec<Json>>>()?;
        let mut data = json!({"columns": columns, "rows": rows});
        let part = page.part(&mut data, "rows");
        // Texts of hundreds of megabytes end a page, too.
        let part = ListPart { total: part.total.filter(|_| !rows_found.is_cut), ..part };
        let shown = data["rows"].as_array().map_or(0, Vec::len) as u64;
        let words = format!("{}. An id is an object: ask explain for it.", Count(shown).of("row", "rows"));
        let answer = dump.checked(Ok(Answer::new(words, data).listing(part)));
        before.map_or(Ok(()), |before| before.checked(Ok(Answer::default())).map(drop)).and(answer)
    }
}

/// Keeps the rows of a page.
struct PagedAnswer {
    /// Number of rows before it that are still to come.
    skip: usize,
    page: CollectedAnswer,
}

impl AnswerSink for PagedAnswer {
    fn begin(&mut self, columns: &[AnswerColumn]) {
        self.page.begin(columns);
    }

    fn row(&mut self, row: Vec<Value<'static>>) -> bool {
        if self.skip > 0 {
            self.skip -= 1;
            return true;
        }
        self.page.row(row)
    }
}

/// Tables and functions.
fn catalog(database: &Database, page: Page) -> Answer {
    let tables = database.tables().iter().map(|table| {
        let columns: Vec<&str> = table.columns().iter().map(|column| &*column.name).collect();
        json!({"table": table.name, "about": table.about, "columns": columns})
    });
    let functions = database.functions().into_iter().map(|(call, about)| json!({"function": call, "about": about}));
    let all: Vec<Json> = tables.chain(functions).collect();
    let (total, rows) = (all.len(), all.into_iter().skip(page.skip).take(page.top).collect::<Vec<_>>());
    Answer::new("Tables, then functions.", json!({"rows": rows})).listing(page.part_of(total, "rows"))
}

fn failed(error: QueryError) -> ToolError {
    match error {
        QueryError::Cancelled => ToolError::Cancelled,
        QueryError::TooSlow(_) => ToolError::new(format!(
            "The query took longer than {} s. Restrict it by class or id, or ask histogram.",
            LONGEST.as_secs()
        )),
        error => ToolError::with("The query is wrong. An empty sql lists tables and columns.", &error),
    }
}
