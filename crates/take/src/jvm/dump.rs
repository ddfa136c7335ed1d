//! The dump of a JVM, which the JVM writes itself.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use heaplens_base::{Bytes, Task, Unit};

use super::{JvmConnection, read_counters};
use crate::TakeError;
use crate::destination::{Destination, Space};
use crate::options::{Gzip, TakeOptions};
use crate::stream::copy;
use heaplens_platform::files::TemporaryPath;
use heaplens_platform::processes::{effective_user, open_inside, set_owner};

/// Time between two looks at the size of the file.
const LOOK: Duration = Duration::from_millis(200);
/// Room for classes and their constants, in bytes.
const CLASSES: u64 = 32 << 20;
/// Longest answer to a dump command in bytes: a few lines.
const LIMIT: usize = 64 << 10;
/// What HotSpot says at the end of every complete dump (`heapDumper.cpp`).
const COMPLETE: &str = "Heap dump file created";

/// Estimated size of the dump of a JVM. Without counters, the resident memory bounds it.
pub(crate) fn estimated_size(used: Option<u64>, resident: u64, gzip: Gzip) -> Bytes {
    let heap = used.unwrap_or(resident);
    let plain = heap.saturating_add(heap / 10).saturating_add(CLASSES);
    // Heaps shrink to a third or less; a heap of random bytes does not.
    Bytes(if gzip.is_packed() { plain / 3 * 2 } else { plain })
}

/// Writes the dump of a JVM; returns the path of the file.
pub(crate) fn take_jvm(
    jvm: &JvmConnection,
    options: &TakeOptions,
    destination: &Destination,
    task: &Task,
) -> Result<PathBuf, TakeError> {
    let used = read_counters(&jvm.root(), jvm.inner_pid()).and_then(|counters| counters.heap_used);
    let needed = estimated_size(used, jvm.status().resident, options.gzip);
    destination.check_space(needed)?;
    task.step("Writing dump", Unit::Bytes, needed.0);
    let folder = destination.unfinished_folder()?;
    let is_foreign = jvm.status().user != effective_user();
    if jvm.machine().shares_files(jvm.pid()) {
        let given = is_foreign.then(|| set_owner(folder.path(), jvm.status().user));
        let path = std::path::absolute(folder.path().join("dump")).map_err(|e| TakeError::file(folder.path(), e))?;
        let written = if matches!(given, Some(Err(_))) { Ok(None) } else { write(jvm, options, &path, &path, task) };
        if let Some(answer) = written? {
            return finish(to_remove(&path)?, &answer, destination);
        }
        // The JVM's user cannot reach the folder: its own temporary folder is left.
    }
    let name = folder.path().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let inside = PathBuf::from(format!("/tmp/{name}.hprof"));
    let outside = jvm.root().join(inside.strip_prefix("/").unwrap_or(&inside));
    Space::of(&jvm.root().join("tmp"))?.check(needed)?;
    let abandoned = to_remove(&outside)?;
    let answer = write(jvm, options, &inside, &outside, task)?;
    let answer = answer.ok_or_else(|| TakeError::Refused(format!("process {} cannot write to its /tmp", jvm.pid())))?;
    // Copied, as the folder of a container is another disk.
    let mut source = open_inside(&jvm.root(), &inside).map_err(|error| TakeError::file(&outside, error))?;
    let size = source.metadata().map_err(|error| TakeError::file(&outside, error))?.len();
    destination.check_space(Bytes(size))?;
    task.step("Copying dump", Unit::Bytes, size);
    let mut unfinished = destination.unfinished()?;
    let copied = copy(&mut source, unfinished.file_mut(), destination.folder(), task)?;
    copied.check_length(size).map_err(TakeError::Refused)?;
    drop(abandoned);
    finish(unfinished.into_path(), &answer, destination)
}

/// Has the JVM write a dump to `path`, which is `outside` for us. Returns what it said, `None` if it could not create
/// the file.
fn write(
    jvm: &JvmConnection,
    options: &TakeOptions,
    path: &Path,
    outside: &Path,
    task: &Task,
) -> Result<Option<String>, TakeError> {
    let path = path.to_str().ok_or_else(|| TakeError::Refused("the folder's name is not UTF-8".to_owned()))?;
    let kind = if options.is_all { "-all" } else { "-live" };
    let level = options.gzip.level();
    let mut socket = jvm.send("dumpheap", [path, kind, &level])?;
    socket.set_read_timeout(Some(LOOK)).map_err(|error| jvm.connection_lost(&error))?;
    let (mut answer, mut block, mut seen) = (Vec::new(), [0; 4096], 0);
    loop {
        match socket.read(&mut block) {
            Ok(0) => break,
            Ok(read) if answer.len() < LIMIT => answer.extend_from_slice(&block[..read]),
            Ok(_) => {}
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(jvm.connection_lost(&error)),
        }
        let size = fs::symlink_metadata(outside).map_or(seen, |meta| meta.len());
        task.advance(size.saturating_sub(seen));
        seen = seen.max(size);
        // The JVM cannot be stopped; the space returns when it is done, as the file has no name any more.
        if task.is_cancelled() {
            let _gone = fs::remove_file(outside);
            return Err(TakeError::Cancelled);
        }
    }
    let reply = jvm.checked(&answer)?;
    if fs::symlink_metadata(outside).is_err() {
        return Ok(None);
    }
    Ok(Some(reply))
}

/// A file that is removed on drop.
fn to_remove(path: &Path) -> Result<TemporaryPath, TakeError> {
    TemporaryPath::new(path).map_err(|error| TakeError::file(path, error))
}

/// Names a dump that the JVM wrote, after its contents: old machines ignore the level of compression.
fn finish(file: TemporaryPath, answer: &str, destination: &Destination) -> Result<PathBuf, TakeError> {
    if !answer.contains(COMPLETE) {
        let why = answer.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no reason given").trim();
        return Err(TakeError::Refused(format!("the dump is incomplete: {why}")));
    }
    let mut head = [0; 2];
    let opened = fs::File::open(&file).and_then(|mut opened| opened.read_exact(&mut head));
    opened.map_err(|error| TakeError::file(destination.path(), error))?;
    let is_packed = head == [0x1f, 0x8b];
    let is_named_packed = destination.path().extension().is_some_and(|extension| extension == "gz");
    let destination = match (is_packed, is_named_packed) {
        (false, true) => destination.with_extension(""),
        _ => destination.clone(),
    };
    // A file of another user becomes ours; without root it is ours already.
    let _ours = set_owner(file.as_ref(), effective_user());
    destination.finish(file)?;
    Ok(destination.path().to_owned())
}
