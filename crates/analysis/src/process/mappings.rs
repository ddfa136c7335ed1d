//! Kinds of mappings of an address space, by name, permissions, address and size.

use std::collections::HashSet;
use std::ops::Range;

use heaplens_process::{Mapping, ProcessRecord};

/// Suffixes of files that programs consist of.
const OF_PROGRAM: [&str; 9] = [".jar", ".jmod", ".jsa", ".mo", ".node", ".dex", ".oat", ".art", ".vdex"];
/// Files that programs consist of.
const PROGRAM_FILES: [&str; 3] = ["modules", "locale-archive", "gconv-modules.cache"];
/// Least difference between the size of a stack and of its mapping: guard pages are mappings of their own.
const GUARD: u64 = 128 << 10;
/// Usual sizes of stacks of threads that are not of the virtual machine: by `ulimit -s`, and of worker threads of Node.
const USUAL_STACKS: [u64; 2] = [8 << 20, 4 << 20];

/// Resident bytes of the mappings of a process by kind.
#[derive(Debug, Default)]
pub(super) struct MappedBytes {
    /// The range of the Java heap.
    pub(super) heap: u64,
    /// Files that the program consists of.
    pub(super) libraries: u64,
    /// Other files.
    pub(super) files: u64,
    /// Number of other files.
    pub(super) file_count: u64,
    /// Stacks of threads, and their number.
    pub(super) stacks: (u64, u64),
    /// Code that was compiled at run time.
    pub(super) code: u64,
    /// Shared memory.
    pub(super) shared: u64,
    /// All other anonymous memory.
    pub(super) anonymous: u64,
}

/// What is known of the address space.
pub(super) struct AddressSpace<'a> {
    /// Addresses of the Java heap.
    pub(super) heap: Option<Range<u64>>,
    /// Addresses of compiled code.
    pub(super) code: &'a [(u64, u64, u64)],
    /// Sizes of the stacks of threads.
    pub(super) stacks: &'a [u64],
}

impl MappedBytes {
    pub(super) fn of(record: &ProcessRecord, known: &AddressSpace<'_>) -> Self {
        let programs = programs(&record.mappings);
        let threads = record.threads.unwrap_or(u64::MAX);
        let mut sums = Self::default();
        let mut names = HashSet::new();
        for mapping in &record.mappings {
            let bytes = mapping.resident;
            let is_in = |range: &Range<u64>| range.start <= mapping.start && mapping.start < range.end;
            if known.heap.as_ref().is_some_and(&is_in) {
                sums.heap += bytes;
            } else if known.code.iter().any(|&(start, _, end)| is_in(&(start..end))) {
                sums.code += bytes;
            } else if mapping.is_file() && is_of_machine(&mapping.name) {
                sums.shared += bytes;
            } else if mapping.is_file() && (is_of_program(&mapping.name) || programs.contains(&*mapping.name)) {
                sums.libraries += bytes;
            } else if mapping.is_file() {
                sums.files += bytes;
                names.insert(&*mapping.name);
            } else if is_stack(mapping, known.stacks) && sums.stacks.1 < threads {
                sums.stacks = (sums.stacks.0 + bytes, sums.stacks.1 + 1);
            } else if mapping.access.contains('x') && mapping.name.is_empty() {
                sums.code += bytes;
            } else {
                sums.anonymous += bytes;
            }
        }
        sums.file_count = names.len() as u64;
        sums
    }
}

/// Names of files that have code.
fn programs(mappings: &[Mapping]) -> HashSet<&str> {
    let with_code = mappings.iter().filter(|mapping| mapping.is_file() && mapping.access.contains('x'));
    with_code.map(|mapping| &*mapping.name).collect()
}

fn is_of_program(path: &str) -> bool {
    let path = path.trim_end_matches(" (deleted)");
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_library = name.split('.').skip(1).any(|part| part == "so");
    is_library || PROGRAM_FILES.contains(&name) || OF_PROGRAM.iter().any(|suffix| name.ends_with(suffix))
}

/// True of shared memory and devices, which the system names like files.
fn is_of_machine(path: &str) -> bool {
    ["/dev/", "/SYSV", "/memfd:", "memfd:"].iter().any(|begin| path.starts_with(begin))
}

/// True if a mapping has the size of a stack without its guard pages.
fn is_stack(mapping: &Mapping, stacks: &[u64]) -> bool {
    if mapping.name.starts_with("[stack") {
        return true;
    }
    let is_anonymous = mapping.name.is_empty() && mapping.access.starts_with("rw");
    let has_size = |size: &u64| mapping.size() <= *size && mapping.size() + GUARD > *size;
    // Other memory has the usual sizes, too; stacks are mostly empty.
    let is_empty = mapping.resident <= mapping.size() / 4;
    is_anonymous && (stacks.iter().any(has_size) || (is_empty && USUAL_STACKS.iter().any(has_size)))
}
