//! `dumpsys meminfo PACKAGE` of Android.

use crate::machine::MemoryTotals;
use crate::record::{ProcessRecord, RecordKind};

/// True if a text is of a package; the text about all processes is not read.
pub(super) fn is_meminfo(text: &str) -> bool {
    text.contains("** MEMINFO in pid ") || text.lines().any(|line| line.trim() == "App Summary")
}

/// Part of the text.
enum Part {
    Before,
    Categories,
    Summary,
    After,
}

/// Reads the first process of a text.
pub(super) fn read(name: &str, text: &str) -> ProcessRecord {
    let mut record = ProcessRecord { kind: Some(RecordKind::Android), ..ProcessRecord::new(name) };
    let mut memory = MemoryTotals::default();
    let (mut part, mut has_dashes) = (Part::Before, false);
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(process) = trimmed.strip_prefix("** MEMINFO in pid ") {
            if record.pid.is_some() {
                break;
            }
            let (pid, rest) = process.split_once(' ').unwrap_or((process, ""));
            record.pid = pid.parse().ok();
            record.program = rest.split(['[', ']']).nth(1).map(str::to_owned);
            (part, has_dashes) = (Part::Categories, false);
        } else if trimmed == "App Summary" {
            (part, has_dashes) = (Part::Summary, false);
        } else if trimmed.starts_with("---") {
            has_dashes = true;
        } else if matches!(trimmed, "Objects" | "SQL" | "Dalvik Details") {
            part = Part::After;
        } else if has_dashes {
            match part {
                Part::Categories => read_category(&mut record, &mut memory, trimmed),
                Part::Summary => read_summary(&mut record, &mut memory, trimmed),
                Part::Before | Part::After => {}
            }
        }
    }
    record.memory = (memory != MemoryTotals::default()).then_some(memory);
    record
}

/// A line of the table: name and numbers of kilobytes, the first of which is proportional.
fn read_category(record: &mut ProcessRecord, memory: &mut MemoryTotals, line: &str) {
    // A name may begin with a dot, but no word of it with a digit.
    let begin = line.char_indices().find(|&(at, letter)| {
        let is_word = line.get(..at).is_some_and(|before| before.ends_with(' '));
        is_word && letter.is_ascii_digit()
    });
    let Some((name, numbers)) = begin.and_then(|(at, _)| line.split_at_checked(at)) else { return };
    let proportional = numbers.split_whitespace().next().and_then(kilobytes);
    match (name.trim(), proportional) {
        ("TOTAL", total) => memory.proportional = total.or(memory.proportional),
        (name, Some(bytes)) => record.android.push((name.to_owned(), bytes)),
        (_, None) => {}
    }
}

/// A line of the summary: `Java Heap:  2480  18640`, or totals, each with its key.
fn read_summary(record: &mut ProcessRecord, memory: &mut MemoryTotals, line: &str) {
    let Some((name, numbers)) = line.split_once(':') else { return };
    let first = numbers.split_whitespace().next().and_then(kilobytes);
    if name.starts_with("TOTAL") {
        memory.proportional = first.or(memory.proportional);
        let total = |key: &str| line.split_once(key)?.1.split_whitespace().next().and_then(kilobytes);
        memory.resident = total("TOTAL RSS:").or(memory.resident);
        memory.swap = total("TOTAL SWAP PSS:").or(memory.swap);
    } else if let Some(bytes) = first {
        // The unknown part has a resident size only, which has more blanks before it.
        let is_proportional = numbers.len() - numbers.trim_start().len() < 16;
        if is_proportional {
            record.android_summary.push((name.to_owned(), bytes));
        }
    }
}

fn kilobytes(word: &str) -> Option<u64> {
    Some(word.parse::<u64>().ok()?.saturating_mul(1024))
}
