//! Output of `pmap -x` and `pmap -X` (procps).

use super::amounts::address;
use crate::machine::{Mapping, MemoryTotals};
use crate::record::ProcessRecord;

/// Most columns of a table; there are about 35.
const COLUMNS: usize = 100;

/// Kind of the table, by its first line.
enum Table {
    /// `-x`: address, kilobytes, resident, dirty, mode, mapping.
    Extended,
    /// `-X` and `-XX`: columns of `smaps` by name; with flags, as `-XX` prints, or without.
    Smaps { columns: Vec<String>, has_flags: bool },
}

/// Kind of the table that begins with `line`.
fn table(line: &str) -> Option<Table> {
    let words: Vec<&str> = line.split_whitespace().take(COLUMNS).collect();
    let has = |name: &str| words.contains(&name);
    if !has("Address") || !has("Mapping") {
        return None;
    }
    if has("Kbytes") && has("RSS") {
        return Some(Table::Extended);
    }
    let is_smaps = has("Perm") && has("Size") && has("Rss");
    let columns: Vec<String> = words.iter().filter(|&&word| word != "VmFlags").map(|&word| word.to_owned()).collect();
    is_smaps.then_some(Table::Smaps { columns, has_flags: has("VmFlags") })
}

/// True if a line names the columns of such a table.
pub(super) fn is_head(line: &str) -> bool {
    table(line).is_some()
}

/// Reads the table in `text`; the line before it, a command line, is not recorded but for its number.
pub(super) fn read(name: &str, text: &str) -> Option<ProcessRecord> {
    let mut record = ProcessRecord::new(name);
    let mut memory = MemoryTotals::default();
    let mut kind = None;
    for line in text.lines() {
        let Some(known) = &kind else {
            kind = table(line);
            if kind.is_none() && record.pid.is_none() {
                record.pid = line.split_once(':').and_then(|(pid, _)| pid.trim().parse().ok());
            }
            continue;
        };
        let row = match known {
            Table::Extended => extended(line, &mut memory),
            Table::Smaps { columns, has_flags } => by_columns(line, columns, *has_flags),
        };
        record.mappings.extend(row);
    }
    kind?;
    let sum = |bytes: fn(&Mapping) -> u64| record.mappings.iter().map(bytes).fold(0, u64::saturating_add);
    memory.resident = memory.resident.or_else(|| Some(sum(|mapping| mapping.resident)));
    memory.anonymous = Some(sum(|mapping| mapping.anonymous));
    record.memory = Some(memory);
    record.mappings.retain(|mapping| mapping.resident > 0 || mapping.swap > 0);
    Some(record)
}

/// A line of `-x`: a mapping, or the totals.
fn extended(line: &str, memory: &mut MemoryTotals) -> Option<Mapping> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let bytes = |at: usize| words.get(at)?.parse::<u64>().ok().map(|kilobytes| kilobytes.saturating_mul(1024));
    if let Some(&"total") = words.first() {
        (memory.address_space, memory.resident) = (bytes(2), bytes(3));
        return None;
    }
    let (start, size, resident, dirty) = (address(words.first()?)?, bytes(1)?, bytes(2)?, bytes(3)?);
    let mode = words.get(4)?;
    let shown = words.get(5..).unwrap_or_default().join(" ");
    let name = match shown.as_str() {
        "[ anon ]" => String::new(),
        _ => shown.replace("[ ", "[").replace(" ]", "]"),
    };
    // The dirty pages of a private file are copies, which belong to no file.
    let is_shared = mode.contains('s');
    let is_memory = name.is_empty() || name.starts_with('[');
    let anonymous = if is_memory { resident } else { dirty.min(resident) };
    let access: String = mode.chars().take(3).chain([if is_shared { 's' } else { 'p' }]).collect();
    let anonymous = if is_shared { 0 } else { anonymous };
    Some(Mapping { start, end: start.saturating_add(size), access, name, resident, anonymous, swap: 0 })
}

/// A line of `-X`: words in the order of the columns, the last of which is the name.
fn by_columns(line: &str, columns: &[String], has_flags: bool) -> Option<Mapping> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let word = |name: &str| words.get(columns.iter().position(|column| column == name)?).copied();
    let bytes = |name: &str| word(name)?.parse::<u64>().ok().map(|kilobytes| kilobytes.saturating_mul(1024));
    let start = address(word("Address")?)?;
    let (access, size, resident) = (word("Perm")?, bytes("Size")?, bytes("Rss")?);
    let is_flag = |word: &str| has_flags && word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let names = words.get(columns.len().saturating_sub(1)..).unwrap_or_default();
    let names: Vec<&str> = names.iter().copied().skip_while(|word| is_flag(word)).collect();
    Some(Mapping {
        start,
        end: start.saturating_add(size),
        access: access.to_owned(),
        name: names.join(" "),
        resident,
        anonymous: bytes("Anonymous").unwrap_or(0),
        swap: bytes("Swap").unwrap_or(0),
    })
}
