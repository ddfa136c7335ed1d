//! Growth that several findings state: that of a structure, and of objects that it shares with others, is one growth. The
//! finding that comes first states it; those behind it say so.

use std::ops::Range;

use super::finding::LeakFinding;
use super::growth::OwnerGrowths;
use heaplens_base::{Cancelled, Task};

/// Says of each finding that grew which one before it states most of its growth. `findings` are ranked.
pub(super) fn mark(growths: &OwnerGrowths<'_>, findings: &mut [LeakFinding], task: &Task) -> Result<(), Cancelled> {
    let mut stated: Vec<(Vec<Range<u32>>, String)> = Vec::new();
    for finding in findings {
        task.checkpoint()?;
        finding.growth_within = None;
        if finding.grown().0 == 0 {
            continue;
        }
        let places = growths.places(finding, task)?;
        let own: i64 = places.iter().map(|part| growths.bytes(part.clone())).sum();
        let shared = |other: &[Range<u32>]| -> i64 {
            let both = |one: &Range<u32>, two: &Range<u32>| one.start.max(two.start)..one.end.min(two.end);
            let parts = places.iter().flat_map(|one| other.iter().map(move |two| both(one, two)));
            parts.filter(|part| !part.is_empty()).map(|part| growths.bytes(part)).sum()
        };
        let outer = stated.iter().find(|(other, _)| own > 0 && shared(other).saturating_mul(2) >= own);
        match outer {
            Some((_, name)) => finding.growth_within = Some(name.clone()),
            None => stated.push((places, finding.whole_name())),
        }
    }
    Ok(())
}
