//! `histogram`: classes by size.

use rmcp::schemars::JsonSchema;
use serde::Deserialize;

use super::rows::{Page, table_rows};
use super::tool::Tool;
use crate::answer::{Answer, ToolResult};
use crate::assistant::Assistant;
use heaplens_base::Task;
use heaplens_tables::relations::{CLASSES, CLASSES_BY_LOADER, CLASSES_BY_SUPERCLASS, PACKAGES};

/// Number of rows, unless the client asks for another.
const DEFAULT_ROWS: usize = 20;

/// Grouping of rows.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(crate = "rmcp::schemars")]
enum Grouping {
    #[default]
    Class,
    Package,
    Loader,
    Superclass,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Histogram {
    /// Name of an open dump (d1, d2, …), or a file, which is opened
    dump: String,
    /// References to leave out, by name (Class.field, "name" of a "cut"): answers for the heap without them
    #[serde(default)]
    cuts: Vec<String>,
    /// What a row is; default class
    #[serde(default)]
    by: Grouping,
    /// Only classes whose name contains this; also conditions such as retained>1MB objects>100
    filter: Option<String>,
    /// Column to sort by: retained_bytes (default), shallow_bytes, objects, class
    sort: Option<String>,
    /// Number of rows; default 20
    top: Option<usize>,
    /// Number of rows to skip
    skip: Option<usize>,
}

impl Tool for Histogram {
    const NAME: &'static str = "histogram";
    const ABOUT: &'static str = "Classes, packages, class loaders or superclasses with the number and size of their objects and what all of them together retain.";

    fn call(self, assistant: &Assistant, task: &Task) -> ToolResult {
        let dump = assistant.dump_without(&self.dump, &self.cuts, task)?;
        let relation = match self.by {
            Grouping::Class => &CLASSES,
            Grouping::Package => &PACKAGES,
            Grouping::Loader => &CLASSES_BY_LOADER,
            Grouping::Superclass => &CLASSES_BY_SUPERCLASS,
        };
        let page = Page::new(self.top, self.skip, DEFAULT_ROWS);
        let sort = self.sort.or_else(|| Some("retained_bytes".to_owned()));
        let mut data = table_rows(&relation, &page.rows(self.filter, sort), dump.source.context(), task)?;
        let part = page.part(&mut data, "rows");
        let words = "Retained sizes overlap: a class retains what its objects hold, also objects of other classes.";
        dump.checked(Ok(Answer::new(words, data).listing(part)))
    }
}
