//! Part 8.6: added and removed nodes, by class and id.

use std::collections::BTreeMap;

use super::Snapshot;
use super::classes::{Classes, Group, table_by};

/// A row of a comparison: ids with bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in super::super) struct Change {
    pub(in super::super) name: String,
    pub(in super::super) new: Vec<(u64, u64)>,
    pub(in super::super) deleted: Vec<(u64, u64)>,
}

/// Classes that changed, by their keys.
pub(in super::super) fn comparison(base: &Snapshot, current: &Snapshot) -> BTreeMap<String, Change> {
    let classes = Classes::new(&base.graph, &current.shapes);
    let (before, after) = (table_by(base, &classes, |_| true), current.table(|_| true));
    let mut changes = BTreeMap::<String, Change>::new();
    let seen = |groups: Vec<Group>| groups.into_iter().filter(|group| !group.is_lost);
    let rows = |of: &Snapshot, group: &Group| -> BTreeMap<u64, u64> {
        group.members.iter().map(|&node| (of.graph.nodes[node].id, of.sizes[node])).collect()
    };
    for group in seen(before) {
        let change = changes.entry(group.key.clone()).or_default();
        change.deleted = rows(base, &group).into_iter().collect();
        change.name = group.name;
    }
    for group in seen(after) {
        let change = changes.entry(group.key.clone()).or_default();
        let (new, mut old) = (rows(current, &group), change.deleted.iter().copied().collect::<BTreeMap<_, _>>());
        change.new = new.iter().map(|(&id, &size)| (id, size)).filter(|(id, _)| !old.contains_key(id)).collect();
        old.retain(|id, _| !new.contains_key(id));
        change.deleted = old.into_iter().collect();
        change.name = group.name;
    }
    changes.retain(|_, change| !change.new.is_empty() || !change.deleted.is_empty());
    changes
}
