//! `explain`: everything about one object.

use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::rows::{Page, table_rows};
use super::tool::Tool;
use crate::answer::{Answer, ToolError, ToolResult};
use crate::assistant::Assistant;
use heaplens_analysis::Direction;
use heaplens_analysis::object::{describe, elements};
use heaplens_analysis::paths::{PathOptions, paths_without};
use heaplens_base::{Bytes, Count, Task};
use heaplens_tables::dump::folded::LevelQuery;
use heaplens_tables::dump::references::ReferencesQuery;
use heaplens_tables::export::ages::ObjectAges;
use heaplens_tables::export::json::{Collection, Object, ObjectField, ObjectLabel, PathRow};
use heaplens_tables::export::parts::Figures;

/// Number of characters read of a text.
const CHARACTERS: usize = 1_000;
/// Number of fields, entries or elements.
const FIELDS: usize = 20;
/// Number of steps listed at each end of a path.
const ENDS: usize = 16;
/// Number of rows of references and of dominated objects.
const ROWS: usize = 8;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Explain {
    /// Name of an open dump (d1, d2, …), or a file, which is opened
    dump: String,
    /// References to leave out, by name (Class.field, "name" of a "cut"): answers for the heap without them
    #[serde(default)]
    cuts: Vec<String>,
    /// Id (0x…, @…) or name without address, such as shop.Cache.ENTRIES, as other answers show it
    object: String,
    /// Number of paths to GC roots; default 1, at most 10
    paths: Option<usize>,
    /// Number of fields, elements and entries to skip
    skip: Option<usize>,
}

impl Tool for Explain {
    const NAME: &'static str = "explain";
    const ABOUT: &'static str = "Explain one object: its name without address, owner, sizes, shortest path from a GC root, fields or entries, incoming references, and the largest objects that it retains.";

    fn call(self, assistant: &Assistant, task: &Task) -> ToolResult {
        let dump = assistant.dump_without(&self.dump, &self.cuts, task)?;
        let object = dump.object(&self.object, task)?;
        let (heap, contents, analysis) = (dump.heap(), dump.contents(), dump.analysis());
        let context = dump.context(task)?;
        let namer = dump.namer(task)?;
        let details = describe(dump.source.data(), object, CHARACTERS);
        if let Some(why) = &details.unreadable {
            return Err(ToolError::with("This object cannot be read from the file.", &why));
        }
        let short_name = namer.short_name(object, task)?;
        let ages = ObjectAges::of(dump.source.ages(task)?, dump.source.data(), object, details.has_entries());
        let called = ObjectLabel { ownership: None, ages, ..ObjectLabel::of(namer.name(object, task)?, short_name) };
        let skip = self.skip.unwrap_or(0);
        let first = (skip as u64).saturating_sub(details.fields.len() as u64);
        let length = details.length.unwrap_or(0);
        let range = first.min(length)..first.saturating_add(FIELDS as u64).min(length);
        let elements = elements(dump.source.data(), object, range).unwrap_or_default();
        let fields = details.fields.iter().skip(skip).map(|row| ObjectField::of_field(heap, row));
        let class = &details.class_name;
        let elements = elements.iter().map(|row| ObjectField::of_element(heap, class, row));
        let fields: Vec<ObjectField> = fields.chain(elements).take(FIELDS).collect();
        let entries = skip as u64..skip.saturating_add(FIELDS) as u64;
        let logical = contents.logical(heap, object, entries);
        let collection = logical.as_ref().map(|logical| Collection::new(dump.source.data(), logical));
        let options = PathOptions::default().count(self.paths.unwrap_or(1).clamp(1, 10)).max_listed_at_end(ENDS);
        let paths = paths_without(dump.source.data(), object, options, &[], task)?;
        let rows = Page::new(None, None, ROWS).rows(None, None);
        let incoming =
            table_rows(&ReferencesQuery { of: object, direction: Direction::Incoming }, &rows, context, task)?;
        let dominates = table_rows(&LevelQuery::children(Some(object)), &rows, context, task)?;
        let of_rows = |mut table: Value| {
            table.get_mut("rows").and_then(Value::as_array_mut).into_iter().for_each(|rows| rows.truncate(ROWS));
            table.get_mut("rows").map(Value::take).unwrap_or_default()
        };
        let parts = Figures::of(context, object);
        let described = Object::new(heap, &details, called, collection, parts, fields);
        let data = json!({
            "object": described,
            "paths": paths.iter().map(PathRow::new).collect::<Vec<_>>(),
            "incoming": of_rows(incoming),
            "dominates": of_rows(dominates),
        });
        let reached = if analysis.is_reachable(object) {
            format!("It retains {}", Bytes(details.retained.0))
        } else {
            let why = if heap.is_incomplete() { "GC roots or references may be missing" } else { "nothing retains it" };
            format!("It is unreachable: {why}")
        };
        let length =
            if length > 0 { format!(", has {}", Count(length).of("element", "elements")) } else { String::new() };
        let of_collection = logical.as_ref().map_or(0, |logical| logical.size);
        let all = (details.fields.len() as u64 + details.length.unwrap_or(0)).max(of_collection);
        let more = if all > skip.saturating_add(FIELDS) as u64 {
            " There are more fields, elements or entries: call again with \"skip\", the number of those you have seen."
        } else {
            ""
        };
        let words = format!("{reached}{length}.{more} incoming and dominates list at most {ROWS}; ask query for more.");
        dump.checked(Ok(Answer::new(words, data)))
    }
}
