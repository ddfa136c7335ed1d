//! What the system says of a process: limits, totals, mappings, descriptors.

use serde::{Deserialize, Serialize};

/// Limits of the container of a process (control groups of version 1 or 2), or of its pod.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Most bytes that all processes of the container may use; `None` if unlimited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Bytes that they use, with pages of files that can be dropped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used: Option<u64>,
    /// Most bytes that they used at any time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak: Option<u64>,
    /// How often the system ended a process of the container because of the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kills: Option<u64>,
    /// Most threads and processes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<u64>,
    /// Threads and processes that exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks_used: Option<u64>,
    /// What an orchestrator says about the last end of the container: `OOMKilled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_end: Option<String>,
    /// Exit code of that end: 137 is SIGKILL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_exit_code: Option<i64>,
}

/// Memory of the machine in bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MachineMemory {
    /// Physical memory.
    pub total: u64,
    /// What programs can still get; of a crash log, what is not used for anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available: Option<u64>,
}

/// Totals of the memory of a process in bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MemoryTotals {
    /// Resident memory: what is in physical memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resident: Option<u64>,
    /// Most resident memory at any time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_resident: Option<u64>,
    /// Resident memory that belongs to no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anonymous: Option<u64>,
    /// Resident pages of files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<u64>,
    /// Resident shared memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared: Option<u64>,
    /// Memory in swap space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swap: Option<u64>,
    /// Address space, used or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_space: Option<u64>,
    /// Proportional set size: shared pages count in part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proportional: Option<u64>,
}

/// A mapping of the address space: a line of `/proc/PID/maps` with its resident bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mapping {
    /// First address.
    pub start: u64,
    /// Address after the last.
    pub end: u64,
    /// Permissions, as in `rw-p`.
    pub access: String,
    /// Path of its file, or only the name of the file; a name in brackets such as `[heap]`; empty for anonymous memory.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Resident bytes.
    pub resident: u64,
    /// Resident bytes that belong to no file.
    pub anonymous: u64,
    /// Bytes in swap space.
    #[serde(skip_serializing_if = "is_zero")]
    pub swap: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(value: &u64) -> bool {
    *value == 0
}

impl Mapping {
    /// Bytes of address space.
    pub fn size(&self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    /// True if it is memory of a file: its name is neither empty nor in brackets.
    pub fn is_file(&self) -> bool {
        !self.name.is_empty() && !self.name.starts_with('[')
    }
}

/// Threads with the same name but for a number at its end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ThreadName {
    /// Their name.
    pub name: String,
    /// Number of them.
    pub threads: u64,
}

/// Open files of a process by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Descriptors {
    /// All of them.
    pub open: u64,
    /// Most that may be open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Files and folders.
    pub files: u64,
    /// Sockets.
    pub sockets: u64,
    /// Pipes.
    pub pipes: u64,
    /// Others, such as event queues.
    pub others: u64,
}
