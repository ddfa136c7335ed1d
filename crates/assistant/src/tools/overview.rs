//! `overview`: key figures of a dump.

use rmcp::schemars::JsonSchema;
use serde::Deserialize;

use super::tool::Tool;
use crate::answer::{Answer, ToolResult};
use crate::assistant::Assistant;
use heaplens_analysis::Overview;
use heaplens_analysis::overview::{DetailedOverview, WasteTotals, glance, holders};
use heaplens_analysis::process::ProcessQuestion;
use heaplens_base::{Count, Task};
use heaplens_session::overview::DetailsQuestion;
use heaplens_tables::export::identity::Identity;
use heaplens_tables::export::report::overview_json;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct OverviewTool {
    /// Name of an open dump (d1, d2, …), or a file, which is opened
    dump: String,
    /// References to leave out, by name (Class.field, "name" of a "cut"): answers for the heap without them
    #[serde(default)]
    cuts: Vec<String>,
}

impl Tool for OverviewTool {
    const NAME: &'static str = "overview";
    const ABOUT: &'static str = "Key figures of a dump in one answer: largest objects and classes, findings, waste, threads, health. For the leak itself ask leaks.";

    fn call(self, assistant: &Assistant, task: &Task) -> ToolResult {
        let dump = assistant.dump_without(&self.dump, &self.cuts, task)?;
        let (source, analysis) = (&dump.source, dump.analysis());
        let (findings, totals) = source.findings_and_waste(task)?;
        let overview = Overview {
            glance: glance(source.data(), dump.open_warnings(), task)?,
            holders: Some(holders(analysis, &findings)),
            closer: Some(DetailedOverview::clone(&*source.data().answer(&DetailsQuestion, task)?)),
            wasted: Some(WasteTotals::clone(&totals)),
            process: source.data().answer(&ProcessQuestion, task)?.telling_sentence(),
        };
        let identity = Identity::new(&dump.file, dump.source.dump());
        let data = overview_json(&identity, &overview);
        let words = format!(
            "{} hold much memory. Ask leaks for evidence and what to cut, explain for one object.",
            Count(findings.len() as u64).of("finding says what may", "findings say what may")
        );
        dump.checked(Ok(Answer::new(words, data)))
    }
}
