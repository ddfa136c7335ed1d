//! Heaps written as graphs: a letter or number is an object of its own class, with the size given by a test.

use std::collections::BTreeMap;

use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::{ObjectId, SizeModel, Strength};
use heaplens_testkit::art::{Art, Class, Writer, root};
use heaplens_testkit::sketch::{Id, Type, Value};

/// Names of fields: an object refers to as many others.
const FIELDS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

const OBJECT: Id = 0x7000_0000;
const REFERENCE: Id = 0x7000_0100;
const KINDS: [(Id, &str, &str); 5] = [
    (0x7000_0200, "soft", "java.lang.ref.SoftReference"),
    (0x7000_0300, "final", "java.lang.ref.FinalizerReference"),
    (0x7000_0400, "weak", "java.lang.ref.WeakReference"),
    (0x7000_0500, "phantom", "java.lang.ref.PhantomReference"),
    (0x7000_0600, "cleaner", "sun.misc.Cleaner"),
];

/// An object and its references: `a->b,c`. The kind of a reference object is part of the arrow: `a-soft->b`. Edges are
/// separated by semicolons.
pub(super) struct Graph {
    edges: BTreeMap<String, (Option<String>, Vec<String>)>,
    sizes: BTreeMap<String, u32>,
}

impl Graph {
    pub(super) fn new(text: &str) -> Self {
        let mut graph = Self { edges: BTreeMap::new(), sizes: BTreeMap::new() };
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let names: Vec<&str> = part.split("->").collect();
            for two in names.windows(2) {
                let (from, kind) = match two[0].split_once('-') {
                    Some((from, kind)) => (from, Some(kind.to_owned())),
                    None => (two[0], None),
                };
                for to in two[1].split(',') {
                    let to = to.split_once('-').map_or(to, |(to, _)| to).trim();
                    graph.edges.entry(to.to_owned()).or_default();
                    let own = graph.edges.entry(from.trim().to_owned()).or_default();
                    own.0 = kind.clone().or(own.0.take());
                    own.1.push(to.to_owned());
                }
            }
        }
        graph
    }

    /// Gives every object the size in its name, in bytes.
    pub(super) fn sized(mut self) -> Self {
        self.sizes = self.edges.keys().map(|name| (name.clone(), name.parse().expect("a number"))).collect();
        self
    }

    /// The address of an object.
    fn id(&self, name: &str) -> Id {
        let at = self.edges.keys().position(|known| known == name).unwrap_or_else(|| panic!("no object {name}"));
        0x1000_0000 + at as Id * 0x100
    }

    fn class_id(&self, name: &str) -> Id {
        self.id(name) + 0x1000_0000
    }

    /// The heap, with these roots.
    pub(super) fn open(&self, roots: &[&str], weakest: Strength) -> Drawn<'_> {
        let mut art = Art::default();
        // Classes hold nothing, and nothing holds them.
        let kinds = KINDS.map(|(id, ..)| id);
        let classes = self.edges.keys().map(|name| self.class_id(name));
        for class in classes.chain([OBJECT, REFERENCE]).chain(kinds) {
            art.root(root::STICKY_CLASS, class, 0);
        }
        roots.iter().for_each(|name| art.root(root::JNI_GLOBAL, self.id(name), 0));
        art.class(Class { id: OBJECT, name: "java.lang.Object", ..Class::default() });
        let above = Class { superclass: OBJECT, ..Class::default() };
        let referent = [("referent", Type::Object)];
        art.class(Class { id: REFERENCE, name: "java.lang.ref.Reference", fields: &referent, ..above });
        for (id, _, name) in KINDS {
            art.class(Class { id, name, superclass: REFERENCE, ..above });
        }
        for (name, (kind, targets)) in &self.edges {
            let fields: Vec<(&str, Type)> = FIELDS
                .into_iter()
                .zip(targets)
                .skip(usize::from(kind.is_some()))
                .map(|(f, _)| (f, Type::Object))
                .collect();
            let superclass = match kind {
                None => OBJECT,
                Some(kind) => KINDS.iter().find(|(_, word, _)| word == kind).expect("a kind of reference").0,
            };
            let bytes = self.sizes.get(name).copied().unwrap_or(8);
            let class = self.class_id(name);
            art.class(Class {
                id: class,
                name: &format!("dalvik.{name}"),
                superclass,
                bytes,
                fields: &fields,
                ..above
            });
            // Values of a class come before those of its superclass: the referent is last.
            let mut values: Vec<Value> = targets.iter().map(|to| Value::Object(self.id(to))).collect();
            if kind.is_some() {
                values.rotate_left(1);
            }
            art.instance(self.id(name), class, &values);
        }
        let mut options = OpenOptions::default();
        options.read.sizes = SizeModel::File;
        options.rules.min_strength = weakest;
        Drawn { graph: self, dump: super::open_bytes(art.write(Writer::Art), &options) }
    }
}

/// A graph as a dump.
pub(super) struct Drawn<'a> {
    graph: &'a Graph,
    pub(super) dump: Dump,
}

impl Drawn<'_> {
    pub(super) fn object(&self, name: &str) -> ObjectId {
        super::object(&self.dump, self.graph.id(name))
    }

    /// The letter of an object.
    pub(super) fn name(&self, object: ObjectId) -> String {
        self.dump.facts.heap.class(object).name.replacen("dalvik.", "", 1)
    }

    /// The immediate dominator: a letter, or nothing where only the virtual root is above.
    pub(super) fn idom(&self, name: &str) -> Option<String> {
        self.dump.analysis.immediate_dominator(self.object(name)).map(|object| self.name(object))
    }

    pub(super) fn retained(&self, name: &str) -> u64 {
        self.dump.analysis.retained(self.object(name)).0
    }

    pub(super) fn strength(&self, name: &str) -> Option<Strength> {
        self.dump.analysis.strength(self.object(name))
    }

    /// The object before on the shortest path from a root.
    pub(super) fn before(&self, name: &str) -> Option<String> {
        self.dump.analysis.predecessor(&self.dump.facts.heap, self.object(name)).map(|object| self.name(object))
    }
}
