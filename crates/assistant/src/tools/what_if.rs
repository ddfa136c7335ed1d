//! `what_if`: what cutting references would free.

use rmcp::schemars::JsonSchema;
use serde::Deserialize;

use super::tool::Tool;
use crate::answer::{Answer, ToolError, ToolResult};
use crate::assistant::Assistant;
use crate::removals::{MOST, cuts_named};
use heaplens_analysis::cuts::{CutEffect, Reduction};
use heaplens_base::{Bytes, Count, Task};
use heaplens_tables::export::cuts::Cuts;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct WhatIf {
    /// Name of an open dump (d1, d2, …), or a file, which is opened
    dump: String,
    /// References to cut, by name: "name" in the "cut" of a finding, a field such as shop.Cache.ENTRIES, an object id
    cut: Vec<String>,
}

impl Tool for WhatIf {
    const NAME: &'static str = "what_if";
    const ABOUT: &'static str = "What would be freed if references were cut, exactly: each alone and all together, and which other references would still hold the objects. Verifies a fix before it is written.";

    fn call(self, assistant: &Assistant, task: &Task) -> ToolResult {
        let dump = assistant.dump(&self.dump, task)?;
        if self.cut.is_empty() || self.cut.len() > MOST {
            return Err(ToolError::new(format!("Name 1 to {MOST} references in \"cut\".")));
        }
        let namer = dump.namer(task)?;
        let cuts = cuts_named(&dump, &self.cut, task)?;
        let effect = CutEffect::of(namer, cuts, usize::MAX, task)?;
        let reduction = Reduction::new(namer, effect, Vec::new(), task)?;
        let data = serde_json::to_value(Cuts::new(namer.heap, &reduction))?;
        let what = &reduction.effect.what;
        let (freed, objects) = (Bytes(what.freed.shallow.0), Count(what.freed.objects).of("object", "objects"));
        let others = Count(what.other_references).of("other reference", "other references");
        let held = Bytes(what.still_held.shallow.0);
        let still = match what.still_held.objects {
            0 => String::new(),
            _ => format!(" {held} stay alive, held by {others}: see other_ways."),
        };
        let words = format!("All cuts together free {freed} in {objects}.{still}");
        dump.checked(Ok(Answer::new(words, data)))
    }
}
