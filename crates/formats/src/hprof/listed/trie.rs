//! Depth-first walk over tries, whose nodes are objects of several classes, each with a `node` line in the list.

use super::super::subrecords::RawArray;
use super::super::walks::{DEEPEST, Page};
use super::paths::{node_value, value};
use heaplens_heap::collection_list::{FieldRole, ListedNode};
use heaplens_heap::{LogicalKind, ObjectId, Value};

/// Part of a trie that was not visited yet.
enum Pending<'a> {
    /// A node, array or element.
    Object(ObjectId),
    /// Rest of an array of nodes or elements.
    Elements { array: RawArray<'a>, at: u64, null_counts: bool },
    /// Rest of an array of keys and values.
    Pairs { array: RawArray<'a>, at: u64 },
}

/// Offers the entries below the roots of a trie.
pub(super) fn walk<'a>(roots: Vec<ObjectId>, kind: Option<LogicalKind>, page: &mut Page<'a>) {
    let mut stack: Vec<Pending<'a>> = roots.into_iter().rev().map(Pending::Object).collect();
    while let Some(pending) = stack.pop() {
        // A trie of objects is no deeper; a malformed one may be cyclic.
        if !page.should_continue() || stack.len() > DEEPEST {
            return;
        }
        match pending {
            Pending::Object(object) => visit(object, kind, page, &mut stack),
            Pending::Elements { array, at, null_counts } => {
                let Some(value) = element(page, &array, at) else { continue };
                stack.push(Pending::Elements { array, at: at + 1, null_counts });
                match value {
                    Value::Object(object) if rule(page, object).is_some() => stack.push(Pending::Object(object)),
                    Value::Null if !null_counts => {}
                    value => page.offer(None, value, None),
                }
            }
            Pending::Pairs { array, at } => {
                let Some(key) = element(page, &array, at) else { continue };
                // Children follow the entries in Scala 2.13, one in a slot; in Clojure they are values without a key.
                if let Some(child) = key.object().filter(|&key| rule(page, key).is_some()) {
                    stack.push(Pending::Pairs { array, at: at + 1 });
                    stack.push(Pending::Object(child));
                    continue;
                }
                let Some(value) = element(page, &array, at + 1) else { continue };
                stack.push(Pending::Pairs { array, at: at + 2 });
                match value {
                    Value::Object(child) if key == Value::Null && rule(page, child).is_some() => {
                        stack.push(Pending::Object(child));
                    }
                    Value::Null if key == Value::Null => {}
                    value => page.offer(Some(key), value, None),
                }
            }
        }
    }
}

fn rule<'a>(page: &Page<'a>, object: ObjectId) -> Option<&'a ListedNode> {
    page.peek.contents.rules.node(page.peek.heap.class_id(object))
}

/// An element that is recorded in the file.
fn element(page: &Page<'_>, array: &RawArray<'_>, at: u64) -> Option<Value> {
    if at < page.peek.recorded_length(array) { page.peek.element(array, at) } else { None }
}

fn visit<'a>(object: ObjectId, kind: Option<LogicalKind>, page: &mut Page<'a>, stack: &mut Vec<Pending<'a>>) {
    let Some(rule) = rule(page, object) else {
        match page.peek.array(object) {
            Some(array) => stack.push(elements(array, kind, page)),
            None => page.offer(None, Value::Object(object), None),
        }
        return;
    };
    let Some(fields) = page.node(object) else { return };
    let of = |role| rule.fields.one(role).and_then(|choice| node_value(object, fields, choice));
    match (of(FieldRole::Key), of(FieldRole::Value)) {
        (None, None) => {}
        (key, Some(value)) => page.offer(key, value, Some(object)),
        (Some(key), None) => page.offer(Some(key), Value::Null, Some(object)),
    }
    if let Some(array) = of(FieldRole::Pairs).and_then(Value::object).and_then(|array| page.peek.array(array)) {
        stack.push(Pending::Pairs { array, at: 0 });
    }
    for choice in rule.fields.of(FieldRole::Children).iter().rev() {
        if let Some(child) = value(fields, choice).and_then(Value::object) {
            stack.push(Pending::Object(child));
        }
    }
}

/// An array of nodes or elements. Null is an element only in a list, and not next to nodes.
fn elements<'a>(array: RawArray<'a>, kind: Option<LogicalKind>, page: &Page<'a>) -> Pending<'a> {
    let mut values = (0..page.peek.recorded_length(&array)).filter_map(|at| page.peek.element(&array, at)?.object());
    let has_nodes = values.next().is_some_and(|first| rule(page, first).is_some());
    Pending::Elements { array, at: 0, null_counts: kind == Some(LogicalKind::List) && !has_nodes }
}
