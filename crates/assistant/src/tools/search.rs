//! `search`: classes, variables, names and texts.

use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::rows::{Page, rows_of, table_rows};
use super::tool::Tool;
use crate::answer::{Answer, ToolError, ToolResult};
use crate::assistant::Assistant;
use heaplens_analysis::TextFilter;
use heaplens_analysis::search::search as find_text;
use heaplens_base::Task;
use heaplens_heap::ObjectId;
use heaplens_tables::RowQuery;
use heaplens_tables::dump::text_hits::TextHits;
use heaplens_tables::dump::variables::FoundVariables;
use heaplens_tables::relations::CLASSES;
use heaplens_tables::search::variables::find_variables;

/// Number of rows of each kind, unless the client asks for another.
const DEFAULT_ROWS: usize = 10;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Search {
    /// Name of an open dump (d1, d2, …), or a file, which is opened
    dump: String,
    /// References to leave out, by name (Class.field, "name" of a "cut"): answers for the heap without them
    #[serde(default)]
    cuts: Vec<String>,
    /// Part of a name, a name without address, an id, or a regular expression between slashes
    text: String,
    /// Number of rows of each kind; default 10
    top: Option<usize>,
}

impl Tool for Search {
    const NAME: &'static str = "search";
    const ABOUT: &'static str = "Find classes by name, fields, statics and variables by parts of their names, objects by id or address-free name, \
         and texts of strings (only if values are shown).";

    fn call(self, assistant: &Assistant, task: &Task) -> ToolResult {
        let dump = assistant.dump_without(&self.dump, &self.cuts, task)?;
        let wanted = TextFilter::parse(&self.text)
            .map_err(|why| ToolError::with("The regular expression is wrong: correct it.", &why))?;
        if wanted.is_empty() {
            return Err(ToolError::new("\"text\" is empty: name a class, a field or an id."));
        }
        let (heap, context) = (dump.heap(), dump.source.context());
        let page = Page::new(self.top, None, DEFAULT_ROWS);
        let rows = page.rows(Some(self.text.clone()), Some("retained_bytes".to_owned()));
        let mut classes = table_rows(&&CLASSES, &rows, context, task)?;
        let part = page.part(&mut classes, "rows");
        let object = dump.object(&self.text, task);
        if matches!(object, Err(ToolError::Cancelled)) {
            return Err(ToolError::Cancelled);
        }
        let object = object.ok().map(|object| {
            let class = heap.class(object).name.to_string();
            json!({"id": heap.id_text(object), "class": class, "retained_bytes": dump.analysis().retained(object)})
        });
        let matches = find_variables(dump.source.data(), &self.text, page.top, task)?;
        let variables = rows_of(&FoundVariables(matches.best), &RowQuery::default(), context, task)?
            .get_mut("rows")
            .map(Value::take)
            .unwrap_or_default();
        let mut strings = Value::Null;
        if !dump.source.facts().is_redacted() {
            let mut hits: Vec<ObjectId> = Vec::new();
            // The search finds in address order; the rest is not needed.
            find_text(dump.source.data(), &wanted, task, &mut |more| hits.extend(more))?;
            hits.truncate(page.top);
            let table = TextHits { hits, excerpt: Some(wanted) };
            strings = rows_of(&table, &RowQuery::default(), context, task)?
                .get_mut("rows")
                .map(Value::take)
                .unwrap_or_default();
        }
        let rows = classes.get_mut("rows").map(Value::take).unwrap_or_default();
        let has_none = |rows: &Value| rows.as_array().is_some_and(Vec::is_empty);
        let is_empty = has_none(&rows) && has_none(&variables) && object.is_none();
        let mut words = if is_empty {
            "No class, no variable and no object by this name."
        } else {
            "Ask explain for an object, histogram for classes."
        }
        .to_owned();
        if part.total.is_none() {
            words += " More classes match: name more of it, or raise \"top\".";
        }
        if strings.is_null() {
            words += " Texts of strings are hidden and were not searched.";
        }
        let data = json!({"classes": rows, "variables": variables, "object": object, "strings": strings});
        dump.checked(Ok(Answer::new(words, data)))
    }
}
