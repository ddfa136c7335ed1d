//! Growth that several findings state: that of a structure, and of objects that it shares with others, is one growth. The
//! finding that comes first states it; those behind it say so.

use std::ops::Range;

use super::finding::LeakFinding;
use super::growth::OwnerGrowths;
use super::kinds::Kind;
use heaplens_base::{Bytes, Cancelled, Task};

/// A finding whose growth none before it states.
struct Stated {
    /// Positions of the owners that grew.
    places: Vec<Range<u32>>,
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
        let places = growths.places(finding, task)?;
        let own: i64 = places.iter().map(|part| growths.bytes(part.clone())).sum();
        let shared = |other: &[Range<u32>]| -> i64 {
            let both = |one: &Range<u32>, two: &Range<u32>| one.start.max(two.start)..one.end.min(two.end);
            let parts = places.iter().flat_map(|one| other.iter().map(move |two| both(one, two)));
            parts.filter(|part| !part.is_empty()).map(|part| growths.bytes(part)).sum()
        };
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
            |other: &&Stated| is_of_structure(other) || (own > 0 && shared(&other.places).saturating_mul(2) >= own);
        match stated.iter().find(is_stated) {
            Some(other) => finding.growth_within = Some(other.name.clone()),
            None => {
                let (label, name) = (finding.label.clone(), finding.whole_name());
                stated.push(Stated { places, label, name, is_shared, grown });
            }
        }
    }
    Ok(())
}
