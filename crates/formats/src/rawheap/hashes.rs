//! Hashes of objects, which the runtime stores in the upper half of their ids when leak detection is on. Each becomes a
//! node placed after all others.

use super::names::Names;
use super::snapshot::{Node, kind};

struct HashedObject {
    index: u32,
    hash: u32,
    /// Its node among those placed last, once the object was reached.
    node: Option<u32>,
}

/// Hashes of a heap, in object order.
#[derive(Default)]
pub(super) struct Hashes(Vec<HashedObject>);

impl Hashes {
    /// Extracts the hash from an id.
    pub(super) fn add(&mut self, index: u32, id: u64) {
        let hash = (id >> 32) as u32;
        if hash != 0 {
            self.0.push(HashedObject { index, hash, node: None });
        }
    }

    /// Sorts them; an object listed twice in the tables gets one.
    pub(super) fn sort(&mut self) {
        self.0.sort_by_key(|of| of.index);
        self.0.dedup_by_key(|of| of.index);
    }

    /// Node of an object's hash, if it has one. On first use it is added to `late`, whose first node is `first`.
    pub(super) fn node(&mut self, of: u32, first: u32, late: &mut Vec<Node>, names: &mut Names<'_>) -> Option<u32> {
        let at = self.0.binary_search_by_key(&of, |hashed| hashed.index).ok()?;
        let hashed = self.0.get_mut(at)?;
        let node = *hashed.node.get_or_insert_with(|| {
            late.push(Node::new(0, kind::NUMBER, names.add_text(format!("Int:{}", hashed.hash))));
            late.len() as u32 - 1
        });
        Some(first + node)
    }
}
