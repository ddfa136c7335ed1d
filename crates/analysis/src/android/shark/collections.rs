//! Entries of collections, queues and lists of Android as
//! references of their own, named as in Shark so that fingerprints agree.

use super::collection_readers::{CollectionReader, Names};
use super::reference::{Name, Reference};
use super::{matchers::Kind, reference_fields::ReferenceFields};
use heaplens_heap::{ClassId, ObjectId, Value};

/// Reads one collection.
struct Reader<'a, 'r> {
    references: &'r ReferenceFields<'a>,
    class: ClassId,
    out: &'r mut Vec<Reference<'a>>,
}

/// Adds the logical references of an object to `out`.
pub(super) fn read<'a>(
    references: &ReferenceFields<'a>,
    object: ObjectId,
    class: ClassId,
    logical: CollectionReader,
    out: &mut Vec<Reference<'a>>,
) {
    let mut reader = Reader { references, class, out };
    match logical {
        CollectionReader::Array(names) => reader.array(object, names, false),
        CollectionReader::Set(names) => reader.array(object, names, true),
        CollectionReader::Nodes => reader.nodes(object),
        CollectionReader::Table => reader.table(object, false),
        CollectionReader::WeakTable => reader.weak_table(object),
        CollectionReader::Keys => {
            if let Some(map) = reader.get(object, &["map", "backingMap"]) {
                reader.table(map, true);
            }
        }
        CollectionReader::Messages => {
            let first = reader.get(object, &["mMessages"]);
            for (index, message) in (0..).zip(reader.chain(first, &["next"])) {
                reader.push(message, Name::Index(index));
            }
        }
        CollectionReader::Entries => {
            let first = reader.get(object, &["mStart"]);
            for entry in reader.chain(first, &["mNext"]) {
                reader.entry(entry, &["mKey"], &["mValue"], false);
            }
        }
        CollectionReader::Animator => reader.animator(object),
        CollectionReader::ActivityThread => reader.activity_thread(object),
        CollectionReader::ActivityRecord => reader.activity_record(object),
    }
}

impl<'a> Reader<'a, '_> {
    fn push(&mut self, target: ObjectId, name: Name<'a>) {
        self.out.push(Reference { target, name, declared_by: self.class, matcher: None, is_last: false });
    }

    /// Object in the first existing one of these fields.
    fn get(&self, object: ObjectId, names: Names) -> Option<ObjectId> {
        names.iter().find_map(|name| self.references.value(object, name))?.object()
    }

    /// A node and its successors, up to the end or to the closing of a cycle.
    fn chain(&self, first: Option<ObjectId>, next: Names) -> Vec<ObjectId> {
        let mut nodes = Vec::new();
        let mut at = first;
        // Brent's cycle detection: a mark that moves up from time to time is met again in a cycle.
        let (mut mark, mut until) = (first, 1);
        while let Some(node) = at {
            nodes.push(node);
            at = self.get(node, next);
            if at == mark {
                break;
            }
            if nodes.len() == until {
                (mark, until) = (at, until * 2);
            }
        }
        nodes
    }

    fn array(&mut self, object: ObjectId, names: Names, is_set: bool) {
        let Some(array) = self.get(object, names) else { return };
        let (references, out, declared_by) = (self.references, &mut *self.out, self.class);
        references.each_element(array, |index, target| {
            let name = if is_set { Name::Element } else { Name::Index(index) };
            out.push(Reference { target, name, declared_by, matcher: None, is_last: false });
        });
    }

    fn nodes(&mut self, list: ObjectId) {
        // Up to Android 6 the head is a node of a cycle, without an element.
        let head = self.get(list, &["voidLink"]);
        let first = match head {
            Some(head) => self.get(head, &["next"]).filter(|&first| first != head),
            None => self.get(list, &["first"]),
        };
        let nodes = self.chain(first, &["next"]).into_iter().take_while(|&node| Some(node) != head);
        for (index, node) in (0..).zip(nodes.collect::<Vec<_>>()) {
            if let Some(element) = self.get(node, &["item", "data"]) {
                self.push(element, Name::Index(index));
            }
        }
    }

    /// All nodes of a hash table; tree bins also link their nodes in a chain.
    fn table_nodes(&self, map: ObjectId) -> Vec<ObjectId> {
        let mut nodes = Vec::new();
        let Some(table) = self.get(map, &["table", "elementData"]) else { return nodes };
        self.references.each_element(table, |_, bucket| {
            let first = self.get(bucket, &["first"]).unwrap_or(bucket);
            // A table has no more nodes than the heap has objects: in a crafted one all buckets may share a chain.
            if nodes.len() < self.references.phone.heap.len() {
                nodes.extend(self.chain(Some(first), &["next"]));
            }
        });
        // Up to Android 6 the entry for the null key is outside the table.
        nodes.extend(self.get(map, &["entryForNullKey"]));
        nodes
    }

    fn table(&mut self, map: ObjectId, is_set: bool) {
        for node in self.table_nodes(map) {
            self.entry(node, &["key"], &["value", "val"], is_set);
        }
    }

    /// A key and its value; null keys are keys.
    fn entry(&mut self, node: ObjectId, key: Names, value: Names, is_set: bool) {
        let Some(key) = key.iter().find_map(|name| self.references.value(node, name)) else { return };
        if let Value::Object(key) = key {
            self.push(key, if is_set { Name::Element } else { Name::Key });
        }
        let value = if is_set { None } else { self.get(node, value) };
        if let Some(value) = value {
            self.push(value, Name::Of(key));
        }
    }

    /// Key that an entry of a weak map refers to, if it still exists.
    fn weak_table(&mut self, map: ObjectId) {
        let phone = self.references.phone;
        let null_key = phone.static_field("java.util.WeakHashMap", "NULL_KEY").and_then(Value::object);
        for node in self.table_nodes(map) {
            let entry = phone.any_field(node, "referent");
            let key = match entry {
                Some(Value::Object(key)) if Some(key) == null_key => Value::Null,
                Some(Value::Object(key)) => Value::Object(key),
                _ if phone.any_field(node, "isNull") == Some(Value::Bool(true)) => Value::Null,
                _ => continue,
            };
            if let Some(value) = self.get(node, &["value"]) {
                self.push(value, Name::Of(key));
            }
        }
    }

    /// An animator references its target weakly but runs while it is shown, so the reference is followed last.
    fn animator(&mut self, object: ObjectId) {
        let phone = self.references.phone;
        let Some(weak) = self.get(object, &["mTarget"]) else { return };
        if !phone.is_a(weak, "java.lang.ref.WeakReference") {
            return;
        }
        if let Some(target) = phone.object(weak, "java.lang.ref.Reference", "referent") {
            let (name, declared_by) = (Name::Field("mTarget"), self.class);
            self.out.push(Reference { target, name, declared_by, matcher: None, is_last: true });
        }
    }

    /// The list of new activities is a known leak; it is followed before all activities.
    fn activity_thread(&mut self, object: ObjectId) {
        const NAME: Names = &["mNewActivities"];
        let name = "mNewActivities";
        let matcher = self.references.matchers.find(Kind::Field, "android.app.ActivityThread", name);
        let target = self.get(object, NAME).filter(|_| matcher.is_some());
        if let Some(target) = target {
            let declared_by = self.class;
            self.out.push(Reference { target, name: Name::Field(name), declared_by, matcher, is_last: false });
        }
    }

    fn activity_record(&mut self, record: ObjectId) {
        if self.references.new_activities != Some(record) {
            return;
        }
        let phone = self.references.phone;
        for (index, record) in (0..).zip(self.chain(Some(record), &["nextIdle"])) {
            let activity = self.get(record, &["activity"]);
            let is_destroyed =
                |&activity: &ObjectId| phone.flag(activity, "android.app.Activity", "mDestroyed") == Some(true);
            if let Some(activity) = activity.filter(is_destroyed) {
                self.push(activity, Name::Index(index));
            }
        }
    }
}
