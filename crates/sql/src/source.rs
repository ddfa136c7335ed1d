//! The opened dump that a query reads.

use std::sync::{Arc, OnceLock};

use heaplens_analysis::clock::{Ages, SharedAges};
use heaplens_analysis::leaks::usual_least;
use heaplens_analysis::naming::NameIndex;
use heaplens_analysis::overview::WasteTotals;
use heaplens_analysis::{LeakFinding, Namer, RuntimeClasses};
use heaplens_base::{Cancelled, Task};
use heaplens_dump::facts::Facts;
use heaplens_heap::{Analysis, Contents, Heap};
use heaplens_session::comparison::ComparedDump;
use heaplens_session::dump::namer;
use heaplens_session::kept_answers::KeptAnswers;
use heaplens_session::leaks::{LeakRules, add_waste_totals, findings_or_kept, waste_or_kept};
use heaplens_session::{LoadedDump, OpenDump};
use heaplens_tables::TableContext;

/// Data of an opened dump, as queries read them.
pub struct QuerySource {
    facts: Facts,
    analysis: Arc<Analysis>,
    kept: KeptAnswers,
    runtime_classes: Arc<RuntimeClasses>,
    name_index: Arc<OnceLock<NameIndex>>,
    ages: Arc<SharedAges>,
    rules: LeakRules,
}

impl QuerySource {
    /// Source for a dump opened by a command, with the rules for its findings.
    pub fn loaded(dump: &LoadedDump, rules: LeakRules) -> Arc<Self> {
        Arc::new(Self {
            facts: dump.facts.clone(),
            analysis: Arc::clone(&dump.analysis),
            kept: dump.kept.clone(),
            runtime_classes: Arc::clone(&dump.runtime_classes),
            name_index: Arc::default(),
            ages: Arc::clone(dump.shared_ages()),
            rules,
        })
    }

    /// Source for a dump of the session, with the rules for its findings.
    pub fn of(dump: &OpenDump, rules: LeakRules) -> Arc<Self> {
        Arc::new(Self {
            facts: dump.facts.clone(),
            analysis: Arc::clone(&dump.analysis),
            kept: dump.kept.clone(),
            runtime_classes: Arc::clone(&dump.runtime_classes),
            name_index: Arc::clone(&dump.name_index),
            ages: Arc::clone(&dump.ages),
            rules,
        })
    }

    /// The same dump without values of the program: texts, numbers, keys and thread names are hidden.
    #[must_use]
    pub fn redacted(&self) -> Arc<Self> {
        Arc::new(Self {
            facts: self.facts.redacted(),
            analysis: Arc::clone(&self.analysis),
            // Kept answers and names have values.
            kept: KeptAnswers::default(),
            runtime_classes: Arc::clone(&self.runtime_classes),
            name_index: Arc::default(),
            ages: Arc::default(),
            rules: self.rules.clone(),
        })
    }

    /// Objects, names and values, as they are shown.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Kept answers of searches.
    pub fn kept(&self) -> &KeptAnswers {
        &self.kept
    }

    /// Rules for runtime classes.
    pub fn runtime_classes(&self) -> &RuntimeClasses {
        &self.runtime_classes
    }

    /// Rules that judge its findings.
    pub fn rules(&self) -> &LeakRules {
        &self.rules
    }

    /// Heap read from the file.
    pub fn heap(&self) -> &Heap {
        &self.facts.heap
    }

    /// Access to object contents.
    pub fn contents(&self) -> &dyn Contents {
        &*self.facts.contents
    }

    /// Derived columns.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// The dump as one to compare with another.
    pub fn to_compare(&self) -> ComparedDump<'_> {
        ComparedDump { facts: &self.facts, analysis: &self.analysis, kept: &self.kept }
    }

    /// What tables read, with a namer only once one was needed.
    pub fn context(&self) -> TableContext<'_> {
        let (heap, contents, analysis) = (self.heap(), self.contents(), self.analysis());
        TableContext { heap, contents, analysis, namer: None, ages: None, kept: Some((&self.kept, &self.facts)) }
    }

    /// Names objects. The first call reads the names of all classes and static fields.
    pub fn namer(&self, task: &Task) -> Result<Namer<'_>, Cancelled> {
        namer(&self.facts, &self.analysis, &self.name_index, &self.runtime_classes, task)
    }

    /// Ages of the objects, measured on the first call.
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn ages(&self, task: &Task) -> Result<&Ages, Cancelled> {
        self.ages.get(self.namer(task)?, task)
    }

    /// The ages, measured once for all that read them.
    pub fn shared_ages(&self) -> &SharedAges {
        &self.ages
    }

    /// Findings of the leak search, judged and ranked, and totals of waste.
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn findings_and_waste(&self, task: &Task) -> Result<(Vec<LeakFinding>, WasteTotals), Cancelled> {
        let least = usual_least(self.analysis.shown.shallow);
        let kept = (&self.kept, &self.facts);
        let (found, waste) = rayon::join(
            || {
                findings_or_kept(
                    kept,
                    &self.analysis,
                    || Ok((self.namer(task)?, &*self.ages)),
                    (&self.rules, least),
                    task,
                )
            },
            || waste_or_kept(kept, &self.analysis, task),
        );
        Ok((found?, waste?))
    }

    /// Findings of the leak search and waste, judged and ranked.
    pub(crate) fn findings(&self, task: &Task) -> Result<Vec<LeakFinding>, Cancelled> {
        let (mut found, waste) = self.findings_and_waste(task)?;
        let least = usual_least(self.analysis.shown.shallow);
        add_waste_totals(&self.analysis, (&waste, least), &self.rules, &mut found);
        Ok(found)
    }
}
