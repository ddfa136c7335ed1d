//! Processes of a machine as `/proc` shows them (Linux; proc(5)).

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A machine: where its processes are looked for.
#[derive(Debug, Clone)]
pub struct Machine {
    proc: PathBuf,
}

/// What `/proc/PID/status` says of a process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Status {
    /// Effective user.
    pub user: u32,
    /// Number of the process in its own namespace: 1 for the first process of a container.
    pub inner_pid: u32,
    /// Resident memory in bytes.
    pub resident: u64,
    /// Signals with a handler, a bit each; the lowest bit is signal 1.
    pub caught: u64,
}

impl Machine {
    /// This machine.
    pub fn this() -> Self {
        Self::at("/proc")
    }

    /// A machine whose `/proc` is elsewhere.
    pub fn at(proc: impl Into<PathBuf>) -> Self {
        Self { proc: proc.into() }
    }

    /// Folder of a process.
    pub(crate) fn folder(&self, pid: u32) -> PathBuf {
        self.proc.join(pid.to_string())
    }

    /// Text of a file of `/proc`, such as `self/mountinfo`, at most `limit` bytes of it.
    pub(crate) fn text(&self, file: &str, limit: u64) -> io::Result<String> {
        let mut bytes = Vec::new();
        fs::File::open(self.proc.join(file))?.take(limit).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// True while the process exists and is not merely waiting to be reaped.
    pub fn is_alive(&self, pid: u32) -> bool {
        let Ok(stat) = fs::read_to_string(self.folder(pid).join("stat")) else { return false };
        // The name in parentheses may contain any character.
        let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
        !matches!(state, Some('Z' | 'X'))
    }

    /// Numbers of all processes, ascending.
    pub(crate) fn pids(&self) -> Vec<u32> {
        let entries = fs::read_dir(&self.proc).into_iter().flatten().flatten();
        let mut pids: Vec<u32> = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
        pids.sort_unstable();
        pids
    }

    /// User, numbers and memory of a process.
    pub(crate) fn status(&self, pid: u32) -> io::Result<Status> {
        let text = fs::read_to_string(self.folder(pid).join("status"))?;
        let mut status = Status { inner_pid: pid, ..Status::default() };
        for line in text.lines() {
            let Some((key, value)) = line.split_once(':') else { continue };
            let word = |at: usize| value.split_whitespace().nth(at);
            let number = |at: usize| word(at).and_then(|text| text.parse().ok());
            match key {
                "Uid" => status.user = number(1).unwrap_or(0),
                "NSpid" => {
                    let innermost = value.split_whitespace().next_back().and_then(|text| text.parse().ok());
                    status.inner_pid = innermost.unwrap_or(pid);
                }
                "VmRSS" => status.resident = word(0).and_then(|text| text.parse().ok()).unwrap_or(0_u64) << 10,
                "SigCgt" => status.caught = word(0).and_then(|hex| u64::from_str_radix(hex, 16).ok()).unwrap_or(0),
                _ => {}
            }
        }
        Ok(status)
    }

    /// Arguments of a process; empty for kernel threads, and if they cannot be read.
    pub(crate) fn arguments(&self, pid: u32) -> Vec<String> {
        let bytes = fs::read(self.folder(pid).join("cmdline")).unwrap_or_default();
        let bytes = bytes.strip_suffix(&[0]).unwrap_or(&bytes);
        if bytes.is_empty() {
            return Vec::new();
        }
        bytes.split(|&byte| byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect()
    }

    /// Name of the program of a process, at most 15 bytes.
    pub(crate) fn program(&self, pid: u32) -> String {
        let name = fs::read_to_string(self.folder(pid).join("comm")).unwrap_or_default();
        name.trim_end().to_owned()
    }

    /// Root folder of a process, which differs from ours in a container.
    pub(crate) fn root(&self, pid: u32) -> PathBuf {
        self.folder(pid).join("root")
    }

    /// True if a process has a file mapped whose name begins with `name`, such as `libjvm`.
    ///
    /// # Errors
    /// If this user may not know.
    pub(crate) fn has_mapped(&self, pid: u32, name: &str) -> io::Result<bool> {
        let maps = fs::read(self.folder(pid).join("maps"))?;
        let maps = String::from_utf8_lossy(&maps);
        Ok(maps.lines().any(|line| line.rsplit('/').next().is_some_and(|file| file.starts_with(name))))
    }

    /// File name of the program of a process: what was started, whatever it calls itself.
    pub(crate) fn executable(&self, pid: u32) -> Option<String> {
        let path = fs::read_link(self.folder(pid).join("exe")).ok()?;
        Some(path.file_name()?.to_string_lossy().trim_end_matches(" (deleted)").to_owned())
    }

    /// True if a process has the same local network as this one.
    pub(crate) fn shares_network(&self, pid: u32) -> bool {
        self.namespace("self", "net") == self.namespace(&pid.to_string(), "net")
    }

    fn namespace(&self, process: &str, kind: &str) -> Option<PathBuf> {
        fs::read_link(self.proc.join(process).join("ns").join(kind)).ok()
    }

    /// True if a process sees the same files as this one.
    pub(crate) fn shares_files(&self, pid: u32) -> bool {
        let ours = self.namespace("self", "mnt");
        let is_chrooted = fs::read_link(self.root(pid)).is_ok_and(|root| root != Path::new("/"));
        ours.is_some() && ours == self.namespace(&pid.to_string(), "mnt") && !is_chrooted
    }

    /// Local TCP ports on which a process waits for connections, ascending.
    pub(crate) fn listening_ports(&self, pid: u32) -> Vec<u16> {
        let folder = self.folder(pid);
        let links = fs::read_dir(folder.join("fd")).into_iter().flatten().flatten();
        let sockets: Vec<String> = links
            .filter_map(|entry| fs::read_link(entry.path()).ok()?.to_str().map(str::to_owned))
            .filter_map(|link| Some(link.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned()))
            .collect();
        let mut ports = Vec::new();
        for table in ["net/tcp", "net/tcp6"] {
            let text = fs::read_to_string(folder.join(table)).unwrap_or_default();
            for line in text.lines().skip(1) {
                let words: Vec<&str> = line.split_whitespace().collect();
                // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode; state 0A is listening.
                let (Some(local), Some(&"0A"), Some(inode)) = (words.get(1), words.get(3), words.get(9)) else {
                    continue;
                };
                if sockets.iter().any(|socket| socket == inode)
                    && let Some(port) = local.rsplit_once(':').and_then(|(_, hex)| u16::from_str_radix(hex, 16).ok())
                {
                    ports.push(port);
                }
            }
        }
        ports.sort_unstable();
        ports.dedup();
        ports
    }
}
