//! Overview findings from the leak search.

use std::ops::Range;
use std::sync::Arc;

use super::{ExpectedFinding, Finding, FindingSubject, Holder, SharedObjects, Target};
use crate::leaks::{DominantClass, Group, Kind, LeakFinding};
use heaplens_base::Bytes;
use heaplens_heap::Analysis;

/// Maximum number of owners named for shared objects.
const NAMED: usize = 3;

/// The part of the overview that the leak search finds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HolderFindings {
    /// Holders and shared classes, in the order of the leak search. Runtime memory is left out.
    pub findings: Vec<Finding>,
    /// Findings marked as expected by the user.
    pub expected: Vec<ExpectedFinding>,
}

/// Overview findings of the leak search: `leaks` are its findings, judged by the user's rules and ranked.
pub fn holders(analysis: &Analysis, leaks: &[LeakFinding]) -> HolderFindings {
    let expected = leaks.iter().filter(|leak| leak.group == Group::Expected).filter_map(|leak| {
        let verdict = leak.verdict.clone()?;
        Some(ExpectedFinding { name: leak.name.clone(), bytes: leak.frees, verdict })
    });
    let is_listed = |leak: &&LeakFinding| matches!(leak.group, Group::Leak | Group::Bounded);
    HolderFindings {
        findings: leaks.iter().filter(is_listed).filter_map(|leak| in_words(analysis, leak)).collect(),
        expected: expected.collect(),
    }
}

fn in_words(analysis: &Analysis, finding: &LeakFinding) -> Option<Finding> {
    let (holder, point) = (finding.holder.as_ref()?, finding.point.as_ref()?);
    let holds = finding.accumulated.clone();
    let (bytes, total) = (finding.frees, finding.total);
    let verdict = finding.verdict.clone().filter(|verdict| verdict.is_of_user);
    let (target, group) = (Target::Leak(finding.named_object.unwrap_or(point.object)), Some(finding.group));
    let leak = Some(Arc::new(finding.clone()));
    let freed: Vec<Range<u32>> = finding.cut.iter().filter_map(|cut| analysis.subtree(cut.to)).collect();
    let of = |about| {
        let in_line = Finding::new(about, bytes, total, target);
        Some(Finding { verdict, group, leak, freed, ..in_line })
    };
    if finding.kind == Kind::Shared {
        let (class, objects) = match holds {
            Some(DominantClass { class, objects, .. }) => (class, objects),
            None => (point.class.clone(), 1),
        };
        let holders = finding.cut.iter().take(NAMED).map(|cut| cut.name.clone()).collect();
        let about =
            FindingSubject::Shared(SharedObjects { class, objects, biggest: analysis.retained(point.object), holders });
        return of(about);
    }
    let children = analysis.dominator_children_with_retained(Some(point.object));
    let about = FindingSubject::Holder(Holder {
        object: holder.object,
        id: holder.id.clone(),
        class: holder.class.clone(),
        name: finding.name.clone(),
        label: finding.label.clone(),
        point: point.object,
        point_id: point.id.clone(),
        collection: finding.collection.as_ref().map(|inside| (inside.class.clone(), inside.kind, inside.size)),
        holds,
        dominated: finding.objects,
        biggest: children.map(|(_, retained)| retained).max().unwrap_or(Bytes(0)),
    });
    of(about)
}
