//! Native memory tracking, as `jcmd PID VM.native_memory summary` prints it; also in the middle of a log.

use super::amounts::{after, bytes_after};
use crate::jvm::{NativeTracking, TrackedCategory};

/// Reads the last summary of a text; `None` if there is none.
pub fn native_tracking(text: &str) -> Option<NativeTracking> {
    let (mut tracking, mut is_detail) = (None, false);
    for line in text.lines() {
        if let Some(total) = after(line, "Total: ").filter(|total| total.starts_with("reserved=")) {
            is_detail = false;
            tracking = sizes(total).map(|(reserved, committed)| NativeTracking {
                reserved,
                committed,
                categories: Vec::new(),
            });
            continue;
        }
        // What follows is where the memory was allocated.
        is_detail |= line.ends_with("Details:") || line.ends_with("Virtual memory map:");
        let Some(NativeTracking { categories, .. }) = tracking.as_mut().filter(|_| !is_detail) else { continue };
        if let Some(category) = category(line) {
            categories.push(category);
        } else if let Some(category) = categories.last_mut() {
            add_part(category, line);
        }
    }
    tracking
}

/// `reserved=` and `committed=` in bytes; a number without a unit is one of bytes.
fn sizes(line: &str) -> Option<(u64, u64)> {
    Some((bytes_after(line, "reserved=", 1)?, bytes_after(line, "committed=", 1)?))
}

/// First line of a category: `-    Thread (reserved=18491KB, committed=903KB)`.
fn category(line: &str) -> Option<TrackedCategory> {
    let (before, numbers) = line.split_once("(reserved=")?;
    let (_, name) = before.rsplit_once("- ")?;
    let (reserved, committed) = sizes(line)?;
    let is_category = numbers.contains("committed=") && !name.trim().is_empty();
    let name = name.trim().to_owned();
    is_category.then_some(TrackedCategory { name, reserved, committed, malloc: None, count: None })
}

/// A further line of a category: its number of things, or what of it was allocated by `malloc`. Arenas are, too.
fn add_part(category: &mut TrackedCategory, line: &str) {
    for key in ["(malloc=", "(arena="] {
        if let Some(bytes) = bytes_after(line, key, 1) {
            category.malloc = Some(category.malloc.unwrap_or(0).saturating_add(bytes));
        }
    }
    for key in ["(classes #", "(thread #", "(threads #"] {
        let digits = after(line, key).and_then(|rest| rest.split(|letter: char| !letter.is_ascii_digit()).next());
        category.count = digits.and_then(|digits| digits.parse().ok()).or(category.count);
    }
}
