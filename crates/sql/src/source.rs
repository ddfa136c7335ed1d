//! The opened dump that a query reads.

use std::sync::Arc;

use heaplens_analysis::clock::Ages;
use heaplens_analysis::leaks::default_min_bytes;
use heaplens_analysis::overview::WasteTotals;
use heaplens_analysis::{DumpData, LeakFinding, Namer};
use heaplens_base::{Cancelled, Task};
use heaplens_dump::Dump;
use heaplens_dump::facts::Facts;
use heaplens_heap::{Analysis, Contents, Heap};
use heaplens_session::leaks::{LeakRules, add_waste_totals, found_and_wasted};
use heaplens_tables::TableContext;

/// An opened dump, as queries read it, with the rules for its findings.
pub struct QuerySource {
    dump: Dump,
    rules: LeakRules,
}

impl QuerySource {
    /// Source for a dump, with the rules for its findings.
    pub fn of(dump: &Dump, rules: LeakRules) -> Arc<Self> {
        Arc::new(Self { dump: dump.clone(), rules })
    }

    /// The same dump without values of the program: texts, numbers, keys and thread names are hidden.
    #[must_use]
    pub fn redacted(&self) -> Arc<Self> {
        Arc::new(Self { dump: self.dump.redacted(), rules: self.rules.clone() })
    }

    /// The dump.
    pub fn dump(&self) -> &Dump {
        &self.dump
    }

    /// What analyses read.
    pub fn data(&self) -> DumpData<'_> {
        self.dump.data()
    }

    /// Objects, names and values, as they are shown.
    pub fn facts(&self) -> &Facts {
        &self.dump.facts
    }

    /// Rules that judge its findings.
    pub fn rules(&self) -> &LeakRules {
        &self.rules
    }

    /// Heap read from the file.
    pub fn heap(&self) -> &Heap {
        &self.dump.facts.heap
    }

    /// Access to object contents.
    pub fn contents(&self) -> &dyn Contents {
        &*self.dump.facts.contents
    }

    /// Derived columns.
    pub fn analysis(&self) -> &Analysis {
        &self.dump.analysis
    }

    /// What tables read, with a namer only once one was needed.
    pub fn context(&self) -> TableContext<'_> {
        TableContext::of(&self.dump)
    }

    /// Names objects. The first call reads the names of all classes and static fields.
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn namer(&self, task: &Task) -> Result<Namer<'_>, Cancelled> {
        self.dump.namer(task)
    }

    /// Ages of the objects, measured on the first call.
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn ages(&self, task: &Task) -> Result<&Ages, Cancelled> {
        self.dump.ages(task)
    }

    /// Findings of the leak search, judged and ranked, and totals of waste.
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn findings_and_waste(&self, task: &Task) -> Result<(Vec<LeakFinding>, Arc<WasteTotals>), Cancelled> {
        let min_bytes = default_min_bytes(self.analysis().shown.shallow);
        found_and_wasted(self.data(), (&self.rules, min_bytes), task, task)
    }

    /// Findings of the leak search and waste, judged and ranked.
    pub(crate) fn findings(&self, task: &Task) -> Result<Vec<LeakFinding>, Cancelled> {
        let (mut findings, waste) = self.findings_and_waste(task)?;
        let min_bytes = default_min_bytes(self.analysis().shown.shallow);
        add_waste_totals(self.analysis(), (&waste, min_bytes), &self.rules, &mut findings);
        Ok(findings)
    }
}
