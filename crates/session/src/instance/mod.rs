//! Single instance: a start with files or links hands them to the window that is already open.
//!
//! The window listens at an endpoint that only its owner can reach: a socket in the folder of the session, or
//! elsewhere a local port whose number and token are in a file. A lock shows that a window listens, and
//! the system releases it when its process ends, so files left by a crash do no harm.

mod assistant_endpoint;
mod message;

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use heaplens_base::threads;
use heaplens_platform::files::require_private_folder;
use heaplens_platform::local_socket::{self, Socket};

pub use heaplens_platform::local_socket::Stream;

pub use self::assistant_endpoint::{AssistantEndpoint, reach_window};

/// Time a start waits for a window to accept its files before opening its own.
const PATIENCE: Duration = Duration::from_millis(200);
/// Time a window listens to one start.
const HEARING: Duration = Duration::from_millis(500);
const TAKEN: &[u8] = b"taken\n";

/// Endpoint shared by starts and windows of one user and display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SingleInstance {
    folder: PathBuf,
    name: String,
}

/// A listening window; dropping it stops listening.
pub struct Listener {
    meeting: SingleInstance,
    ended: Arc<AtomicBool>,
    _lock: File,
}

impl SingleInstance {
    /// Endpoint in the folder of the session, otherwise below `cache`, for windows of the same display.
    pub fn of_session(cache: Option<&Path>) -> Option<Self> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let session = set("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|folder| folder.is_dir());
        let folder = session.map(|folder| folder.join("heaplens")).or_else(|| Some(cache?.join("window")))?;
        let display = set("WAYLAND_DISPLAY").or_else(|| set("DISPLAY")).unwrap_or_default();
        Some(Self::at(folder, &display.to_string_lossy()))
    }

    /// Endpoint in `folder`, for windows of `display`.
    pub fn at(folder: PathBuf, display: &str) -> Self {
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        Self { folder, name: format!("window{}", display.chars().take(40).map(safe).collect::<String>()) }
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.name))
    }

    fn endpoint(&self) -> PathBuf {
        self.file(local_socket::EXTENSION)
    }

    /// Hands files and links to the listening window; true if it accepted them. Waits for a limited time.
    pub fn hand_over(&self, paths: &[PathBuf], links: &[String]) -> bool {
        let absolute = paths.iter().map(std::path::absolute).collect::<io::Result<Vec<PathBuf>>>();
        let is_asked = !(paths.is_empty() && links.is_empty()) && self.folder.is_dir();
        let Some(paths) = absolute.ok().filter(|_| is_asked) else { return false };
        let links = links.to_vec();
        let (sender, answer) = crossbeam_channel::bounded(1);
        let (meeting, given_up) = (self.clone(), Arc::new(AtomicBool::new(false)));
        let theirs = given_up.clone();
        // On a thread of its own: connecting to a hanging window may block.
        let started = threads::start("hand over", move || {
            // The receiver may have given up.
            let _late = sender.send(meeting.ask((&paths, &links), &theirs).is_ok());
        });
        let taken = started.is_ok() && answer.recv_timeout(PATIENCE).unwrap_or(false);
        given_up.store(true, Ordering::Relaxed);
        taken
    }

    fn ask(&self, (paths, links): (&[PathBuf], &[String]), given_up: &AtomicBool) -> io::Result<()> {
        let (mut stream, token) = Socket::connect(&self.endpoint(), PATIENCE)?;
        let line = message::write(&token, paths, links);
        let line = line.ok_or_else(|| io::Error::other("these paths cannot be encoded"))?;
        stream.set_timeout(Some(PATIENCE))?;
        if given_up.load(Ordering::Relaxed) {
            return Err(io::Error::other("too late"));
        }
        stream.write_all(&line)?;
        let mut answer = Vec::new();
        stream.take(TAKEN.len() as u64).read_to_end(&mut answer)?;
        if answer == TAKEN { Ok(()) } else { Err(io::Error::other("refused")) }
    }

    /// Listens, unless another window does; `take` is called with files and links to open, on another thread.
    pub fn listen(&self, take: impl Fn(Vec<PathBuf>, Vec<String>) + Send + 'static) -> Option<Listener> {
        require_private_folder(&self.folder).ok()?;
        let lock = File::options().create(true).truncate(false).write(true).open(self.file("lock")).ok()?;
        lock.try_lock().ok()?;
        // The previous owner of the lock has ended: its endpoint is removed.
        let door = Socket::open(&self.endpoint()).ok()?;
        let ended = Arc::new(AtomicBool::new(false));
        let over = ended.clone();
        let listening = threads::start("other starts", move || {
            while let Ok(stream) = door.accept() {
                if over.load(Ordering::Relaxed) {
                    break;
                }
                // Errors concern the sender only.
                let _refused = hear(stream, door.token(), &take);
            }
        });
        listening.ok()?;
        Some(Listener { meeting: self.clone(), ended, _lock: lock })
    }
}

fn hear(mut stream: Stream, token: &str, take: &impl Fn(Vec<PathBuf>, Vec<String>)) -> io::Result<()> {
    stream.set_timeout(Some(HEARING))?;
    let began = Instant::now();
    let line = message::read_line(&mut stream, HEARING)?;
    match message::read(&line, token) {
        Some((paths, links)) if began.elapsed() < HEARING => {
            stream.write_all(TAKEN)?;
            take(paths, links);
            Ok(())
        }
        _ => stream.write_all(b"refused\n"),
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for connections.
        let _woken = Socket::connect(&self.meeting.endpoint(), PATIENCE);
        let _gone = fs::remove_file(self.meeting.endpoint());
    }
}

#[cfg(test)]
mod tests;
