//! `watch`: class histograms of a process at intervals, and a dump when a rule says so.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Instant;

use serde_json::{Value, json};

use super::running::{failure, interruptible, wait};
use crate::cli::args::WatchArguments;
use crate::cli::failure::{Failure, remark};
use crate::cli::print::Answer;
use heaplens_base::ByteDelta;
use heaplens_tables::OutputForm;
use heaplens_tables::export::printable::Printable;
use heaplens_take::watch::{Alarm, Alarms, History, Round, Watched};
use heaplens_take::{Machine, TakeError};

/// Growing classes in the line of a round.
const SHOWN: usize = 3;
/// Growing classes in a line of JSON.
const LISTED: usize = 20;

pub(in crate::cli) fn watch(arguments: &WatchArguments) -> Answer {
    let task = interruptible();
    let machine = Machine::this();
    let (target, options) = (&arguments.target, arguments.what.options());
    let watched = Watched::open(&machine, target, &options, &task).map_err(|error| failure(target, error))?;
    let pauses = if arguments.no_collect { "walks over the heap" } else { "collects garbage" };
    remark(&format!("each round {pauses} and counts objects by class: the process stops for it, about 1 s per 2 GB"));
    let (since, mut history, mut alarms) = (Instant::now(), History::default(), Alarms::new(arguments.rules()));
    let (mut dumps, mut reported) = (0, Vec::new());
    loop {
        let begin = Instant::now();
        let round = match watched.round(!arguments.no_collect, &task) {
            Ok(round) => round,
            // The end of the process is the usual end of a watch.
            Err(TakeError::Ended(_)) => {
                remark("the process ended");
                break;
            }
            Err(TakeError::Cancelled) => break,
            Err(error) => return Err(failure(target, error)),
        };
        history.add(since.elapsed(), &round);
        let due = alarms.add(&round);
        let mut dump = None;
        if !due.is_empty() && dumps < arguments.dumps {
            let taken = heaplens_take::take(&machine, target, &options, &arguments.output, &task);
            match taken {
                Ok(taken) => {
                    taken.record_failure.iter().for_each(|why| remark(why));
                    dump = Some(taken.path);
                }
                // The next alarm may find a disk with more space.
                Err(error) => remark(&failure(target, error).to_string()),
            }
            dumps += 1;
        }
        let line = RoundLine { history: &history, round: &round, due: &due, dump: dump.as_ref() };
        line.write(arguments.format)?;
        reported.extend(due.iter().map(Alarm::to_string));
        let is_over = arguments.during.is_some_and(|during| since.elapsed() + arguments.every > during);
        if is_over || arguments.dumps > 0 && dumps >= arguments.dumps || task.is_cancelled() {
            break;
        }
        if wait(arguments.every.saturating_sub(begin.elapsed()), &task).is_err() {
            break;
        }
    }
    if reported.is_empty() { Ok(()) } else { Err(Failure::Grew(reported)) }
}

/// What is printed of a round.
struct RoundLine<'a> {
    history: &'a History,
    round: &'a Round,
    due: &'a [Alarm],
    dump: Option<&'a PathBuf>,
}

impl RoundLine<'_> {
    fn write(&self, form: OutputForm) -> Answer {
        let mut out = Printable(stdout().lock());
        if form == OutputForm::Json {
            writeln!(out, "{}", self.json())?;
        } else {
            self.write_text(&mut out)?;
        }
        Ok(out.flush()?)
    }

    fn write_text(&self, out: &mut impl Write) -> Answer {
        let seconds = self.history.rounds().last().map_or(0, |round| round.at.as_secs());
        let used = self.round.used.map_or_else(String::new, |used| used.to_string());
        write!(out, "{:>3}:{:02}  {used:>9}", seconds / 60, seconds % 60)?;
        if let Some((used, limit)) = self.round.old_generation {
            write!(out, "  old generation {:>3} %", u128::from(used.0) * 100 / u128::from(limit.0.max(1)))?;
        }
        let growing = self.history.growing(SHOWN);
        for series in growing.iter().filter(|series| series.growth() > 0) {
            write!(out, "  {} {}", series.class, ByteDelta(series.growth()))?;
        }
        writeln!(out)?;
        for alarm in self.due {
            writeln!(out, "        ALARM: {alarm}")?;
        }
        if let Some(dump) = self.dump {
            writeln!(out, "        dump: {}", dump.display())?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let growing = self.history.growing(LISTED);
        let growing = growing.iter().filter(|series| series.growth() > 0).map(|series| {
            let bytes = series.bytes.last().copied().unwrap_or(0);
            json!({ "class": series.class, "objects": series.objects, "bytes": bytes, "growth_bytes": series.growth() })
        });
        json!({
            "seconds": self.history.rounds().last().map_or(0.0, |round| round.at.as_secs_f64()),
            "cost_seconds": self.round.cost.as_secs_f64(),
            "used_bytes": self.round.used.map(|used| used.0),
            "old_generation": self.round.old_generation.map(|(used, limit)| {
                json!({ "used_bytes": used.0, "limit_bytes": limit.0 })
            }),
            "growing": growing.collect::<Vec<_>>(),
            "alarms": self.due.iter().map(alarm_json).collect::<Vec<_>>(),
            "dump": self.dump.map(|dump| dump.display().to_string()),
        })
    }
}

fn alarm_json(alarm: &Alarm) -> Value {
    match alarm {
        Alarm::Growth { class, before, after, rounds } => json!({
            "kind": "growth", "class": class, "before_bytes": before.0, "after_bytes": after.0, "rounds": rounds,
        }),
        Alarm::OldGeneration { used, limit } => {
            json!({ "kind": "old-generation", "used_bytes": used.0, "limit_bytes": limit.0 })
        }
    }
}
