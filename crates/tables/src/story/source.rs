//! What the page is computed from, in the order in which it is known: the summary at once, then the findings of the leak
//! search, then details and waste. The page of each step tells what is known so far.

use std::sync::Arc;

use super::page::{Between, Earlier, StoryInput};
use crate::export::hidden_values::hide_in_finding;
use heaplens_analysis::android::shark::LeakReport;
use heaplens_analysis::diff::Change;
use heaplens_analysis::overview::{DetailedOverview, FactKind, Overview, WasteTotals, glance, holders};
use heaplens_analysis::process::{PartKind, ProcessMemory, ProcessQuestion};
use heaplens_analysis::{LeakFinding, started_millis};
use heaplens_base::{Cancelled, Task};
use heaplens_dump::Dump;
use heaplens_session::leaks::{Device, Matchers, Roots, Traced, traces};
use heaplens_session::overview::DetailsQuestion;

/// Facts about the runtime that are told though values are hidden, unless they have a path.
const SHOWN: [FactKind; 3] = [FactKind::Program, FactKind::Uptime, FactKind::Runtime];

/// What is known of a dump. Functions take the dump, and the same redacted if values are hidden: objects are described by
/// that, and what is told does not depend on it.
#[derive(Clone)]
pub struct StorySource {
    /// The overview.
    pub overview: Overview,
    findings: Vec<LeakFinding>,
    memory: ProcessMemory,
    traces: Option<LeakReport>,
    earlier: Option<Earlier>,
}

impl StorySource {
    /// The facts that the dump records. No part of the page can be told yet.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn new((dump, shown): (&Dump, &Dump), task: &Task) -> Result<Self, Cancelled> {
        let mut glance_of = glance(shown.data(), &dump.open_warnings, task)?;
        if shown.facts.is_redacted() {
            // The main class and the uptime are no values.
            let all = glance(dump.data(), &dump.open_warnings, task)?;
            glance_of.out_of_memory = all.out_of_memory;
            for fact in glance_of.health.iter_mut().filter(|fact| SHOWN.contains(&fact.kind)) {
                let value =
                    all.health.iter().find(|known| known.kind == fact.kind).and_then(|known| known.value.clone());
                fact.value = value.filter(|value| !value.contains(['/', '\\']));
            }
        }
        let overview = Overview { glance: glance_of, ..Overview::default() };
        Ok(Self { overview, findings: Vec::new(), memory: ProcessMemory::default(), traces: None, earlier: None })
    }

    /// Adds the memory of the process.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn add_memory(&mut self, (dump, shown): (&Dump, &Dump), task: &Task) -> Result<(), Cancelled> {
        self.memory = ProcessMemory::clone(&*dump.answer(&ProcessQuestion, task)?);
        self.overview.process = self.memory.telling_sentence();
        if shown.facts.is_redacted() {
            // Names of threads are values.
            let stacks = self.memory.parts.iter_mut().filter(|part| part.kind == PartKind::ThreadStacks);
            stacks.for_each(|part| part.holder = None);
        }
        Ok(())
    }

    /// Adds the findings of the leak search, with their growth since an earlier dump if there is one, and leak traces.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn add_findings(
        &mut self,
        (dump, shown): (&Dump, &Dump),
        findings: Vec<LeakFinding>,
        before: Option<(&Dump, Change)>,
        task: &Task,
    ) -> Result<(), Cancelled> {
        self.overview.holders = Some(if shown.facts.is_redacted() {
            // Tables of the page name findings, too.
            let mut hidden = findings.clone();
            hidden.iter_mut().for_each(hide_in_finding);
            holders(&dump.analysis, &hidden)
        } else {
            holders(&dump.analysis, &findings)
        });
        self.earlier = before.map(|before| earlier(before, dump, task)).transpose()?;
        let (matchers, device) = (Matchers::default(), Device::default());
        let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
        let traced = Traced { heap, contents, matchers: &matchers, device: &device, roots: Roots::All };
        self.traces = traces(traced, task)?.filter(|report| !report.leaks.is_empty());
        self.findings = findings;
        Ok(())
    }

    /// Adds what is known of packages, threads and the like, and waste if it was searched for.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn add_details(&mut self, shown: &Dump, wasted: Option<WasteTotals>, task: &Task) -> Result<(), Cancelled> {
        self.overview.closer = Some(DetailedOverview::clone(&*shown.answer(&DetailsQuestion, task)?));
        self.overview.wasted = wasted;
        Ok(())
    }

    /// What is known, for the page.
    pub fn input<'a>(&'a self, (dump, shown): (&'a Dump, &'a Dump)) -> StoryInput<'a> {
        StoryInput {
            dump,
            shown,
            overview: &self.overview,
            findings: &self.findings,
            memory: &self.memory,
            traces: self.traces.as_ref(),
            earlier: self.earlier.as_ref(),
        }
    }
}

/// What is known of the earlier dump.
fn earlier((before, totals): (&Dump, Change), after: &Dump, task: &Task) -> Result<Earlier, Cancelled> {
    let memory: Arc<ProcessMemory> = before.answer(&ProcessQuestion, task)?;
    let started = [before, after].map(|dump| started_millis(dump.data()));
    let taken = [before, after].map(|dump| dump.facts.heap.origin.taken_at_millis);
    let between = match (started, taken) {
        _ if Arc::ptr_eq(&before.facts.heap, &after.facts.heap) => Between::OneDump,
        ([Some(first), Some(second)], _) if first != second => Between::TwoProcesses,
        (_, [Some(first), Some(second)]) if second >= first => Between::Millis(second - first),
        _ => Between::NotRecorded,
    };
    Ok(Earlier { memory, totals, between })
}
