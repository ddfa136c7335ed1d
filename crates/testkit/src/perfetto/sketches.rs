//! A sketch as a heap graph.

use std::collections::BTreeMap;
use std::io::Write;

use super::{Form, Graph, Object, Type, kind, root};
use crate::sketch::{self, Body, Class, Id, RootRecord, Sketch, Value};

/// Types of class objects come after all others.
const CLASS_OBJECTS: u64 = 1 << 20;
/// Fields of `java.lang.Class` that refer to the superclass and to the loader.
const SUPERCLASS: u64 = 1;
const LOADER: u64 = 2;

/// Ids of field names.
#[derive(Default)]
struct Fields(BTreeMap<String, u64>);

impl Fields {
    fn id(&mut self, class: &str, name: &str) -> u64 {
        let next = self.0.len() as u64 + 10;
        *self.0.entry(format!("java.lang.Object {class}.{name}")).or_insert(next)
    }
}

fn type_kind(sketch: &Sketch, class: &Class) -> u64 {
    if class.name.ends_with("[]") {
        let element = class.name.trim_end_matches("[]");
        let is_primitive = sketch::Type::ALL.iter().any(|kind| kind.name() == element && *kind != sketch::Type::Object);
        let is_flat = class.name.matches("[]").count() == 1;
        return if is_primitive && is_flat { kind::NO_REFERENCES } else { kind::ARRAY };
    }
    let line = sketch.line_of(class.id);
    let is = |name: &str| line.iter().any(|class| class.name == format!("java.lang.ref.{name}Reference"));
    match () {
        () if is("Soft") => kind::SOFT,
        () if is("Weak") => kind::WEAK,
        () if is("Final") => kind::FINALIZER,
        () if is("Phantom") => kind::PHANTOM,
        () if class.name == "java.lang.Class" => kind::CLASS,
        () => kind::NORMAL,
    }
}

fn root_kind(root: RootRecord) -> u64 {
    match root {
        RootRecord::Unknown => root::UNKNOWN,
        RootRecord::JniGlobal => root::JNI_GLOBAL,
        RootRecord::JniLocal { .. } => 2,
        RootRecord::JavaFrame { .. } => root::JAVA_FRAME,
        RootRecord::NativeStack { .. } => 4,
        RootRecord::StickyClass => root::STICKY_CLASS,
        RootRecord::ThreadBlock { .. } => 6,
        RootRecord::MonitorUsed => root::MONITOR_USED,
        RootRecord::Thread { .. } => root::THREAD_OBJECT,
    }
}

/// A heap as a trace; `size` is the size of each object in bytes.
///
/// # Panics
/// Never: writing to memory does not fail.
pub fn write(sketch: &Sketch, form: Form, size: impl Fn(Id) -> u64) -> Vec<u8> {
    let mut out: Vec<u8> = super::processes(&[(1, "init", 0), (7, "com.example.shop", 10_123)]);
    out.extend(super::clocks(1_700_000_000_000_000_000, 5_000_000_000));
    write_to(sketch, form, size, &mut out).expect("memory");
    out
}

fn write_to(sketch: &Sketch, form: Form, size: impl Fn(Id) -> u64, out: &mut dyn Write) -> std::io::Result<()> {
    let mut graph = Graph::new(out, form, (7, 3, 6_000_000_000));
    let types: BTreeMap<Id, u64> = sketch.classes.iter().zip(1..).map(|(class, at)| (class.id, at)).collect();
    let of = |class: Id| types.get(&class).copied().unwrap_or_default();
    let mut fields = Fields::default();
    // As on devices, roots come first and names last.
    for &(object, root) in &sketch.roots {
        graph.roots(root_kind(root), &[object])?;
    }
    for class in &sketch.classes {
        let own = class.fields.iter().filter(|(_, kind)| *kind == sketch::Type::Object);
        let own: Vec<u64> = own.map(|(name, _)| fields.id(&class.name, name)).collect();
        let (id, superclass) = (of(class.id), of(class.superclass));
        let own = if form.typed { &own[..] } else { &[] };
        let kind = type_kind(sketch, class);
        graph.type_of(&Type {
            id,
            name: &class.name,
            superclass,
            loader: class.loader,
            kind,
            fields: own,
            ..Type::default()
        })?;
        let name = format!("java.lang.Class<{}>", class.name);
        graph.type_of(&Type { id: id + CLASS_OBJECTS, name: &name, ..Type::default() })?;
    }
    // Objects of a device come in the order of their addresses; those of a sketch in any.
    for class in &sketch.classes {
        let statics = class.statics.iter().filter_map(|(name, value)| match value {
            Value::Object(id) => Some((fields.id(&class.name, name), *id)),
            _ => None,
        });
        let own = [(SUPERCLASS, class.superclass), (LOADER, class.loader)];
        let (ids, references): (Vec<u64>, Vec<Id>) = own.into_iter().chain(statics).unzip();
        let (id, of) = (class.id, of(class.id) + CLASS_OBJECTS);
        graph.object(&Object { id, of, size: size(id), fields: &ids, references: &references, ..Object::default() })?;
    }
    for object in &sketch.objects {
        let class = sketch.class_of(object).map_or(0, |class| class.id);
        let (mut ids, mut references) = (Vec::new(), Vec::new());
        match &object.body {
            Body::Instance { class, fields: values } => {
                let line = sketch.line_of(*class);
                let declared = line.iter().flat_map(|class| class.fields.iter().map(|(name, _)| (&class.name, name)));
                for ((class, name), value) in declared.zip(values) {
                    if let Value::Object(id) = value {
                        ids.push(fields.id(class, name));
                        references.push(*id);
                    }
                }
            }
            Body::Objects { elements, .. } => references.extend(elements),
            Body::Primitives { .. } => {}
        }
        let fields = if form.typed { &[] } else { &ids[..] };
        let (id, of) = (object.id, of(class));
        graph.object(&Object { id, of, size: size(id), fields, references: &references, ..Object::default() })?;
    }
    graph.field_name(SUPERCLASS, "java.lang.Class java.lang.Class.superClass")?;
    graph.field_name(LOADER, "java.lang.ClassLoader java.lang.Class.classLoader")?;
    for (text, id) in &fields.0 {
        graph.field_name(*id, text)?;
    }
    graph.end()
}
