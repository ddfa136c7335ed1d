//! Who holds much, as the finder of leaks sees it, in the words of the overview.

use super::{About, Finding, Holder, Shared, Target};
use crate::analysis::leaks::rules::LeakRules;
use crate::analysis::leaks::{self, Group, Kind, Question, leaks, usual_least};
use crate::analysis::naming::{NameIndex, Namer};
use crate::analysis::runtime_classes::RuntimeClasses;
use crate::heap::analyzed::Analyzed;
use crate::heap::contents::Contents;
use crate::heap::facts::Heap;
use crate::task::{Cancelled, Task};
use crate::units::Bytes;

/// Owners of shared objects that are named.
const NAMED: usize = 3;

/// Holders and shared classes worth a sentence, biggest first. What every program has is none.
pub(super) fn holders(
    heap: &Heap,
    contents: &dyn Contents,
    analyzed: &Analyzed,
    rules: &RuntimeClasses,
    task: &Task,
) -> Result<Vec<Finding>, Cancelled> {
    let index = NameIndex::new(heap, contents, analyzed, rules.clone(), task)?;
    let namer = Namer { heap, contents, analyzed, index: &index };
    let (rules, least) = (LeakRules::default(), usual_least(analyzed.shown.shallow));
    let mut found = leaks(Question { namer, rules: &rules, least }, task)?;
    found.retain(|finding| matches!(finding.group, Group::Leak | Group::Bounded));
    found.sort_by(|a, b| b.frees.cmp(&a.frees).then_with(|| a.name.cmp(&b.name)));
    Ok(found.iter().filter_map(|finding| in_words(namer, finding)).collect())
}

fn in_words(namer: Namer<'_>, finding: &leaks::Finding) -> Option<Finding> {
    let (heap, analyzed) = (namer.heap, namer.analyzed);
    let (holder, point) = (finding.holder.as_ref()?, finding.point.as_ref()?);
    let holds = finding.accumulated.as_ref().map(|found| (found.class.clone(), found.objects));
    let (bytes, whole) = (finding.frees, finding.whole);
    if finding.kind == Kind::Shared {
        let (class, objects) = holds?;
        let holders = finding.cut.iter().take(NAMED).map(|cut| cut.name.clone()).collect();
        let target = Target::Class(heap.class_id(point.object));
        let about = About::Shared(Shared { class, objects, biggest: analyzed.retained(point.object), holders });
        return Some(Finding { about, bytes, whole, target });
    }
    let children = analyzed.dominator_children_with_retained(Some(point.object));
    let about = About::Holder(Holder {
        object: holder.object,
        id: holder.id.clone(),
        class: holder.class.clone(),
        name: finding.name.clone(),
        point: point.object,
        point_id: point.id.clone(),
        collection: finding.collection.as_ref().map(|inside| (inside.class.clone(), inside.kind.name(), inside.size)),
        holds,
        dominated: finding.objects,
        biggest: children.map(|(_, retained)| retained).max().unwrap_or(Bytes(0)),
    });
    let target = match finding.kind {
        Kind::Thread | Kind::ThreadLocals => Target::Threads(Some(holder.object)),
        // Where it accumulates, not what dominates that: a class object says nothing of it.
        _ => Target::Object(point.object),
    };
    Some(Finding { about, bytes, whole, target })
}
