//! Memory that cannot be had. How much a process may have is asked before a dump takes it; where it runs out all the
//! same, the open that wanted it ends with a sentence, and everything else goes on.

use std::any::Any;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::units::Bytes;

/// So many bytes more could not be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortage {
    /// What was asked for.
    pub wanted: u64,
    /// What there was, if that is known.
    pub left: Option<u64>,
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wanted = Bytes(self.wanted);
        match self.left {
            Some(left) => {
                write!(f, "not enough memory: about {wanted} needed, {} available", Bytes(left))
            }
            None if self.wanted == 0 => f.write_str("not enough memory"),
            None => write!(f, "not enough memory: allocation of {wanted} failed"),
        }?;
        f.write_str(". Close other dumps, raise the memory limit of the process, or work on disk with --memory SIZE.")
    }
}

impl std::error::Error for Shortage {}

impl Shortage {
    /// Of which nobody knows how much was wanted.
    pub fn unknown() -> Self {
        Self { wanted: 0, left: None }
    }

    /// Ends the piece of work that cannot go on. What began it finds the shortage with [`Shortage::of`]; nothing is
    /// said on the way, as it would be of a mistake of ours.
    pub(super) fn end_work(self) -> ! {
        std::panic::resume_unwind(Box::new(self))
    }

    /// Why a piece of work ended, if it was for want of memory.
    pub fn of(ended: &(dyn Any + Send)) -> Option<Self> {
        ended.downcast_ref::<Self>().copied()
    }
}

/// An empty list with room for `len` values. For lists as long as a heap has objects, which `Vec::with_capacity`
/// would end the whole process for.
///
/// # Panics
/// With a [`Shortage`], where there is no memory for it.
pub fn room_for<T>(len: usize) -> Vec<T> {
    let mut list = Vec::new();
    if list.try_reserve_exact(len).is_err() {
        Shortage { wanted: (len * size_of::<T>()) as u64, left: None }.end_work();
    }
    list
}

/// Bytes of addresses that the system would still give this process (`ulimit -v`); `None`: as many as there are.
pub(super) fn addresses_left() -> Option<u64> {
    let limit = soft_limit(&fs::read_to_string("/proc/self/limits").ok()?)?;
    let pages = fs::read_to_string("/proc/self/statm").ok()?;
    let used: u64 = pages.split(' ').next()?.parse().ok()?;
    Some(limit.saturating_sub(used * PAGE))
}

/// Of Linux on all machines that matter; on others too little is taken for used, and the next sentence comes later.
const PAGE: u64 = 4096;

fn soft_limit(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Bytes of memory that this process can take before the system ends it, or has to put others on disk: of its control
/// group and those above it, and of the machine. `None` where nobody says.
pub(super) fn memory_left() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| available(&text));
    machine.into_iter().chain(group_memory_left()).min()
}

/// The same of control groups alone: who takes more is ended.
pub(super) fn group_memory_left() -> Option<u64> {
    group_left(&fs::read_to_string("/proc/self/cgroup").ok()?)
}

fn available(meminfo: &str) -> Option<u64> {
    let kilobytes = |name: &str| -> Option<u64> {
        let line = meminfo.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse().ok()
    };
    Some((kilobytes("MemAvailable:")? + kilobytes("SwapFree:").unwrap_or(0)) * 1024)
}

/// Where Linux shows its control groups.
const GROUPS: &str = "/sys/fs/cgroup";

/// The least that is left in the groups that `/proc/self/cgroup` names, of both versions that Linux has.
fn group_left(own: &str) -> Option<u64> {
    let of = |line: &str| -> Option<(PathBuf, &'static Names, String)> {
        let mut parts = line.splitn(3, ':');
        let (_number, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let path = path.trim_start_matches('/').to_owned();
        match controllers {
            "" => Some((PathBuf::from(GROUPS), &SECOND, path)),
            _ if controllers.split(',').any(|name| name == "memory") => {
                Some((Path::new(GROUPS).join("memory"), &FIRST, path))
            }
            _ => None,
        }
    };
    let left = |(root, names, path): (PathBuf, &Names, String)| {
        // Within a container the path may be that of the machine outside: then the root is the group.
        let group = Some(root.join(path)).filter(|group| group.is_dir()).unwrap_or_else(|| root.clone());
        group.ancestors().take_while(|folder| folder.starts_with(&root)).filter_map(|group| left_in(group, names)).min()
    };
    own.lines().filter_map(of).filter_map(left).min()
}

/// What the files of a group are called.
struct Names {
    most: &'static str,
    used: &'static str,
    /// Lines of `memory.stat` that count pages of files.
    of_files: [&'static str; 2],
}

const FIRST: Names = Names {
    most: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    of_files: ["total_inactive_file ", "total_active_file "],
};
const SECOND: Names =
    Names { most: "memory.max", used: "memory.current", of_files: ["inactive_file ", "active_file "] };

fn left_in(group: &Path, names: &Names) -> Option<u64> {
    let number = |file: &str| -> Option<u64> { fs::read_to_string(group.join(file)).ok()?.trim().parse().ok() };
    let (most, used) = (number(names.most)?, number(names.used)?);
    // Pages of files are given up for others.
    let pages = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    let of_files = pages.lines().filter_map(|line| names.of_files.iter().find_map(|name| line.strip_prefix(name)));
    let given_up: u64 = of_files.filter_map(|bytes| bytes.parse::<u64>().ok()).sum();
    Some(most.saturating_sub(used.saturating_sub(given_up)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_the_system_writes_them() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max cpu time              unlimited            unlimited            seconds   \n\
                      Max address space         2048000000           unlimited            bytes     \n";
        assert_eq!(soft_limit(limits), Some(2_048_000_000));
        assert_eq!(soft_limit(&limits.replace("2048000000", "unlimited ")), None);
        let meminfo = "MemTotal:  100 kB\nMemFree:    5 kB\nMemAvailable:   40 kB\nSwapFree:        2 kB\n";
        assert_eq!(available(meminfo), Some(42 * 1024));
        assert_eq!(available("MemTotal: 5 kB"), None);
    }

    #[test]
    fn a_group_has_what_its_pages_of_files_leave() {
        let folder = tempfile::tempdir().expect("a folder");
        let put = |file: &str, text: &str| fs::write(folder.path().join(file), text).expect("a file");
        put("memory.max", "1000\n");
        put("memory.current", "900\n");
        put("memory.stat", "anon 500\ninactive_file 300\nactive_file 50\n");
        assert_eq!(left_in(folder.path(), &SECOND), Some(450));
        put("memory.limit_in_bytes", "2000\n");
        put("memory.usage_in_bytes", "1000\n");
        put("memory.stat", "inactive_file 900\ntotal_inactive_file 100\ntotal_active_file 0\n");
        assert_eq!(left_in(folder.path(), &FIRST), Some(1100));
        put("memory.max", "max\n");
        assert_eq!(left_in(folder.path(), &SECOND), None);
    }
}
