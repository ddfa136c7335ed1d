//! Leaks of an Android dump, found as in Shark: searched for once, with the trace shown for each leak.

use std::path::{Path, PathBuf};
use std::{cmp::Reverse, collections::BTreeMap, sync::Arc};

use heaplens_analysis::android::shark::{Leak, LeakReport, LeakSubject, LeakTrace};
use heaplens_base::Progress;
use heaplens_heap::ObjectId;
use heaplens_session::leaks::{Device, Roots, Traced, has_traces, read_references, traces};
use heaplens_session::{JobError, Jobs, OpenDump, Slot};

/// Group of Android leaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AndroidLeakGroup {
    /// Held by the application.
    Application,
    /// Held by a reference that is a known leak of Android or of a library.
    Library,
    /// Leaking objects that are unreachable.
    Unreachable,
}

impl AndroidLeakGroup {
    /// All, in list order.
    pub const ALL: [Self; 3] = [Self::Application, Self::Library, Self::Unreachable];

    /// Title, as in LeakCanary.
    pub fn name(self) -> &'static str {
        match self {
            Self::Application => "Application leaks",
            Self::Library => "Library leaks",
            Self::Unreachable => "Unreachable objects",
        }
    }

    /// Name of a single row, for screen readers.
    pub fn one(self) -> &'static str {
        match self {
            Self::Application => "Application leak",
            Self::Library => "Library leak",
            Self::Unreachable => "Unreachable",
        }
    }

    /// Explanation.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Application => "Objects past the end of their lifecycle that the application still references",
            Self::Library => "Leaks caused by known bugs in Android or a library",
            Self::Unreachable => {
                "Objects past the end of their lifecycle without strong references; in a complete dump, the next GC frees them"
            }
        }
    }

    /// Group of a leak that is reachable.
    pub fn of(leak: &Leak) -> Self {
        if leak.known.is_some() { Self::Library } else { Self::Application }
    }
}

/// Leaks of a dump, once they are computed.
#[derive(Default)]
pub struct AndroidLeaks {
    slot: Slot<Arc<LeakReport>>,
    report: Option<Arc<LeakReport>>,
    /// Order of the list: application leaks first, then by retained size.
    order: Vec<usize>,
    is_asked: bool,
    /// Trace shown by leak, if it is not the first.
    shown: BTreeMap<usize, usize>,
}

impl AndroidLeaks {
    /// Requests the report, unless it was requested or the dump has none. `references` is the user's file of
    /// known leaks.
    pub fn ask(&mut self, dump: &OpenDump, jobs: &Jobs, references: Option<&Path>) {
        if self.is_asked || !has_traces(&dump.heap) {
            return;
        }
        self.is_asked = true;
        let (dump, known) = (dump.clone(), references.map(PathBuf::from));
        self.slot.ask(jobs, "Android leaks", move |task| {
            let matchers = read_references(known.as_deref(), &[]).map_err(JobError::Failed)?;
            let (device, roots) = (Device::default(), Roots::All);
            let (heap, contents) = (&*dump.heap, &*dump.contents);
            let question = Traced { heap, contents, matchers: &matchers, device: &device, roots };
            let report = traces(question, task)?;
            Ok(Arc::new(report.ok_or(JobError::Cancelled)?))
        });
    }

    /// True once, when the report has arrived.
    pub fn poll(&mut self) -> bool {
        let came = self.slot.poll();
        if came {
            self.report = self.slot.take();
            let leaks = self.report.as_ref().map_or(&[][..], |report| &report.leaks);
            self.order = (0..leaks.len()).collect();
            let key = |leak: &Leak| (leak.known.is_some(), Reverse(leak.retained()));
            self.order.sort_by_key(|&at| leaks.get(at).map(key));
        }
        came
    }

    /// Leaks of a group, in list order.
    pub fn of_group(&self, group: AndroidLeakGroup) -> impl Iterator<Item = (usize, &Leak)> {
        let leaks = self.order.iter().filter_map(|&at| Some((at, self.leak(at)?)));
        leaks.filter(move |(_, leak)| AndroidLeakGroup::of(leak) == group)
    }

    /// Cancels the search.
    pub fn stop(&mut self) {
        self.slot.cancel();
    }

    /// Restarts a search that did not finish.
    pub fn look_again(&mut self) {
        self.is_asked &= self.report.is_some() || self.slot.is_running();
    }

    /// True if the search was cancelled.
    pub fn is_stopped(&self) -> bool {
        self.is_asked && self.report.is_none() && !self.slot.is_running() && self.slot.error().is_none()
    }

    /// True while the job is running.
    pub fn is_running(&self) -> bool {
        self.slot.is_running()
    }

    /// Progress of the job.
    pub fn progress(&self) -> Option<Progress> {
        self.slot.progress()
    }

    /// Error message, if the search failed.
    pub fn error(&self) -> Option<&str> {
        self.slot.error()
    }

    /// The report, once it is computed.
    pub fn report(&self) -> Option<&Arc<LeakReport>> {
        self.report.as_ref()
    }

    /// A leak, by index.
    pub fn leak(&self, at: usize) -> Option<&Leak> {
        self.report.as_ref()?.leaks.get(at)
    }

    /// Position of a leak in the list.
    pub fn number(&self, at: usize) -> usize {
        self.order.iter().position(|&other| other == at).map_or(0, |index| index + 1)
    }

    /// An unreachable object, by index.
    pub fn unreachable(&self, at: usize) -> Option<&LeakSubject> {
        self.report.as_ref()?.unreachable.get(at)
    }

    /// Index of the trace shown.
    pub fn shown(&self, at: usize) -> usize {
        self.shown.get(&at).copied().unwrap_or(0)
    }

    /// Trace shown for a leak.
    pub fn trace(&self, at: usize) -> Option<&LeakTrace> {
        self.leak(at)?.traces.get(self.shown(at))
    }

    /// Leaking object of a trace.
    pub fn leaking(&self, at: usize) -> Option<ObjectId> {
        Some(self.trace(at)?.leaking()?.object)
    }

    /// Shows the next or previous trace of a leak; returns its leaking object.
    pub fn step(&mut self, at: usize, forwards: bool) -> Option<ObjectId> {
        let last = self.leak(at)?.traces.len().checked_sub(1)?;
        let now = self.shown(at);
        let next = if forwards { now + 1 } else { now.checked_sub(1)? };
        if next > last {
            return None;
        }
        self.shown.insert(at, next);
        self.leaking(at)
    }

    /// Leak of a leaking object; its trace becomes the one shown.
    pub fn look_for(&mut self, object: ObjectId) -> Option<usize> {
        let report = self.report.as_ref()?;
        let is_it = |trace: &LeakTrace| trace.leaking().is_some_and(|leaking| leaking.object == object);
        let mut all = report.leaks.iter().enumerate();
        let (at, nth) = all.find_map(|(at, leak)| Some((at, leak.traces.iter().position(is_it)?)))?;
        self.shown.insert(at, nth);
        Some(at)
    }
}
