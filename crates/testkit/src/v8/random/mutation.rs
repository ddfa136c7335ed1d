//! Later state of a heap: nodes were removed and added, some have grown, some have changed their kind.

use super::super::snapshot::{Label, Snapshot};
use super::words;
use crate::random::Random;

/// Later state of a snapshot.
pub fn mutate(before: &Snapshot, seed: u64) -> Snapshot {
    let mut random = Random::new(seed ^ 0x1a7e);
    let goes = random.between(2, 12);
    // A string without its parts would be no text.
    let part =
        |label: &Label| matches!(label, Label::Name(name) if *name == "first".into() || *name == "second".into());
    let mut needed = vec![false; before.nodes.len()];
    for edge in before.nodes.iter().flat_map(|node| &node.edges).filter(|edge| part(&edge.label)) {
        needed[edge.to] = true;
    }
    let mut after = before.only(|node| needed[node] || !random.one_in(goes));
    let mut id = 2 + after.nodes.iter().map(|node| node.id | 1).max().unwrap_or(1);
    for node in &mut after.nodes {
        match random.below(20) {
            0 => node.self_size += 8,
            1 if node.kind == "object" && node.name != "Object".into() => {
                node.name = (*random.pick(&words::CLASSES)).into();
            }
            _ => {}
        }
    }
    for _ in 0..random.below(12) {
        let kind = *random.pick(&["object", "object", "closure", "string", "array", "native"]);
        let name = if kind == "object" { *random.pick(&["Object", "Cart", "Array", "New"]) } else { "" };
        let from = random.below(after.nodes.len() as u32) as usize;
        let node = after.add(kind, name, id + u64::from(kind == "native"), 8 * u64::from(random.below(9)));
        id += 2;
        let property = *random.pick(&words::PROPERTIES);
        after.name(from, "internal", "kept", node);
        after.name(node, "property", property, from);
    }
    after
}
