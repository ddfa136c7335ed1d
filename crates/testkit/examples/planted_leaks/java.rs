//! Builder for the heap of a Java program by names of classes and fields: omitted fields are zero or null. Objects have
//! the addresses of an allocator that only goes on, so later objects are newer, with sizes as in a virtual machine with
//! compressed references.

use std::collections::BTreeMap;

use heaplens_testkit::sketch::{
    AddressAllocator, Body, Class, Frame, Id, Object, RootRecord, Sketch, Trace, Type, Value,
};

/// Bytes of a compressed reference.
const REFERENCE: u64 = 4;
/// The class above all.
pub(crate) const OBJECT: &str = "java.lang.Object";

/// Class with its fields and its superclass, as in a table of a runtime.
pub(crate) type ClassRow = (&'static str, &'static str, &'static [(&'static str, Type)]);

/// A reference as a value.
pub(crate) fn to(id: Id) -> Value {
    Value::Object(id)
}

/// Kind of virtual machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Machine {
    /// HotSpot and J9.
    Server,
    /// Android: the characters of a string follow it.
    Android,
}

/// A heap in the making.
pub(crate) struct Java {
    /// Classes, objects, roots and traces so far.
    pub(crate) sketch: Sketch,
    /// Text of each string.
    pub(crate) texts: BTreeMap<Id, String>,
    machine: Machine,
    space: AddressAllocator,
    /// Index of each class by name.
    classes: BTreeMap<String, usize>,
    /// All fields of a class: its own, then those of its superclasses.
    layouts: BTreeMap<Id, Vec<(String, Type)>>,
    /// Index of each object.
    indexes: BTreeMap<Id, usize>,
    /// Loader of the classes that are declared next; 0 for the runtime.
    loader: Id,
    threads: u32,
}

impl Java {
    /// Empty heap whose first object has the address `first`.
    pub(crate) fn new(machine: Machine, first: Id, runtime: &[ClassRow]) -> Self {
        let mut java = Self {
            sketch: Sketch::default(),
            texts: BTreeMap::new(),
            machine,
            space: AddressAllocator::new(first, 8),
            classes: BTreeMap::new(),
            layouts: BTreeMap::new(),
            indexes: BTreeMap::new(),
            loader: 0,
            threads: 0,
        };
        for (name, above, fields) in runtime {
            let id = java.class(name, above, fields);
            java.sketch.roots.push((id, RootRecord::StickyClass));
        }
        java
    }

    /// Makes this object the loader of the classes that follow.
    pub(crate) fn load_by(&mut self, loader: Id) {
        self.loader = loader;
    }

    /// The id of a class.
    pub(crate) fn class_id(&self, name: &str) -> Id {
        self.sketch.classes[self.class_index(name)].id
    }

    fn class_index(&self, name: &str) -> usize {
        *self.classes.get(name).unwrap_or_else(|| panic!("no class {name}"))
    }

    /// Declares a class; of two with one name, the later one is meant from here on.
    pub(crate) fn class(&mut self, name: &str, above: &str, fields: &[(&str, Type)]) -> Id {
        let id = self.space.take(112);
        let superclass = if above.is_empty() { 0 } else { self.class_id(above) };
        let own: Vec<(String, Type)> = fields.iter().map(|&(name, kind)| (name.to_owned(), kind)).collect();
        let inherited = self.layouts.get(&superclass).cloned().unwrap_or_default();
        self.layouts.insert(id, own.iter().cloned().chain(inherited).collect());
        self.classes.insert(name.to_owned(), self.sketch.classes.len());
        let (name, loader) = (name.to_owned(), self.loader);
        self.sketch.classes.push(Class { id, name, superclass, loader, fields: own, statics: Vec::new() });
        id
    }

    /// Sets a static.
    pub(crate) fn set_static(&mut self, class: &str, field: &str, value: Value) {
        let index = self.class_index(class);
        let statics = &mut self.sketch.classes[index].statics;
        match statics.iter_mut().find(|(name, _)| name == field) {
            Some((_, old)) => *old = value,
            None => statics.push((field.to_owned(), value)),
        }
    }

    fn push(&mut self, id: Id, body: Body) -> Id {
        self.indexes.insert(id, self.sketch.objects.len());
        self.sketch.objects.push(Object { id, body });
        id
    }

    /// Creates an object.
    pub(crate) fn make(&mut self, class: &str, values: &[(&str, Value)]) -> Id {
        let class_id = self.class_id(class);
        let layout = &self.layouts[&class_id];
        for (name, _) in values {
            assert!(layout.iter().any(|(field, _)| field == name), "{class} has no field {name}");
        }
        let value = |(name, kind): &(String, Type)| match values.iter().find(|(given, _)| given == name) {
            Some(&(_, value)) => value,
            None if name == "shadow$_klass_" => to(class_id),
            None => nothing(*kind),
        };
        let fields: Vec<Value> = layout.iter().map(value).collect();
        let header = if self.machine == Machine::Android { 0 } else { 12 };
        let bytes = fields.iter().map(|value| value.kind().bytes(REFERENCE)).sum::<u64>();
        let id = self.space.take(header + bytes);
        self.push(id, Body::Instance { class: class_id, fields })
    }

    /// All objects of a class so far.
    pub(crate) fn instances(&self, name: &str) -> Vec<Id> {
        let wanted = self.class_id(name);
        let is_one = |object: &&Object| matches!(object.body, Body::Instance { class, .. } if class == wanted);
        self.sketch.objects.iter().filter(is_one).map(|object| object.id).collect()
    }

    /// Sets a field.
    pub(crate) fn set(&mut self, object: Id, field: &str, value: Value) {
        if let Body::Instance { class, fields } = &mut self.sketch.objects[self.indexes[&object]].body {
            let at = self.layouts[class].iter().position(|(name, _)| name == field);
            fields[at.unwrap_or_else(|| panic!("no field {field}"))] = value;
        }
    }

    /// Creates a string.
    pub(crate) fn text(&mut self, text: &str) -> Id {
        let class = self.class_id("java.lang.String");
        let elements: Vec<Value> = text.bytes().map(|byte| Value::Byte(byte.cast_signed())).collect();
        let length = text.len() as u64;
        let (id, array) = if self.machine == Machine::Android {
            // The array is part of the string: it follows the fields, and a header of 16 bytes is counted with it.
            let id = self.space.take(32 + length);
            (id, if text.is_empty() { id + 8 } else { id + 16 })
        } else {
            (self.space.take(24), self.space.take(16 + length))
        };
        self.texts.insert(id, text.to_owned());
        let fields = self.layouts[&class].clone();
        let value = |(name, kind): &(String, Type)| match name.as_str() {
            "value" => to(array),
            "count" => Value::Int(length as i32),
            "shadow$_klass_" => to(class),
            _ => nothing(*kind),
        };
        self.push(id, Body::Instance { class, fields: fields.iter().map(value).collect() });
        self.push(array, Body::Primitives { kind: Type::Byte, elements });
        id
    }

    /// Creates an array of bytes, all 0.
    pub(crate) fn bytes(&mut self, length: u32) -> Id {
        let id = self.space.take(16 + u64::from(length));
        self.push(id, Body::Primitives { kind: Type::Byte, elements: vec![Value::Byte(0); length as usize] })
    }

    /// Creates an array of references of a declared class, such as `java.lang.Object[]`.
    pub(crate) fn array(&mut self, class: &str, elements: Vec<Id>) -> Id {
        let class = self.class_id(class);
        let id = self.space.take(16 + REFERENCE * elements.len() as u64);
        self.push(id, Body::Objects { class, elements })
    }

    /// Creates a thread that runs a method of `class`, with local variables.
    pub(crate) fn thread(&mut self, name: &str, class: &str, locals: &[Id], values: &[(&str, Value)]) -> Id {
        self.threads += 1;
        let number = self.threads;
        let text = self.text(name);
        let given = values.iter().copied().chain([("name", to(text)), ("tid", Value::Long(number.into()))]);
        let thread = self.make("java.lang.Thread", &given.collect::<Vec<_>>());
        let frame = |method: &str, class: Id, line| Frame {
            method: method.to_owned(),
            signature: "()V".to_owned(),
            source: String::new(),
            class,
            line,
        };
        let frames = vec![frame("run", self.class_id(class), 42), frame("run", self.class_id("java.lang.Thread"), 840)];
        self.sketch.traces.push(Trace { number, thread: number, frames });
        self.sketch.roots.push((thread, RootRecord::Thread { thread: number, trace: number }));
        let locals = locals.iter().map(|&local| (local, RootRecord::JavaFrame { thread: number, frame: 0 }));
        self.sketch.roots.extend(locals);
        thread
    }

    /// Makes an object a root of native code.
    pub(crate) fn root(&mut self, object: Id) {
        self.sketch.roots.push((object, RootRecord::JniGlobal));
    }
}

fn nothing(kind: Type) -> Value {
    match kind {
        Type::Object => Value::Object(0),
        Type::Boolean => Value::Boolean(false),
        Type::Char => Value::Char(0),
        Type::Float => Value::Float(0.0),
        Type::Double => Value::Double(0.0),
        Type::Byte => Value::Byte(0),
        Type::Short => Value::Short(0),
        Type::Int => Value::Int(0),
        Type::Long => Value::Long(0),
    }
}
