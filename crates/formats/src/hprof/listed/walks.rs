//! Iteration over the entries of a collection of the list, by its shape.

use super::super::peek::Fields;
use super::super::walks::{CycleDetector, DEEPEST, Page};
use super::object::Listed;
use super::paths::{node_value, value};
use super::trie;
use heaplens_heap::collection_list::{EntryShape, FieldRole, ListedCollection, SlotTest};
use heaplens_heap::{ObjectId, Value};

/// A bucket of a `ConcurrentHashMap` that was converted to a tree: its nodes are a chain too.
const TREE_BIN: &str = "java.util.concurrent.ConcurrentHashMap$TreeBin";
/// Bits of an index into one array of a radix vector.
const RADIX: u64 = 5;

/// Offers the entries of a collection to a page.
pub(in super::super) fn walk<'a>(listed: Listed<'a>, page: &mut Page<'a>) {
    match listed.rule.shape {
        EntryShape::Array => array(listed, page),
        EntryShape::Slots => slots(listed, page),
        EntryShape::Pairs => {
            listed.objects(FieldRole::Table).into_iter().for_each(|table| pairs(listed, table, page, true));
            zero_outside(listed, Value::Null, page);
        }
        EntryShape::Chains => chains(listed, page),
        EntryShape::Links => {
            for first in listed.objects(FieldRole::First) {
                let until = listed.rule.has_head.then_some(first);
                chain(listed.rule, first, until, page);
            }
        }
        EntryShape::Tree => tree(listed, page),
        EntryShape::Trie => {
            zero_outside(listed, Value::Null, page);
            trie::walk(listed.objects(FieldRole::Root), listed.rule.kind, page);
        }
        EntryShape::Radix => radix(listed, page),
        EntryShape::Own => own(listed, page),
        EntryShape::Within | EntryShape::Empty => {}
    }
}

/// Visits the elements of arrays, one after another.
fn array<'a>(listed: Listed<'a>, page: &mut Page<'a>) {
    let arrays = listed.objects(FieldRole::Elements);
    let has_nodes = !listed.rule.fields.of(FieldRole::Key).is_empty();
    if let ([array], false) = (&*arrays, has_nodes) {
        return page.array(Some(*array), listed.number(FieldRole::Start).unwrap_or(0));
    }
    let peek = page.peek;
    for array in arrays.into_iter().filter_map(|array| peek.array(array)) {
        let length = peek.recorded_length(&array);
        // Elements before the page need no reading.
        let skipped = if has_nodes { 0 } else { page.range.start.min(page.most).saturating_sub(page.seen).min(length) };
        page.seen += skipped;
        for at in skipped..length {
            if !page.should_continue() {
                return;
            }
            match peek.element(&array, at) {
                Some(Value::Object(node)) if has_nodes => {
                    if let Some(fields) = page.node(node) {
                        offer_node(listed.rule, node, fields, page);
                    }
                }
                Some(value) => page.offer(None, value, None),
                None => return,
            }
        }
    }
}

/// Visits the used slots of parallel arrays.
fn slots<'a>(listed: Listed<'a>, page: &mut Page<'a>) {
    let peek = page.peek;
    let array = |object: Option<&ObjectId>| object.and_then(|&object| peek.array(object));
    let (keys, values, used) = (listed.slots(), listed.objects(FieldRole::Values), listed.objects(FieldRole::Used));
    let is_last_zero = listed.has_zero() && listed.rule.fields.of(FieldRole::ZeroValue).is_empty();
    let mut first_key = Value::Null;
    for (at, keys_object) in keys.iter().enumerate() {
        let Some(keys_array) = peek.array(*keys_object) else { continue };
        let (values, used) = (array(values.get(at)), array(used.get(at)));
        let length = peek.recorded_length(&keys_array);
        for slot in 0..length {
            if !page.should_continue() {
                return;
            }
            let Some(key) = peek.element(&keys_array, slot) else { break };
            if slot == 0 {
                first_key = key;
            }
            let value = values.and_then(|values| peek.element(&values, slot));
            let is_zero = is_last_zero && at + 1 == keys.len() && slot + 1 == length;
            let is_used = match used {
                Some(used) => peek.element(&used, slot).is_some_and(is_set_flag),
                None => match listed.rule.test {
                    SlotTest::Key => !is_unset(key),
                    SlotTest::Value => value.is_some_and(|value| !is_unset(value)),
                    SlotTest::First => true,
                },
            };
            if (is_used || is_zero) && !is_skipped(listed.rule, page, key, value) {
                page.offer(Some(key), value.unwrap_or(key), None);
            }
        }
    }
    zero_outside(listed, zero_like(first_key), page);
}

/// The entry of the key zero or null, if it has a field of its own.
fn zero_outside<'a>(listed: Listed<'a>, key: Value, page: &mut Page<'a>) {
    let choice = listed.rule.fields.one(FieldRole::ZeroValue);
    if let Some(choice) = choice.filter(|_| listed.has_zero() && page.should_continue()) {
        let value = value(listed.fields, choice).unwrap_or(Value::Null);
        page.offer(Some(key), value, None);
    }
}

/// Visits alternating keys and values. Eclipse Collections replaces the keys of a full slot by a placeholder, an object of
/// an inner class, and the value by an array of keys and values.
fn pairs<'a>(listed: Listed<'a>, table: ObjectId, page: &mut Page<'a>, is_outer: bool) {
    let peek = page.peek;
    let Some(array) = peek.array(table) else { return };
    for at in 0..peek.recorded_length(&array) / 2 {
        let (key, value) = (peek.element(&array, 2 * at), peek.element(&array, 2 * at + 1));
        let (Some(key), Some(value)) = (key, value) else { return };
        if !page.should_continue() {
            return;
        }
        if key == Value::Null || is_skipped(listed.rule, page, key, Some(value)) {
            continue;
        }
        let inner = key.object().and_then(|key| peek.class_name(key).rsplit_once('$'));
        let is_placeholder = inner.is_some_and(|(outer, _)| is_same_class(outer, &listed.rule.class));
        match value.object().filter(|&chain| is_outer && is_placeholder && peek.array(chain).is_some()) {
            Some(chain) => pairs(listed, chain, page, false),
            None => page.offer(Some(if is_placeholder { Value::Null } else { key }), value, None),
        }
    }
}

/// Visits the chains of a hash table.
fn chains<'a>(listed: Listed<'a>, page: &mut Page<'a>) {
    let peek = page.peek;
    for table in listed.objects(FieldRole::Table).into_iter().filter_map(|table| peek.array(table)) {
        for at in 0..peek.recorded_length(&table) {
            if !page.should_continue() {
                return;
            }
            let Some(first) = peek.element(&table, at) else { break };
            if let Some(first) = first.object() {
                chain(listed.rule, first, None, page);
            }
        }
    }
}

/// Visits linked nodes, to the end or back to the head `until`, which is no entry.
fn chain(rule: &ListedCollection, first: ObjectId, until: Option<ObjectId>, page: &mut Page<'_>) {
    let mut at = Some(first);
    let mut detector = CycleDetector::default();
    while let Some(node) = at {
        if !page.should_continue() || detector.is_repeated(node) {
            return;
        }
        let Some(fields) = page.node(node) else { return };
        if page.peek.class_name(node) == TREE_BIN {
            at = fields.object(&["first"]);
            continue;
        }
        if until != Some(node) {
            offer_node(rule, node, fields, page);
        }
        let next = rule.fields.one(FieldRole::Next).and_then(|choice| value(fields, choice));
        at = next.and_then(Value::object).filter(|&next| next != node && Some(next) != until);
    }
}

/// Offers the entry of a node, if it is one: a node without key and value is not.
fn offer_node<'a>(rule: &ListedCollection, node: ObjectId, fields: Fields<'a>, page: &mut Page<'a>) {
    let of = |role| rule.fields.one(role).and_then(|choice| node_value(node, fields, choice));
    let (key, value) = (of(FieldRole::Key), of(FieldRole::Value));
    // A node that is its own entry is no internal object.
    let internal = (value != Some(Value::Object(node))).then_some(node);
    match (key, value) {
        (key, Some(value)) if !is_skipped(rule, page, key.unwrap_or(value), Some(value)) => {
            page.offer(key, value, internal);
        }
        (Some(key), None) => page.offer(Some(key), Value::Null, internal),
        _ => {}
    }
}

/// Visits a search tree, smallest key first.
fn tree<'a>(listed: Listed<'a>, page: &mut Page<'a>) {
    let child = |fields: Fields<'a>, role| {
        value(fields, listed.rule.fields.one(role)?)
            .and_then(Value::object)
            .filter(|_| !is_thread(listed.rule, fields, role))
    };
    let mut above: Vec<(ObjectId, Fields<'a>)> = Vec::new();
    let mut at = listed.objects(FieldRole::Root).first().copied();
    loop {
        while let Some(node) = at {
            if !page.should_continue() || above.len() > DEEPEST {
                return;
            }
            let Some(fields) = page.node(node) else { break };
            above.push((node, fields));
            at = child(fields, FieldRole::Left);
        }
        let Some((node, fields)) = above.pop().filter(|_| page.should_continue()) else { return };
        offer_node(listed.rule, node, fields, page);
        at = child(fields, FieldRole::Right);
    }
}

/// True if a child is a thread to the next or previous node in a threaded tree.
fn is_thread(rule: &ListedCollection, fields: Fields<'_>, role: FieldRole) -> bool {
    let is_left = role == FieldRole::Left;
    match rule.fields.of(FieldRole::Threads) {
        [info] => {
            let bit: u32 = if is_left { 1 << 30 } else { 1 << 31 };
            matches!(value(fields, info), Some(Value::Int(info)) if info.cast_unsigned() & bit != 0)
        }
        [left, right] => value(fields, if is_left { left } else { right }) == Some(Value::Bool(true)),
        _ => false,
    }
}

/// Visits a vector of Scala 2.12: `elements` are the arrays of each level on the path to the index in `focus`.
fn radix<'a>(listed: Listed<'a>, page: &mut Page<'a>) {
    let peek = page.peek;
    let number = |role| listed.number(role).unwrap_or(0);
    let (start, end, focus) = (number(FieldRole::Start), number(FieldRole::End), number(FieldRole::Focus));
    let levels = listed.rule.fields.of(FieldRole::Elements);
    let levels: Vec<Option<ObjectId>> =
        levels.iter().map(|choice| value(listed.fields, choice).and_then(Value::object)).collect();
    page.seen = page.range.start.min(page.most);
    let mut leaf = None;
    while page.should_continue() {
        let index = start.saturating_add(page.seen);
        if index >= end {
            return;
        }
        if leaf.is_none_or(|(block, _)| block != index >> RADIX) {
            let mut level = 0;
            while (index ^ focus) >> (RADIX * (level as u64 + 1)) != 0 && level + 1 < levels.len() {
                level += 1;
            }
            let mut array = levels.get(level).copied().flatten().and_then(|array| peek.array(array));
            for below in (1..=level as u64).rev() {
                let slot = (index >> (RADIX * below)) & 31;
                array = array.and_then(|array| peek.array(peek.element(&array, slot)?.object()?));
            }
            leaf = array.map(|array| (index >> RADIX, array));
        }
        let Some(value) = leaf.as_ref().and_then(|(_, leaf)| peek.element(leaf, index & 31)) else { return };
        page.offer(None, value, None);
    }
}

/// Visits keys and values in the object's own fields.
fn own<'a>(listed: Listed<'a>, page: &mut Page<'a>) {
    let of = |role| listed.rule.fields.of(role).iter().map(|choice| value(listed.fields, choice));
    let (keys, values): (Vec<_>, Vec<_>) =
        (of(FieldRole::Keys).collect(), of(FieldRole::Values).chain(of(FieldRole::Elements)).collect());
    for at in 0..keys.len().max(values.len()) {
        let (key, value) = (keys.get(at).copied().flatten(), values.get(at).copied().flatten());
        if let Some(value) = value.or(key) {
            page.offer(key, value, None);
        }
    }
}

fn is_skipped(rule: &ListedCollection, page: &Page<'_>, key: Value, value: Option<Value>) -> bool {
    let is_placeholder = |value: Value| {
        let class = value.object().map(|object| page.peek.class_name(object));
        class.is_some_and(|class| rule.skip.iter().any(|skip| is_same_class(class, skip)))
    };
    !rule.skip.is_empty() && (is_placeholder(key) || value.is_some_and(is_placeholder))
}

/// True if a class has this name, or is a copy of it in another package.
fn is_same_class(class: &str, name: &str) -> bool {
    class.strip_suffix(name).is_some_and(|package| package.is_empty() || package.ends_with('.'))
}

fn is_set_flag(value: Value) -> bool {
    matches!(value, Value::Bool(true) | Value::Byte(1))
}

/// True for null and zero: a slot that was never written.
fn is_unset(value: Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) | Value::Byte(0) | Value::Short(0) | Value::Int(0) | Value::Long(0) => true,
        Value::Char(unit) => unit == 0,
        Value::Float(number) => number.to_bits() == 0,
        Value::Double(number) => number.to_bits() == 0,
        _ => false,
    }
}

/// The key zero, of the type of another key.
fn zero_like(key: Value) -> Value {
    match key {
        Value::Byte(_) => Value::Byte(0),
        Value::Short(_) => Value::Short(0),
        Value::Int(_) => Value::Int(0),
        Value::Long(_) => Value::Long(0),
        Value::Char(_) => Value::Char(0),
        Value::Float(_) => Value::Float(0.0),
        Value::Double(_) => Value::Double(0.0),
        _ => Value::Null,
    }
}
