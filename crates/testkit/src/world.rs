//! Heap of a program by meaning: statics, records, maps, lists, texts, threads. Objects are identified by a key that is
//! stable while the program runs, so a test knows which object of one dump corresponds to which of the next,
//! independent of their addresses.

use std::collections::{BTreeMap, BTreeSet};

use super::random::Random;
use super::sketch::{AddressAllocator, Body, Class, Frame, Id, Object, RootRecord, Sketch, Trace, Type, Value};

/// Identity of an object across all dumps of its program.
pub type Key = u32;

/// Object of a program.
#[derive(Debug, Clone, PartialEq)]
pub enum ProgramObject {
    /// `java.lang.String` with its array.
    Text(String),
    /// A `java.lang.Integer`.
    Number(i32),
    /// Object of an application class: a number and two references.
    Record {
        /// Its class; all application classes have the same fields.
        class: String,
        /// Its field `number`.
        number: i64,
        /// Its fields `first` and `second`.
        fields: [Option<Key>; 2],
    },
    /// A `java.util.HashMap`; keys are texts or numbers.
    Map {
        /// Keys and values in insertion order.
        entries: Vec<(Key, Key)>,
        /// Length of its table, which never shrinks.
        room: usize,
    },
    /// A `java.util.ArrayList`.
    List {
        /// Elements.
        elements: Vec<Key>,
        /// Length of its array.
        room: usize,
    },
    /// A `java.lang.Object[]`.
    Array(Vec<Option<Key>>),
    /// A `java.lang.Thread` with a frame.
    Thread {
        /// Its name, a text.
        name: Key,
        /// Objects held by the frame.
        locals: Vec<Key>,
    },
}

/// Heap object that represents a thing, or a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectPart {
    /// Main object, to which others refer.
    Whole,
    /// Backing array of a text, a map or a list.
    Inside,
    /// Node of a map with this key.
    Node(Key),
}

/// Heap object, identified by its meaning.
pub type PartKey = (Key, ObjectPart);

/// All there is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct World {
    /// Application classes, each with its statics.
    pub classes: BTreeMap<String, BTreeMap<String, Option<Key>>>,
    /// All other objects.
    pub things: BTreeMap<Key, ProgramObject>,
}

/// Addresses of the objects of a world.
#[derive(Debug, Clone, Default)]
pub struct PartAddresses {
    /// Class objects.
    pub classes: BTreeMap<String, Id>,
    /// All other objects.
    pub parts: BTreeMap<PartKey, Id>,
    /// Capacity in bytes of each.
    bytes: BTreeMap<Id, u64>,
}

/// Classes of the runtime, with their fields.
const SYSTEM: [(&str, &[(&str, Type)]); 11] = [
    ("java.lang.Object", &[]),
    ("java.lang.Class", &[]),
    ("java.lang.String", &[("value", Type::Object), ("coder", Type::Byte), ("hash", Type::Int)]),
    ("java.lang.Integer", &[("value", Type::Int)]),
    ("java.lang.Thread", &[("name", Type::Object), ("tid", Type::Long)]),
    ("java.util.HashMap", &[("table", Type::Object), ("size", Type::Int)]),
    (
        "java.util.HashMap$Node",
        &[("hash", Type::Int), ("key", Type::Object), ("value", Type::Object), ("next", Type::Object)],
    ),
    ("java.util.ArrayList", &[("elementData", Type::Object), ("size", Type::Int)]),
    ("byte[]", &[]),
    ("java.lang.Object[]", &[]),
    ("java.util.HashMap$Node[]", &[]),
];
/// Fields of application classes.
const OWN: [(&str, Type); 3] = [("number", Type::Long), ("first", Type::Object), ("second", Type::Object)];
/// First address.
const BASE: Id = 0x10_0000;
const CLASS_BYTES: u64 = 128;

impl ProgramObject {
    /// References in order.
    pub fn references(&self) -> Vec<Key> {
        match self {
            Self::Text(_) | Self::Number(_) => Vec::new(),
            Self::Record { fields, .. } => fields.iter().flatten().copied().collect(),
            Self::Map { entries, .. } => entries.iter().flat_map(|&(key, value)| [key, value]).collect(),
            Self::List { elements, .. } => elements.clone(),
            Self::Array(elements) => elements.iter().flatten().copied().collect(),
            Self::Thread { name, locals } => [*name].into_iter().chain(locals.iter().copied()).collect(),
        }
    }

    /// Heap objects that represent it, with a sufficient size for each.
    fn pieces(&self) -> Vec<(ObjectPart, u64)> {
        let array = |length: usize| 32 + 8 * length as u64;
        match self {
            Self::Text(text) => vec![(ObjectPart::Whole, 40), (ObjectPart::Inside, array(text.len()))],
            Self::Number(_) => vec![(ObjectPart::Whole, 24)],
            Self::Record { .. } | Self::Thread { .. } => vec![(ObjectPart::Whole, 48)],
            Self::Map { entries, room } => {
                let nodes = entries.iter().map(|&(key, _)| (ObjectPart::Node(key), 56));
                [(ObjectPart::Whole, 40), (ObjectPart::Inside, array(*room))].into_iter().chain(nodes).collect()
            }
            Self::List { room, .. } => vec![(ObjectPart::Whole, 40), (ObjectPart::Inside, array(*room))],
            Self::Array(elements) => vec![(ObjectPart::Whole, array(elements.len()))],
        }
    }
}

impl World {
    /// Removes objects not reachable from statics and threads, like a live dump.
    pub fn collect(&mut self) {
        let threads = self.things.iter().filter(|(_, thing)| matches!(thing, ProgramObject::Thread { .. }));
        let mut waiting: Vec<Key> = threads.map(|(&key, _)| key).collect();
        waiting.extend(self.classes.values().flat_map(BTreeMap::values).flatten());
        let mut reached = BTreeSet::new();
        while let Some(key) = waiting.pop() {
            if reached.insert(key) {
                waiting.extend(self.things[&key].references());
            }
        }
        self.things.retain(|key, _| reached.contains(key));
    }

    /// All objects except classes, with a sufficient size for each.
    fn parts(&self) -> impl Iterator<Item = (PartKey, u64)> {
        self.things
            .iter()
            .flat_map(|(&key, thing)| thing.pieces().into_iter().map(move |(piece, bytes)| ((key, piece), bytes)))
    }

    /// Converts the world to a dump sketch.
    pub fn sketch(&self, addresses: &PartAddresses) -> Sketch {
        let mut writing = SketchBuilder { world: self, addresses, sketch: Sketch::default() };
        writing.classes();
        self.things.iter().for_each(|(&key, thing)| writing.thing(key, thing));
        writing.sketch
    }

    /// Hash of a key as computed by `HashMap`.
    fn hash(&self, key: Key) -> i32 {
        let hash = match &self.things[&key] {
            ProgramObject::Text(text) => {
                text.encode_utf16().fold(0_i32, |h, unit| h.wrapping_mul(31) + i32::from(unit))
            }
            ProgramObject::Number(number) => *number,
            _ => key.cast_signed(),
        };
        hash ^ (hash.cast_unsigned() >> 16).cast_signed()
    }
}

impl PartAddresses {
    /// Random addresses for a world.
    pub fn fresh(world: &World, random: &mut Random) -> Self {
        Self::default().after(world, 0, random)
    }

    /// Addresses for a later state of a world: about `percent_kept` of a hundred existing objects stay in place. New and moved
    /// objects reuse freed space if they fit.
    #[must_use]
    pub fn after(&self, world: &World, percent_kept: u32, random: &mut Random) -> Self {
        let (mut next, mut moving) = (Self::default(), Vec::new());
        let system = SYSTEM.iter().map(|&(name, _)| name);
        for name in system.chain(world.classes.keys().map(String::as_str)) {
            let stays = random.below(100) < percent_kept;
            match self.classes.get(name) {
                Some(&id) if stays => next.put(Err(name), id, CLASS_BYTES),
                _ => moving.push((Err(name), CLASS_BYTES)),
            }
        }
        for (part, bytes) in world.parts() {
            let stays = random.below(100) < percent_kept;
            match self.parts.get(&part) {
                // A table that grew is a new array.
                Some(&id) if stays && self.bytes[&id] == bytes => next.put(Ok(part), id, bytes),
                _ => moving.push((Ok(part), bytes)),
            }
        }
        random.shuffle(&mut moving);
        let mut holes: BTreeMap<u64, Vec<Id>> = BTreeMap::new();
        for (&id, &bytes) in self.bytes.iter().filter(|(id, _)| !next.bytes.contains_key(id)) {
            holes.entry(bytes).or_default().push(id);
        }
        let end = self.bytes.last_key_value().map_or(BASE, |(&id, &bytes)| id + bytes);
        let mut space = AddressAllocator::new(end, 8);
        for (what, bytes) in moving {
            let hole = holes.get_mut(&bytes).and_then(Vec::pop);
            next.put(what, hole.unwrap_or_else(|| space.take(bytes)), bytes);
        }
        next
    }

    fn put(&mut self, what: Result<PartKey, &str>, id: Id, bytes: u64) {
        self.bytes.insert(id, bytes);
        match what {
            Ok(part) => drop(self.parts.insert(part, id)),
            Err(class) => drop(self.classes.insert(class.to_owned(), id)),
        }
    }
}

struct SketchBuilder<'a> {
    world: &'a World,
    addresses: &'a PartAddresses,
    sketch: Sketch,
}

impl SketchBuilder<'_> {
    fn classes(&mut self) {
        let system = SYSTEM.iter().map(|&(name, fields)| (name, fields, None));
        let own = self.world.classes.iter().map(|(name, statics)| (name.as_str(), &OWN[..], Some(statics)));
        for (name, fields, statics) in system.chain(own) {
            let id = self.addresses.classes[name];
            let superclass = if name == "java.lang.Object" { 0 } else { self.addresses.classes["java.lang.Object"] };
            let statics = statics.into_iter().flatten();
            self.sketch.classes.push(Class {
                id,
                name: name.to_owned(),
                superclass,
                loader: 0,
                fields: fields.iter().map(|&(name, kind)| (name.to_owned(), kind)).collect(),
                statics: statics.map(|(name, &key)| (name.clone(), self.to(key))).collect(),
            });
            self.sketch.roots.push((id, RootRecord::StickyClass));
        }
    }

    fn thing(&mut self, key: Key, thing: &ProgramObject) {
        let object = self.at((key, ObjectPart::Whole));
        let behind = || self.addresses.parts.get(&(key, ObjectPart::Inside)).copied().unwrap_or(0);
        match thing {
            ProgramObject::Text(text) => {
                let elements = text.bytes().map(|byte| Value::Byte(byte.cast_signed())).collect();
                let array = Object { id: behind(), body: Body::Primitives { kind: Type::Byte, elements } };
                let fields = vec![Value::Object(array.id), Value::Byte(0), Value::Int(0)];
                self.instance(object, "java.lang.String", fields);
                self.sketch.objects.push(array);
            }
            ProgramObject::Number(number) => self.instance(object, "java.lang.Integer", vec![Value::Int(*number)]),
            ProgramObject::Record { class, number, fields: [first, second] } => {
                let fields = vec![Value::Long(*number), self.to(*first), self.to(*second)];
                self.instance(object, class, fields);
            }
            ProgramObject::Map { entries, room } => {
                let table = behind();
                self.instance(
                    object,
                    "java.util.HashMap",
                    vec![Value::Object(table), Value::Int(entries.len() as i32)],
                );
                let buckets = self.nodes(key, entries, *room);
                self.array(table, "java.util.HashMap$Node[]", buckets);
            }
            ProgramObject::List { elements, room } => {
                let array = behind();
                let size = Value::Int(elements.len() as i32);
                self.instance(object, "java.util.ArrayList", vec![Value::Object(array), size]);
                let mut ids: Vec<Id> = elements.iter().map(|&key| self.at((key, ObjectPart::Whole))).collect();
                ids.resize(*room, 0);
                self.array(array, "java.lang.Object[]", ids);
            }
            ProgramObject::Array(elements) => {
                let ids = elements.iter().map(|key| key.map_or(0, |key| self.at((key, ObjectPart::Whole)))).collect();
                self.array(object, "java.lang.Object[]", ids);
            }
            ProgramObject::Thread { name, locals } => {
                self.instance(object, "java.lang.Thread", vec![self.to(Some(*name)), Value::Long(key.into())]);
                self.stack(object, locals);
            }
        }
    }

    /// Writes the nodes of a map; the first of each bucket.
    fn nodes(&mut self, map: Key, entries: &[(Key, Key)], room: usize) -> Vec<Id> {
        let mut buckets = vec![Vec::new(); room];
        for &(key, value) in entries {
            let hash = self.world.hash(key);
            buckets[hash as usize & (room - 1)].push((key, value, hash));
        }
        let node = |key: Key| self.at((map, ObjectPart::Node(key)));
        let firsts = buckets.iter().map(|bucket| bucket.first().map_or(0, |&(key, ..)| node(key))).collect();
        for bucket in buckets {
            for (at, &(key, value, hash)) in bucket.iter().enumerate() {
                let next = bucket.get(at + 1).map_or(0, |&(key, ..)| self.at((map, ObjectPart::Node(key))));
                let fields = vec![Value::Int(hash), self.to(Some(key)), self.to(Some(value)), Value::Object(next)];
                self.instance(self.at((map, ObjectPart::Node(key))), "java.util.HashMap$Node", fields);
            }
        }
        firsts
    }

    fn stack(&mut self, thread: Id, locals: &[Key]) {
        let number = 1 + self.sketch.traces.len() as u32;
        let frame = Frame {
            method: "run".to_owned(),
            signature: "()V".to_owned(),
            source: "Shop.java".to_owned(),
            class: self.addresses.classes["java.lang.Thread"],
            line: 7,
        };
        self.sketch.traces.push(Trace { number, thread: number, frames: vec![frame] });
        self.sketch.roots.push((thread, RootRecord::Thread { thread: number, trace: number }));
        let locals = locals.iter().map(|&local| self.at((local, ObjectPart::Whole)));
        let locals: Vec<_> = locals.map(|local| (local, RootRecord::JavaFrame { thread: number, frame: 0 })).collect();
        self.sketch.roots.extend(locals);
    }

    fn at(&self, part: PartKey) -> Id {
        self.addresses.parts[&part]
    }

    fn to(&self, key: Option<Key>) -> Value {
        Value::Object(key.map_or(0, |key| self.at((key, ObjectPart::Whole))))
    }

    fn instance(&mut self, id: Id, class: &str, fields: Vec<Value>) {
        let class = self.addresses.classes[class];
        self.sketch.objects.push(Object { id, body: Body::Instance { class, fields } });
    }

    fn array(&mut self, id: Id, class: &str, elements: Vec<Id>) {
        let class = self.addresses.classes[class];
        self.sketch.objects.push(Object { id, body: Body::Objects { class, elements } });
    }
}
