//! What somebody put into a collection, a queue or a list of Android, as
//! references of its own: named as Shark names them, so that fingerprints agree.
//! Classes are meant exactly: one derived from them may have more.

use super::matchers::Kind;
use super::references::{Name, Reference, References};
use crate::heap::contents::Value;
use crate::heap::ids::{ClassId, ObjectId};

/// Names of a field, of which an implementation has one.
type Names = &'static [&'static str];

/// How a collection is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Logical {
    /// An array.
    Array(Names),
    /// An array of a set.
    Set(Names),
    /// Nodes of a list: first, next, element.
    Nodes,
    /// A table of chains of nodes.
    Table,
    /// The same, with weak keys.
    WeakTable,
    /// A set around a map.
    Keys,
    /// `android.os.MessageQueue`
    Messages,
    /// `androidx.arch.core.internal.SafeIterableMap`
    Entries,
    /// `android.animation.ObjectAnimator`
    Animator,
    /// `android.app.ActivityThread`
    ActivityThread,
    /// `android.app.ActivityThread$ActivityClientRecord`
    ActivityRecord,
}

impl Logical {
    /// How objects of exactly this class are read.
    pub(super) fn of(class: &str) -> Option<Self> {
        Some(match class {
            "java.util.ArrayList" => Self::Array(&["elementData", "array"]),
            "java.util.concurrent.CopyOnWriteArrayList" => Self::Array(&["array", "elements"]),
            "java.util.LinkedList" => Self::Nodes,
            "java.util.HashMap" | "java.util.LinkedHashMap" | "java.util.concurrent.ConcurrentHashMap" => Self::Table,
            "java.util.WeakHashMap" => Self::WeakTable,
            "java.util.HashSet" | "java.util.LinkedHashSet" => Self::Keys,
            "android.util.ArraySet" => Self::Set(&["mArray"]),
            "android.os.MessageQueue" => Self::Messages,
            "androidx.arch.core.internal.SafeIterableMap" | "androidx.arch.core.internal.FastSafeIterableMap" => {
                Self::Entries
            }
            "android.animation.ObjectAnimator" => Self::Animator,
            "android.app.ActivityThread" => Self::ActivityThread,
            "android.app.ActivityThread$ActivityClientRecord" => Self::ActivityRecord,
            _ => return None,
        })
    }
}

/// Reads one collection.
struct Reader<'a, 'r> {
    references: &'r References<'a>,
    class: ClassId,
    out: &'r mut Vec<Reference<'a>>,
}

/// Adds the logical references of an object to `out`.
pub(super) fn read<'a>(
    references: &References<'a>,
    object: ObjectId,
    class: ClassId,
    logical: Logical,
    out: &mut Vec<Reference<'a>>,
) {
    let mut reader = Reader { references, class, out };
    match logical {
        Logical::Array(names) => reader.array(object, names, false),
        Logical::Set(names) => reader.array(object, names, true),
        Logical::Nodes => reader.nodes(object),
        Logical::Table => reader.table(object, false),
        Logical::WeakTable => reader.weak_table(object),
        Logical::Keys => {
            if let Some(map) = reader.get(object, &["map", "backingMap"]) {
                reader.table(map, true);
            }
        }
        Logical::Messages => {
            let first = reader.get(object, &["mMessages"]);
            for (place, message) in (0..).zip(reader.chain(first, &["next"])) {
                reader.push(message, Name::Index(place));
            }
        }
        Logical::Entries => {
            let first = reader.get(object, &["mStart"]);
            for entry in reader.chain(first, &["mNext"]) {
                reader.entry(entry, &["mKey"], &["mValue"], false);
            }
        }
        Logical::Animator => reader.animator(object),
        Logical::ActivityThread => reader.activity_thread(object),
        Logical::ActivityRecord => reader.activity_record(object),
    }
}

impl<'a> Reader<'a, '_> {
    fn push(&mut self, target: ObjectId, name: Name<'a>) {
        self.out.push(Reference { target, name, declared_by: self.class, matcher: None, is_last: false });
    }

    /// The object in the first of these fields that there is.
    fn get(&self, object: ObjectId, names: Names) -> Option<ObjectId> {
        names.iter().find_map(|name| self.references.value(object, name))?.object()
    }

    /// A node and those behind it, up to the end, or to where a ring closes.
    fn chain(&self, first: Option<ObjectId>, next: Names) -> Vec<ObjectId> {
        let mut nodes = Vec::new();
        let mut at = first;
        // A mark that moves up now and then is met again by whoever goes round.
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
        references.each_element(array, |place, target| {
            let name = if is_set { Name::Element } else { Name::Index(place) };
            out.push(Reference { target, name, declared_by, matcher: None, is_last: false });
        });
    }

    fn nodes(&mut self, list: ObjectId) {
        // Up to Android 6 the head is a link of a ring, without an element.
        let head = self.get(list, &["voidLink"]);
        let first = match head {
            Some(head) => self.get(head, &["next"]).filter(|&first| first != head),
            None => self.get(list, &["first"]),
        };
        let nodes = self.chain(first, &["next"]).into_iter().take_while(|&node| Some(node) != head);
        for (place, node) in (0..).zip(nodes.collect::<Vec<_>>()) {
            if let Some(element) = self.get(node, &["item", "data"]) {
                self.push(element, Name::Index(place));
            }
        }
    }

    /// The nodes of a table; of a tree of nodes, which has them in a chain as well, all.
    fn table_nodes(&self, map: ObjectId) -> Vec<ObjectId> {
        let mut nodes = Vec::new();
        let Some(table) = self.get(map, &["table", "elementData"]) else { return nodes };
        self.references.each_element(table, |_, bucket| {
            let first = self.get(bucket, &["first"]).unwrap_or(bucket);
            // A table has no more nodes than the heap objects: in a made-up one all buckets may have the same chain.
            if nodes.len() < self.references.phone.heap.len() {
                nodes.extend(self.chain(Some(first), &["next"]));
            }
        });
        // Up to Android 6 the entry of the key null stands beside the table.
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

    /// Of a map with weak keys what they stand for, where the key is still there.
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

    /// An animator holds its target weakly, but runs as long as somebody shows it: so it is a way, but the last.
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

    /// The list of activities that just came to the front is known to leak; it goes before all activities.
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
        for (place, record) in (0..).zip(self.chain(Some(record), &["nextIdle"])) {
            let activity = self.get(record, &["activity"]);
            let gone = |&activity: &ObjectId| phone.flag(activity, "android.app.Activity", "mDestroyed") == Some(true);
            if let Some(activity) = activity.filter(gone) {
                self.push(activity, Name::Index(place));
            }
        }
    }
}
