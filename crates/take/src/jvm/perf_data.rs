//! Counters that a HotSpot JVM publishes in a file, `/tmp/hsperfdata_USER/PID`, as `jps` and `jstat` read them.
//!
//! Source of the layout: `PerfDataPrologue` and `PerfDataEntry` in HotSpot's `perfMemory.hpp` and `perfData.hpp`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// First four bytes of the file.
const MAGIC: u32 = 0xcafe_c0c0;
/// Files of a few ten kilobytes; a larger one is not of a JVM.
const LARGEST: u64 = 16 << 20;

/// Limits of two generations that differ by fewer bytes are the same: of one and of three spaces with their headers.
const APART: u64 = 4096;

/// What the counters of a JVM say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct JvmCounters {
    /// Main class or jar with its arguments, as on the command line.
    pub command: String,
    /// Version of the machine, such as `17.0.15+6`.
    pub version: String,
    /// Bytes used in all generations, garbage included.
    pub heap_used: Option<u64>,
    /// Maximum size of the heap in bytes.
    pub heap_limit: Option<u64>,
    /// Bytes used in the old generation, and its size limit.
    pub old: Option<(u64, u64)>,
}

/// Reads the counters of a process. `root` is its root folder, `inner_pid` its number there. `None` if it publishes none.
pub(crate) fn read_counters(root: &Path, inner_pid: u32) -> Option<JvmCounters> {
    let file = counters_file(root, inner_pid)?;
    let is_plausible = fs::metadata(&file).is_ok_and(|meta| meta.is_file() && meta.len() <= LARGEST);
    is_plausible.then(|| parse(&fs::read(&file).ok()?)).flatten()
}

/// The file is in a folder named after the user, whose name in a container is unknown here: looks in all of them.
fn counters_file(root: &Path, inner_pid: u32) -> Option<PathBuf> {
    let folders = fs::read_dir(root.join("tmp")).ok()?.flatten();
    let of_users = folders.filter(|entry| entry.file_name().to_string_lossy().starts_with("hsperfdata_"));
    of_users.map(|entry| entry.path().join(inner_pid.to_string())).find(|file| file.is_file())
}

/// Reads numbers in the byte order of the file; `None` outside it.
struct Bytes<'a> {
    bytes: &'a [u8],
    is_little: bool,
}

impl Bytes<'_> {
    fn array<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.bytes.get(at..at.checked_add(N)?)?.try_into().ok()
    }

    fn int(&self, at: usize) -> Option<usize> {
        let bytes = self.array(at)?;
        Some(if self.is_little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) } as usize)
    }

    fn long(&self, at: usize) -> Option<u64> {
        let bytes = self.array(at)?;
        Some(if self.is_little { u64::from_le_bytes(bytes) } else { u64::from_be_bytes(bytes) })
    }

    fn text(&self, at: usize) -> Option<String> {
        let bytes = self.bytes.get(at..)?;
        let end = bytes.iter().position(|&byte| byte == 0)?;
        Some(String::from_utf8_lossy(bytes.get(..end)?).into_owned())
    }
}

fn parse(bytes: &[u8]) -> Option<JvmCounters> {
    let is_jvm = u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?) == MAGIC;
    // Byte order, version 2.0, then: accessible, used, overflow, time of the last change, place and number of entries.
    let file = Bytes { bytes, is_little: bytes.get(4) == Some(&1) };
    if !is_jvm || bytes.get(5) != Some(&2) {
        return None;
    }
    let (mut at, entries) = (file.int(24)?, file.int(28)?);
    let (mut texts, mut numbers) = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..entries {
        let (length, name, elements) = (file.int(at)?, file.int(at + 4)?, file.int(at + 8)?);
        let (kind, data) = (*bytes.get(at + 12)?, file.int(at + 16)?);
        // A machine that is just starting has entries that are not filled yet.
        if length < 20 {
            break;
        }
        let name = file.text(at + name)?;
        match (kind, elements) {
            (b'J', 0) => _ = numbers.insert(name, file.long(at + data)?),
            (b'B', 1..) => _ = texts.insert(name, file.text(at + data)?),
            _ => {}
        }
        at += length;
    }
    Some(counters(&mut texts, &numbers))
}

fn counters(texts: &mut BTreeMap<String, String>, numbers: &BTreeMap<String, u64>) -> JvmCounters {
    let generation = |generation: usize| {
        let prefix = format!("sun.gc.generation.{generation}.");
        let used = numbers.range(format!("{prefix}space.")..).take_while(|(name, _)| name.starts_with(&prefix));
        let used: Vec<u64> =
            used.filter(|(name, _)| name.rsplit('.').next() == Some("used")).map(|(_, &used)| used).collect();
        let limit = numbers.get(&format!("{prefix}maxCapacity")).copied();
        (!used.is_empty()).then(|| (used.iter().sum::<u64>(), limit.unwrap_or(0)))
    };
    let (young, old) = (generation(0), generation(1));
    let both: Vec<(u64, u64)> = [young, old].into_iter().flatten().collect();
    let limits = both.iter().map(|&(_, limit)| limit);
    // Collectors by regions may use the whole heap for either generation, and say so of both, some bytes apart.
    let is_by_regions = both.len() == 2 && both[0].1.abs_diff(both[1].1) < APART;
    let limit = if is_by_regions { limits.max() } else { Some(limits.sum()) };
    JvmCounters {
        command: texts.remove("sun.rt.javaCommand").unwrap_or_default(),
        version: texts.remove("java.property.java.vm.version").unwrap_or_default(),
        heap_used: (!both.is_empty()).then(|| both.iter().map(|&(used, _)| used).sum()),
        heap_limit: limit.filter(|&limit| limit > 0),
        old: old.filter(|&(_, limit)| limit > 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(out: &mut Vec<u8>, name: &str, kind: u8, elements: u32, data: &[u8]) {
        let name_length = (name.len() + 1).next_multiple_of(8);
        let length = 20 + 4 + name_length + data.len().next_multiple_of(8);
        let start = out.len();
        for number in [length as u32, 24, elements] {
            out.extend(number.to_le_bytes());
        }
        out.extend([kind, 0, 0, 0]);
        out.extend(((24 + name_length) as u32).to_le_bytes());
        out.extend([0; 4]);
        out.extend(name.as_bytes());
        out.resize(start + 24 + name_length, 0);
        out.extend(data);
        out.resize(start + length, 0);
    }

    fn file() -> Vec<u8> {
        let mut entries = Vec::new();
        entry(&mut entries, "sun.rt.javaCommand", b'B', 16, b"shop.Main --fast\0");
        entry(&mut entries, "java.property.java.vm.version", b'B', 10, b"17.0.15+6\0");
        for (name, value) in [
            ("sun.gc.generation.0.maxCapacity", 300_u64 << 20),
            ("sun.gc.generation.0.space.0.used", 20),
            ("sun.gc.generation.0.space.1.used", 5),
            ("sun.gc.generation.1.maxCapacity", 700 << 20),
            ("sun.gc.generation.1.space.0.used", 400),
        ] {
            entry(&mut entries, name, b'J', 0, &value.to_le_bytes());
        }
        let mut out = MAGIC.to_be_bytes().to_vec();
        out.extend([1, 2, 0, 1]);
        out.extend([0; 16]);
        out.extend(32_u32.to_le_bytes());
        out.extend(7_u32.to_le_bytes());
        out.extend(entries);
        out
    }

    #[test]
    fn counters_are_read() {
        let counters = parse(&file()).unwrap();
        assert_eq!(counters.command, "shop.Main --fast");
        assert_eq!(counters.version, "17.0.15+6");
        assert_eq!(
            (counters.heap_used, counters.heap_limit, counters.old),
            (Some(425), Some(1000 << 20), Some((400, 700 << 20)))
        );
    }

    #[test]
    fn no_truncation_and_no_changed_byte_panics() {
        let intact = file();
        for end in 0..intact.len() {
            let _may_fail = parse(&intact[..end]);
        }
        for at in 0..intact.len() {
            for value in [0, 0x7f, 0xff] {
                let mut damaged = intact.clone();
                damaged[at] = value;
                let _may_fail = parse(&damaged);
            }
        }
    }
}
