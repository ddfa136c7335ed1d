//! Where the window serves assistants. It is in the cache folder, not in that of the session: the program that starts
//! an assistant often passes on neither the display nor the folder of the session.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::socket::{self, Socket, Stream};

/// Time to connect, and to say the token.
const PATIENCE: Duration = Duration::from_millis(500);
/// Longest token, in bytes.
const TOKEN: usize = 64;

/// Connections by the order of their begin.
type Served = Arc<Mutex<BTreeMap<u64, Stream>>>;

/// A window that serves assistants; dropping it ends all of them.
pub struct AssistantEndpoint {
    file: PathBuf,
    ended: Arc<AtomicBool>,
    served: Served,
    _lock: File,
}

fn endpoint(cache: &Path) -> PathBuf {
    cache.join("assistant").join(socket::ENDING)
}

/// Connects to the window that serves assistants.
///
/// # Errors
/// If none does.
pub fn reach_window(cache: &Path) -> io::Result<Stream> {
    let (mut stream, token) = Socket::knock(&endpoint(cache), PATIENCE)?;
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
        socket::private_folder(folder).map_err(described)?;
        let lock = File::options().create(true).truncate(false).write(true).open(folder.join("lock"));
        let lock = lock.map_err(described)?;
        lock.try_lock().map_err(|_held| "another window is shared already".to_owned())?;
        let door = Socket::open(&file).map_err(described)?;
        let (ended, served) = (Arc::new(AtomicBool::new(false)), Served::default());
        let (over, streams, serve) = (Arc::clone(&ended), Arc::clone(&served), Arc::new(serve));
        let listening = std::thread::Builder::new().name("assistants".to_owned()).spawn(move || {
            for number in 0.. {
                let Ok(stream) = door.accept() else { break };
                if over.load(Ordering::Relaxed) {
                    break;
                }
                // Errors concern the assistant only.
                let _refused = begin(stream, &door.token, (number, &streams), &serve);
            }
        });
        listening.map_err(described)?;
        Ok(Self { file, ended, served, _lock: lock })
    }
}

/// Checks the token, and serves the assistant on a thread of its own.
fn begin<F: Fn(Stream) + Send + Sync + 'static>(
    mut stream: Stream,
    token: &str,
    (number, served): (u64, &Served),
    serve: &Arc<F>,
) -> io::Result<()> {
    stream.patience(Some(PATIENCE))?;
    if said_token(&mut stream)? != token.as_bytes() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    stream.patience(None)?;
    let closing = stream.try_clone()?;
    list(served).insert(number, closing);
    let (serve, served) = (Arc::clone(serve), Arc::clone(served));
    let work = move || {
        serve(stream);
        list(&served).remove(&number);
    };
    std::thread::Builder::new().name("assistant".to_owned()).spawn(work).map(drop)
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

fn list(served: &Served) -> MutexGuard<'_, BTreeMap<u64, Stream>> {
    // A panic elsewhere cannot leave the list half-written.
    served.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for AssistantEndpoint {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for connections.
        let _woken = Socket::knock(&self.file, PATIENCE);
        let _gone = fs::remove_file(&self.file);
        list(&self.served).values().for_each(Stream::close);
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
