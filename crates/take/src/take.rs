//! Takes the dump of a target.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use heaplens_base::{Bytes, Task, Unit};
use heaplens_process::{ProcessRecord, RecordKind};

use crate::destination::Destination;
use crate::inspector::{choose, start_inspector, take_snapshot};
use crate::jvm::{JvmConnection, estimated_size, take_jvm};
use crate::machine::Machine;
use crate::options::{Gzip, TakeOptions};
use crate::process::{Process, ProcessKind, find_inspector, process, processes};
use crate::record::{RecordFile, Recording, record_jvm, record_kernel, record_script, write_beside};
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
    /// The record of the process beside the dump.
    pub record: Option<RecordFile>,
    /// Why there is none, though it was wanted: the dump is complete nevertheless.
    pub record_failure: Option<String>,
}

/// A complete dump.
struct Dump {
    path: PathBuf,
    /// What the process used right before.
    record: Option<ProcessRecord>,
    stays: Option<String>,
}

/// Takes a dump of `target`, and records the process beside it unless the options leave that out. `output` is the file, or a folder in which it gets a name made of the process and the time.
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
    let Dump { path, record, stays } = match target {
        Target::Pid(pid) => local(machine, *pid, options, &destination_for, task)?,
        Target::Name(name) => local(machine, named(machine, name)?.pid, options, &destination_for, task)?,
        Target::Inspector { address: at, id } => {
            let target = choose(at, id.as_deref())?;
            let destination = destination_for(title(&target.title), "heapsnapshot")?;
            let record = options.is_recorded().then(|| {
                task.step("Recording process", Unit::Bytes, 0);
                let mut recording = Recording::begin(RecordKind::JavaScript, None);
                record_script(&target, recording.record(), task);
                // The title of a page may be anything; that of a program is its script.
                if recording.record().runtime.is_some() {
                    recording.name(title(&target.title));
                }
                // The number that it tells is one of this machine only if it listens here.
                if let Some(pid) = recording.record().pid.filter(|&pid| listens(machine, pid, at)) {
                    record_kernel(machine, pid, recording.record());
                }
                recording.end()
            });
            take_snapshot(&target, &destination, false, task)?;
            Dump { path: destination.path().to_owned(), record, stays: None }
        }
        Target::Android { serial, process } => {
            let destination = destination_for(process, "hprof")?;
            let record = adb::take_android(serial.as_deref(), process, options, &destination, task)?;
            Dump { path: destination.path().to_owned(), record, stays: None }
        }
        Target::Remote(at) => {
            let (path, stays, record) = remote::take_remote(at, options, &destination_for, task)?;
            Dump { path, record, stays }
        }
    };
    let size = std::fs::metadata(&path).map_err(|error| TakeError::file(&path, error))?.len();
    let mut taken =
        Taken { path, size: Bytes(size), elapsed: since.elapsed(), stays, record: None, record_failure: None };
    match record.map(|record| write_beside(&record, &taken.path)) {
        Some(Ok(file)) => taken.record = Some(file),
        Some(Err(why)) => taken.record_failure = Some(why),
        None => {}
    }
    Ok(taken)
}

/// True if the process `pid` of this machine waits for connections at `authority`, `host:port`.
fn listens(machine: &Machine, pid: u32, authority: &str) -> bool {
    let port = authority.rsplit(':').next().and_then(|port| port.parse::<u16>().ok());
    port.is_some_and(|port| machine.shares_network(pid) && machine.listening_ports(pid).contains(&port))
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
) -> Result<Dump, TakeError> {
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
    let record = options.is_recorded().then(|| {
        task.step("Recording process", Unit::Bytes, 0);
        let mut recording = Recording::begin(RecordKind::Jvm, Some(pid));
        recording.name(&name);
        record_kernel(machine, pid, recording.record());
        record_jvm(&jvm, recording.record(), task);
        recording.end()
    });
    let path = take_jvm(&jvm, options, &destination, task)?;
    Ok(Dump { path, record, stays: None })
}

fn local_script(
    machine: &Machine,
    process: &Process,
    options: &TakeOptions,
    destination_for: &dyn Fn(&str, &str) -> Result<Destination, TakeError>,
    task: &Task,
) -> Result<Dump, TakeError> {
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
    let target = choose(&at, None)?;
    let record = options.is_recorded().then(|| {
        task.step("Recording process", Unit::Bytes, 0);
        let mut recording = Recording::begin(RecordKind::JavaScript, Some(pid));
        recording.name(&process.name);
        record_kernel(machine, pid, recording.record());
        record_script(&target, recording.record(), task);
        recording.end()
    });
    take_snapshot(&target, &destination, running.is_none(), task)?;
    Ok(Dump { path: destination.path().to_owned(), record, stays: None })
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
