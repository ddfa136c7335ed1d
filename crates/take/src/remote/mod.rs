//! Processes in containers, pods and on other machines, by the programs that lead there.
//!
//! One shell script is run there ([`script`]): it has the process write its dump to a temporary file, sends that file, and
//! removes it. Here it becomes the dump without a second copy.

mod run;
mod script;

use std::fmt;
use std::path::PathBuf;
use std::process::Command;

use heaplens_base::{Task, Unit};
use heaplens_process::{ProcessRecord, RecordKind};

use self::run::Running;
use self::script::{LENGTH, STAYS, dump_script};
use crate::TakeError;
use crate::destination::Destination;
use crate::options::TakeOptions;
use crate::record::{Recording, record_remote};
use crate::stream::Writer;

/// A place that programs of this machine lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemoteHost {
    /// A pod, by `kubectl`.
    Kubernetes {
        /// Namespace.
        namespace: String,
        /// Name of the pod.
        pod: String,
        /// Container; `None` for the pod's default.
        container: Option<String>,
    },
    /// A container, by `docker` or `podman`.
    Container {
        /// Which of the two.
        program: String,
        /// Name or identifier of the container.
        name: String,
    },
    /// A machine, by `ssh`.
    Ssh {
        /// Host, with the user before `@` if needed.
        host: String,
    },
}

/// A process at such a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemotePlace {
    /// Where it is.
    pub host: RemoteHost,
    /// Its number there; `None` for the only JVM.
    pub pid: Option<u32>,
}

impl RemoteHost {
    /// The program that runs a script there, which it reads from standard input.
    fn shell(&self) -> Command {
        let mut command;
        match self {
            Self::Kubernetes { namespace, pod, container } => {
                command = Command::new("kubectl");
                command.args(["exec", "-i", "-n", namespace, pod]);
                if let Some(container) = container {
                    command.args(["-c", container]);
                }
                command.args(["--", "sh", "-s"]);
            }
            Self::Container { program, name } => {
                command = Command::new(program);
                command.args(["exec", "-i", name, "sh", "-s"]);
            }
            Self::Ssh { host } => {
                command = Command::new("ssh");
                // A question for a password could not be answered: standard input is the script.
                command.args(["-o", "BatchMode=yes", "-T", host, "sh", "-s"]);
            }
        }
        command
    }

    /// Name for a file.
    fn name(&self) -> &str {
        match self {
            Self::Kubernetes { pod, .. } => pod,
            Self::Container { name, .. } => name,
            Self::Ssh { host } => host.rsplit('@').next().unwrap_or(host),
        }
    }
}

impl fmt::Display for RemotePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            RemoteHost::Kubernetes { namespace, pod, container } => {
                write!(f, "kubectl://{namespace}/{pod}")?;
                if let Some(container) = container {
                    write!(f, "/{container}")?;
                }
            }
            RemoteHost::Container { program, name } => write!(f, "{program}://{name}")?,
            RemoteHost::Ssh { host } => write!(f, "ssh://{host}")?,
        }
        self.pid.map_or(Ok(()), |pid| write!(f, "/{pid}"))
    }
}

/// Takes the dump of a process there, or only its stored analysis: then also returns where the dump stays. The last is what
/// the process used right before.
pub(crate) fn take_remote(
    at: &RemotePlace,
    options: &TakeOptions,
    destination_for: &dyn Fn(&str, &str) -> Result<Destination, TakeError>,
    task: &Task,
) -> Result<(PathBuf, Option<String>, Option<ProcessRecord>), TakeError> {
    // Its format is known only when it arrives; this finds out before the process is disturbed that nothing can be written.
    let first = destination_for(at.host.name(), "dump")?;
    first.check_space(heaplens_base::Bytes(0))?;
    task.step("Waiting for dump", Unit::Bytes, 0);
    let recording = options.is_recorded().then(|| Recording::begin(RecordKind::Jvm, at.pid));
    let mut running = Running::start(at.host.shell(), &dump_script(at.pid, options))?;
    let mut unfinished = first.unfinished()?;
    let mut is_first = true;
    let mut writer = Writer::new(unfinished.file_mut(), first.folder(), task);
    while let Some(block) = running.next_block(task)? {
        if is_first {
            task.step("Receiving dump", Unit::Bytes, 0);
            is_first = false;
        }
        writer.write(&block)?;
    }
    let arrived = writer.finish()?;
    let messages = running.end(&at.to_string())?;
    let refused = |why: String| TakeError::Refused(format!("{at}: {why}"));
    let message = |begin: &str| messages.lines().find_map(|line| line.trim().strip_prefix(begin)).map(str::to_owned);
    let announced = message(LENGTH).and_then(|length| length.trim().parse().ok());
    arrived.end(announced).map_err(refused)?;
    if announced.is_none() {
        return Err(refused("its shell did not run to the end, so the dump may be incomplete".to_owned()));
    }
    let destination = destination_for(at.host.name(), extension(arrived.head(), options))?;
    destination.finish(unfinished.into_path())?;
    let stays = message(STAYS);
    let record = recording.and_then(|recording| record_remote(&messages, recording));
    Ok((destination.path().to_owned(), stays, record))
}

/// Extension of a file that begins with these bytes.
fn extension(head: &[u8], options: &TakeOptions) -> &'static str {
    match head {
        _ if options.is_index_only => "heaplens",
        [0x1f, 0x8b, ..] => "hprof.gz",
        [b'{', ..] => "heapsnapshot",
        _ => "hprof",
    }
}
