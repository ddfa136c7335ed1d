//! Leaks between snapshots of one JavaScript program: new objects still alive, and monotonic growth.

use std::path::PathBuf;

use super::lists::read_all;
use heaplens_analysis::DumpData;
use heaplens_analysis::javascript::growth::{GrowingObject, growing};
use heaplens_analysis::javascript::leaks::{Leaks, SnapshotLeakQuery, find_leaks};
use heaplens_analysis::javascript::{object_numbers::ObjectNumbers, rules::Rules};
use heaplens_base::{Cancelled, Task};

/// Reads rules from files.
///
/// # Errors
/// A message if a file cannot be read or contains an invalid line.
pub fn read_rules(files: &[PathBuf]) -> Result<Rules, String> {
    read_all(files, "rules", Rules::add)
}

/// Leaks between snapshots of one process (baselines, target, final), and monotonic growth.
pub fn leaked_and_growing(
    (baselines, target, last): (&[DumpData<'_>], DumpData<'_>, DumpData<'_>),
    rules: &Rules,
    task: &Task,
) -> Result<(Leaks, Vec<GrowingObject>), Cancelled> {
    let before: Vec<ObjectNumbers> = baselines.iter().chain([&target]).map(|&of| ObjectNumbers::of(of)).collect();
    let question = SnapshotLeakQuery { baselines, target, last, before: &before, rules };
    Ok((find_leaks(question, task)?, growing(question, task)?))
}
