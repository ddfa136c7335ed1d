//! Cuts for shared objects that few structures hold: the reference to each structure.

use crate::answers::DumpData;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::accumulation_point::AccumulationPoint;
use super::cut_options::{CutOption, CutOptions, SEVERAL, outside};
use crate::naming::{Namer, source_field};
use crate::structure::{self, Label, LabelHolder};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

/// Maximum number of structures that name what they hold.
const NAMED: usize = 2;
/// Number of objects whose names are compared.
const SAMPLE: usize = 16;
/// Maximum number of steps of a path to an object that is examined for a field.
const STEPS: usize = 256;

/// The references to the structures that hold some objects, if these hold all of them: cutting them frees the objects
/// and the structures. `None` if other objects hold them, too, or if a structure is a GC root.
pub(super) fn of_containers(
    namer: Namer<'_>,
    point: &AccumulationPoint,
    task: &Task,
) -> Result<Option<CutOptions>, Cancelled> {
    let holds_each = point.containers.first().is_some_and(|first| first.holds == first.sampled);
    if !holds_each || !structure::hold_all(namer, &point.containers, &point.members, task)? {
        return Ok(None);
    }
    let mut options = CutOptions { frees: point.held, ..CutOptions::default() };
    for container in &point.containers {
        if !namer.analysis.roots().of(container.head).is_empty() {
            return Ok(None);
        }
        let Some(from) = outside(namer, container.head, task)? else { return Ok(None) };
        // A structure within another goes with it.
        let is_within = point
            .containers
            .iter()
            .any(|other| other.head != container.head && namer.analysis.dominates(other.head, container.head));
        if !is_within {
            options.frees.add(namer.analysis.kept_by(container.head));
            options.listed.push(CutOption { from, to: container.head });
        }
    }
    let is_any = options.listed.iter().any(|option| !option.from.is_empty());
    Ok(is_any.then_some(options))
}

/// `news.Desk.open + news.Feed.listeners`: structures by their names in the source, with the number of objects that each
/// holds; those that hold most first.
pub(super) fn label(
    namer: Namer<'_>,
    heads: impl Iterator<Item = (ObjectId, usize)>,
    task: &Task,
) -> Result<Option<Label>, Cancelled> {
    let mut labels: Vec<(usize, Label)> = Vec::new();
    for (head, holds) in heads.take(SEVERAL) {
        let structure_label = structure::label(namer, head, task)?;
        labels.extend(
            structure_label.filter(|label| labels.iter().all(|(_, known)| known != label)).map(|label| (holds, label)),
        );
    }
    labels.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.text.cmp(&b.1.text)));
    labels.truncate(NAMED);
    let of_application = labels.iter().find(|(_, label)| label.is_of_application());
    let first = of_application.or(labels.first()).map(|(_, label)| label.clone());
    let text = labels.into_iter().map(|(_, label)| label.text).collect::<Vec<_>>().join(" + ");
    Ok(first.map(|first| Label { text, ..first }))
}

/// The name that most of a sample of the objects have, each by its nearest holder; the field alone if only that is the
/// same.
pub(super) fn label_of_most(
    namer: Namer<'_>,
    point: &AccumulationPoint,
    task: &Task,
) -> Result<Option<Label>, Cancelled> {
    let sample = structure::sample_by_size(namer, &point.members, SAMPLE);
    let half = sample.len().div_ceil(2);
    let mut labels: Vec<Label> = Vec::new();
    for member in sample {
        labels.extend(structure::label(namer, member, task)?.filter(|label| label.holder != LabelHolder::Engine));
    }
    Ok(common_label(&labels, half))
}

/// The innermost field that the shortest paths to most of a sample of the objects share: `java.util.Timer.queue`, of
/// whatever library or part of the runtime. Elements of collections and locals of threads are no fields.
pub(super) fn field_on_most_paths(
    namer: Namer<'_>,
    point: &AccumulationPoint,
    task: &Task,
) -> Result<Option<String>, Cancelled> {
    let Namer { dump: DumpData { heap, analysis, .. }, index } = namer;
    let sample = point.members.iter().step_by(point.members.len().div_ceil(SAMPLE).max(1));
    let half = sample.len().div_ceil(2);
    // With the number of paths, and the steps from the objects up.
    let mut passed: BTreeMap<(ObjectId, ObjectId), (usize, usize)> = BTreeMap::new();
    for &member in sample {
        let mut below = member;
        for up in 1..=STEPS {
            task.checkpoint()?;
            let Some(above) = analysis.predecessor(heap, below) else { break };
            if !index.is_thread(above) {
                let (paths, steps) = passed.entry((above, below)).or_default();
                (*paths, *steps) = (*paths + 1, *steps + up);
            }
            below = above;
        }
    }
    let most = passed.into_iter().filter(|(_, (paths, _))| *paths >= half.max(2));
    let mut most: Vec<_> = most.map(|(reference, (paths, steps))| (steps / paths, reference)).collect();
    most.sort_unstable();
    Ok(most.into_iter().find_map(|(_, (above, below))| {
        let class = heap.classes.of_object(above).unwrap_or_else(|| heap.class_id(above));
        Some(source_field(&index.class(heap, class), &structure::field_of(namer, above, below)?))
    }))
}

/// The label that at least `least` have, or the field if only the fields are the same.
fn common_label(labels: &[Label], least: usize) -> Option<Label> {
    most_of(labels, least, |label| &label.text).cloned().or_else(|| {
        let most = most_of(labels, least, |label| &label.field)?;
        Some(Label { text: most.field.clone(), ..most.clone() })
    })
}

/// A label of those that are the most alike, if there are at least `least`.
fn most_of(labels: &[Label], least: usize, part: impl Fn(&Label) -> &str) -> Option<&Label> {
    let times = |label: &Label| labels.iter().filter(|other| part(other) == part(label)).count();
    let most = labels.iter().max_by_key(|label| (times(label), Reverse(part(label))))?;
    (times(most) >= least).then_some(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_of_one_field_have_its_name() {
        let label = |field: &str, rest: &str| Label {
            text: format!("{field}{rest}"),
            field: field.to_owned(),
            holder: LabelHolder::Application,
            source: None,
        };
        let undo = |rest: &str| label("Editor.undoStates", rest);
        let text = |labels: &[Label], least| common_label(labels, least).map(|label| label.text);
        // Versions of a tree hold its nodes at places that differ.
        let versions = [undo("[…].left"), undo("[…].right"), undo("[…].middle"), label("Editor.diagram", "")];
        assert_eq!(text(&versions, 2).as_deref(), Some("Editor.undoStates"));
        assert_eq!(text(&versions, 4), None);
        let alike = [undo("[…].left"), undo("[…].left"), undo("[…].right")];
        assert_eq!(text(&alike, 2).as_deref(), Some("Editor.undoStates[…].left"));
        assert_eq!(text(&[], 0), None);
    }
}
