//! A process that is asked again and again.

use std::time::{Duration, Instant};

use heaplens_base::{Bytes, Task};

use crate::inspector::{InspectorTarget, choose, heap_usage, start_inspector};
use crate::jvm::{ClassRow, JvmConnection, read_counters};
use crate::machine::Machine;
use crate::options::TakeOptions;
use crate::process::{ProcessKind, find_inspector, process};
use crate::take::named;
use crate::{TakeError, Target};

/// A process of this machine that answers cheap questions.
#[derive(Debug, Clone)]
pub enum Watched {
    /// A JVM: memory by class.
    Jvm(JvmConnection),
    /// A JavaScript engine: total memory only, as a histogram needs a snapshot.
    JavaScript(JavaScriptTarget),
}

/// A program or page with an inspector.
#[derive(Debug, Clone)]
pub struct JavaScriptTarget(InspectorTarget);

/// Answers of one moment.
#[derive(Debug, Clone, Default)]
pub struct Round {
    /// Bytes used in the heap: after a collection, unless that was not wanted.
    pub used: Option<Bytes>,
    /// Bytes used in the old generation, and its size limit.
    pub old_generation: Option<(Bytes, Bytes)>,
    /// Memory by class, by name; empty for JavaScript.
    pub classes: Vec<ClassRow>,
    /// Time that the answers took, in most of which the process paused.
    pub cost: Duration,
}

impl Watched {
    /// Reaches a process of this machine.
    ///
    /// # Errors
    /// If it cannot be asked, or is on another machine.
    pub fn open(machine: &Machine, target: &Target, options: &TakeOptions, task: &Task) -> Result<Self, TakeError> {
        let pid = match target {
            Target::Pid(pid) => *pid,
            Target::Name(name) => named(machine, name)?.pid,
            Target::Inspector { address, id } => {
                return Ok(Self::JavaScript(JavaScriptTarget(choose(address, id.as_deref())?)));
            }
            Target::Android { .. } | Target::Remote(_) => {
                let advice = "run 'heaplens watch' there";
                return Err(TakeError::Refused(format!("{target} is not a process of this machine: {advice}")));
            }
        };
        match process(machine, pid) {
            Some(running_process) if running_process.kind == ProcessKind::JavaScript => {
                let running = find_inspector(machine, pid);
                let address = match running {
                    Some(address) => address,
                    None if options.may_start_inspector => start_inspector(machine, pid, task)?,
                    None => return Err(TakeError::NotSupported { pid, program: machine.program(pid) }),
                };
                Ok(Self::JavaScript(JavaScriptTarget(choose(&address, None)?)))
            }
            _ => Ok(Self::Jvm(JvmConnection::open(machine, pid, task)?)),
        }
    }

    /// Asks once. With `is_live`, garbage is collected first: growth is then growth of what is reachable.
    ///
    /// # Errors
    /// If the process ended or refuses.
    pub fn round(&self, is_live: bool, task: &Task) -> Result<Round, TakeError> {
        let since = Instant::now();
        let mut round = match self {
            Self::Jvm(jvm) => {
                let classes = jvm.class_histogram(is_live)?;
                let counters = read_counters(&jvm.root(), jvm.inner_pid()).unwrap_or_default();
                Round {
                    used: Some(Bytes(classes.iter().map(|row| row.bytes).sum())),
                    old_generation: counters.old.map(|(used, limit)| (Bytes(used), Bytes(limit))),
                    classes,
                    ..Round::default()
                }
            }
            Self::JavaScript(target) => Round { used: Some(heap_usage(&target.0, is_live, task)?), ..Round::default() },
        };
        round.cost = since.elapsed();
        Ok(round)
    }
}
