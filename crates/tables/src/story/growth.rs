//! What grew since an earlier dump, how fast, and when the limit is reached at this rate.

use std::sync::Arc;

use super::page::{Between, Claim, Earlier, StoryInput};
use super::suspects::holder_name;
use crate::columns::Value;
use heaplens_analysis::leaks::{Evidence, LeakFinding};
use heaplens_analysis::overview::Target;
use heaplens_analysis::process::ProcessGrowth;
use heaplens_base::{Bytes, CountDelta};

/// Seconds of a minute.
const MINUTE: u64 = 60;

pub(super) fn claims(input: StoryInput<'_>, holders: &[Arc<LeakFinding>]) -> Vec<Claim> {
    let Some(earlier) = input.earlier else { return Vec::new() };
    let mut claims = Vec::new();
    let grown = earlier.totals.shallow().0;
    let since = match earlier.between {
        Between::Millis(millis) => format!(" in {}", duration(millis / 1_000)),
        Between::TwoProcesses => "; the dumps are of two processes".to_owned(),
        Between::NotRecorded => "; the dumps do not record when they were taken".to_owned(),
        Between::OneDump => String::new(),
    };
    let (bytes, objects) = (earlier.totals.shallow(), CountDelta(earlier.totals.objects().0));
    claims
        .push(Claim::new(format!("The live heap changed by {bytes} and {objects} objects{since}")).to(Target::Growth));
    if earlier.memory.resident.is_some() && input.memory.resident.is_some() {
        let growth = ProcessGrowth { before: &earlier.memory, after: input.memory };
        claims.push(Claim::new(growth.to_string()).to(Target::Process));
    }
    for finding in holders {
        if let Some(growth) = finding.growth() {
            let name = holder_name(holders, finding);
            let name = name.strip_prefix("the ").map_or(name.clone(), |rest| format!("The {rest}"));
            let rate = match growth {
                Evidence::Grew { grown, .. } => earlier.rate(*grown).map(|rate| format!(", {rate} a minute")),
                _ => None,
            };
            let text = format!("{name}: {growth}{}", rate.unwrap_or_default());
            claims.push(Claim::new(text).about(finding));
        }
    }
    claims.extend(until_limit(input, earlier, grown));
    claims
}

/// When the heap is full at this rate.
fn until_limit(input: StoryInput<'_>, earlier: &Earlier, grown: i64) -> Option<Claim> {
    let grown = Bytes(u64::try_from(grown).ok().filter(|&grown| grown > 0)?);
    let rate = earlier.rate(grown).filter(|_| earlier.is_long())?;
    let limit = input.memory.heap.limit.or(input.overview.glance.out_of_memory.fill.max)?;
    let room = limit.0.checked_sub(input.memory.heap.live.0)?;
    let seconds = u128::from(room) * u128::from(MINUTE) / u128::from(rate.0.max(1));
    let seconds = u64::try_from(seconds).unwrap_or(u64::MAX);
    let text = format!("At {rate} a minute the limit of {limit} is reached in about {}", duration(seconds));
    Some(Claim::new(text).to(Target::Growth))
}

/// A duration in words: `3 s`, `12 min`, `5 h`, `9 days`.
pub(super) fn duration(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => Value::Count(seconds / 86_400).short() + " days",
    }
}
