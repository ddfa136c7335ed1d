//! Converts a sketch, which other writers write as HPROF, to a snapshot with the same objects and references, so both
//! yield the same dominator tree.
//!
//! | in Java | here |
//! |---|---|
//! | an object, a class object | a node of its class, its id the address |
//! | a field, a static, an element | a property, an element |
//! | the class of an object; superclass and loader of a class | an internal edge |
//! | the referent of a `java.lang.ref.Reference` | a weak edge |
//! | what a thread's stack holds | an internal edge of the thread |
//! | a GC root | an element of `(GC roots)` |
//!
//! V8 collects garbage first: unreachable objects are absent.

use std::collections::BTreeMap;

use super::snapshot::Snapshot;
use crate::sketch::{Body, Class, Id, RootRecord, Sketch, Value};

/// Loader without an object, for which HPROF readers add a synthetic one.
const BOOTSTRAP_LOADER: Id = 0;

/// Snapshot of a heap; `bytes` returns the size of an object.
pub fn snapshot(sketch: &Sketch, bytes: impl Fn(Id) -> u64) -> Snapshot {
    let mut made = Snapshot::default();
    made.add("synthetic", "", 1, 0);
    made.add("synthetic", "(GC roots)", 3, 0);
    made.number(0, "element", 1, 1);
    let class = |class: &Class| (class.id, "java.lang.Class");
    let object = |object| sketch.class_of(object).map_or("", |class| &class.name);
    let mut names: BTreeMap<Id, &str> = sketch.objects.iter().map(|of| (of.id, object(of))).collect();
    names.extend(sketch.classes.iter().map(class));
    names.insert(BOOTSTRAP_LOADER, "java.lang.ClassLoader");
    let rows: BTreeMap<Id, usize> =
        names.iter().map(|(&id, &name)| (id, made.add("object", name, id, bytes(id)))).collect();
    let mut wiring = SketchConverter { sketch, made, rows };
    wiring.classes();
    wiring.objects();
    wiring.roots();
    wiring.made.collected()
}

struct SketchConverter<'a> {
    sketch: &'a Sketch,
    made: Snapshot,
    /// Index of each object.
    rows: BTreeMap<Id, usize>,
}

impl SketchConverter<'_> {
    /// Adds a named edge, unless its target is missing.
    fn edge(&mut self, from: Id, kind: &'static str, name: &str, to: Id) {
        if let (Some(&from), Some(&to)) = (self.rows.get(&from), self.rows.get(&to)) {
            self.made.name(from, kind, name, to);
        }
    }

    /// Adds an edge named after a field, unless the value is null.
    fn value(&mut self, from: Id, kind: &'static str, name: &str, value: Value) {
        match value {
            Value::Object(to) if to != 0 => self.edge(from, kind, name, to),
            _ => {}
        }
    }

    fn class_of(&mut self, object: Id, class: Option<&Class>) {
        class.into_iter().for_each(|class| self.edge(object, "internal", "class", class.id));
    }

    fn classes(&mut self) {
        let sketch = self.sketch;
        for class in &sketch.classes {
            self.class_of(class.id, sketch.class_named("java.lang.Class"));
            if class.superclass != 0 {
                self.edge(class.id, "internal", "superclass", class.superclass);
            }
            self.edge(class.id, "internal", "loader", class.loader);
            class.statics.iter().for_each(|(name, value)| self.value(class.id, "property", name, *value));
        }
        self.class_of(BOOTSTRAP_LOADER, sketch.class_named("java.lang.ClassLoader"));
    }

    fn objects(&mut self) {
        let sketch = self.sketch;
        for object in &sketch.objects {
            self.class_of(object.id, sketch.class_of(object));
            match &object.body {
                Body::Instance { class, fields } => {
                    let line = sketch.line_of(*class);
                    let declared = line.iter().flat_map(|of| of.fields.iter().map(|(name, _)| (&*of.name, name)));
                    for ((of, name), &value) in declared.zip(fields) {
                        let weak = of == "java.lang.ref.Reference" && name == "referent";
                        self.value(object.id, if weak { "weak" } else { "property" }, name, value);
                    }
                }
                Body::Objects { elements, .. } => {
                    for (index, to) in (0..).zip(elements).filter(|&(_, &to)| to != 0) {
                        if let (Some(&from), Some(&to)) = (self.rows.get(&object.id), self.rows.get(to)) {
                            self.made.number(from, "element", index, to);
                        }
                    }
                }
                Body::Primitives { .. } => {}
            }
        }
    }

    fn roots(&mut self) {
        let mut threads = BTreeMap::new();
        let mut roots: Vec<Id> = Vec::new();
        for &(object, why) in &self.sketch.roots {
            let thread = match why {
                RootRecord::Thread { thread, .. } => {
                    threads.insert(thread, object);
                    None
                }
                RootRecord::JniLocal { thread, .. }
                | RootRecord::JavaFrame { thread, .. }
                | RootRecord::NativeStack { thread }
                | RootRecord::ThreadBlock { thread } => threads.get(&thread).copied(),
                RootRecord::Unknown | RootRecord::JniGlobal | RootRecord::StickyClass | RootRecord::MonitorUsed => None,
            };
            match thread {
                Some(thread) => self.edge(thread, "internal", "local", object),
                None => roots.push(object),
            }
        }
        if !self.sketch.roots.iter().any(|&(_, why)| why == RootRecord::StickyClass) {
            let boot = self.sketch.classes.iter().filter(|class| class.loader == 0 && !class.name.ends_with("[]"));
            roots.extend(boot.map(|class| class.id));
        }
        for (index, root) in (1..).zip(roots) {
            if let Some(&to) = self.rows.get(&root) {
                self.made.number(1, "element", index, to);
            }
        }
    }
}
