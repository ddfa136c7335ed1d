//! Limits of the container of a process: control groups of version 1 and 2 (cgroups(7)).
//!
//! `/proc/PID/cgroup` names the group of a process in each hierarchy, and `mountinfo` the folders of the hierarchies. The
//! path of a group begins at the root of the namespace of the reader; a mount may show only a part of the hierarchy. A group
//! is also bound by the limits of those above it: the lowest counts.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use heaplens_process::Limits;

use crate::machine::Machine;

/// Longest file that is read, in bytes.
const LIMIT: u64 = 1 << 20;
/// Version 1 has this much or more without a limit: the largest number of pages.
const UNLIMITED: u64 = 1 << 60;

/// Names of the files of one version.
struct Files {
    limit: &'static str,
    used: &'static str,
    peak: &'static str,
    events: &'static str,
}

const VERSION_1: Files = Files {
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    peak: "memory.max_usage_in_bytes",
    events: "memory.oom_control",
};
const VERSION_2: Files =
    Files { limit: "memory.max", used: "memory.current", peak: "memory.peak", events: "memory.events" };

/// Limits of the process `pid`, and use of the group that the lowest limit is of.
///
/// # Errors
/// A clause that says why they are not known.
pub(super) fn limits(machine: &Machine, pid: u32) -> Result<Limits, String> {
    let text = |file: String| machine.text(&file, LIMIT).unwrap_or_default();
    let groups = text(format!("{pid}/cgroup"));
    let paths = Groups::parse(&groups);
    // In a container its own mounts may be the only ones that show its groups.
    let ours = Mounts { text: text("self/mountinfo".to_owned()), root: PathBuf::from("/") };
    let theirs = Mounts { text: text(format!("{pid}/mountinfo")), root: machine.root(pid) };
    let find =
        |group: Option<Group<'_>>| group.and_then(|group| ours.folders(&group).or_else(|| theirs.folders(&group)));
    let memory = find(paths.memory);
    let tasks = find(paths.tasks);
    if memory.is_none() && tasks.is_none() {
        return Err("the control group of the process is not visible here".to_owned());
    }
    let mut limits = Limits::default();
    if let (Some(folders), Some(group)) = (memory, paths.memory) {
        let files = if group.controller.is_empty() { VERSION_2 } else { VERSION_1 };
        read_memory(&folders, &files, &mut limits);
    }
    if let Some(folders) = tasks {
        let lowest = lowest(&folders, "pids.max");
        limits.tasks = lowest.map(|(limit, _)| limit);
        limits.tasks_used = lowest.and_then(|(_, folder)| number(&folder.join("pids.current")));
    }
    Ok(limits)
}

/// Group of a process in one hierarchy.
#[derive(Clone, Copy)]
struct Group<'a> {
    /// Its controller; empty for the hierarchy of version 2.
    controller: &'static str,
    path: &'a str,
}

/// Groups of a process.
#[derive(Default)]
struct Groups<'a> {
    memory: Option<Group<'a>>,
    tasks: Option<Group<'a>>,
}

impl<'a> Groups<'a> {
    /// Lines are `hierarchy:controllers:path`; that of version 2 has no controllers.
    fn parse(text: &'a str) -> Self {
        let mut groups = Self::default();
        let mut unified = None;
        for line in text.lines() {
            let mut parts = line.splitn(3, ':');
            let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else { continue };
            let has = |name: &str| controllers.split(',').any(|controller| controller == name);
            if has("memory") {
                groups.memory = Some(Group { controller: "memory", path });
            }
            if has("pids") {
                groups.tasks = Some(Group { controller: "pids", path });
            }
            if controllers.is_empty() {
                unified = Some(Group { controller: "", path });
            }
        }
        groups.memory = groups.memory.or(unified);
        groups.tasks = groups.tasks.or(unified);
        groups
    }
}

/// Mounted hierarchies.
struct Mounts {
    text: String,
    /// Where the mounts are seen from.
    root: PathBuf,
}

impl Mounts {
    /// Folders of a group and of those above it, the group first; `None` if its hierarchy is not mounted here.
    fn folders(&self, group: &Group<'_>) -> Option<Vec<PathBuf>> {
        for line in self.text.lines() {
            // ID parent device root mount-point options … - type source options
            let Some((left, right)) = line.split_once(" - ") else { continue };
            let (left, right): (Vec<&str>, Vec<&str>) = (left.split(' ').collect(), right.split(' ').collect());
            let (Some(root), Some(point)) = (left.get(3), left.get(4)) else { continue };
            let options = right.get(2).copied().unwrap_or_default();
            let is_hierarchy = match right.first() {
                Some(&"cgroup2") => group.controller.is_empty(),
                Some(&"cgroup") => options.split(',').any(|option| option == group.controller),
                _ => false,
            };
            if is_hierarchy {
                let top = self.root.join(unescaped(point).trim_start_matches('/'));
                return Some(below(&top, root, group.path));
            }
        }
        None
    }
}

/// Folders from that of `path` up to `top`, which shows the group `root`.
fn below(top: &Path, root: &str, path: &str) -> Vec<PathBuf> {
    let inside = if root == "/" { Some(path) } else { path.strip_prefix(root) };
    // A group outside of what is mounted is seen as its root.
    let inside = inside.filter(|path| !path.split('/').any(|part| part == "..")).unwrap_or_default();
    let group = top.join(inside.trim_start_matches('/'));
    let group = if group.is_dir() { group } else { top.to_owned() };
    group.ancestors().take_while(|folder| folder.starts_with(top)).map(Path::to_owned).collect()
}

/// A mount point, in which spaces and tabs are octal.
fn unescaped(point: &str) -> String {
    point.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
}

fn read_memory(folders: &[PathBuf], files: &Files, limits: &mut Limits) {
    let lowest = lowest(folders, files.limit);
    limits.memory = lowest.map(|(limit, _)| limit);
    // Without a limit the use of all processes of a machine says nothing about the container.
    let folder = lowest.map(|(_, folder)| folder).or_else(|| folders.first().filter(|_| folders.len() > 1));
    let Some(folder) = folder else { return };
    limits.used = number(&folder.join(files.used));
    limits.peak = number(&folder.join(files.peak));
    let events = text(&folder.join(files.events)).unwrap_or_default();
    limits.kills = events.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok());
}

/// Lowest limit of the groups, and the folder that has it.
fn lowest<'a>(folders: &'a [PathBuf], file: &str) -> Option<(u64, &'a PathBuf)> {
    let limits = folders.iter().filter_map(|folder| Some((number(&folder.join(file))?, folder)));
    limits.filter(|(limit, _)| *limit < UNLIMITED).min_by_key(|(limit, _)| *limit)
}

/// A number in a file; `None` for `max`.
fn number(path: &Path) -> Option<u64> {
    text(path)?.trim().parse().ok()
}

fn text(path: &Path) -> Option<String> {
    let mut text = String::new();
    fs::File::open(path).ok()?.take(LIMIT).read_to_string(&mut text).ok()?;
    Some(text)
}
