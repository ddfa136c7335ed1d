//! What leaks.

use crate::Dump;
use heaplens_analysis::leaks::{self, LeakQuery, default_min_bytes, rules::LeakRules};

pub use heaplens_analysis::leaks::{
    DominantClass, Evidence, Group, HoldingCollection, Kind, LeakFinding, Likelihood, NamedObject, ReferenceToCut,
};
use heaplens_base::{Bytes, Cancelled, Task};

/// What [`Dump::leaks`] looks for.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct LeakOptions {
    /// Findings that free less are left out; `None`: 1 % of the reachable bytes.
    pub min_bytes: Option<Bytes>,
}

impl LeakOptions {
    /// Leaves out findings that free less.
    #[must_use]
    pub fn min_bytes(mut self, bytes: Bytes) -> Self {
        self.min_bytes = Some(bytes);
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
    /// println!("{} frees {} ({})", leak.whole_name(), leak.frees, leak.share());
    /// for cut in &leak.cut {
    ///     println!("  clear {}", cut.name);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn leaks(&self, options: &LeakOptions, task: &Task) -> Result<Vec<LeakFinding>, Cancelled> {
        let min_bytes = options.min_bytes.unwrap_or_else(|| default_min_bytes(self.reachable_bytes()));
        let rules = &LeakRules::default();
        leaks::find_leaks(LeakQuery { namer: self.0.namer(task)?, with_ages: true, rules, min_bytes }, task)
    }
}
