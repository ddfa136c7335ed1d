//! Random heaps: class families, instances, arrays, strings, threads with locals, roots of every kind, references of
//! every strength, and some dangling ones.

use super::notation::string;
use super::random::Random;
use super::sketch::{AddressAllocator, Body, Class, Frame, Id, Object, RootRecord, Sketch, Trace, Type, Value};

/// Texts that string decoders tend to get wrong.
const TEXTS: [&str; 7] =
    ["", "a", "plain text", "caf\u{e9}", "\u{65e5}\u{672c}\u{8a9e}", "nul \0 inside", "\u{1f680} up"];

/// Heap for a seed, with about `objects` objects besides its classes. All ids fit into 32 bits.
pub fn random(seed: u64, objects: u32) -> Sketch {
    drawn(Random::new(seed), seed, objects)
}

/// Heap drawn with these random numbers; `seed` determines its general properties.
pub fn drawn(random: Random, seed: u64, objects: u32) -> Sketch {
    let mut generator = HeapGenerator {
        random,
        sketch: Sketch::default(),
        space: AddressAllocator::new(0x1000, 8),
        chars: seed.is_multiple_of(3),
        class_bytes: if seed.is_multiple_of(5) { 104 } else { 128 },
        reference: if seed.is_multiple_of(2) { 4 } else { 8 },
        ids: Vec::new(),
    };
    generator.system_classes();
    generator.own_classes();
    let alignment = *generator.random.pick(&[8, 8, 16, 64]);
    generator.space = AddressAllocator::new(generator.space.take(1), alignment);
    generator.bodies(objects);
    generator.wire();
    generator.threads();
    generator.roots();
    generator.random.shuffle(&mut generator.sketch.objects);
    generator.sketch
}

struct HeapGenerator {
    random: Random,
    sketch: Sketch,
    space: AddressAllocator,
    chars: bool,
    /// Size of a class object in memory, in bytes.
    class_bytes: u64,
    /// Size of a reference in memory in bytes, which determines the distances of objects.
    reference: u64,
    /// Everything a reference may point at.
    ids: Vec<Id>,
}

impl HeapGenerator {
    fn class(&mut self, name: &str, superclass: Id, fields: &[(&str, Type)]) -> Id {
        let id = self.space.take(self.class_bytes);
        let fields = fields.iter().map(|&(name, kind)| (name.to_owned(), kind)).collect();
        let name = name.to_owned();
        self.sketch.classes.push(Class { id, name, superclass, fields, ..Class::default() });
        self.ids.push(id);
        id
    }

    fn system_classes(&mut self) {
        let top = self.class("java.lang.Object", 0, &[]);
        self.class("java.lang.Class", top, &[("name", Type::Object)]);
        self.class("java.lang.ClassLoader", top, &[("parent", Type::Object)]);
        self.class("java.lang.Thread", top, &[("name", Type::Object), ("tid", Type::Long)]);
        let (value, hash) = (("value", Type::Object), ("hash", Type::Int));
        let fields = if self.chars { vec![value, hash] } else { vec![value, ("coder", Type::Byte), hash] };
        self.class("java.lang.String", top, &fields);
        let reference =
            self.class("java.lang.ref.Reference", top, &[("referent", Type::Object), ("next", Type::Object)]);
        for kind in ["Soft", "Weak", "Phantom"] {
            let kind = self.class(&format!("java.lang.ref.{kind}Reference"), reference, &[]);
            if self.random.one_in(2) {
                self.class(&format!("shop.Cache{kind}"), kind, &[("key", Type::Object)]);
            }
        }
        for kind in Type::ALL.into_iter().filter(|&kind| kind != Type::Object) {
            self.class(&format!("{}[]", kind.name()), top, &[]);
        }
        for name in ["java.lang.Object[]", "java.lang.String[]", "int[][]"] {
            self.class(name, top, &[]);
        }
    }

    /// Families of up to four levels, with fields of every type.
    fn own_classes(&mut self) {
        let mut parents = vec![self.sketch.id("java.lang.Object")];
        for number in 0..self.random.between(1, 8) {
            let parent = *self.random.pick(&parents);
            let id = self.class(&format!("shop.C{number}"), parent, &[]);
            let kinds: Vec<Type> = (0..self.random.below(5)).map(|_| *self.random.pick(&Type::ALL)).collect();
            // The same field name in two classes of a family is legal, and a trap.
            let fields = kinds.iter().enumerate().map(|(at, &kind)| (format!("f{at}"), kind));
            let class = self.sketch.classes.last_mut().into_iter();
            class.for_each(|class| class.fields = fields.clone().collect());
            if self.sketch.line_of(id).len() < 5 {
                parents.push(id);
            }
        }
    }

    /// Objects without references: these are added once all ids are known.
    fn bodies(&mut self, objects: u32) {
        let plain = |class: &&Class| !class.name.ends_with("[]") && class.name != "java.lang.Class";
        let plain: Vec<Id> = self.sketch.classes.iter().filter(plain).map(|class| class.id).collect();
        let arrays = ["java.lang.Object[]", "java.lang.String[]", "int[][]"].map(|name| self.sketch.id(name));
        let string_class = self.sketch.id("java.lang.String");
        for _ in 0..objects {
            let length = if self.random.one_in(20) { self.random.below(300) } else { self.random.below(6) };
            let body = match self.random.below(8) {
                0 => {
                    let text = *self.random.pick(&TEXTS);
                    let bytes = 24 + 16 + 2 * text.encode_utf16().count() as u64;
                    let id = self.space.take(bytes);
                    let [string, array] = string(&self.sketch, id, text, self.chars);
                    self.ids.extend([string.id, array.id]);
                    self.sketch.objects.extend([string, array]);
                    continue;
                }
                1 | 2 => {
                    let elements = vec![0; length as usize];
                    Body::Objects { class: *self.random.pick(&arrays), elements }
                }
                3 => {
                    let kind = *self.random.pick(&Type::ALL[1..]);
                    Body::Primitives { kind, elements: (0..length).map(|_| self.value(kind)).collect() }
                }
                _ => {
                    let class = *self.random.pick(&plain);
                    if class == string_class {
                        continue; // a string without its array is no text
                    }
                    let fields = self.sketch.line_of(class).into_iter().flat_map(|class| class.fields.clone());
                    let kinds: Vec<Type> = fields.map(|(_, kind)| kind).collect();
                    Body::Instance { class, fields: kinds.into_iter().map(|kind| self.value(kind)).collect() }
                }
            };
            let elements: u64 = match &body {
                Body::Instance { fields, .. } => fields.iter().map(|value| value.kind().bytes(self.reference)).sum(),
                Body::Objects { elements, .. } => elements.len() as u64 * self.reference,
                Body::Primitives { kind, elements } => elements.len() as u64 * kind.bytes(self.reference),
            };
            let id = self.space.take(8 + 2 * self.reference + elements);
            self.ids.push(id);
            self.sketch.objects.push(Object { id, body });
        }
    }

    /// Random target of a reference: usually an object, sometimes null, rarely dangling.
    fn target(&mut self) -> Id {
        match self.random.below(40) {
            0..12 => 0,
            12 => 0xdead_0000 + u64::from(self.random.below(4)) * 8,
            _ => *self.random.pick(&self.ids),
        }
    }

    fn value(&mut self, kind: Type) -> Value {
        let bits = if self.random.one_in(3) { u64::from(self.random.below(3)) } else { self.random.number() };
        match kind {
            Type::Object => Value::Object(0),
            Type::Boolean => Value::Boolean(bits & 1 == 1),
            Type::Char => Value::Char(bits as u16),
            // Integers, so that equal values compare equal: NaN would not.
            Type::Float => Value::Float(bits as i32 as f32 / 8.0),
            Type::Double => Value::Double(bits.cast_signed() as f64 / 8.0),
            Type::Byte => Value::Byte(bits as i8),
            Type::Short => Value::Short(bits as i16),
            Type::Int => Value::Int(bits as i32),
            Type::Long => Value::Long(bits.cast_signed()),
        }
    }

    fn wire(&mut self) {
        let mut objects = std::mem::take(&mut self.sketch.objects);
        let string = self.sketch.id("java.lang.String");
        for object in &mut objects {
            match &mut object.body {
                Body::Instance { class, .. } if *class == string => {}
                Body::Instance { fields, .. } => {
                    for value in fields.iter_mut().filter(|value| value.kind() == Type::Object) {
                        *value = Value::Object(self.target());
                    }
                }
                Body::Objects { elements, .. } => elements.fill_with(|| self.target()),
                Body::Primitives { .. } => {}
            }
        }
        let loaders = self.sketch.id("java.lang.ClassLoader");
        let is_loader = |o: &&Object| matches!(o.body, Body::Instance { class, .. } if class == loaders);
        let loaders: Vec<Id> = objects.iter().filter(is_loader).map(|loader| loader.id).collect();
        self.sketch.objects = objects;
        let mut classes = std::mem::take(&mut self.sketch.classes);
        for class in classes.iter_mut().filter(|class| class.name.starts_with("shop.")) {
            if !loaders.is_empty() && self.random.one_in(2) {
                class.loader = *self.random.pick(&loaders);
            }
            for at in 0..self.random.below(4) {
                let kind = *self.random.pick(&Type::ALL);
                let value = if kind == Type::Object { Value::Object(self.target()) } else { self.value(kind) };
                class.statics.push((format!("s{at}"), value));
            }
        }
        self.sketch.classes = classes;
    }

    /// A few thread objects, their traces and their locals.
    fn threads(&mut self) {
        let class = self.sketch.id("java.lang.Thread");
        let is_thread = |o: &&Object| matches!(o.body, Body::Instance { class: c, .. } if c == class);
        let threads: Vec<Id> = self.sketch.objects.iter().filter(is_thread).map(|thread| thread.id).take(4).collect();
        let methods = self.sketch.classes.last().map_or(0, |class| class.id);
        for (at, &object) in threads.iter().enumerate() {
            let (thread, number) = (1 + at as u32, 10 + at as u32);
            let frame = |line| Frame {
                method: "run".to_owned(),
                signature: "()V".to_owned(),
                source: "Shop.java".to_owned(),
                class: methods,
                line,
            };
            self.sketch.traces.push(Trace { number, thread, frames: (-3..i32::from(at > 0)).map(frame).collect() });
            self.sketch.roots.push((object, RootRecord::Thread { thread, trace: number }));
        }
        // Local of a thread, or, with number 9, of one that the dump does not have.
        for _ in 0..self.random.below(8) {
            let thread = if threads.is_empty() || self.random.one_in(6) {
                9
            } else {
                self.random.between(1, threads.len() as u32)
            };
            let frame = self.random.below(3);
            let why = match self.random.below(4) {
                0 => RootRecord::JniLocal { thread, frame },
                1 => RootRecord::NativeStack { thread },
                2 => RootRecord::ThreadBlock { thread },
                _ => RootRecord::JavaFrame { thread, frame },
            };
            let local = self.target();
            if local != 0 {
                self.sketch.roots.push((local, why));
            }
        }
    }

    fn roots(&mut self) {
        for at in 0..self.sketch.classes.len() {
            if self.random.one_in(3) {
                self.sketch.roots.push((self.sketch.classes[at].id, RootRecord::StickyClass));
            }
        }
        for _ in 0..self.random.between(1, 4) {
            let why = *self.random.pick(&[
                RootRecord::Unknown,
                RootRecord::JniGlobal,
                RootRecord::MonitorUsed,
                RootRecord::MonitorUsed,
            ]);
            let object = self.target();
            if object != 0 {
                self.sketch.roots.push((object, why));
            }
        }
    }
}
