//! Processes that a dump can be taken of.

use std::path::Path;
use std::thread;

use heaplens_base::{Bytes, named};

use crate::inspector::list_targets;
use crate::jvm::{JvmCounters, read_counters};
use crate::machine::{Machine, Status};
use heaplens_platform::processes::effective_user;

/// Programs with a JavaScript engine and an inspector, by the file that is run.
const ENGINES: [&str; 9] =
    ["node", "nodejs", "deno", "bun", "chrome", "chromium", "chromium-browser", "google-chrome", "electron"];
/// Options of a JVM whose value is the next argument.
const WITH_VALUE: [&str; 9] = [
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "--add-modules",
    "--add-opens",
    "--add-exports",
    "--add-reads",
];

/// Kind of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessKind {
    /// A HotSpot JVM.
    Jvm,
    /// A JVM of Eclipse OpenJ9, which `jcmd` of its JDK asks.
    OpenJ9,
    /// A JavaScript engine.
    JavaScript,
}

named! { ProcessKind {
    Jvm = "jvm", "HotSpot JVM";
    OpenJ9 = "openj9", "Eclipse OpenJ9 JVM";
    JavaScript = "javascript", "JavaScript engine";
}}

/// A process with a heap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// Its number on this machine.
    pub pid: u32,
    /// What it is.
    pub kind: ProcessKind,
    /// Main class, jar or script, without its folder.
    pub name: String,
    /// Version of its machine, as it says it; may be empty.
    pub version: String,
    /// User that it runs as.
    pub user: u32,
    /// Bytes used in its heap, garbage included.
    pub heap_used: Option<Bytes>,
    /// Largest size of its heap in bytes.
    pub heap_limit: Option<Bytes>,
    /// Bytes used in the old generation and its size limit.
    pub old_generation: Option<(Bytes, Bytes)>,
    /// Resident memory.
    pub resident: Bytes,
    /// Where its inspector answers, `host:port`; JavaScript only.
    pub inspector: Option<String>,
    /// True if its files are not those of this program: it is in a container.
    pub is_contained: bool,
    /// True if this user may ask it.
    pub is_permitted: bool,
}

/// Processes of `machine` with a heap, by number. Those of other users are listed if their memory map can be read.
pub fn processes(machine: &Machine) -> Vec<Process> {
    let mut processes: Vec<Process> = machine.pids().into_iter().filter_map(|pid| process(machine, pid)).collect();
    // Each question waits for an answer, or for the end of its patience.
    thread::scope(|scope| {
        for engine in processes.iter_mut().filter(|process| process.kind == ProcessKind::JavaScript) {
            scope.spawn(|| engine.inspector = find_inspector(machine, engine.pid));
        }
    });
    // Helper processes of a browser have no inspector of their own.
    processes.retain(|process| process.kind != ProcessKind::JavaScript || process.is_main_engine(machine));
    processes
}

/// One process of `machine`; `None` if there is none, or it has no heap that is known here.
pub(crate) fn process(machine: &Machine, pid: u32) -> Option<Process> {
    let status = machine.status(pid).ok()?;
    let maps = |name| machine.has_mapped(pid, name).unwrap_or(false);
    let executable = machine.executable(pid).unwrap_or_default();
    let kind = if ENGINES.contains(&executable.as_str()) {
        ProcessKind::JavaScript
    } else if maps("libjvm") {
        ProcessKind::Jvm
    } else if maps("libj9vm") {
        ProcessKind::OpenJ9
    } else {
        return None;
    };
    let counters = match kind {
        ProcessKind::Jvm => read_counters(&machine.root(pid), status.inner_pid).unwrap_or_default(),
        _ => JvmCounters::default(),
    };
    Some(described(machine, pid, kind, &status, counters))
}

fn described(machine: &Machine, pid: u32, kind: ProcessKind, status: &Status, counters: JvmCounters) -> Process {
    let arguments = machine.arguments(pid);
    let name = match kind {
        ProcessKind::JavaScript => script(&arguments),
        _ if counters.command.is_empty() => main_class(&arguments),
        _ => counters.command.split(' ').next().map(str::to_owned),
    };
    let ours = effective_user();
    Process {
        pid,
        kind,
        name: short(&name.unwrap_or_else(|| machine.program(pid))),
        version: counters.version,
        user: status.user,
        heap_used: counters.heap_used.map(Bytes),
        heap_limit: counters.heap_limit.map(Bytes),
        old_generation: counters.old.map(|(used, limit)| (Bytes(used), Bytes(limit))),
        resident: Bytes(status.resident),
        inspector: None,
        is_contained: !machine.shares_files(pid),
        is_permitted: ours == 0 || ours == status.user,
    }
}

impl Process {
    /// True unless it is one of a browser's many helpers.
    fn is_main_engine(&self, machine: &Machine) -> bool {
        self.inspector.is_some() || !machine.arguments(self.pid).iter().any(|argument| argument.starts_with("--type="))
    }
}

/// Where the inspector of a process answers.
pub(crate) fn find_inspector(machine: &Machine, pid: u32) -> Option<String> {
    if !machine.shares_network(pid) {
        return None;
    }
    let addresses = machine.listening_ports(pid).into_iter().map(|port| format!("127.0.0.1:{port}"));
    // A server's own ports are asked, too: a program may listen on any.
    addresses.into_iter().find(|address| list_targets(address).is_some())
}

/// Main class or jar of a JVM by its arguments.
fn main_class(arguments: &[String]) -> Option<String> {
    let mut rest = arguments.iter().skip(1);
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "-jar" | "-m" | "--module" => return rest.next().cloned(),
            option if WITH_VALUE.contains(&option) => _ = rest.next(),
            option if option.starts_with('-') || option.starts_with('@') => {}
            class => return Some(class.to_owned()),
        }
    }
    None
}

/// Script of a JavaScript engine by its arguments.
fn script(arguments: &[String]) -> Option<String> {
    // A program on the command line has no name, and may contain anything.
    let is_code = |argument: &str| matches!(argument, "-e" | "--eval" | "-p" | "--print" | "-pe" | "eval");
    let mut words = arguments.iter().skip(1).take_while(|argument| !is_code(argument));
    words.find(|argument| !argument.starts_with('-') && *argument != "run").cloned()
}

/// File name of a path; other names as they are.
fn short(name: &str) -> String {
    let is_path = name.contains('/');
    let file = Path::new(name).file_name().filter(|_| is_path);
    file.map_or_else(|| name.to_owned(), |file| file.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_main_classes_and_scripts() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let main = |text: &str| main_class(&words(text)).map(|name| short(&name));
        assert_eq!(main("java -Xmx1g -cp lib/a.jar:b shop.Main --fast"), Some("shop.Main".to_owned()));
        assert_eq!(main("/usr/bin/java -jar /opt/shop/shop.jar x"), Some("shop.jar".to_owned()));
        assert_eq!(main("java --add-opens a/b=c -m shop/shop.Main"), Some("shop.Main".to_owned()));
        assert_eq!(main("java"), None);
        assert_eq!(script(&words("node --inspect=0 /srv/app.js --port 1")), Some("/srv/app.js".to_owned()));
        assert_eq!(script(&words("node --inspect -e login('secret')")), None);
    }
}
