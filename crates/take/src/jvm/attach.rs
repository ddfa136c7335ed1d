//! HotSpot's attach protocol: a JVM opens a socket when it is asked to, and answers one command per connection.
//!
//! Source of the rules: `attachListener_posix.cpp` and `VirtualMachineImpl.java` of OpenJDK. A file `.attach_pidN` in the
//! working folder or `/tmp` of the process and SIGQUIT open the socket `/tmp/.java_pidN`, N being the number of the
//! process in its own namespace. A command is the version `1`, its name and three arguments, each ended by a zero byte;
//! the answer is a line with the result, 0 for success, and text.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use heaplens_base::Task;

use crate::TakeError;
use crate::machine::{Machine, Status};
use heaplens_platform::processes::{LocalSocket, connect, effective_user, send_quit};

/// Time that a JVM has to open its socket: it does so at its next safepoint.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(20);
/// Time that a JVM has to answer a diagnostic command.
const ANSWER: Duration = Duration::from_secs(5);
/// Longest answer to a diagnostic command in bytes.
const ANSWER_LIMIT: usize = 4 << 20;
/// Time between two looks at the task while an answer arrives.
const LOOK: Duration = Duration::from_millis(100);
/// Bit of SIGQUIT in the mask of signals with a handler.
const QUIT: u64 = 1 << 2;

/// A JVM that answers commands.
#[derive(Debug, Clone)]
pub struct JvmConnection {
    machine: Machine,
    pid: u32,
    socket: PathBuf,
    status: Status,
}

impl JvmConnection {
    /// Reaches the JVM with the number `pid`, which opens its socket if no program has attached before.
    ///
    /// # Errors
    /// If there is no such process, it is no JVM, this user may not attach, or it does not answer.
    pub fn open(machine: &Machine, pid: u32, task: &Task) -> Result<Self, TakeError> {
        let status = machine.status(pid).map_err(|_gone| TakeError::NoProcess(pid))?;
        let no_permission = TakeError::NoPermission { pid, user: status.user };
        let ours = effective_user();
        if ours != 0 && ours != status.user {
            return Err(no_permission);
        }
        match machine.has_mapped(pid, "libjvm") {
            Ok(true) => {}
            Ok(false) if machine.has_mapped(pid, "libj9vm").unwrap_or(false) => {
                return Err(TakeError::Refused(format!(
                    "process {pid} is an OpenJ9 JVM, which has another attach protocol: run 'jcmd {pid} Dump.heap'"
                )));
            }
            Ok(false) => return Err(TakeError::NotSupported { pid, program: machine.program(pid) }),
            Err(_) if !machine.is_alive(pid) => return Err(TakeError::NoProcess(pid)),
            Err(_) => return Err(no_permission),
        }
        let socket = machine.root(pid).join(format!("tmp/.java_pid{}", status.inner_pid));
        let jvm = Self { machine: machine.clone(), pid, socket, status };
        jvm.wake(task)?;
        Ok(jvm)
    }

    /// Makes the JVM open its socket.
    fn wake(&self, task: &Task) -> Result<(), TakeError> {
        if connect(&self.socket).is_ok() {
            return Ok(());
        }
        // Without a handler the signal would end the process.
        if self.status.caught & QUIT == 0 {
            return Err(TakeError::Refused(format!(
                "process {} ignores the attach signal (-Xrs, or it is starting): start it without -Xrs",
                self.pid
            )));
        }
        let request = self.request()?;
        let ended = self.signal_and_wait(task);
        // The JVM removes it, too.
        let _gone = fs::remove_file(request);
        ended
    }

    /// Creates the file that tells the JVM why it gets the signal.
    fn request(&self) -> Result<PathBuf, TakeError> {
        let name = format!(".attach_pid{}", self.status.inner_pid);
        let beside_work = self.machine.folder(self.pid).join("cwd").join(&name);
        let beside_socket = self.machine.root(self.pid).join("tmp").join(&name);
        // Never through a link that another user left there. One that exists was left by a program that was ended.
        let create = |path: &Path| match File::create_new(path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => Ok(()),
        };
        if create(&beside_work).is_ok() {
            return Ok(beside_work);
        }
        create(&beside_socket).map_err(|error| TakeError::file(&beside_socket, error))?;
        Ok(beside_socket)
    }

    fn signal_and_wait(&self, task: &Task) -> Result<(), TakeError> {
        let no_permission = TakeError::NoPermission { pid: self.pid, user: self.status.user };
        send_quit(self.pid).map_err(|_refused| no_permission)?;
        let since = Instant::now();
        while connect(&self.socket).is_err() {
            task.checkpoint()?;
            if !self.machine.is_alive(self.pid) {
                return Err(TakeError::Ended("before it answered".to_owned()));
            }
            if since.elapsed() > PATIENCE {
                return Err(TakeError::Refused(format!(
                    "process {} did not open its attach socket within {} seconds: it may be stopped, out of memory, or \
                     started with -XX:+DisableAttachMechanism",
                    self.pid,
                    PATIENCE.as_secs()
                )));
            }
            sleep(PAUSE);
        }
        Ok(())
    }

    /// Sends a command; its answer is read from the result.
    pub(super) fn send(&self, command: &str, arguments: [&str; 3]) -> Result<LocalSocket, TakeError> {
        let mut socket = connect(&self.socket).map_err(|error| self.connection_lost(&error))?;
        let mut message = Vec::new();
        for word in ["1", command].into_iter().chain(arguments) {
            message.extend(word.as_bytes());
            message.push(0);
        }
        socket.write_all(&message).map_err(|error| self.connection_lost(&error))?;
        Ok(socket)
    }

    /// Sends a command and returns the text of its answer, at most `limit` bytes of it.
    pub(super) fn ask(&self, command: &str, arguments: [&str; 3], limit: u64) -> Result<String, TakeError> {
        let socket = self.send(command, arguments)?;
        let mut answer = Vec::new();
        socket.take(limit).read_to_end(&mut answer).map_err(|error| self.connection_lost(&error))?;
        self.checked(&answer)
    }

    /// Answer to a diagnostic command, as `jcmd` asks it: `GC.heap_info`. The JVM has [`ANSWER`] for it.
    ///
    /// # Errors
    /// If the process ends, refuses or does not answer, or the task is cancelled.
    pub(crate) fn diagnose(&self, command: &str, task: &Task) -> Result<String, TakeError> {
        let mut socket = self.send("jcmd", [command, "", ""])?;
        socket.set_read_timeout(Some(LOOK)).map_err(|error| self.connection_lost(&error))?;
        let (since, mut answer, mut block) = (Instant::now(), Vec::new(), [0; 16 << 10]);
        loop {
            match socket.read(&mut block) {
                Ok(0) => return self.checked(&answer),
                Ok(read) if answer.len() < ANSWER_LIMIT => answer.extend_from_slice(&block[..read]),
                Ok(_) => return Err(TakeError::Refused(format!("the answer to {command} does not end"))),
                Err(error) if is_early(error.kind()) && since.elapsed() < ANSWER => task.checkpoint()?,
                Err(error) if is_early(error.kind()) => {
                    let seconds = ANSWER.as_secs();
                    return Err(TakeError::Refused(format!("it did not answer {command} within {seconds} seconds")));
                }
                Err(error) => return Err(self.connection_lost(&error)),
            }
        }
    }

    /// Text of an answer without its first line, which says whether the command succeeded.
    pub(super) fn checked(&self, answer: &[u8]) -> Result<String, TakeError> {
        let answer = String::from_utf8_lossy(answer);
        let Some((result, text)) = answer.split_once('\n') else {
            return Err(self.connection_lost(&io::ErrorKind::UnexpectedEof.into()));
        };
        if result.trim() == "0" {
            return Ok(text.to_owned());
        }
        let why = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("no reason given").trim();
        Err(TakeError::Refused(format!("process {} refused: {why}", self.pid)))
    }

    /// Why a connection broke.
    pub(super) fn connection_lost(&self, error: &io::Error) -> TakeError {
        if self.machine.is_alive(self.pid) {
            let user = self.status.user;
            // Machines before JDK 9 answer only their own user, not root.
            let advice =
                if user == effective_user() { String::new() } else { format!("; run heaplens as user {user}") };
            TakeError::Refused(format!("process {} closed the connection ({error}){advice}", self.pid))
        } else {
            TakeError::Ended("before its answer was complete".to_owned())
        }
    }

    /// Number of the process.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    pub(super) fn machine(&self) -> &Machine {
        &self.machine
    }

    pub(super) fn status(&self) -> &Status {
        &self.status
    }

    /// Number of the process in its own namespace.
    pub(crate) fn inner_pid(&self) -> u32 {
        self.status.inner_pid
    }

    /// Root folder of the process.
    pub(crate) fn root(&self) -> PathBuf {
        self.machine.root(self.pid)
    }
}

/// True if a read ended only because it is time to look at the task.
fn is_early(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}
