//! `compare`: growth between two dumps.

use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::rows::Page;
use super::tool::Tool;
use crate::answer::{Answer, ToolResult};
use crate::assistant::Assistant;
use heaplens_base::Task;
use heaplens_tables::OutputForm;
use heaplens_tables::diff::{ChangeFilter, DiffQuery, DiffRows, OwnerDetail, write_difference};

/// Number of rows, unless the client asks for another.
const DEFAULT_ROWS: usize = 15;
/// Number of keys and similar names listed of an owner.
const DETAIL: OwnerDetail = OwnerDetail { keys: 3, names: 5 };

/// Keys about how objects were matched. Notes are those of `open_dump`.
const OF_MATCHING: [&str; 2] = ["matched", "alone"];

/// Grouping of rows.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(crate = "rmcp::schemars")]
enum Grouping {
    #[default]
    Owner,
    Class,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Compare {
    /// Name of the open older dump
    before: String,
    /// Name of the open newer dump of the same program
    after: String,
    /// References to leave out, by name (Class.field, "name" of a "cut"): compares the heaps without them
    #[serde(default)]
    cuts: Vec<String>,
    /// What a row is: owner (default), the field or thread that holds what grew, or class
    #[serde(default)]
    by: Grouping,
    /// Only rows whose names contain this
    filter: Option<String>,
    /// Number of rows; default 15
    top: Option<usize>,
    /// Number of rows to skip
    skip: Option<usize>,
}

impl Tool for Compare {
    const NAME: &'static str = "compare";
    const ABOUT: &'static str = "Growth between two dumps of a program, object by object: by owner (the field that holds new objects) or by class. Owners that grew are where a leak is.";

    fn call(self, assistant: &Assistant, task: &Task) -> ToolResult {
        let [before, after] = assistant.both_without([&self.before, &self.after], &self.cuts, task)?;
        let compared = assistant.dumps.compared(&before, &after, task)?;
        let (of, key) = match self.by {
            Grouping::Owner => (DiffRows::Owners, "owners"),
            Grouping::Class => (DiffRows::Classes, "classes"),
        };
        let query = DiffQuery { of: vec![of], which: ChangeFilter::Changed, wanted: DETAIL };
        let namer = after.namer(task)?;
        let difference = query.answer((before.named(), after.named()), Some((&compared, namer)), task)?;
        let page = Page::new(self.top, self.skip, DEFAULT_ROWS);
        let mut json = Vec::new();
        let rows = page.rows(self.filter, None);
        write_difference(&difference, after.source.context(), &rows, OutputForm::Json, &mut json, task)?;
        let mut data: Value = serde_json::from_slice(&json)?;
        if let Value::Object(data) = &mut data {
            data.retain(|key, _| !OF_MATCHING.contains(&&**key));
            for side in ["before", "after"] {
                data.get_mut(side).and_then(Value::as_object_mut).map(|side| side.remove("notes"));
            }
        }
        let part = page.part(&mut data, key);
        let words = match (difference.unchanged, self.by) {
            _ if difference.head.warning().is_some() => {
                "These are dumps of different programs: growth between them says little. Compare dumps of one program."
            }
            (true, _) => "Nothing differs between the dumps.",
            (false, Grouping::Owner) => "Ask leaks with \"before\" for what grew and looks like a leak.",
            (false, Grouping::Class) => "Ask again by owner for the fields that hold what is new.",
        };
        before.checked(after.checked(Ok(Answer::new(words, data).listing(part))))
    }
}
