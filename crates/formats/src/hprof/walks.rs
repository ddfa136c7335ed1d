//! Iteration over the arrays, chains and trees that collections consist of. A walk ends with the requested page, with
//! the declared size of the collection, or after as many steps as the heap has objects: a chain in a malformed dump may
//! be cyclic, and a size may be any number.

use std::ops::Range;

use super::peek::{Fields, Peek};
use super::shapes::{FieldSlot, Shape};
use heaplens_heap::{LogicalEntry, LogicalKind, ObjectId, Value};

/// Field names for the key of a node in classes of the Java library.
const KEY: [&str; 2] = ["key", "referent"];
const HELD: [&str; 5] = ["value", "val", "item", "element", "data"];
/// Field for the next node in linked maps of Harmony.
const NEXT_OF_HARMONY: &str = "nxt";
/// Maximum depth of a tree: a balanced tree with the largest possible number of objects is no deeper.
pub(super) const DEEPEST: usize = 128;
/// Maximum number of segments of a map: the library creates no more than 65,536.
pub(super) const SEGMENTS: u64 = 1 << 16;

/// Where the nodes of a class have what a walk reads of them. Nearly all nodes of a collection are of one class.
#[derive(Clone, Copy)]
struct NodeSlots<'a> {
    class: &'a Shape,
    key: Option<FieldSlot>,
    held: Option<FieldSlot>,
    next: Option<FieldSlot>,
    /// First node below the head of a tree.
    first: Option<FieldSlot>,
}

impl<'a> NodeSlots<'a> {
    fn of(node: Fields<'a>) -> Self {
        Self {
            class: node.class,
            key: node.slot_of_any(&KEY),
            held: node.slot_of_any(&HELD),
            // The `next` of a thread-local entry would be that of its weak reference.
            next: if node.is_thread_local() { None } else { node.slot_of_any(&["next"]) },
            first: node.slot_of_any(&["first"]),
        }
    }
}

/// Requested range of entries of a collection, filled by a walk.
pub(super) struct Page<'a> {
    pub(super) peek: Peek<'a>,
    kind: LogicalKind,
    pub(super) range: Range<u64>,
    /// Maximum number of entries.
    pub(super) most: u64,
    /// Number of nodes that may still be read.
    steps: u64,
    /// Those of the last node.
    slots: Option<NodeSlots<'a>>,
    /// Entries so far.
    pub(super) seen: u64,
    pub(super) entries: Vec<LogicalEntry>,
    pub(super) nodes: Vec<ObjectId>,
    pub(super) backing: Vec<ObjectId>,
    pub(super) capacity: Option<u64>,
}

impl<'a> Page<'a> {
    pub(super) fn new(peek: Peek<'a>, kind: LogicalKind, range: Range<u64>) -> Self {
        Self {
            peek,
            kind,
            range,
            most: u64::MAX,
            steps: peek.heap.len() as u64,
            slots: None,
            seen: 0,
            entries: Vec::new(),
            nodes: Vec::new(),
            backing: Vec::new(),
            capacity: None,
        }
    }

    /// A page for which only a number of nodes is read.
    pub(super) fn within(peek: Peek<'a>, kind: LogicalKind, range: Range<u64>, steps: u64) -> Self {
        Self { steps, ..Self::new(peek, kind, range) }
    }

    /// Sets the number of entries, so that a walk may end with the page.
    pub(super) fn limit(&mut self, size: Option<u64>) {
        if let Some(size) = size {
            self.most = size.min(self.range.end);
        }
    }

    /// Adds a backing array with a capacity of one entry per `per_entry` elements; returns the capacity.
    pub(super) fn backed_by(&mut self, array: Option<ObjectId>, per_entry: u64) -> u64 {
        let Some((object, array)) = array.and_then(|object| Some((object, self.peek.array(object)?))) else {
            self.capacity = Some(self.capacity.unwrap_or(0));
            return 0;
        };
        let room = u64::from(array.length) / per_entry;
        self.backing.push(object);
        self.capacity = Some(self.capacity.unwrap_or(0) + room);
        room
    }

    /// True if a field holds an entry: `List.of(x)` stores a marker in the second field.
    pub(super) fn has_entry(&self, fields: Fields<'_>, name: &str) -> bool {
        match fields.get(name) {
            Some(Value::Object(object)) => self.peek.class_name(object) != "java.lang.Object" || name != "e1",
            Some(Value::Null) => name != "e1",
            Some(_) => true,
            None => false,
        }
    }

    /// Visits the segments of an old `ConcurrentHashMap`, and adds their tables as backing arrays.
    pub(super) fn segments(&mut self, segments: ObjectId) -> impl Iterator<Item = Fields<'a>> + use<'a> {
        let peek = self.peek;
        let array = peek.array(segments);
        let length = array.map_or(0, |array| u64::from(array.length).min(SEGMENTS));
        let all = move || {
            (0..length).filter_map(move |at| {
                let segment = peek.element(&array?, at)?.object()?;
                peek.fields(segment, "java.util.concurrent.ConcurrentHashMap$Segment")
            })
        };
        if self.backing.is_empty() {
            for segment in all() {
                self.backed_by(segment.object(&["table"]), 1);
            }
        }
        all()
    }

    pub(super) fn should_continue(&self) -> bool {
        self.seen < self.most && self.steps > 0
    }

    /// The next entry.
    pub(super) fn offer(&mut self, key: Option<Value>, value: Value, node: Option<ObjectId>) {
        if self.seen >= self.most {
            return;
        }
        if self.range.contains(&self.seen) {
            // A set is a map of which only the keys matter.
            let entry = match self.kind {
                LogicalKind::Map => LogicalEntry { key, value },
                LogicalKind::List | LogicalKind::Set => LogicalEntry { key: None, value: key.unwrap_or(value) },
            };
            self.entries.push(entry);
            self.nodes.extend(node);
        }
        self.seen += 1;
    }

    /// Visits an array from `head` on, wrapping around at its end.
    pub(super) fn array(&mut self, array: Option<ObjectId>, head: u64) {
        let Some(array) = array.and_then(|array| self.peek.array(array)) else { return };
        let length = u64::from(array.length);
        // An array recorded with its length only has as many elements as it declares; they are reported up to that
        // limit.
        let reported = if self.peek.recorded_length(&array) == length { length } else { self.steps };
        let most = self.most.min(length).min(self.range.start.saturating_add(reported));
        // Entries before the page need no reading.
        self.seen = self.range.start.min(most);
        while self.seen < most {
            let at = head.saturating_add(self.seen).checked_rem(length).unwrap_or(0);
            let Some(value) = self.peek.element(&array, at) else { return };
            self.offer(None, value, None);
        }
    }

    /// Visits the non-null elements of an array.
    pub(super) fn slots(&mut self, array: Option<ObjectId>) {
        let Some(array) = array.and_then(|array| self.peek.array(array)) else { return };
        for at in 0..self.peek.recorded_length(&array) {
            match self.peek.element(&array, at) {
                Some(Value::Null) => {}
                Some(value) if self.should_continue() => self.offer(None, value, None),
                _ => return,
            }
        }
    }

    /// Alternating keys and values.
    pub(super) fn pairs(&mut self, array: Option<ObjectId>) {
        let Some(array) = array.and_then(|array| self.peek.array(array)) else { return };
        for at in 0..self.peek.recorded_length(&array) / 2 {
            let (key, value) = (self.peek.element(&array, 2 * at), self.peek.element(&array, 2 * at + 1));
            match (key, value) {
                (Some(Value::Null), _) => {}
                (Some(key), Some(value)) if self.should_continue() => self.offer(Some(key), value, None),
                _ => return,
            }
        }
    }

    /// Visits the elements of an array whose bits are set, lowest first.
    pub(super) fn by_bits(&mut self, universe: Option<ObjectId>, bits: Option<Value>) {
        let peek = self.peek;
        let Some(universe) = universe.and_then(|universe| peek.array(universe)) else { return };
        let words = bits.and_then(Value::object).and_then(|words| peek.array(words));
        for at in 0..peek.recorded_length(&universe) {
            let word = match (bits, &words) {
                (Some(Value::Long(word)), _) if at < 64 => word,
                (_, Some(words)) => match peek.element(words, at / 64) {
                    Some(Value::Long(word)) => word,
                    _ => return,
                },
                _ => return,
            };
            if word >> (at % 64) & 1 == 0 {
                continue;
            }
            match peek.element(&universe, at) {
                Some(value) if self.should_continue() => self.offer(None, value, None),
                _ => return,
            }
        }
    }

    /// Visits the same element repeatedly.
    pub(super) fn copies(&mut self, element: Option<Value>) {
        let Some(element) = element else { return };
        self.seen = self.range.start.min(self.most);
        while self.should_continue() {
            self.steps -= 1;
            self.offer(None, element, None);
        }
    }

    /// Visits values parallel to their keys.
    pub(super) fn parallel(&mut self, keys: Option<ObjectId>, values: Option<ObjectId>) {
        let array = |object: Option<ObjectId>| object.and_then(|object| self.peek.array(object));
        let (Some(keys), Some(values)) = (array(keys), array(values)) else { return };
        for at in 0..self.peek.recorded_length(&values) {
            match (self.peek.element(&keys, at), self.peek.element(&values, at)) {
                (_, Some(Value::Null)) => {}
                (Some(key), Some(value)) if self.should_continue() => self.offer(Some(key), value, None),
                _ => return,
            }
        }
    }

    /// Fields of a node; counts as a step.
    pub(super) fn node(&mut self, node: ObjectId) -> Option<Fields<'a>> {
        self.steps = self.steps.checked_sub(1)?;
        self.peek.fields(node, "")
    }

    fn node_slots(&mut self, node: Fields<'a>) -> NodeSlots<'a> {
        match self.slots {
            Some(slots) if std::ptr::eq(slots.class, node.class) => slots,
            _ => *self.slots.insert(NodeSlots::of(node)),
        }
    }

    fn offer_node(&mut self, node: ObjectId, fields: Fields<'a>) {
        let slots = self.node_slots(fields);
        if let Some(value) = fields.at(slots.held) {
            self.offer(fields.at(slots.key), value, Some(node));
        }
    }

    /// Visits chains of nodes of a hash table, from its beginning or from its end.
    pub(super) fn buckets(&mut self, table: Option<ObjectId>, null_keys: bool, backwards: bool) {
        let Some(table) = table.and_then(|table| self.peek.array(table)) else { return };
        let peek = self.peek;
        let length = peek.recorded_length(&table);
        let index = |at| if backwards { length - 1 - at } else { at };
        for first in (0..length).map_while(|at| peek.element(&table, index(at))) {
            let mut at = first.object();
            while let Some(node) = at {
                if !self.should_continue() {
                    return;
                }
                let Some(fields) = self.node(node) else { break };
                let slots = self.node_slots(fields);
                // A bucket converted to a tree also links its nodes in a chain, below a head that is not an entry.
                if let Some(first) = fields.at(slots.first).and_then(Value::object) {
                    at = Some(first);
                    continue;
                }
                let key = fields.at(slots.key);
                if null_keys || key.is_some_and(|key| key != Value::Null) {
                    fields.at(slots.held).into_iter().for_each(|held| self.offer(key, held, Some(node)));
                }
                at = fields.at(slots.next).and_then(Value::object).filter(|&next| next != node);
            }
        }
    }

    /// Linked nodes, to the end or back to `until`.
    pub(super) fn chain(&mut self, first: Option<ObjectId>, next: &str, until: Option<ObjectId>, skip_first: bool) {
        let (mut at, mut skip) = (first, skip_first);
        let mut detector = CycleDetector::default();
        while let Some(node) = at {
            if !self.should_continue() || detector.is_repeated(node) {
                return;
            }
            let Some(fields) = self.node(node) else { return };
            let is_removed = !skip && self.most == u64::MAX && fields.any(&HELD) == Some(Value::Null);
            // Concurrent queues keep nodes whose element was removed.
            if !skip && !is_removed {
                self.offer_node(node, fields);
            }
            skip = false;
            let following = fields.object(&[next, NEXT_OF_HARMONY]);
            at = following.filter(|&next| next != node && Some(next) != until);
        }
    }

    /// Visits a search tree, smallest key first.
    pub(super) fn tree(&mut self, root: Option<ObjectId>) {
        let mut above: Vec<(ObjectId, Fields<'a>)> = Vec::new();
        let mut at = root;
        loop {
            while let Some(node) = at {
                if !self.should_continue() || above.len() > DEEPEST {
                    return;
                }
                let Some(fields) = self.node(node) else { break };
                above.push((node, fields));
                at = fields.object(&["left"]);
            }
            let Some((node, fields)) = above.pop().filter(|_| self.should_continue()) else { return };
            self.offer_node(node, fields);
            at = fields.object(&["right"]);
        }
    }

    /// Visits the lowest level of a skip list, to which all levels lead down.
    pub(super) fn skips(&mut self, head: Option<ObjectId>) {
        let (mut at, mut lowest) = (head, None);
        while let Some(fields) = at.and_then(|index| self.node(index)) {
            lowest = fields.object(&["node"]);
            at = fields.object(&["down"]);
        }
        // The first node, and the markers next to removed ones, have no key.
        let (mut at, mut detector) = (lowest, CycleDetector::default());
        while let Some(node) = at {
            if !self.should_continue() || detector.is_repeated(node) {
                return;
            }
            let Some(fields) = self.node(node) else { return };
            let holds = |name: Option<Value>| name.is_some_and(|value| value != Value::Null);
            if holds(fields.get("key")) && holds(fields.any(&HELD)) {
                self.offer_node(node, fields);
            }
            at = fields.object(&["next"]).filter(|&next| next != node);
        }
    }
}

/// Detects cycles in chains. Without a size, a cycle would be followed as often as there are objects: the mark is moved
/// after twice as many steps each time, and met again in a cycle.
pub(super) struct CycleDetector {
    at: Option<ObjectId>,
    since: u64,
    gap: u64,
}

impl Default for CycleDetector {
    fn default() -> Self {
        Self { at: None, since: 0, gap: 1 }
    }
}

impl CycleDetector {
    /// True if the walk came back to an earlier node; moves the mark otherwise.
    pub(super) fn is_repeated(&mut self, node: ObjectId) -> bool {
        if self.at == Some(node) {
            return true;
        }
        if self.since == self.gap {
            *self = Self { at: Some(node), since: 0, gap: self.gap.saturating_mul(2) };
        }
        self.since += 1;
        false
    }
}
