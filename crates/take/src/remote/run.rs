//! A program whose output is read while the task can be cancelled.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use heaplens_base::Task;

use crate::TakeError;
use crate::record::LINE;
use heaplens_platform::processes::interrupt;

/// Bytes read at once.
const BLOCK: usize = 1 << 20;
/// Blocks that may wait to be written.
const WAITING: usize = 4;
/// Time between two looks at the task.
const LOOK: Duration = Duration::from_millis(200);
/// Bytes of messages that are kept.
const MESSAGES: u64 = 256 << 10;

/// A running program; ended on drop.
pub(super) struct Running {
    child: Child,
    blocks: Receiver<io::Result<Vec<u8>>>,
    messages: Option<JoinHandle<String>>,
}

impl Running {
    /// Starts a program, which reads `script` from its standard input.
    pub(super) fn start(mut command: Command, script: &str) -> Result<Self, TakeError> {
        let name = command.get_program().to_string_lossy().into_owned();
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => TakeError::Refused(format!("{name} is not installed")),
            _ => TakeError::Refused(format!("cannot run {name}: {error}")),
        };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (send, blocks) = sync_channel(WAITING);
        let script = script.to_owned();
        thread::spawn(move || {
            // Ignored: a program that ended says why on its own.
            let _ended = input.map(|mut input| input.write_all(script.as_bytes()));
        });
        thread::spawn(move || {
            let Some(mut output) = output else { return };
            loop {
                let mut block = vec![0; BLOCK];
                let sent = match output.read(&mut block) {
                    Ok(0) => return,
                    Ok(read) => {
                        block.truncate(read);
                        send.send(Ok(block))
                    }
                    Err(error) => send.send(Err(error)),
                };
                if sent.is_err() {
                    return;
                }
            }
        });
        let messages = thread::spawn(move || {
            let mut text = Vec::new();
            let Some(mut errors) = errors else { return String::new() };
            let _broken = errors.by_ref().take(MESSAGES).read_to_end(&mut text);
            // The rest is read, too, so that the program does not wait.
            let _rest = io::copy(&mut errors, &mut io::sink());
            String::from_utf8_lossy(&text).into_owned()
        });
        Ok(Self { child, blocks, messages: Some(messages) })
    }

    /// Next bytes of its output; `None` at the end.
    pub(super) fn next_block(&mut self, task: &Task) -> Result<Option<Vec<u8>>, TakeError> {
        loop {
            task.checkpoint()?;
            match self.blocks.recv_timeout(LOOK) {
                Ok(Ok(block)) => return Ok(Some(block)),
                Ok(Err(error)) => return Err(TakeError::Refused(format!("the dump cannot be read: {error}"))),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    /// Waits for the end and returns its messages; an error with the last line of them if it failed.
    pub(super) fn end(&mut self, source: &str) -> Result<String, TakeError> {
        let status = self.child.wait().map_err(|error| TakeError::Refused(format!("{source}: {error}")))?;
        let messages = self.messages.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        if status.success() {
            return Ok(messages);
        }
        let mut lines = messages.lines().rev().map(str::trim);
        let last = lines.find(|line| !line.is_empty() && !line.starts_with(LINE));
        Err(TakeError::Refused(match last {
            Some(line) => format!("{source}: {line}"),
            None => format!("{source}: ended with {status}"),
        }))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            interrupt(&self.child);
            thread::sleep(LOOK);
            // Ignored: it may have ended meanwhile.
            let _killed = self.child.kill();
            let _ended = self.child.wait();
        }
    }
}
