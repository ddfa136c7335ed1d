//! A command that goes on until it is interrupted.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::cli::failure::Failure;
use crate::cli::print::Answer;
use heaplens_base::Task;
use heaplens_take::{TakeError, Target};

/// Time between two looks at the task while nothing is to be done.
const LOOK: Duration = Duration::from_millis(100);

/// Failure of a command about `target`, whose name is in the message.
pub(super) fn failure(target: &Target, error: TakeError) -> Failure {
    match error {
        TakeError::Cancelled => Failure::Interrupted,
        error => {
            let text = match error {
                TakeError::DiskFull { .. } => format!("{error} with --output, or --gzip"),
                TakeError::Exists(_) => format!("{error} with --output"),
                error => error.to_string(),
            };
            let name = target.to_string();
            Failure::Unusable(if text.contains(&name) { text } else { format!("{name}: {text}") })
        }
    }
}

/// A task that Ctrl+C cancels: an unfinished dump is removed, and the process is left as it was.
pub(super) fn interruptible() -> Task {
    let task = Task::new();
    let cancelled = task.clone();
    // Fails only if a handler exists already; then that one counts.
    let _set = ctrlc::set_handler(move || cancelled.cancel());
    task
}

/// Waits; an error if the task is cancelled meanwhile.
pub(super) fn wait(pause: Duration, task: &Task) -> Answer {
    let since = Instant::now();
    while since.elapsed() < pause {
        task.checkpoint()?;
        sleep(LOOK.min(pause.saturating_sub(since.elapsed())));
    }
    Ok(())
}
