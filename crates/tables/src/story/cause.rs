//! Why the dump exists.

use super::page::{Claim, StoryInput};
use heaplens_analysis::out_of_memory::{ErrorKind, MemoryErrors};
use heaplens_analysis::overview::{FactKind, Target};
use heaplens_base::invisible::one_line;

/// The `OutOfMemoryError` with its thread and frame; without one, that there is none, and how long the program had run.
pub(super) fn claims(input: StoryInput<'_>) -> Vec<Claim> {
    let errors = &input.overview.glance.out_of_memory;
    let fact = |kind: FactKind| {
        let fact = input.overview.glance.health.iter().find(|fact| fact.kind == kind)?;
        fact.value.as_deref().map(one_line)
    };
    let cause = match errors.sentence() {
        Some(sentence) => Claim::new(one_line(&sentence)).to(target(errors)),
        None if input.dump.facts.heap.snapshot().is_some() => {
            Claim::new("A heap snapshot was taken; why, it does not record")
        }
        None => Claim::new("No OutOfMemoryError is in the dump, so it was probably taken on request"),
    };
    let ended = input.memory.failure.iter().map(|failure| Claim::new(format!("Ended by: {}", one_line(failure))));
    let program = fact(FactKind::Program).map(|program| {
        let uptime = fact(FactKind::Uptime).map(|uptime| format!(" had run for {uptime}"));
        Claim::new(match uptime {
            Some(uptime) => format!("{program}{uptime}"),
            None => format!("The program is {program}"),
        })
        .to(Target::Threads(None))
    });
    std::iter::once(cause).chain(ended).chain(program).collect()
}

/// Where to look after an error: at class loaders if metadata of classes ran out, else at the thread.
fn target(errors: &MemoryErrors) -> Target {
    let first = errors.first();
    match first.and_then(|error| error.kinds.first()) {
        Some(ErrorKind::Metaspace | ErrorKind::ClassSpace) => Target::Loaders,
        _ => Target::Threads(first.and_then(|error| Some(error.thread.as_ref()?.object.as_ref()?.0))),
    }
}
