//! `take`: dumps of running processes.

mod list;
mod running;
pub(super) mod watch;

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::Parser;

use self::list::list;
use self::running::{failure, interruptible, wait};
use super::args::{Arguments, Command, TakeArguments};
use super::diff::diff;
use super::failure::{Failure, remark};
use super::leaks::leaks;
use super::print::Answer;
use super::progress::ProgressLine;
use heaplens_base::Task;
use heaplens_take::{Machine, TakeOptions, Taken, Target, effect_of, processes};

pub(super) fn take(arguments: &TakeArguments) -> Answer {
    let Some(target) = &arguments.target else { return list(arguments.format) };
    let task = interruptible();
    let output = arguments.output.clone().unwrap_or_else(|| PathBuf::from("."));
    let options = TakeOptions { is_index_only: arguments.index_only, ..arguments.what.options() };
    let remote = matches!(target, Target::Remote(_));
    if options.is_index_only && !remote {
        let why = "--index-only is for other machines: kubectl://, docker:// or ssh://; here run 'heaplens index'";
        return Err(Failure::Usage(why.to_owned()));
    }
    let Some(pause) = arguments.twice else {
        let taken = take_one(target, &options, &output, &task)?;
        return if arguments.leaks { then(&["leaks".as_ref(), &taken.path]) } else { Ok(()) };
    };
    if !output.is_dir() {
        return Err(Failure::Usage(format!("{}: two dumps need a folder", output.display())));
    }
    let before = take_one(target, &options, &output, &task)?;
    wait(pause, &task)?;
    let after = take_one(target, &options, &output, &task)?;
    if arguments.diff { then(&["diff".as_ref(), &before.path, &after.path]) } else { Ok(()) }
}

/// Takes one dump. What it does to the process is said before, what was written afterwards.
fn take_one(target: &Target, options: &TakeOptions, output: &Path, task: &Task) -> Result<Taken, Failure> {
    let machine = Machine::this();
    if let Some(effect) = effect(&machine, target, options) {
        remark(&effect);
    }
    let line = ProgressLine::show(task);
    let taken = heaplens_take::take(&machine, target, options, output, task);
    drop(line);
    let taken = taken.map_err(|error| failure(target, error))?;
    let mut out = stdout().lock();
    let seconds = taken.elapsed.as_secs_f64();
    writeln!(out, "{}: {} in {seconds:.1} s", taken.path.display(), taken.size)?;
    if let Some(record) = &taken.record {
        let cost = record.cost.map_or_else(String::new, |cost| format!(", recorded in {} ms", cost.as_millis()));
        writeln!(out, "{}: {}{cost}", record.path.display(), record.size)?;
    }
    if let Some(why) = &taken.record_failure {
        remark(why);
    }
    if let Some(stays) = &taken.stays {
        writeln!(out, "The dump stays at {stays} on that machine")?;
    }
    Ok(taken)
}

fn effect(machine: &Machine, target: &Target, options: &TakeOptions) -> Option<String> {
    let mut listed = match target {
        Target::Pid(_) | Target::Name(_) => processes(machine),
        _ => return None,
    };
    listed.retain(|process| match target {
        Target::Pid(pid) => process.pid == *pid,
        Target::Name(name) => process.name.contains(name.as_str()),
        _ => false,
    });
    listed.first().filter(|_| listed.len() == 1).map(|process| effect_of(process, options))
}

/// Runs `leaks` or `diff` with its usual options.
fn then(words: &[&Path]) -> Answer {
    let words = [Path::new("heaplens")].into_iter().chain(words.iter().copied());
    let arguments = Arguments::try_parse_from(words).map_err(|error| Failure::Usage(error.to_string()))?;
    match &arguments.command {
        Some(Command::Leaks(arguments)) => leaks(arguments),
        Some(Command::Diff(arguments)) => diff(arguments),
        _ => Ok(()),
    }
}
