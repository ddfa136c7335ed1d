//! What the overview knows of its dump: one job computes one step after the other, and the view shows each when it is there.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use heaplens_base::{Progress, Task};
use heaplens_session::overview::WasteTotalsQuestion;
use heaplens_session::{JobError, Jobs, LeakRules, OpenDump, Slot};
use heaplens_tables::story::{Story, StorySource, StoryStep, story_of};

/// Number of objects above which the search for waste, which then takes more than a few seconds, runs on demand only.
pub(super) const AT_ONCE: usize = 4_000_000;

/// What a job sends: all that is known, and the parts of the page that this step tells.
type Answer = (StorySource, Option<(StoryStep, Story)>);

/// The steps, and what they told.
#[derive(Default)]
pub(super) struct Steps {
    /// Rules of the findings that are known, or of those that are searched for.
    rules: Option<Arc<LeakRules>>,
    job: Slot<()>,
    answers: Option<Receiver<Answer>>,
    source: Option<StorySource>,
    /// The page as far as it is known.
    pub(super) story: Story,
    /// The last step that told something, or `None`. Not less while it is told again.
    done: Option<StoryStep>,
}

impl Steps {
    /// Starts the job, unless what it would tell is known or being computed by the same rules.
    pub(super) fn start(&mut self, dump: &OpenDump, rules: &Arc<LeakRules>, jobs: &Jobs) {
        if self.rules.as_ref().is_some_and(|requested| Arc::ptr_eq(requested, rules)) {
            return;
        }
        self.rules = Some(Arc::clone(rules));
        let known = self.source.clone().filter(|_| self.done.is_some());
        let from = if known.is_some() { StoryStep::Findings } else { StoryStep::Summary };
        let has_waste = known.as_ref().is_some_and(|known| known.overview.wasted.is_some());
        self.ask(dump, jobs, known, from, has_waste || dump.heap.len() <= AT_ONCE);
    }

    /// Searches for waste on demand.
    pub(super) fn search_waste(&mut self, dump: &OpenDump, jobs: &Jobs) {
        if let (Some(known), false) = (self.source.clone(), self.job.is_running()) {
            self.ask(dump, jobs, Some(known), StoryStep::Details, true);
        }
    }

    fn ask(&mut self, dump: &OpenDump, jobs: &Jobs, known: Option<StorySource>, from: StoryStep, searches_waste: bool) {
        let Some(rules) = self.rules.clone() else { return };
        let (send, receive) = channel();
        let (dump, waker) = (dump.clone(), jobs.clone());
        self.answers = Some(receive);
        self.job.ask(jobs, "overview", move |task| {
            let tell = |source: &StorySource, part| {
                // Without a receiver the job is about to be cancelled.
                let _gone = send.send((source.clone(), part));
                waker.wake();
            };
            tell_all(&dump, &rules, known, (from, searches_waste), tell, task)
        });
    }

    /// Takes what was told since the last frame; true if there is something.
    pub(super) fn poll(&mut self) -> bool {
        // First the end of the job: what it sent before is there.
        let has_ended = self.job.poll();
        let mut has_new = has_ended;
        for (source, part) in self.answers.iter().flat_map(Receiver::try_iter) {
            self.source = Some(source);
            if let Some((step, page)) = part {
                self.story.add(step, page);
                self.done = self.done.max(Some(step));
            }
            has_new = true;
        }
        has_new
    }

    /// All that is known.
    pub(super) fn source(&self) -> Option<&StorySource> {
        self.source.as_ref()
    }

    /// True if the parts of a step are known.
    pub(super) fn has(&self, step: StoryStep) -> bool {
        self.done >= Some(step)
    }

    /// True if all steps have told what they can.
    pub(super) fn is_complete_for(&self, rules: &Arc<LeakRules>) -> bool {
        !self.job.is_running() && self.is_asked_by(rules)
    }

    /// True if the last job was started with these rules.
    pub(super) fn is_asked_by(&self, rules: &Arc<LeakRules>) -> bool {
        self.rules.as_ref().is_some_and(|requested| Arc::ptr_eq(requested, rules))
    }

    pub(super) fn is_running(&self) -> bool {
        self.rules.is_none() || self.job.is_running()
    }

    pub(super) fn error(&self) -> Option<&str> {
        self.job.error()
    }

    pub(super) fn progress(&self) -> Option<Progress> {
        self.job.progress()
    }

    /// Stops the job. What is known remains.
    pub(super) fn stop(&mut self) {
        self.job.cancel();
    }

    /// Called when the findings are others. Those that are known stay until they are.
    pub(super) fn look_again(&mut self) {
        self.rules = None;
    }
}

/// All that the page tells, at once, but for the waste of a large dump, which may take minutes.
pub(super) fn all_steps(dump: &OpenDump, rules: &LeakRules, task: &Task) -> Result<StorySource, JobError> {
    let mut last = None;
    let keep = |source: &StorySource, _| last = Some(source.clone());
    tell_all(dump, rules, None, (StoryStep::Summary, dump.heap.len() <= AT_ONCE), keep, task)?;
    last.ok_or_else(|| JobError::Failed("the report has no parts".to_owned()))
}

/// Computes the steps from `from` on, and tells each.
fn tell_all(
    dump: &OpenDump,
    rules: &LeakRules,
    known: Option<StorySource>,
    (from, searches_waste): (StoryStep, bool),
    mut tell: impl FnMut(&StorySource, Option<(StoryStep, Story)>),
    task: &Task,
) -> Result<(), JobError> {
    let of = (&dump.dump, &dump.dump);
    let mut source = match known {
        Some(known) => known,
        None => StorySource::new(of, task)?,
    };
    tell(&source, None);
    for step in StoryStep::ALL.into_iter().filter(|&step| step >= from) {
        match step {
            StoryStep::Summary => source.add_memory(of, task)?,
            StoryStep::Findings => {
                let before = dump.compared().map(|(before, compared)| (&before.dump, compared.growth.totals));
                source.add_findings(of, dump.leak_findings(rules, task)?, before, task)?;
            }
            StoryStep::Removals => {}
            StoryStep::Details => {
                let wasted = source.overview.wasted.take();
                source.add_details(&dump.dump, wasted, task)?;
                // The search for waste takes longest.
                tell(&source, None);
                if searches_waste {
                    source.overview.wasted = Some((*dump.answer(&WasteTotalsQuestion, task)?).clone());
                }
            }
        }
        let page = story_of(step.parts(), source.input(of), task)?;
        tell(&source, Some((step, page)));
    }
    Ok(())
}
