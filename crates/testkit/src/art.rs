//! Writer of Android heaps: HPROF 1.0.3 with its own heaps, roots and records, and the results of `hprof-conv` and of
//! application croppers. Based on ART's writer and the sources of the croppers; no constant is shared with the reader.

mod obfuscation;
mod traces;

use std::collections::BTreeMap;

pub use self::traces::Frame;
use super::hprof::{RecordBuffer, modified_utf8};
use super::sketch::{Id, Type, Value};

/// Bytes of an id: four on every device.
const ID: u8 = 4;
/// Maximum number of sub-records and bytes of a segment.
const SEGMENT: (usize, usize) = (128, 4096);

/// Numbers of heaps.
pub const APP: u32 = 65;
/// Heap of objects created before the application started.
pub const ZYGOTE: u32 = 90;
/// The boot image.
pub const IMAGE: u32 = 73;

/// Tags of roots.
#[expect(missing_docs, reason = "the names of ART")]
pub mod root {
    pub const JNI_GLOBAL: u8 = 0x01;
    pub const JAVA_FRAME: u8 = 0x03;
    pub const STICKY_CLASS: u8 = 0x05;
    pub const THREAD: u8 = 0x08;
    pub const INTERNED: u8 = 0x89;
    pub const DEBUGGER: u8 = 0x8b;
    pub const VM_INTERNAL: u8 = 0x8d;
    pub const JNI_MONITOR: u8 = 0x8e;
}

/// Tool that wrote or rewrote the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    /// ART.
    Art,
    /// `hprof-conv`: the version of HotSpot, no heaps, only roots known to HotSpot.
    Conv,
    /// KOOM: no objects of zygote and image, no contents of primitive arrays, lengths as before.
    Koom,
    /// Tailor: another framing, no characters and bytes.
    Tailor,
    /// Shark: question marks for characters and bytes, zeros for other numbers.
    Blanked,
    /// Older strippers: primitive arrays without elements.
    Emptied,
    /// Matrix: no primitive arrays except those of strings.
    Matrix,
}

impl Writer {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Art, Self::Conv, Self::Koom, Self::Tailor, Self::Blanked, Self::Emptied, Self::Matrix];
}

#[derive(Debug, Clone)]
enum SubRecord {
    Root(u8, Id, u32),
    Class { id: Id, superclass: Id, loader: Id, bytes: u32, statics: Vec<(Id, Value)>, fields: Vec<(Id, Type)> },
    Instance(Id, Id, Vec<Value>),
    Objects(Id, Id, Vec<Id>),
    Numbers { id: Id, kind: Type, elements: Vec<Value>, of_string: bool },
}

/// A class to be written.
#[derive(Debug, Clone, Copy, Default)]
pub struct Class<'a> {
    /// Its address.
    pub id: Id,
    /// With dots.
    pub name: &'a str,
    /// The class above.
    pub superclass: Id,
    /// The loader.
    pub loader: Id,
    /// Size of an instance.
    pub bytes: u32,
    /// Statics with their values.
    pub statics: &'a [(&'a str, Value)],
    /// Its own fields.
    pub fields: &'a [(&'a str, Type)],
}

/// Android heap under construction.
#[derive(Debug, Clone, Default)]
pub struct Art {
    texts: BTreeMap<String, Id>,
    order: Vec<String>,
    loaded: Vec<(Id, Id)>,
    names: BTreeMap<u32, Id>,
    heap: u32,
    /// Trace of the following objects.
    trace: u32,
    traces: Vec<traces::Trace>,
    /// With heap and trace of each.
    records: Vec<(u32, u32, SubRecord)>,
}

impl Art {
    fn text(&mut self, text: &str) -> Id {
        let next = 0x40_0000 + self.texts.len() as Id;
        let id = *self.texts.entry(text.to_owned()).or_insert(next);
        if id == next {
            self.order.push(text.to_owned());
        }
        id
    }

    fn push(&mut self, sub: SubRecord) {
        self.records.push((self.heap, self.trace, sub));
    }

    /// Adds a trace, innermost frame first.
    pub fn trace(&mut self, serial: u32, frames: &[Frame<'_>]) {
        let frames = frames.iter().map(|frame| {
            let (method, source) = (self.text(frame.method), self.text(frame.source));
            (frame.class, method, source, frame.line)
        });
        let frames = frames.collect();
        self.traces.push(traces::Trace { serial, frames });
    }

    /// Sets the allocation trace of the following objects; 0: unknown.
    pub fn allocated(&mut self, trace: u32) {
        self.trace = trace;
    }

    /// Puts the following objects into this heap.
    pub fn heap(&mut self, number: u32, name: &str) {
        let name = self.text(name);
        self.names.insert(number, name);
        self.heap = number;
    }

    /// A root; `thread` counts where its kind has one.
    pub fn root(&mut self, tag: u8, object: Id, thread: u32) {
        // Roots are in the default heap.
        self.records.push((0, 0, SubRecord::Root(tag, object, thread)));
    }

    /// A class.
    pub fn class(&mut self, class: Class<'_>) -> Id {
        let name = self.text(class.name);
        self.loaded.push((class.id, name));
        let statics = class.statics.iter().map(|&(name, value)| (self.text(name), value)).collect();
        let fields = class.fields.iter().map(|&(name, kind)| (self.text(name), kind)).collect();
        let Class { id, superclass, loader, bytes, .. } = class;
        self.push(SubRecord::Class { id, superclass, loader, bytes, statics, fields });
        id
    }

    /// Adds an instance: values of its class, then of the superclass.
    pub fn instance(&mut self, id: Id, class: Id, values: &[Value]) -> Id {
        self.push(SubRecord::Instance(id, class, values.to_vec()));
        id
    }

    /// An array of references.
    pub fn objects(&mut self, id: Id, class: Id, elements: &[Id]) -> Id {
        self.push(SubRecord::Objects(id, class, elements.to_vec()));
        id
    }

    /// An array of numbers.
    pub fn numbers(&mut self, id: Id, kind: Type, elements: Vec<Value>) -> Id {
        self.push(SubRecord::Numbers { id, kind, elements, of_string: false });
        id
    }

    /// A string of modern Android: its characters follow its fields `count`, `hash` and `value`.
    pub fn string(&mut self, id: Id, class: Id, above: &[Value], text: &str) -> Id {
        let units: Vec<u16> = text.encode_utf16().collect();
        let array = if units.is_empty() { id + 8 } else { id + 16 };
        let own = [Value::Int(units.len() as i32), Value::Int(0), Value::Object(array)];
        self.instance(id, class, &[&own, above].concat());
        let narrow = units.iter().all(|&unit| unit < 0x80);
        let (kind, elements) = if narrow {
            (Type::Byte, units.iter().map(|&unit| Value::Byte(unit as i8)).collect())
        } else {
            (Type::Char, units.iter().map(|&unit| Value::Char(unit)).collect())
        };
        self.push(SubRecord::Numbers { id: array, kind, elements, of_string: true });
        id
    }

    /// File produced by a writer.
    pub fn write(&self, by: Writer) -> Vec<u8> {
        let mut out = RecordBuffer::new(ID);
        if by == Writer::Tailor {
            self.write_tailor(&mut out);
            return out.bytes;
        }
        out.bytes.extend(if by == Writer::Conv { b"JAVA PROFILE 1.0.2\0" } else { b"JAVA PROFILE 1.0.3\0" });
        out.u4(ID.into());
        out.u8(1_700_000_000_000);
        for text in &self.order {
            let mut body = RecordBuffer::new(ID);
            body.id(self.texts[text]);
            body.bytes.extend(modified_utf8(text));
            out.record(0x01, &body.bytes);
        }
        for (serial, &(class, name)) in (1..).zip(&self.loaded) {
            let mut body = RecordBuffer::new(ID);
            body.u4(serial);
            body.id(class);
            body.u4(0);
            body.id(name);
            out.record(0x02, &body.bytes);
        }
        let mut trace = RecordBuffer::new(ID);
        [0, 0, 0].into_iter().for_each(|number| trace.u4(number));
        out.record(0x05, &trace.bytes);
        let serial_of = |class| {
            let loaded = self.loaded.iter().position(|&(of, _)| of == class);
            loaded.unwrap_or_default() as u32 + 1
        };
        traces::write(&self.traces, ID, serial_of, &mut out);
        // Segment, number of bytes it declares but does not have, number of its sub-records, and its heap.
        let (mut segment, mut more, mut records, mut current) = (RecordBuffer::new(ID), 0, 0, 0);
        for (heap, trace, sub) in &self.records {
            if records >= SEGMENT.0 || segment.bytes.len() >= SEGMENT.1 {
                out.record_with_length(0x1c, segment.bytes.len() as u32 + more, &segment.bytes);
                (segment, more, records, current) = (RecordBuffer::new(ID), 0, 0, 0);
            }
            let is_left = by == Writer::Koom && [ZYGOTE, IMAGE].contains(heap);
            if !matches!(sub, SubRecord::Root(..)) && current != *heap {
                if by != Writer::Conv && !is_left {
                    segment.u1(0xfe);
                    segment.u4(*heap);
                    segment.id(self.names[heap]);
                    records += 1;
                }
                current = *heap;
            }
            if is_left && !matches!(sub, SubRecord::Root(..) | SubRecord::Class { .. }) {
                continue;
            }
            more += write_record(sub, *trace, by, &mut segment);
            records += 1;
        }
        out.record_with_length(0x1c, segment.bytes.len() as u32 + more, &segment.bytes);
        out.record(0x2c, &[]);
        out.bytes
    }

    fn write_tailor(&self, out: &mut RecordBuffer) {
        out.bytes.extend(b"JAVA PROFILE 6.0.1");
        for text in &self.order {
            let bytes = modified_utf8(text);
            out.u1(0x01);
            out.u2(bytes.len() as u16 + u16::from(ID));
            out.id(self.texts[text]);
            out.bytes.extend(bytes);
        }
        for &(class, name) in &self.loaded {
            out.u1(0x02);
            out.ids([class, name]);
        }
        let mut current = 0;
        for (at, (heap, trace, sub)) in self.records.iter().enumerate() {
            if at.is_multiple_of(SEGMENT.0) {
                out.u1(0x1c);
                current = 0;
            }
            if !matches!(sub, SubRecord::Root(..)) && current != *heap {
                out.u1(0xfe);
                out.u4(*heap);
                out.id(self.names[heap]);
                current = *heap;
            }
            write_record(sub, *trace, Writer::Tailor, out);
        }
        out.u1(0x2c);
    }
}

/// Writes a sub-record; returns the number of declared bytes that are missing.
fn write_record(sub: &SubRecord, trace: u32, by: Writer, out: &mut RecordBuffer) -> u32 {
    let stack = |out: &mut RecordBuffer| {
        if by != Writer::Tailor {
            out.u4(trace);
        }
    };
    match sub {
        SubRecord::Root(tag, object, thread) => write_root(*tag, *object, *thread, by, out),
        SubRecord::Class { id, superclass, loader, bytes, statics, fields } => {
            out.u1(0x20);
            out.id(*id);
            stack(out);
            out.ids([*superclass, *loader, 0, 0]);
            if by == Writer::Tailor {
                out.u2(*bytes as u16);
            } else {
                out.ids([0, 0]);
                out.u4(*bytes);
            }
            out.u2(0);
            out.u2(statics.len() as u16);
            for &(name, value) in statics {
                out.id(name);
                out.u1(code(value.kind()));
                out.value(value);
            }
            out.u2(fields.len() as u16);
            for &(name, kind) in fields {
                out.id(name);
                out.u1(code(kind));
            }
        }
        SubRecord::Instance(id, class, values) => {
            let mut body = RecordBuffer::new(ID);
            body.values(values);
            out.u1(0x21);
            out.id(*id);
            stack(out);
            out.id(*class);
            out.u4(body.bytes.len() as u32);
            out.bytes.extend(body.bytes);
        }
        SubRecord::Objects(id, class, elements) => {
            out.u1(0x22);
            out.id(*id);
            stack(out);
            out.u4(elements.len() as u32);
            out.id(*class);
            out.ids(elements.iter().copied());
        }
        SubRecord::Numbers { of_string: false, .. } if by == Writer::Matrix => {}
        SubRecord::Numbers { id, kind, elements, .. } => {
            let width = kind.bytes(ID.into()) as u32;
            let is_text = matches!(kind, Type::Char | Type::Byte);
            out.u1(0x23);
            out.id(*id);
            stack(out);
            out.u4(if by == Writer::Emptied { 0 } else { elements.len() as u32 });
            out.u1(code(*kind));
            match by {
                Writer::Emptied => {}
                Writer::Koom => return elements.len() as u32 * width,
                Writer::Tailor if is_text => {}
                Writer::Blanked => {
                    let blank = match kind {
                        Type::Char => Value::Char(u16::from(b'?')),
                        Type::Byte => Value::Byte(b'?' as i8),
                        _ => {
                            out.bytes.extend(vec![0; elements.len() * width as usize]);
                            return 0;
                        }
                    };
                    elements.iter().for_each(|_| out.value(blank));
                }
                _ => out.values(elements),
            }
        }
    }
    0
}

fn write_root(tag: u8, object: Id, thread: u32, by: Writer, out: &mut RecordBuffer) {
    if by == Writer::Conv && (0x89..=0x90).contains(&tag) {
        out.u1(0xff);
        out.id(object);
        return;
    }
    out.u1(tag);
    out.id(object);
    match tag {
        root::JNI_GLOBAL => out.id(0),
        root::JAVA_FRAME | root::THREAD | root::JNI_MONITOR if by != Writer::Tailor => {
            out.u4(thread);
            out.u4(u32::MAX);
        }
        _ => {}
    }
}

fn code(kind: Type) -> u8 {
    // Object is 2, and 3 is unused; the others follow in order.
    if kind == Type::Object { 2 } else { 3 + kind as u8 }
}
