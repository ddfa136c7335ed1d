//! Entry to which a path of references from a collection leads, found without reading the other entries.

use super::super::peek::Peek;
use super::object::Listed;
use super::paths::{node_value, value};
use heaplens_heap::collection_list::{EntryShape, FieldPath, FieldRole, RoleFields};
use heaplens_heap::{LogicalEntry, LogicalKind, ObjectId, Value};

/// Maximum number of objects between a node and its key or value: Guava has a reference object in between.
const BELOW: usize = 3;
/// Maximum number of tables searched for a slot.
const TABLES: usize = 64;

/// The entry, and the number of objects of `path` up to its key or value. `None` if the path leads to no entry, or to one
/// of a list, whose entries have no keys.
pub(in super::super) fn entry_on_path(
    listed: Listed<'_>,
    kind: LogicalKind,
    path: &[ObjectId],
) -> Option<(LogicalEntry, usize)> {
    if kind == LogicalKind::List {
        return None;
    }
    let side = |at: usize| -> Option<(LogicalEntry, usize)> {
        let (&node, below) = path.get(at..)?.split_first()?;
        let (key, value) = entry_of_node(listed, node).or_else(|| {
            // In an array, the next object of the path is a key or value, next to the other.
            entry_of_slot(listed, node, *below.first()?)
        })?;
        let key = key.filter(|&key| kind == LogicalKind::Map || key != Value::Null);
        let entry = match kind {
            LogicalKind::Map => LogicalEntry { key, value },
            _ => LogicalEntry { key: None, value: key.unwrap_or(value) },
        };
        let is_side = |&object: &ObjectId| [key, Some(value)].contains(&Some(Value::Object(object)));
        let covered = below.iter().take(BELOW).position(is_side)?;
        Some((entry, at + 1 + covered + 1))
    };
    (0..path.len()).find_map(side)
}

type Sides = (Option<Value>, Value);

fn entry_of_node(listed: Listed<'_>, node: ObjectId) -> Option<Sides> {
    let peek = listed.fields.peek;
    let of_trie = peek.contents.rules.node(peek.heap.class_id(node)).map(|rule| &rule.fields);
    let roles: &RoleFields = of_trie.unwrap_or(&listed.rule.fields);
    let (key, held): (Option<&[FieldPath]>, _) = (roles.one(FieldRole::Key), roles.one(FieldRole::Value));
    if key.is_none() && held.is_none() {
        return None;
    }
    let fields = peek.fields(node, "")?;
    let key = key.and_then(|choice| node_value(node, fields, choice));
    let held = held.and_then(|choice| value(fields, choice));
    Some((key, held.or(key)?))
}

fn entry_of_slot(listed: Listed<'_>, array: ObjectId, held: ObjectId) -> Option<Sides> {
    let peek = listed.fields.peek;
    let slot = position(peek, array, held)?;
    let at = |array: ObjectId, slot: u64| peek.element(&peek.array(array)?, slot);
    let among = |role| {
        let mut arrays = listed.objects(role);
        arrays.truncate(TABLES);
        arrays
    };
    for (own, other) in [(FieldRole::Values, FieldRole::Keys), (FieldRole::Keys, FieldRole::Values)] {
        if let Some(table) = among(own).iter().position(|&own| own == array) {
            let other = among(other).get(table).and_then(|&other| at(other, slot));
            let held = Value::Object(held);
            return Some(if own == FieldRole::Values { (other, held) } else { (Some(held), other.unwrap_or(held)) });
        }
    }
    let is_table = listed.rule.shape == EntryShape::Pairs && among(FieldRole::Table).contains(&array);
    let is_node = |object| peek.contents.rules.node(peek.heap.class_id(object)).is_some();
    let is_pairs = is_table || is_in_trie(listed) && !is_node(held);
    let has_nodes = !listed.rule.fields.of(FieldRole::Key).is_empty();
    let is_set = !has_nodes && among(FieldRole::Elements).contains(&array);
    match (is_pairs, is_set) {
        (true, _) => Some((at(array, slot & !1), at(array, slot | 1)?)),
        (_, true) => Some((Some(Value::Object(held)), Value::Object(held))),
        _ => None,
    }
}

/// True if arrays below the collection alternate keys and values.
fn is_in_trie(listed: Listed<'_>) -> bool {
    listed.rule.shape == EntryShape::Trie && listed.rule.kind == Some(LogicalKind::Map)
}

/// Index of the first slot of an array that refers to an object.
fn position(peek: Peek<'_>, array: ObjectId, object: ObjectId) -> Option<u64> {
    let array = peek.array(array)?;
    let bytes = peek.contents.shapes.id_bytes as usize;
    let address = peek.heap.address(object).0.to_be_bytes();
    let address = address.get(address.len().checked_sub(bytes)?..)?;
    let slots = array.elements.chunks_exact(bytes).position(|slot| slot == address)?;
    Some(slots as u64)
}
