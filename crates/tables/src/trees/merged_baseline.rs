//! Number of objects at the end of the same paths in the baseline: both trees are joined from the roots down, by class
//! and field, or by matched objects.

use std::collections::HashMap;

use crate::dump::merged::MergedPathsQuery;
use heaplens_analysis::paths::merged::{MergeBy, MergedTree, Node, PathTargets, TOP, merged_paths};
use heaplens_base::{CHECKPOINT_EVERY, Task};
use heaplens_heap::{Heap, ObjectId};
use heaplens_session::{JobError, OpenDump};

/// Key that identifies a child in both trees.
#[derive(PartialEq, Eq, Hash)]
enum Key<'a> {
    Named(Option<&'a str>, &'a str),
    Object(ObjectId),
}

fn key<'a>(tree: &'a MergedTree, heap: &'a Heap, node: usize, by: MergeBy) -> Option<Key<'a>> {
    let object = tree.node(node)?.object()?;
    Some(match by {
        MergeBy::Class => Key::Named(tree.name(node), &heap.class(object).name),
        MergeBy::Object => Key::Object(object),
    })
}

/// By node of `tree`: number of objects with the same path in the baseline; empty without a comparison.
pub(super) fn baseline_counts(
    dump: &OpenDump,
    question: &MergedPathsQuery,
    tree: &MergedTree,
    task: &Task,
) -> Result<Vec<u32>, JobError> {
    let Some((before, comparison)) = dump.compared() else { return Ok(Vec::new()) };
    let mut then = vec![0; tree.len()];
    let matches = &comparison.matches;
    let of = match &question.of {
        PathTargets::Objects(objects) => {
            PathTargets::Objects(objects.iter().filter_map(|&object| matches.before(object)).collect())
        }
        PathTargets::Class(class) => {
            let kind = matches.kinds.get(matches.kinds.of_after(*class));
            match kind.map_or(&[][..], |kind| &kind.before) {
                [] => return Ok(then),
                &[one] => PathTargets::Class(one),
                several => {
                    let is_of = |object: &ObjectId| several.contains(&before.heap.class_id(*object));
                    PathTargets::Objects(before.heap.objects().filter(is_of).collect())
                }
            }
        }
    };
    let old = merged_paths(before.data(), &of, question.by, question.min_strength, task)?;
    let objects = |node: usize| old.node(node).map_or(0, |node| node.objects);
    // Corresponding node in the baseline tree, by node; parents come before children.
    let mut same: Vec<Option<usize>> = vec![None; tree.len()];
    if let (Some(first), Some(count)) = (same.get_mut(TOP), then.get_mut(TOP)) {
        (*first, *count) = (Some(TOP), objects(TOP));
    }
    for node in 0..tree.len() {
        if node.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        let Some(above) = same[node] else { continue };
        let below = |tree: &MergedTree, above: usize| {
            let count = tree.node(above).map_or(0, Node::children);
            (0..count).filter_map(|at| tree.child(above, at)).collect::<Vec<usize>>()
        };
        let known = below(&old, above)
            .into_iter()
            .filter_map(|child| Some((key(&old, &before.heap, child, question.by)?, child)));
        let known: HashMap<Key<'_>, usize> = known.collect();
        for child in below(tree, node) {
            let wanted = match key(tree, &dump.heap, child, question.by) {
                Some(Key::Object(object)) => matches.before(object).map(Key::Object),
                named => named,
            };
            if let Some(&old) = wanted.and_then(|wanted| known.get(&wanted)) {
                (same[child], then[child]) = (Some(old), objects(old));
            }
        }
    }
    Ok(then)
}
