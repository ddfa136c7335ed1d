//! The page as data.

use std::sync::Arc;

use heaplens_analysis::android::shark::LeakReport;
use heaplens_analysis::diff::Change;
use heaplens_analysis::leaks::LeakFinding;
use heaplens_analysis::overview::{Overview, Target};
use heaplens_analysis::process::ProcessMemory;
use heaplens_base::named::Named;
use heaplens_base::{Bytes, named};
use heaplens_dump::Dump;

/// Maximum number of holders that are told.
pub const HOLDERS: usize = 3;

/// A part of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoryPart {
    /// The page in a sentence.
    Verdict,
    /// Why the dump exists.
    Cause,
    /// What fills the memory.
    Memory,
    /// Who holds it.
    Holders,
    /// Why the first holder is alive.
    Path,
    /// What grew since an earlier dump.
    Growth,
    /// What a fix frees.
    Fix,
    /// What helps until there is one.
    Tonight,
    /// What to change in the program.
    Change,
    /// What is not known, and what would tell.
    Unknown,
}

named! { StoryPart {
    Verdict = "verdict", "In short";
    Cause = "cause", "Why the dump exists";
    Memory = "memory", "What fills the memory";
    Holders = "holders", "Holders";
    Path = "path", "Why it is alive";
    Growth = "growth", "Growth";
    Fix = "fix", "What a fix frees";
    Tonight = "tonight", "What to try tonight";
    Change = "change", "What to change";
    Unknown = "unknown", "Not known";
}}

/// A step after which more of the page is known, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StoryStep {
    /// Facts, totals, and the memory of the process, without a search.
    Summary,
    /// The findings of the leak search.
    Findings,
    /// What would be freed without the references of the findings.
    Removals,
    /// Details, with waste if it was searched for.
    Details,
}

impl StoryStep {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Summary, Self::Findings, Self::Removals, Self::Details];

    /// The parts that can be told after the step.
    pub fn parts(self) -> &'static [StoryPart] {
        match self {
            Self::Summary => &[StoryPart::Cause, StoryPart::Memory],
            Self::Findings => &[
                StoryPart::Verdict,
                StoryPart::Holders,
                StoryPart::Path,
                StoryPart::Growth,
                StoryPart::Change,
                StoryPart::Unknown,
            ],
            Self::Removals => &[StoryPart::Fix, StoryPart::Tonight],
            // Waste is a line of it.
            Self::Details => &[StoryPart::Memory],
        }
    }
}

impl StoryPart {
    /// The parts in their order.
    pub const ALL: [Self; 10] = [
        Self::Verdict,
        Self::Cause,
        Self::Memory,
        Self::Holders,
        Self::Path,
        Self::Growth,
        Self::Fix,
        Self::Tonight,
        Self::Change,
        Self::Unknown,
    ];

    /// Its title.
    pub fn title(self) -> &'static str {
        <Self as Named>::NAMES.iter().find(|name| name.value == self).map_or("", |name| name.help)
    }
}

/// What a claim leads to.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Lead {
    /// Nothing more.
    #[default]
    Nothing,
    /// A view.
    View(Target),
    /// A finding of the leak search.
    Finding(Arc<LeakFinding>),
}

/// A sentence, without a full stop.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The sentence.
    pub text: String,
    /// Where it leads.
    pub lead: Lead,
}

impl Claim {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), lead: Lead::Nothing }
    }

    pub(super) fn to(self, target: Target) -> Self {
        Self { lead: Lead::View(target), ..self }
    }

    pub(super) fn about(self, finding: &Arc<LeakFinding>) -> Self {
        Self { lead: Lead::Finding(Arc::clone(finding)), ..self }
    }
}

/// The claims of a part, which are never empty.
#[derive(Debug, Clone, PartialEq)]
pub struct StorySection {
    /// The part.
    pub part: StoryPart,
    /// Its claims, the most important first.
    pub claims: Vec<Claim>,
}

/// The page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Story {
    /// Its parts in order; what there is nothing to say about is left out.
    pub sections: Vec<StorySection>,
    /// The findings that are told as holders, largest first.
    pub holders: Vec<Arc<LeakFinding>>,
    /// The path of the first holder, a step each, from the GC root: what the claim about it says in a line.
    pub path: Vec<String>,
}

impl Story {
    /// The claims of a part.
    pub fn claims(&self, part: StoryPart) -> &[Claim] {
        self.sections.iter().find(|section| section.part == part).map_or(&[], |section| &section.claims)
    }
}

/// An earlier dump of the program.
#[derive(Clone)]
pub struct Earlier {
    /// The memory of its process.
    pub memory: Arc<ProcessMemory>,
    /// Change of the whole heap.
    pub totals: Change,
    /// Time between both dumps.
    pub between: Between,
}

/// Time between two dumps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Between {
    /// Milliseconds.
    Millis(u64),
    /// None that means anything: they are of two processes, each of which began with an empty heap.
    TwoProcesses,
    /// Not known: not both record when they were taken.
    NotRecorded,
    /// None: both are of one dump, such as the heap before and after a removal.
    OneDump,
}

/// Milliseconds between two dumps from which on there is a rate.
const SHORT: u64 = 10_000;
/// Milliseconds between two dumps from which on a rate tells what comes.
const LONG: u64 = 60_000;

impl Earlier {
    /// Milliseconds between both dumps, if they mean anything.
    pub(super) fn millis(&self) -> Option<u64> {
        match self.between {
            Between::Millis(millis) => Some(millis),
            _ => None,
        }
    }

    /// True if there is enough time between both dumps to tell what comes.
    pub(super) fn is_long(&self) -> bool {
        self.millis().is_some_and(|millis| millis >= LONG)
    }

    /// Bytes a minute; `None` without the times, or if they are too close.
    pub(super) fn rate(&self, bytes: Bytes) -> Option<Bytes> {
        let millis = self.millis().filter(|&millis| millis >= SHORT)?;
        let rate = u128::from(bytes.0) * 60_000_u128 / u128::from(millis);
        Some(Bytes(u64::try_from(rate).unwrap_or(u64::MAX))).filter(|rate| rate.0 > 0)
    }
}

/// What the page is made of.
#[derive(Clone, Copy)]
pub struct StoryInput<'a> {
    /// The dump.
    pub dump: &'a Dump,
    /// The same, redacted if values are not to be shown: objects are described by it.
    pub shown: &'a Dump,
    /// Its overview, all parts computed.
    pub overview: &'a Overview,
    /// Findings of the leak search, with their growth if there is an earlier dump.
    pub findings: &'a [LeakFinding],
    /// The memory of the process.
    pub memory: &'a ProcessMemory,
    /// Leak traces of an Android dump, if it has leaks.
    pub traces: Option<&'a LeakReport>,
    /// An earlier dump of the program.
    pub earlier: Option<&'a Earlier>,
}
