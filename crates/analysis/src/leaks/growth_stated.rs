//! Growth that several findings state: that of a structure, and of objects that it shares with others, is one growth. The
//! finding that comes first states it; those behind it say so.

use std::ops::Range;

use super::baseline_growth::OwnerGrowths;
use super::finding::LeakFinding;
use super::kinds::Kind;
use heaplens_base::{Bytes, Cancelled, Task};

/// A finding whose growth none before it states.
struct Stated {
    /// Positions of the owners that grew.
    positions: Vec<Range<u32>>,
    label: String,
    /// The label with what tells it from others.
    name: String,
    is_shared: bool,
    grown: Bytes,
}

/// Says of each finding that grew which one before it states most of its growth. `findings` are ranked.
pub(super) fn mark(growths: &OwnerGrowths<'_>, findings: &mut [LeakFinding], task: &Task) -> Result<(), Cancelled> {
    let mut stated: Vec<Stated> = Vec::new();
    for finding in findings {
        task.checkpoint()?;
        finding.growth_within = None;
        if finding.grown().0 == 0 {
            continue;
        }
        let positions = growths.positions(finding, task)?;
        let own: i64 = positions.iter().map(|part| growths.bytes(part.clone())).sum();
        let shared = |other: &[Range<u32>]| -> i64 { common(&positions, other).map(|part| growths.bytes(part)).sum() };
        let (grown, is_shared) = (finding.grown(), finding.kind == Kind::Shared);
        // Objects that a structure shares with others have its name: owners do not tell whose growth they are. It may
        // have had a tenth of them before.
        let is_of_structure = |other: &Stated| {
            !finding.label.is_empty()
                && other.label == finding.label
                && other.is_shared != is_shared
                && other.grown.0.saturating_mul(10) >= grown.0.saturating_mul(9)
        };
        let is_stated =
            |other: &&Stated| is_of_structure(other) || (own > 0 && shared(&other.positions).saturating_mul(2) >= own);
        match stated.iter().find(is_stated) {
            Some(other) => finding.growth_within = Some(other.name.clone()),
            None => {
                let (label, name) = (finding.label.clone(), finding.whole_name());
                stated.push(Stated { positions, label, name, is_shared, grown });
            }
        }
    }
    Ok(())
}

/// The common parts of two lists of positions, each in order and without overlaps.
fn common<'a>(one: &'a [Range<u32>], two: &'a [Range<u32>]) -> impl Iterator<Item = Range<u32>> + 'a {
    let (mut one, mut two) = (one.iter().peekable(), two.iter().peekable());
    let parts = std::iter::from_fn(move || {
        let (first, second) = (*one.peek()?, *two.peek()?);
        // What ends first has nothing in common with what follows in the other.
        if first.end <= second.end {
            one.next()
        } else {
            two.next()
        };
        Some(first.start.max(second.start)..first.end.min(second.end))
    });
    parts.filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_parts_are_those_of_every_pair() {
        let lists: [&[Range<u32>]; 5] =
            [&[], &[0..1, 4..9, 12..13], &[1..5, 6..7, 8..13], &[0..20, 30..31], &[4..9, 13..14]];
        for one in lists {
            for two in lists {
                let both = |a: &Range<u32>, b: &Range<u32>| a.start.max(b.start)..a.end.min(b.end);
                let pairs = one.iter().flat_map(|a| two.iter().map(move |b| both(a, b)));
                let expected: Vec<_> = pairs.filter(|part| !part.is_empty()).collect();
                assert_eq!(common(one, two).collect::<Vec<_>>(), expected);
            }
        }
    }
}
