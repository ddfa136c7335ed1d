//! Progress line on stderr, only if stderr is a terminal; erased before the result is printed.

use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use heaplens_base::{Task, threads};

/// Does `work` while its progress is shown.
pub(super) fn with_progress<T>(work: impl FnOnce(&Task) -> T) -> T {
    let task = Task::new();
    let _line = ProgressLine::show(&task);
    work(&task)
}

/// Progress line of a task; erased on drop.
pub(super) struct ProgressLine {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// Starts showing `task` if stderr is a terminal.
    pub(super) fn show(task: &Task) -> Self {
        if !stderr().is_terminal() {
            return Self { stop: None, thread: None };
        }
        let (stop, stopped) = channel::<()>();
        let task = task.clone();
        let thread = threads::start("progress", move || {
            // Wait first: short tasks need no progress line.
            while stopped.recv_timeout(Duration::from_millis(150)) == Err(RecvTimeoutError::Timeout) {
                let progress = task.progress();
                let percent = (progress.done * 100).checked_div(progress.total).unwrap_or(0).min(100);
                let bar = "█".repeat(percent as usize / 4);
                let mut out = stderr().lock();
                // A closed terminal must not stop the work.
                let _ = write!(out, "\r\x1b[2K{:<26} {bar:<25} {percent:>3} %", progress.step);
                let _ = out.flush();
            }
            let _ = write!(stderr(), "\r\x1b[2K");
        });
        // Without a thread nothing is shown.
        Self { stop: Some(stop), thread: thread.ok() }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // The thread only draws; a panic in it does not affect the result.
            let _ = thread.join();
        }
    }
}
