//! Takes the dump of a target.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use heaplens_base::{Bytes, Task};

use crate::destination::Destination;
use crate::inspector::{choose, start_inspector, take_snapshot};
use crate::jvm::{JvmConnection, estimated_size, take_jvm};
use crate::machine::Machine;
use crate::options::{Gzip, TakeOptions};
use crate::process::{Process, ProcessKind, find_inspector, process, processes};
use crate::{TakeError, Target, adb, remote};

/// Bytes that a JVM writes in a second, at the slow end of what was measured (`benches/runs/`).
const WRITTEN_PER_SECOND: u64 = 300 << 20;
/// Bytes of heap that V8 describes in a second.
const DESCRIBED_PER_SECOND: u64 = 30 << 20;

/// A dump that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// The file.
    pub path: PathBuf,
    /// Its size.
    pub size: Bytes,
    /// Time from the first question to the finished file.
    pub elapsed: Duration,
    /// Where the dump stays on the other machine, if only its analysis was brought here.
    pub stays: Option<String>,
}

/// Takes a dump of `target`. `output` is the file, or a folder in which it gets a name made of the process and the time.
///
/// # Errors
/// A sentence; then no file is left behind.
pub fn take(
    machine: &Machine,
    target: &Target,
    options: &TakeOptions,
    output: &Path,
    task: &Task,
) -> Result<Taken, TakeError> {
    let since = Instant::now();
    let destination_for = |name: &str, extension: &str| {
        if output.is_dir() {
            Destination::named(output, name, extension, SystemTime::now())
        } else {
            Destination::new(output)
        }
    };
    let mut stays = None;
    let path = match target {
        Target::Pid(pid) => local(machine, *pid, options, &destination_for, task)?,
        Target::Name(name) => local(machine, named(machine, name)?.pid, options, &destination_for, task)?,
        Target::Inspector { address: at, id } => {
            let target = choose(at, id.as_deref())?;
            let destination = destination_for(title(&target.title), "heapsnapshot")?;
            take_snapshot(&target, &destination, false, task)?;
            destination.path().to_owned()
        }
        Target::Android { serial, process } => {
            let destination = destination_for(process, "hprof")?;
            adb::take_android(serial.as_deref(), process, options, &destination, task)?;
            destination.path().to_owned()
        }
        Target::Remote(at) => {
            let path;
            (path, stays) = remote::take_remote(at, options, &destination_for, task)?;
            path
        }
    };
    let size = std::fs::metadata(&path).map_err(|error| TakeError::file(&path, error))?.len();
    Ok(Taken { path, size: Bytes(size), elapsed: since.elapsed(), stays })
}

/// Last part of the title of a page or script.
fn title(title: &str) -> &str {
    title.rsplit('/').find(|part| !part.is_empty()).unwrap_or("page")
}

/// The only process whose name contains `name`.
pub(crate) fn named(machine: &Machine, name: &str) -> Result<Process, TakeError> {
    let mut matching = processes(machine);
    matching.retain(|process| process.name.contains(name));
    match matching.len() {
        1 => Ok(matching.remove(0)),
        0 => Err(TakeError::Refused(format!("no process named '{name}'; 'heaplens take' lists them"))),
        _ => {
            let names: Vec<String> =
                matching.iter().map(|process| format!("{} {}", process.pid, process.name)).collect();
            Err(TakeError::Refused(format!("several processes are named '{name}': {}", names.join(", "))))
        }
    }
}

fn local(
    machine: &Machine,
    pid: u32,
    options: &TakeOptions,
    destination_for: &dyn Fn(&str, &str) -> Result<Destination, TakeError>,
    task: &Task,
) -> Result<PathBuf, TakeError> {
    if machine.status(pid).is_err() {
        return Err(TakeError::NoProcess(pid));
    }
    let running = process(machine, pid);
    if let Some(process) = running.as_ref().filter(|process| process.kind == ProcessKind::JavaScript) {
        return local_script(machine, process, options, destination_for, task);
    }
    let name = running.map_or_else(|| machine.program(pid), |process| process.name);
    let destination = destination_for(&name, if options.gzip.is_packed() { "hprof.gz" } else { "hprof" })?;
    let jvm = JvmConnection::open(machine, pid, task)?;
    take_jvm(&jvm, options, &destination, task)
}

fn local_script(
    machine: &Machine,
    process: &Process,
    options: &TakeOptions,
    destination_for: &dyn Fn(&str, &str) -> Result<Destination, TakeError>,
    task: &Task,
) -> Result<PathBuf, TakeError> {
    let pid = process.pid;
    if !process.is_permitted {
        return Err(TakeError::NoPermission { pid, user: process.user });
    }
    if !machine.shares_network(pid) {
        let why = "is in a container with a network of its own: use docker://NAME or kubectl://NAMESPACE/POD";
        return Err(TakeError::Refused(format!("process {pid} {why}")));
    }
    let destination = destination_for(&process.name, "heapsnapshot")?;
    let running = find_inspector(machine, pid);
    let at = match &running {
        Some(at) => at.clone(),
        None if options.may_start_inspector => start_inspector(machine, pid, task)?,
        None => return Err(TakeError::NotSupported { pid, program: machine.program(pid) }),
    };
    take_snapshot(&choose(&at, None)?, &destination, running.is_none(), task)?;
    Ok(destination.path().to_owned())
}

/// What taking a dump does to a process, in a sentence for a person who decides.
pub fn effect_of(process: &Process, options: &TakeOptions) -> String {
    let seconds = |bytes: u64, speed: u64| bytes.div_ceil(speed).max(1);
    match process.kind {
        ProcessKind::JavaScript => {
            let memory = process.heap_used.unwrap_or(process.resident);
            let seconds = seconds(memory.0, DESCRIBED_PER_SECOND);
            format!("{} stops for about {seconds} s, collects garbage, and needs memory for the snapshot", process.name)
        }
        ProcessKind::Jvm | ProcessKind::OpenJ9 => {
            let size = estimated_size(process.heap_used.map(|used| used.0), process.resident.0, Gzip::default());
            let seconds = seconds(size.0, WRITTEN_PER_SECOND);
            let collects = if options.is_all { "" } else { ", and collects garbage first" };
            format!("{} stops for about {seconds} s while {size} or less are written{collects}", process.name)
        }
    }
}
