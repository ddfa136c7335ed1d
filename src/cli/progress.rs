//! Progress on stderr: a line that is drawn over, only when stderr is a
//! terminal, gone when the answer comes.

use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::task::Task;

/// Shows the progress of a task until it is dropped.
pub(super) struct ProgressLine {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// Begins to show `task`, if anybody is there to see it.
    pub(super) fn show(task: &Task) -> Self {
        if !stderr().is_terminal() {
            return Self { stop: None, thread: None };
        }
        let (stop, stopped) = channel::<()>();
        let task = task.clone();
        let thread = std::thread::spawn(move || {
            // The first look comes late: what is quick needs no progress.
            while stopped.recv_timeout(Duration::from_millis(150)) == Err(RecvTimeoutError::Timeout) {
                let progress = task.progress();
                let percent = (progress.done * 100).checked_div(progress.total).unwrap_or(0).min(100);
                let bar = "█".repeat(percent as usize / 4);
                let mut out = stderr().lock();
                // A terminal that went away must not stop the work.
                let _ = write!(out, "\r\x1b[2K{:<26} {bar:<25} {percent:>3} %", progress.step);
                let _ = out.flush();
            }
            let _ = write!(stderr(), "\r\x1b[2K");
        });
        Self { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It only draws; had it panicked, the answer would still be right.
            let _ = thread.join();
        }
    }
}
