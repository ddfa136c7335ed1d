//! What leaks.

use crate::{Dump, comparison::Comparison};
use heaplens_analysis::leaks::{self, BaselineQuery, LeakQuery, default_min_bytes};

pub use heaplens_analysis::leaks::rules::LeakRules;
pub use heaplens_analysis::leaks::{
    DominantClass, Evidence, Group, HoldingCollection, Kind, LeakFinding, Likelihood, NamedObject, ReferenceToCut,
};
use heaplens_base::{Bytes, Cancelled, Task};

/// What [`Dump::leaks`] looks for.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct LeakOptions<'a> {
    /// Findings that free less are left out; `None`: 1 % of the reachable bytes.
    pub min_bytes: Option<Bytes>,
    /// Rules that mark findings as normal, expected or leaking; those of the library by default.
    pub rules: LeakRules,
    /// An earlier dump of the program, and the [comparison](crate::compare()) of the two.
    pub baseline: Option<(&'a Dump, &'a Comparison)>,
}

impl<'a> LeakOptions<'a> {
    /// Leaves out findings that free less.
    #[must_use]
    pub fn min_bytes(mut self, bytes: Bytes) -> Self {
        self.min_bytes = Some(bytes);
        self
    }

    /// Adds rules, one a line, before those that there are: `expected desk.SessionCache.ENTRIES # a cache of 1,200`.
    ///
    /// ```
    /// use heaplens_engine::leaks::LeakOptions;
    ///
    /// assert!(LeakOptions::default().rules("expected desk.SessionCache.ENTRIES # a cache").is_ok());
    /// assert!(LeakOptions::default().rules("perhaps it leaks").is_err());
    /// ```
    ///
    /// # Errors
    /// A message with the number of the line that is no rule.
    pub fn rules(mut self, text: &str) -> Result<Self, String> {
        self.rules.add(text)?;
        Ok(self)
    }

    /// Counts growth since an earlier dump as evidence, and adds findings for structures that grew.
    ///
    /// ```
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");
    /// # let (before, after) = (format!("{folder}/leak-before.hprof.gz"), format!("{folder}/leak-after.hprof.gz"));
    /// use heaplens_engine::{Task, compare, leaks::LeakOptions, open};
    ///
    /// let (before, after, task) = (open(before)?, open(after)?, Task::new());
    /// let comparison = compare(&before, &after, &task)?;
    /// let options = LeakOptions::default().baseline(&before, &comparison);
    /// let findings = after.leaks(&options, &task)?;
    /// assert!(findings.iter().any(|finding| finding.growth().is_some()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn baseline(mut self, before: &'a Dump, comparison: &'a Comparison) -> Self {
        self.baseline = Some((before, comparison));
        self
    }
}

impl Dump {
    /// Where objects add up: each finding has the holding reference, the path to it, the references to cut, what that frees,
    /// the evidence, and how sure it is. Leaks and suspects come first ([`Group::Leak`], of which [`LeakFinding::likelihood`] tells them
    /// apart), then memory that is large and normal.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::{Bytes, Task, leaks::{Group, LeakOptions}};
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// let findings = dump.leaks(&LeakOptions::default().min_bytes(Bytes(1 << 20)), &Task::new())?;
    /// let leak = findings.iter().find(|finding| finding.group == Group::Leak).expect("this program leaks");
    /// println!("{leak}");
    /// for evidence in &leak.evidence {
    ///     println!("  {evidence}");
    /// }
    /// for cut in &leak.cut {
    ///     println!("  clear {}", cut.name);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn leaks(&self, options: &LeakOptions<'_>, task: &Task) -> Result<Vec<LeakFinding>, Cancelled> {
        let min_bytes = options.min_bytes.unwrap_or_else(|| default_min_bytes(self.reachable_bytes()));
        let question = LeakQuery { namer: self.0.namer(task)?, with_ages: true, rules: &options.rules, min_bytes };
        let findings = leaks::find_leaks(question, task)?;
        let Some((before, Comparison { matches, growth, .. })) = options.baseline else { return Ok(findings) };
        let baseline = BaselineQuery { question, before: before.0.namer(task)?, matches, growth };
        leaks::with_baseline(baseline, findings, task)
    }
}
