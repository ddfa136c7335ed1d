//! Class histograms of a process at intervals.

use std::time::{Duration, Instant};

use heaplens_session::{JobError, Jobs, Slot};
use heaplens_take::watch::{Alarm, AlarmRules, Alarms, History, Round, Watched};
use heaplens_take::{Machine, TakeError, TakeOptions, Target};

/// Intervals that can be chosen, in seconds.
pub(super) const INTERVALS: [u64; 4] = [5, 15, 60, 300];

/// A watch, on or off.
pub(super) struct Watching {
    is_on: bool,
    /// Seconds between two rounds.
    pub(super) every: u64,
    round: Slot<(Watched, Round)>,
    watched: Option<Watched>,
    since: Option<Instant>,
    asked_at: Option<Instant>,
    history: History,
    alarms: Alarms,
    alarm: Option<Alarm>,
    error: Option<String>,
}

impl Default for Watching {
    fn default() -> Self {
        Self {
            is_on: false,
            every: INTERVALS[0],
            round: Slot::default(),
            watched: None,
            since: None,
            asked_at: None,
            history: History::default(),
            alarms: Alarms::new(AlarmRules::default()),
            alarm: None,
            error: None,
        }
    }
}

impl Watching {
    pub(super) fn is_on(&self) -> bool {
        self.is_on
    }

    /// Starts, or stops: then what was seen remains.
    pub(super) fn turn(&mut self) {
        self.is_on ^= true;
        self.error = None;
        self.asked_at = None;
    }

    pub(super) fn history(&self) -> &History {
        &self.history
    }

    /// Why the watch ended.
    pub(super) fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// The last alarm.
    pub(super) fn alarm(&self) -> Option<&Alarm> {
        self.alarm.as_ref()
    }

    /// Takes the answers of a round; true if there were some.
    pub(super) fn poll(&mut self) -> bool {
        match self.round.take_ended() {
            Some(Ok((watched, round))) => {
                let since = *self.since.get_or_insert_with(Instant::now);
                self.history.add(since.elapsed(), &round);
                self.alarm = self.alarms.add(&round).into_iter().next().or(self.alarm.take());
                self.watched = Some(watched);
                true
            }
            Some(Err(why)) => {
                self.error = Some(why);
                self.is_on = false;
                false
            }
            None => false,
        }
    }

    /// Begins the next round when it is due; returns the time until then. While `is_busy`, none begins: the process is
    /// writing a dump.
    pub(super) fn keep_on(
        &mut self,
        machine: &Machine,
        target: &Target,
        options: &TakeOptions,
        is_busy: bool,
        jobs: &Jobs,
    ) -> Option<Duration> {
        if !self.is_on {
            return None;
        }
        let every = Duration::from_secs(self.every);
        let wait = self.asked_at.map_or(Duration::ZERO, |last| every.saturating_sub(last.elapsed()));
        if wait.is_zero() && !is_busy && !self.round.is_running() {
            self.asked_at = Some(Instant::now());
            let (machine, target, options) = (machine.clone(), target.clone(), options.clone());
            let watched = self.watched.clone();
            self.round.ask(jobs, "class histogram", move |task| {
                let failed = |error| match error {
                    TakeError::Cancelled => JobError::Cancelled,
                    error => JobError::Failed(error.to_string()),
                };
                let open = || Watched::open(&machine, &target, &options, task);
                let watched = watched.map_or_else(open, Ok).map_err(failed)?;
                let round = watched.round(true, task).map_err(failed)?;
                Ok((watched, round))
            });
        }
        Some(if wait.is_zero() { every } else { wait })
    }
}
