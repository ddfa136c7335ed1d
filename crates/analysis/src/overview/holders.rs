//! Overview findings from the leak search.

use std::sync::Arc;

use super::{ExpectedFinding, Finding, FindingSubject, Holder, OverviewRules, SharedObjects, Target};
use crate::heap_data::HeapData;
use crate::leaks::{self, Group, Kind, LeakQuery, leaks, usual_least};
use crate::naming::{NameIndex, Namer};
use heaplens_base::{Bytes, Cancelled, Task};

/// Maximum number of owners named for shared objects.
const NAMED: usize = 3;

/// Holders and shared classes, largest first, and those marked as expected. Runtime memory is left out.
pub(super) fn holders(
    HeapData { heap, contents, analysis }: HeapData<'_>,
    rules: OverviewRules<'_>,
    task: &Task,
) -> Result<(Vec<Finding>, Vec<ExpectedFinding>), Cancelled> {
    let index = NameIndex::new(heap, contents, analysis, rules.runtime.clone(), task)?;
    let namer = Namer { heap, contents, analysis, index: &index };
    let least = usual_least(analysis.shown.shallow);
    let mut found = leaks(LeakQuery { namer, rules: rules.leaks, least }, task)?;
    found.sort_by(|a, b| b.frees.cmp(&a.frees).then_with(|| a.name.cmp(&b.name)));
    let is_expected = |finding: &&leaks::LeakFinding| finding.group == Group::Expected;
    let expected = found.iter().filter(is_expected).filter_map(|finding| {
        let verdict = finding.verdict.clone()?;
        Some(ExpectedFinding { name: finding.name.clone(), bytes: finding.frees, verdict })
    });
    let expected = expected.collect();
    found.retain(|finding| matches!(finding.group, Group::Leak | Group::Bounded));
    Ok((found.iter().filter_map(|finding| in_words(namer, finding)).collect(), expected))
}

fn in_words(namer: Namer<'_>, finding: &leaks::LeakFinding) -> Option<Finding> {
    let analysis = namer.analysis;
    let (holder, point) = (finding.holder.as_ref()?, finding.point.as_ref()?);
    let holds = finding.accumulated.as_ref().map(|found| (found.class.clone(), found.objects));
    let (bytes, whole) = (finding.frees, finding.whole);
    let verdict = finding.verdict.clone().filter(|verdict| verdict.is_of_user);
    let (target, group) = (Target::Leak(finding.named_object.unwrap_or(point.object)), Some(finding.group));
    let leak = Some(Arc::new(finding.clone()));
    if finding.kind == Kind::Shared {
        let (class, objects) = holds?;
        let holders = finding.cut.iter().take(NAMED).map(|cut| cut.name.clone()).collect();
        let about =
            FindingSubject::Shared(SharedObjects { class, objects, biggest: analysis.retained(point.object), holders });
        return Some(Finding { about, bytes, whole, target, verdict, group, leak });
    }
    let children = analysis.dominator_children_with_retained(Some(point.object));
    let about = FindingSubject::Holder(Holder {
        object: holder.object,
        id: holder.id.clone(),
        class: holder.class.clone(),
        name: finding.name.clone(),
        point: point.object,
        point_id: point.id.clone(),
        collection: finding.collection.as_ref().map(|inside| (inside.class.clone(), inside.kind, inside.size)),
        holds,
        dominated: finding.objects,
        biggest: children.map(|(_, retained)| retained).max().unwrap_or(Bytes(0)),
    });
    Some(Finding { about, bytes, whole, target, verdict, group, leak })
}
