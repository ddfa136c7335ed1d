//! Out-of-memory handling. The memory available to the process is checked before a dump is opened. If memory runs out
//! nevertheless, only the affected open fails with an error; everything else continues.

use std::path::{Path, PathBuf};
use std::{any::Any, fmt, fs};

use crate::units::Bytes;

/// Error: not enough memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfMemory {
    /// Requested bytes; 0 if unknown.
    pub wanted: u64,
    /// Available bytes, if known.
    pub left: Option<u64>,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}. {}", self.cause(), Self::ADVICE)
    }
}

impl std::error::Error for OutOfMemory {}

impl OutOfMemory {
    /// Advice for the user.
    pub const ADVICE: &str = "Close other dumps, raise the memory limit of the process, or limit the memory of opening: the rest is on disk.";

    /// Cause of the error, without advice.
    pub fn cause(&self) -> String {
        let wanted = Bytes(self.wanted);
        match self.left {
            Some(left) => format!("not enough memory: about {wanted} needed, {} available", Bytes(left)),
            None if self.wanted == 0 => "not enough memory".to_owned(),
            None => format!("not enough memory: allocation of {wanted} failed"),
        }
    }

    /// Error with an unknown number of bytes.
    pub fn unknown() -> Self {
        Self { wanted: 0, left: None }
    }

    /// Unwinds to the start of the operation, which gets the error with [`OutOfMemory::of`]. Prints no panic message.
    pub(super) fn end_work(self) -> ! {
        std::panic::resume_unwind(Box::new(self))
    }

    /// The error, if an operation panicked because of it.
    pub fn of(ended: &(dyn Any + Send)) -> Option<Self> {
        ended.downcast_ref::<Self>().copied()
    }
}

/// Creates an empty list with capacity for `len` values. For lists with an entry per object, for which
/// `Vec::with_capacity` would abort the process when memory is short.
///
/// # Panics
/// With a [`OutOfMemory`] if the allocation fails.
pub fn room_for<T>(len: usize) -> Vec<T> {
    let mut list = Vec::new();
    if list.try_reserve_exact(len).is_err() {
        OutOfMemory { wanted: (len * size_of::<T>()) as u64, left: None }.end_work();
    }
    list
}

/// Memory in bytes that this process can use before the system kills it or starts swapping: the minimum over its
/// control groups and the machine. `None` if unknown.
pub fn memory_left() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| available(&text));
    machine.into_iter().chain(group_memory_left()).min()
}

/// Memory in bytes left in the process's control groups; a process that uses more is killed.
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

/// Mount point of Linux control groups.
const GROUPS: &str = "/sys/fs/cgroup";

/// Minimum of the memory left in the control groups named in `/proc/self/cgroup`, for cgroup versions 1 and 2.
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
        // In a container the path may be that on the host: then the root is the group.
        let group = Some(root.join(path)).filter(|group| group.is_dir()).unwrap_or_else(|| root.clone());
        group.ancestors().take_while(|folder| folder.starts_with(&root)).filter_map(|group| left_in(group, names)).min()
    };
    own.lines().filter_map(of).filter_map(left).min()
}

/// File names of a control group.
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
    // File cache pages are reclaimed when needed.
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
        let meminfo = "MemTotal:  100 kB\nMemFree:    5 kB\nMemAvailable:   40 kB\nSwapFree:        2 kB\n";
        assert_eq!(available(meminfo), Some(42 * 1024));
        assert_eq!(available("MemTotal: 5 kB"), None);
    }

    #[test]
    fn a_group_limit_excludes_its_page_cache() {
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
