//! `leaks`: findings with evidence and what to cut.

use std::sync::Arc;

use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::rows::Page;
use super::tool::Tool;
use crate::answer::{Answer, ToolError, ToolResult};
use crate::assistant::Assistant;
use crate::fence::LONGEST;
use crate::open_dump::OpenDump;
use heaplens_analysis::android::shark::{Device, LeakReport, Roots, SharkQuery};
use heaplens_analysis::leaks::words::advice;
use heaplens_analysis::leaks::{BaselineQuery, Group, LeakQuery, default_min_bytes, with_baseline};
use heaplens_analysis::naming::Unresolved;
use heaplens_analysis::{Cut, LeakFinding, Namer};
use heaplens_base::{Cancelled, Count, Task};
use heaplens_session::leaks::{add_waste_totals, traces};
use heaplens_tables::export::leaks::{Counts, leaks_json};
use heaplens_tables::leak_list::filter::{NUMBERS, finding_passes, keep};
use heaplens_tables::query::RowFilter;

/// Number of findings in an answer, unless the client asks for another.
const DEFAULT_ROWS: usize = 5;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Leaks {
    /// Name of an open dump (d1, d2, …), or a file, which is opened
    dump: String,
    /// References to leave out, by name (Class.field, "name" of a "cut"): answers for the heap without them
    #[serde(default)]
    cuts: Vec<String>,
    /// Name of an open older dump of the same program: growth since then is evidence, and what grew comes first
    before: Option<String>,
    /// Only findings whose name, class or fingerprint matches; also conditions such as frees>1MB
    filter: Option<String>,
    /// Number of findings; default 5
    top: Option<usize>,
    /// Number of findings to skip
    skip: Option<usize>,
}

impl Tool for Leaks {
    const NAME: &'static str = "leaks";
    const ABOUT: &'static str = "Leak findings of a dump, ranked by what a fix frees: the holder, the path from a GC root, the reference to cut, evidence for and against, certainty. Of Android dumps also traces as LeakCanary writes them.";

    fn call(self, assistant: &Assistant, task: &Task) -> ToolResult {
        let (older, dump) = match &self.before {
            Some(before) => {
                let [before, dump] = assistant.both_without([before, &self.dump], &self.cuts, task)?;
                (Some(before), dump)
            }
            None => (None, assistant.dump_without(&self.dump, &self.cuts, task)?),
        };
        let filter = RowFilter::parse(self.filter.as_deref().unwrap_or_default())
            .and_then(|filter| filter.numbers.iter().try_for_each(|n| n.position(&NUMBERS).map(drop)).map(|()| filter))
            .map_err(|why| ToolError::with("The filter is wrong: correct it by the message below.", &why))?;
        let (mut findings, totals) = dump.source.findings_and_waste(task)?;
        if let Some(before) = &older {
            findings = grown(assistant, (&dump, before), findings, task)?;
        }
        let min_bytes = default_min_bytes(dump.analysis().shown.shallow);
        add_waste_totals(dump.analysis(), (&totals, min_bytes), dump.source.rules(), &mut findings);
        let mut report = android(assistant, &dump, task)?;
        let counts = Counts::of(&findings, report.as_ref());
        let leaks = findings.iter().filter(|finding| finding.group == Group::Leak).count();
        findings.retain(|finding| finding_passes(finding, &filter));
        report.iter_mut().for_each(|report| keep(report, &filter));
        let page = Page::new(self.top, self.skip, DEFAULT_ROWS);
        let total = findings.len();
        let findings: Vec<LeakFinding> = findings.into_iter().skip(page.skip).take(page.top).collect();
        let mut data = leaks_json(&findings, counts, report.as_ref().map(|report| (dump.heap(), report)));
        let namer = dump.namer(task)?;
        let rows = data.get_mut("findings").and_then(Value::as_array_mut).into_iter().flatten();
        for (row, finding) in rows.zip(&findings) {
            shorten(row, finding, namer, task)?;
        }
        if let Value::Object(data) = &mut data {
            data.remove("metadata");
        }
        let words = match (total, leaks) {
            (0, _) => "No finding. Ask histogram for the largest classes, and compare with an older dump.".to_owned(),
            (_, 0) => "No finding looks like a leak: they are waste, bounded or normal memory.".to_owned(),
            _ => format!(
                "{} may be {}. \"frees\" is what cutting the references in \"cut\" frees; ask what_if to verify, explain for the holder.",
                Count(leaks as u64).of("finding", "findings"),
                if leaks == 1 { "a leak" } else { "leaks" }
            ),
        };
        dump.checked(Ok(Answer::new(words, data).listing(page.part_of(total, "findings"))))
    }
}

/// Keys that say again, in sentences or with other names, what other keys say.
const TOLD_TWICE: [&str; 4] = ["title", "bytes", "evidence", "explanation"];

/// Number of cuts of a finding whose names are verified: each takes a walk along its name.
const VERIFIED: usize = 20;

/// True if a name is not cut in the answer.
fn is_short(name: &str) -> bool {
    name.chars().nth(LONGEST).is_none()
}

/// Leaves out what an answer says twice; of the explanation, the advice stays. Names of cuts that do not lead back are
/// replaced by ids, so that `what_if` takes them.
fn shorten(row: &mut Value, finding: &LeakFinding, namer: Namer<'_>, task: &Task) -> Result<(), Cancelled> {
    let Value::Object(row) = row else { return Ok(()) };
    row.retain(|key, _| !TOLD_TWICE.contains(&&**key));
    if finding.known.is_none() {
        row.insert("advice".to_owned(), Value::from(advice(finding.kind)));
    }
    let rows = row.get_mut("cut").and_then(Value::as_array_mut).into_iter().flatten();
    for (row, cut) in rows.zip(&finding.cut).take(VERIFIED) {
        match namer.resolve_cut(&cut.name, task) {
            Ok(Cut::Reference { from, to }) if (from, to) == (cut.from, cut.to) && is_short(&cut.name) => {}
            Err(Unresolved::Cancelled) => return Err(Cancelled),
            _ => row["name"] = Value::from(format!("{}:{}", cut.from_id, cut.to_id)),
        }
    }
    Ok(())
}

/// Findings with growth since an older dump.
fn grown(
    assistant: &Assistant,
    (dump, before): (&Arc<OpenDump>, &Arc<OpenDump>),
    findings: Vec<LeakFinding>,
    task: &Task,
) -> Result<Vec<LeakFinding>, ToolError> {
    let compared = assistant.dumps.compared(before, dump, task)?;
    let (matches, growth) = (&compared.comparison.matches, &compared.comparison.growth);
    let min_bytes = default_min_bytes(dump.analysis().shown.shallow);
    let question = LeakQuery { namer: dump.namer(task)?, with_ages: true, rules: dump.source.rules(), min_bytes };
    Ok(with_baseline(BaselineQuery { question, before: before.namer(task)?, matches, growth }, findings, task)?)
}

/// Leak traces of an Android dump.
fn android(assistant: &Assistant, dump: &OpenDump, task: &Task) -> Result<Option<LeakReport>, ToolError> {
    let (heap, contents, matchers, device) = (dump.heap(), dump.contents(), &assistant.matchers, &Device::default());
    Ok(traces(SharkQuery { heap, contents, matchers, device, roots: Roots::All }, task)?)
}
