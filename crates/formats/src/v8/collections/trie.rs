//! Depth-first walk over tries of persistent collections, whose nodes are objects of several classes, each with a `node`
//! line in the list. In a map, an array that is no node is a pair of key and value.

use super::{Libraries, slot::Slot};
use heaplens_heap::LogicalKind;
use heaplens_heap::collection_list::{FieldRole, ListedNode};

/// Class of arrays.
const ARRAY: &str = "Array";

impl<'a> Libraries<'a> {
    fn node_rule(self, object: u32) -> Option<&'a ListedNode> {
        self.lines_of(object)?.node.and_then(|line| self.list.node(line))
    }

    /// Offers the entries below some roots.
    pub(super) fn trie(self, roots: Vec<u32>, kind: LogicalKind, offer: &mut dyn FnMut(Slot)) {
        // True for roots and children of nodes, where an array has parts; false for elements of such an array.
        let mut stack: Vec<(u32, bool)> = roots.into_iter().rev().map(|root| (root, true)).collect();
        // A malformed trie may be cyclic: no trie has more parts than the heap has objects.
        for _ in 0..self.heap.len() {
            let Some((object, is_part)) = stack.pop() else { return };
            if stack.len() > self.heap.len() {
                return;
            }
            let Some(rule) = self.node_rule(object) else {
                match kind {
                    _ if is_part && self.class(object) == ARRAY => {
                        let elements: Vec<(u32, bool)> = self.elements(object).map(|(_, to)| (to, false)).collect();
                        stack.extend(elements.into_iter().rev());
                    }
                    LogicalKind::Map => offer(self.pair(object)),
                    LogicalKind::List | LogicalKind::Set => offer(Slot { key: None, value: Some(object) }),
                }
                continue;
            };
            for pair in self.targets(object, rule.fields.of(FieldRole::Pairs)) {
                offer(self.pair(pair));
            }
            for child in self.targets(object, rule.fields.of(FieldRole::Children)).into_iter().rev() {
                stack.push((child, true));
            }
        }
    }

    /// Key and value in an array of two.
    fn pair(self, array: u32) -> Slot {
        let mut slot = Slot::default();
        for (at, to) in self.elements(array).take_while(|&(at, _)| at < 2) {
            *(if at == 0 { &mut slot.key } else { &mut slot.value }) = Some(to);
        }
        slot
    }

    /// The pair of a map that a path leads to, and the number of objects of the path up to its key or value.
    pub(super) fn pair_on_path(self, path: &[u32]) -> Option<(Slot, usize)> {
        let mut is_inside = false;
        for (at, two) in path.windows(2).enumerate() {
            let &[array, held] = two else { continue };
            is_inside |= self.node_rule(array).is_some();
            let slot = if is_inside && self.class(array) == ARRAY { self.pair(array) } else { Slot::default() };
            // Arrays of nodes have nodes or further arrays at these places.
            let is_entry = self.node_rule(held).is_none() && self.class(held) != ARRAY;
            if is_entry && [slot.key, slot.value].contains(&Some(held)) {
                return Some((slot, at + 2));
            }
        }
        None
    }
}
