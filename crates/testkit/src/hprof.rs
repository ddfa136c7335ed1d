//! Writes a sketch as HPROF, in every form written by virtual machines: ids of 4 or 8 bytes, one record for the heap or
//! many segments, several dumps in one file.
//!
//! The layout is that of the HPROF manual of JDK 6. The tags are repeated here on purpose: no constant is shared with
//! the reader.

use std::collections::BTreeMap;

use super::sketch::{Body, Class, Id, Object, RootRecord, Sketch, Type, Value};

/// Which of the forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// Version after `JAVA PROFILE ` in the header.
    pub version: &'static str,
    /// Bytes of an id: 4 or 8.
    pub id_bytes: u8,
    /// Segmentation of the heap.
    pub cut: Segmentation,
    /// Order of records in the heap.
    pub order: Order,
}

/// Segmentation of a heap into records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Segmentation {
    /// One HEAP_DUMP.
    Whole,
    /// One HEAP_DUMP with a length of 0, up to the end of the file.
    Endless,
    /// HEAP_DUMP_SEGMENTs with a minimum size in bytes, then HEAP_DUMP_END.
    Segments(usize),
    /// The same, but the last segment has a length of 0 and no HEAP_DUMP_END follows: the writer was killed.
    Unfinished(usize),
    /// The same as segments, but each declares an end within its last sub-record.
    Short(usize),
}

/// The order of sub-records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Classes, objects, roots: JDK 17.
    RootsLast,
    /// Roots, classes, objects: JDK 25.
    RootsFirst,
    /// Roots, objects, classes: the layout of a class is known after its instances.
    ClassesLast,
}

impl Form {
    /// The form of current virtual machines.
    pub const MODERN: Self =
        Self { version: "1.0.2", id_bytes: 8, cut: Segmentation::Segments(1 << 20), order: Order::RootsLast };

    /// Every possible form, with a few segment sizes.
    pub fn all() -> Vec<Self> {
        let cuts = [
            ("1.0.1", Segmentation::Whole),
            ("1.0.1", Segmentation::Endless),
            ("1.0.2", Segmentation::Whole),
            ("1.0.2", Segmentation::Segments(1)),
            ("1.0.2", Segmentation::Segments(300)),
            ("1.0.2", Segmentation::Segments(1 << 20)),
        ];
        let orders = [Order::RootsLast, Order::RootsFirst, Order::ClassesLast];
        let mut forms = Vec::new();
        for (version, cut) in cuts {
            for order in orders {
                forms.extend([4, 8].map(|id_bytes| Self { version, id_bytes, cut, order }));
            }
        }
        forms
    }
}

/// One heap as a file.
pub fn write(sketch: &Sketch, form: Form) -> Vec<u8> {
    write_all(&[sketch], form)
}

/// Several dumps in one file, as the agent of JDK 6 writes them.
///
/// # Panics
/// If a dump other than the last has no length.
pub fn write_all(sketches: &[&Sketch], form: Form) -> Vec<u8> {
    let mut file =
        File { out: RecordBuffer::new(form.id_bytes), form, texts: BTreeMap::new(), serials: BTreeMap::new() };
    file.out.bytes.extend(format!("JAVA PROFILE {}\0", form.version).bytes());
    file.out.u4(u32::from(form.id_bytes));
    file.out.u8(1_700_000_000_000); // milliseconds since 1970: November 2023
    for (at, sketch) in sketches.iter().enumerate() {
        assert!(at + 1 == sketches.len() || form.cut != Segmentation::Endless, "a dump without length is the last");
        file.tables(sketch);
        file.heap(sketch);
    }
    file.out.bytes
}

/// Output buffer; numbers are big-endian. Also used by tests to build broken files.
#[derive(Debug, Clone)]
pub struct RecordBuffer {
    /// Bytes written so far.
    pub bytes: Vec<u8>,
    id_bytes: u8,
}

impl RecordBuffer {
    /// No bytes yet.
    pub fn new(id_bytes: u8) -> Self {
        Self { bytes: Vec::new(), id_bytes }
    }

    /// A byte.
    pub fn u1(&mut self, n: u8) {
        self.bytes.push(n);
    }

    /// Two bytes.
    pub fn u2(&mut self, n: u16) {
        self.bytes.extend(n.to_be_bytes());
    }

    /// Four bytes.
    pub fn u4(&mut self, n: u32) {
        self.bytes.extend(n.to_be_bytes());
    }

    /// Eight bytes.
    pub fn u8(&mut self, n: u64) {
        self.bytes.extend(n.to_be_bytes());
    }

    /// An id.
    pub fn id(&mut self, id: Id) {
        match self.id_bytes {
            4 => self.u4(id as u32),
            _ => self.u8(id),
        }
    }

    /// Several ids.
    pub fn ids(&mut self, ids: impl IntoIterator<Item = Id>) {
        for id in ids {
            self.id(id);
        }
    }

    /// Several values, without their types.
    pub fn values(&mut self, values: &[Value]) {
        for &value in values {
            self.value(value);
        }
    }

    /// A value, without its type.
    pub fn value(&mut self, value: Value) {
        match value {
            Value::Object(id) => self.id(id),
            Value::Boolean(b) => self.u1(u8::from(b)),
            Value::Char(c) => self.u2(c),
            Value::Float(f) => self.u4(f.to_bits()),
            Value::Double(d) => self.u8(d.to_bits()),
            Value::Byte(n) => self.bytes.extend(n.to_be_bytes()),
            Value::Short(n) => self.bytes.extend(n.to_be_bytes()),
            Value::Int(n) => self.bytes.extend(n.to_be_bytes()),
            Value::Long(n) => self.bytes.extend(n.to_be_bytes()),
        }
    }

    /// A record: tag, time, length, body.
    pub fn record(&mut self, tag: u8, body: &[u8]) {
        self.record_with_length(tag, body.len() as u32, body);
    }

    /// Writes a record whose length field is `length`, regardless of its body.
    pub fn record_with_length(&mut self, tag: u8, length: u32, body: &[u8]) {
        self.u1(tag);
        self.u4(0);
        self.u4(length);
        self.bytes.extend(body);
    }
}

struct File {
    out: RecordBuffer,
    form: Form,
    /// Id of each text written so far. Small numbers, as on Android, not addresses.
    texts: BTreeMap<String, Id>,
    /// Serial number of each class written so far.
    serials: BTreeMap<Id, u32>,
}

impl File {
    fn body(&self) -> RecordBuffer {
        RecordBuffer::new(self.form.id_bytes)
    }

    /// Id of a text, which is written first if it is new.
    fn text(&mut self, text: &str) -> Id {
        if let Some(&id) = self.texts.get(text) {
            return id;
        }
        let id = 0x101 + self.texts.len() as Id;
        let mut body = self.body();
        body.id(id);
        body.bytes.extend(modified_utf8(text));
        self.out.record(0x01, &body.bytes);
        self.texts.insert(text.to_owned(), id);
        id
    }

    /// Strings, loaded classes, frames and traces.
    fn tables(&mut self, sketch: &Sketch) {
        for class in &sketch.classes {
            for name in class.fields.iter().map(|(name, _)| name).chain(class.statics.iter().map(|(name, _)| name)) {
                self.text(name);
            }
            let name = self.text(&internal_name(&class.name));
            let serial = 1 + self.serials.len() as u32;
            if self.serials.insert(class.id, serial).is_none() {
                let mut body = self.body();
                body.u4(serial);
                body.id(class.id);
                body.u4(0);
                body.id(name);
                self.out.record(0x02, &body.bytes);
            }
        }
        let mut next_frame = 0x70_0000;
        for trace in &sketch.traces {
            let first = next_frame;
            for frame in &trace.frames {
                let texts = [&frame.method, &frame.signature, &frame.source].map(|text| self.text(text));
                let mut body = self.body();
                body.id(next_frame);
                body.ids(texts);
                body.u4(self.serials.get(&frame.class).copied().unwrap_or(0));
                body.u4(frame.line.cast_unsigned());
                self.out.record(0x04, &body.bytes);
                next_frame += 1;
            }
            let mut body = self.body();
            body.u4(trace.number);
            body.u4(trace.thread);
            body.u4(trace.frames.len() as u32);
            body.ids(first..next_frame);
            self.out.record(0x05, &body.bytes);
        }
    }

    fn heap(&mut self, sketch: &Sketch) {
        let roots = sketch.roots.iter().map(|&(id, why)| root(id, why, self.body()));
        let classes = sketch.classes.iter().map(|class| self.class_dump(sketch, class));
        let objects = sketch.objects.iter().map(|object| object_dump(object, self.body()));
        let parts: Vec<Vec<u8>> = match self.form.order {
            Order::RootsLast => classes.chain(objects).chain(roots).collect(),
            Order::RootsFirst => roots.chain(classes).chain(objects).collect(),
            Order::ClassesLast => roots.chain(objects).chain(classes).collect(),
        };
        match self.form.cut {
            Segmentation::Whole => self.out.record(0x0c, &parts.concat()),
            Segmentation::Endless => self.out.record_with_length(0x0c, 0, &parts.concat()),
            Segmentation::Segments(bytes) | Segmentation::Unfinished(bytes) | Segmentation::Short(bytes) => {
                let (mut segments, mut segment, mut filled) = (Vec::new(), Vec::new(), 0);
                for part in parts {
                    filled += part.len();
                    segment.push(part);
                    if filled >= bytes {
                        segments.push(std::mem::take(&mut segment));
                        filled = 0;
                    }
                }
                segments.extend((!segment.is_empty()).then_some(segment));
                self.segments(&segments);
            }
        }
    }

    /// Segments of sub-records.
    fn segments(&mut self, segments: &[Vec<Vec<u8>>]) {
        for (at, parts) in segments.iter().enumerate() {
            let body = parts.concat();
            let length = match self.form.cut {
                Segmentation::Unfinished(_) if at + 1 == segments.len() => 0,
                Segmentation::Short(_) => body.len() - parts.last().map_or(0, |last| last.len() / 2),
                _ => body.len(),
            };
            self.out.record_with_length(0x1c, length as u32, &body);
        }
        if !matches!(self.form.cut, Segmentation::Unfinished(_)) {
            self.out.record(0x2c, &[]);
        }
    }

    fn class_dump(&self, sketch: &Sketch, class: &Class) -> Vec<u8> {
        let mut body = self.body();
        body.u1(0x20);
        body.id(class.id);
        body.u4(0);
        body.id(class.superclass);
        body.id(class.loader);
        body.ids([0; 4]); // signers, protection domain, two reserved
        let fields = sketch.line_of(class.id).into_iter().flat_map(|class| &class.fields);
        body.u4(fields.map(|&(_, kind)| kind.bytes(u64::from(self.form.id_bytes)) as u32).sum());
        body.u2(0); // constants
        body.u2(class.statics.len() as u16);
        for (name, value) in &class.statics {
            body.id(self.texts[name]);
            body.u1(type_code(value.kind()));
            body.value(*value);
        }
        body.u2(class.fields.len() as u16);
        for (name, kind) in &class.fields {
            body.id(self.texts[name]);
            body.u1(type_code(*kind));
        }
        body.bytes
    }
}

fn root(id: Id, why: RootRecord, mut body: RecordBuffer) -> Vec<u8> {
    let (tag, numbers) = match why {
        RootRecord::Unknown => (0xff, vec![]),
        RootRecord::JniGlobal => (0x01, vec![]),
        RootRecord::JniLocal { thread, frame } => (0x02, vec![thread, frame]),
        RootRecord::JavaFrame { thread, frame } => (0x03, vec![thread, frame]),
        RootRecord::NativeStack { thread } => (0x04, vec![thread]),
        RootRecord::StickyClass => (0x05, vec![]),
        RootRecord::ThreadBlock { thread } => (0x06, vec![thread]),
        RootRecord::MonitorUsed => (0x07, vec![]),
        RootRecord::Thread { thread, trace } => (0x08, vec![thread, trace]),
    };
    body.u1(tag);
    body.id(id);
    if why == RootRecord::JniGlobal {
        body.id(0x5555); // the JNI reference: no object
    }
    for number in numbers {
        body.u4(number);
    }
    body.bytes
}

fn object_dump(object: &Object, mut body: RecordBuffer) -> Vec<u8> {
    match &object.body {
        Body::Instance { class, fields } => {
            let mut values = RecordBuffer::new(body.id_bytes);
            values.values(fields);
            body.u1(0x21);
            body.id(object.id);
            body.u4(0);
            body.id(*class);
            body.u4(values.bytes.len() as u32);
            body.bytes.extend(values.bytes);
        }
        Body::Objects { class, elements } => {
            body.u1(0x22);
            body.id(object.id);
            body.u4(0);
            body.u4(elements.len() as u32);
            body.id(*class);
            body.ids(elements.iter().copied());
        }
        Body::Primitives { kind, elements } => {
            body.u1(0x23);
            body.id(object.id);
            body.u4(0);
            body.u4(elements.len() as u32);
            body.u1(type_code(*kind));
            body.values(elements);
        }
    }
    body.bytes
}

fn type_code(kind: Type) -> u8 {
    match kind {
        Type::Object => 2,
        Type::Boolean => 4,
        Type::Char => 5,
        Type::Float => 6,
        Type::Double => 7,
        Type::Byte => 8,
        Type::Short => 9,
        Type::Int => 10,
        Type::Long => 11,
    }
}

/// `java.lang.String[]` → `[Ljava/lang/String;`, `int[][]` → `[[I`.
pub fn internal_name(name: &str) -> String {
    let element = name.trim_end_matches("[]");
    let depth = (name.len() - element.len()) / 2;
    let slashed = element.replace('.', "/");
    if depth == 0 {
        return slashed;
    }
    let letter = match Type::named(element) {
        Some(Type::Boolean) => "Z",
        Some(Type::Char) => "C",
        Some(Type::Float) => "F",
        Some(Type::Double) => "D",
        Some(Type::Byte) => "B",
        Some(Type::Short) => "S",
        Some(Type::Int) => "I",
        Some(Type::Long) => "J",
        Some(Type::Object) | None => return format!("{}L{slashed};", "[".repeat(depth)),
    };
    format!("{}{letter}", "[".repeat(depth))
}

/// Java's modified UTF-8: NUL takes two bytes, characters above U+FFFF two surrogates of three bytes.
pub fn modified_utf8(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for unit in text.encode_utf16() {
        match unit {
            1..=0x7f => bytes.push(unit as u8),
            0 | 0x80..=0x7ff => bytes.extend([0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8]),
            _ => {
                let middle = 0x80 | (unit >> 6 & 0x3f) as u8;
                bytes.extend([0xe0 | (unit >> 12) as u8, middle, 0x80 | (unit & 0x3f) as u8]);
            }
        }
    }
    bytes
}
