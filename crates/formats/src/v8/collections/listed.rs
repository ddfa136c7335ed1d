//! Collections of libraries, by the rules of the list.

use super::{Libraries, MOST, slot::Slot};
use heaplens_heap::LogicalKind;
use heaplens_heap::collection_list::{EntryShape, FieldPath, FieldRole, ListedCollection, PathChoice};

impl Libraries<'_> {
    /// Offers the entries of a collection in order; returns its arrays.
    pub(super) fn listed(
        self,
        object: u32,
        rule: &ListedCollection,
        kind: LogicalKind,
        offer: &mut dyn FnMut(Slot),
    ) -> Vec<u32> {
        let arrays = |role| self.targets(object, rule.fields.of(role));
        match rule.shape {
            EntryShape::Array => {
                let arrays = arrays(FieldRole::Elements);
                let elements = arrays.iter().flat_map(|&array| self.elements(array));
                elements.for_each(|(_, to)| offer(Slot { key: None, value: Some(to) }));
                arrays
            }
            EntryShape::Slots => {
                let (keys, values) = (arrays(FieldRole::Keys), arrays(FieldRole::Values));
                for at in 0..keys.len().max(values.len()) {
                    let elements = |arrays: &[u32]| arrays.get(at).map(|&array| self.elements(array));
                    let (keys, values) = (elements(&keys), elements(&values));
                    side_by_side(keys.into_iter().flatten(), values.into_iter().flatten(), offer);
                }
                [keys, values].concat()
            }
            EntryShape::Links => {
                for first in arrays(FieldRole::First) {
                    let next = |&node: &u32| self.end(node, rule.fields.one(FieldRole::Next)?);
                    // A chain may be cyclic.
                    for node in std::iter::successors(Some(first), next).take(self.heap.len()) {
                        let side = |role| rule.fields.one(role).and_then(|choice| self.end(node, choice));
                        let slot = Slot { key: side(FieldRole::Key), value: side(FieldRole::Value) };
                        if slot != Slot::default() {
                            offer(slot);
                        }
                    }
                }
                Vec::new()
            }
            EntryShape::Trie => {
                self.trie(arrays(FieldRole::Root), kind, offer);
                Vec::new()
            }
            // Libraries of JavaScript have none of these.
            EntryShape::Pairs
            | EntryShape::Chains
            | EntryShape::Tree
            | EntryShape::Radix
            | EntryShape::Within
            | EntryShape::Own
            | EntryShape::Empty => Vec::new(),
        }
    }

    /// The entry that a path below a collection leads to, and the number of objects of the path up to its key or value.
    pub(super) fn slot_on_path(
        self,
        object: u32,
        rule: &ListedCollection,
        kind: LogicalKind,
        path: &[u32],
    ) -> Option<(Slot, usize)> {
        match (rule.shape, path) {
            (EntryShape::Slots, &[array, held, ..]) => {
                let arrays = |role| self.targets(object, rule.fields.of(role));
                let (at, _) = self.elements(array).find(|&(_, to)| to == held)?;
                let other = |role| {
                    let mut elements = arrays(role).into_iter().flat_map(|array| self.elements(array));
                    elements.find(|&(index, _)| index == at).map(|(_, to)| to)
                };
                if arrays(FieldRole::Values).contains(&array) {
                    return Some((Slot { key: other(FieldRole::Keys), value: Some(held) }, 2));
                }
                let is_key = arrays(FieldRole::Keys).contains(&array);
                is_key.then(|| (Slot { key: Some(held), value: other(FieldRole::Values) }, 2))
            }
            (EntryShape::Trie, _) if kind == LogicalKind::Map => self.pair_on_path(path),
            _ => None,
        }
    }

    /// Objects at the ends of paths, one path after another; of the choices for each, the first whose fields exist.
    pub(super) fn targets(self, object: u32, paths: &[PathChoice]) -> Vec<u32> {
        let mut targets = Vec::new();
        for choice in paths {
            targets.extend(choice.iter().find_map(|path| self.expanded(object, path)).unwrap_or_default());
        }
        targets.truncate(MOST);
        targets
    }

    /// Object at the end of the first path whose fields exist.
    pub(super) fn end(self, object: u32, choice: &[FieldPath]) -> Option<u32> {
        choice.iter().find_map(|path| self.expanded(object, path)?.first().copied())
    }

    /// Objects at the ends of a path; `None` if its first field does not exist.
    fn expanded(self, object: u32, path: &FieldPath) -> Option<Vec<u32>> {
        let mut at = vec![object];
        for (step, field) in path.iter().enumerate() {
            at = at.iter().filter_map(|&object| self.field(object, &field.field)).collect();
            if step == 0 && at.is_empty() {
                return None;
            }
            for _ in 0..field.depth {
                at = at.iter().flat_map(|&array| self.elements(array)).map(|(_, to)| to).take(MOST).collect();
            }
        }
        Some(at)
    }
}

/// Offers keys and values with the same index.
fn side_by_side(
    keys: impl Iterator<Item = (u64, u32)>,
    values: impl Iterator<Item = (u64, u32)>,
    offer: &mut dyn FnMut(Slot),
) {
    let (mut keys, mut values) = (keys.peekable(), values.peekable());
    while let Some(at) = [keys.peek(), values.peek()].into_iter().flatten().map(|&(at, _)| at).min() {
        let key = keys.next_if(|&(key, _)| key == at).map(|(_, to)| to);
        let value = values.next_if(|&(value, _)| value == at).map(|(_, to)| to);
        offer(Slot { key, value });
    }
}
