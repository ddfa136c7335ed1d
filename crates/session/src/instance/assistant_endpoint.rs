//! Where the window serves assistants. It is in the cache folder, not in that of the session: the program that starts
//! an assistant often passes on neither the display nor the folder of the session.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use heaplens_base::threads;
use heaplens_platform::files::require_private_folder;
use heaplens_platform::local_socket::{self, Socket, Stream};

/// Time to connect, and to say the token.
const PATIENCE: Duration = Duration::from_millis(500);
/// Longest token, in bytes.
const TOKEN: usize = 64;

/// Connections, by the order of their begin.
#[derive(Default)]
struct Connections {
    open: BTreeMap<u64, Stream>,
    /// True once nobody is served any more.
    ended: bool,
}

type Served = Arc<Mutex<Connections>>;

/// A window that serves assistants; dropping it ends all of them.
pub struct AssistantEndpoint {
    file: PathBuf,
    served: Served,
    _lock: File,
}

fn endpoint(cache: &Path) -> PathBuf {
    cache.join("assistant").join(local_socket::EXTENSION)
}

/// Connects to the window that serves assistants.
///
/// # Errors
/// If none does.
pub fn reach_window(cache: &Path) -> io::Result<Stream> {
    let (mut stream, token) = Socket::connect(&endpoint(cache), PATIENCE)?;
    stream.write_all(format!("{token}\n").as_bytes())?;
    Ok(stream)
}

impl AssistantEndpoint {
    /// Serves every assistant that connects, each on a thread of its own.
    ///
    /// # Errors
    /// A message if another window does, or the folder below `cache` cannot be used.
    pub fn open(cache: &Path, serve: impl Fn(Stream) + Send + Sync + 'static) -> Result<Self, String> {
        let file = endpoint(cache);
        let folder = file.parent().unwrap_or(cache);
        let described = |error: io::Error| format!("{}: {error}", folder.display());
        require_private_folder(folder).map_err(described)?;
        let lock = File::options().create(true).truncate(false).write(true).open(folder.join("lock"));
        let lock = lock.map_err(described)?;
        lock.try_lock().map_err(|_held| "another window is shared already".to_owned())?;
        let door = Socket::open(&file).map_err(described)?;
        let served = Served::default();
        let (theirs, serve) = (Arc::clone(&served), Arc::new(serve));
        let listening = threads::start("assistants", move || {
            for number in 0.. {
                let Ok(stream) = door.accept() else { break };
                if list(&theirs).ended {
                    break;
                }
                let (token, served, serve) = (door.token().to_owned(), Arc::clone(&theirs), Arc::clone(&serve));
                // A client that says no token blocks nobody else, and errors concern it only.
                let work = move || drop(connected(stream, &token, (number, &served), &*serve));
                let _refused = threads::start("assistant", work);
            }
        });
        listening.map_err(described)?;
        Ok(Self { file, served, _lock: lock })
    }
}

/// Checks the token, and serves the assistant until one of both ends.
fn connected(
    mut stream: Stream,
    token: &str,
    (number, served): (u64, &Served),
    serve: &(impl Fn(Stream) + Send + Sync),
) -> io::Result<()> {
    stream.set_timeout(Some(PATIENCE))?;
    if said_token(&mut stream)? != token.as_bytes() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    stream.set_timeout(None)?;
    let closing = stream.try_clone()?;
    {
        let mut served = list(served);
        if served.ended {
            return Ok(());
        }
        served.open.insert(number, closing);
    }
    serve(stream);
    // The client may wait for more: it sees the end.
    list(served).open.remove(&number).iter().for_each(Stream::close);
    Ok(())
}

/// The token, a line. What follows it belongs to the protocol and is not read.
fn said_token(stream: &mut Stream) -> io::Result<Vec<u8>> {
    let (mut token, mut byte) = (Vec::new(), [0]);
    while token.len() <= TOKEN {
        stream.read_exact(&mut byte)?;
        match byte {
            [b'\n'] => return Ok(token),
            [byte] => token.push(byte),
        }
    }
    Err(io::ErrorKind::InvalidData.into())
}

fn list(served: &Served) -> MutexGuard<'_, Connections> {
    // A panic elsewhere cannot leave the list half-written.
    served.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for AssistantEndpoint {
    fn drop(&mut self) {
        list(&self.served).ended = true;
        // Wakes the thread that waits for connections.
        let _woken = Socket::connect(&self.file, PATIENCE);
        let _gone = fs::remove_file(&self.file);
        list(&self.served).open.values().for_each(Stream::close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assistant_is_served_until_the_endpoint_is_dropped() {
        let cache = tempfile::tempdir().expect("folder");
        assert!(reach_window(cache.path()).is_err(), "nobody serves yet");
        let echo = |mut stream: Stream| {
            let mut bytes = [0; 5];
            while stream.read_exact(&mut bytes).is_ok() && stream.write_all(&bytes).is_ok() {}
        };
        let endpoint = AssistantEndpoint::open(cache.path(), echo).expect("endpoint");
        assert!(AssistantEndpoint::open(cache.path(), |_| {}).is_err(), "one window at a time");
        let mut streams = [(); 2].map(|()| reach_window(cache.path()).expect("served"));
        for stream in &mut streams {
            stream.write_all(b"hello").expect("written");
            let mut answer = [0; 5];
            stream.read_exact(&mut answer).expect("answer");
            assert_eq!(&answer, b"hello");
        }
        drop(endpoint);
        for stream in &mut streams {
            assert_eq!(stream.read(&mut [0; 5]).unwrap_or(0), 0, "the window ends the connection");
        }
        assert!(reach_window(cache.path()).is_err());
        AssistantEndpoint::open(cache.path(), |_| {}).expect("can be opened again");
    }
}
