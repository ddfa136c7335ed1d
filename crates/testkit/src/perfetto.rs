//! Writes heap graphs as traces of Perfetto, packet by packet, in every form: with ids as distances or not, lists packed
//! or not, field names with types (Android 12) or with objects (Android 11). Based on Perfetto's public definitions; no
//! constant is shared with the reader.

mod sketches;

pub mod natives;
pub mod shop;

use std::io::{self, Write};

pub use self::sketches::write;
use super::sketch::Id;

/// Protocol buffer under construction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proto {
    /// Bytes written so far.
    pub bytes: Vec<u8>,
}

impl Proto {
    /// A number of variable length without a field.
    pub fn varint(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.bytes.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.bytes.push(n as u8);
    }

    /// A field with a number.
    pub fn number(&mut self, field: u32, n: u64) -> &mut Self {
        self.varint(u64::from(field) << 3);
        self.varint(n);
        self
    }

    /// A field with text or other bytes.
    pub fn bytes(&mut self, field: u32, bytes: &[u8]) -> &mut Self {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(bytes.len() as u64);
        self.bytes.extend(bytes);
        self
    }

    /// A field with a message.
    pub fn message(&mut self, field: u32, build: impl FnOnce(&mut Self)) -> &mut Self {
        let mut inside = Self::default();
        build(&mut inside);
        self.bytes(field, &inside.bytes)
    }

    /// A repeated number; nothing if there is none.
    pub fn numbers(&mut self, field: u32, packed: bool, numbers: &[u64]) -> &mut Self {
        if packed && !numbers.is_empty() {
            return self.message(field, |list| numbers.iter().for_each(|&n| list.varint(n)));
        }
        numbers.iter().for_each(|&n| {
            self.number(field, n);
        });
        self
    }
}

/// Form of a heap graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "choices of the writer, each by itself")]
pub struct Form {
    /// Ids as distances, where the id before is smaller.
    pub deltas: bool,
    /// References relative to the smallest one.
    pub based: bool,
    /// Repeated numbers in one field.
    pub packed: bool,
    /// Names of fields are in types (Android 12), not in objects (Android 11).
    pub typed: bool,
    /// Bytes of a packet, at least.
    pub packet: usize,
}

impl Form {
    /// Form of current devices.
    pub const MODERN: Self = Self { deltas: true, based: true, packed: true, typed: true, packet: 400_000 };

    /// All forms, with small packets and large ones.
    pub fn all() -> Vec<Self> {
        let mut forms = Vec::new();
        for bits in 0..16_u32 {
            let [deltas, based, packed, typed] = [0, 1, 2, 3].map(|bit| bits >> bit & 1 == 1);
            forms.extend([1, 300, 400_000].map(|packet| Self { deltas, based, packed, typed, packet }));
        }
        forms
    }
}

/// Kinds of types.
#[expect(missing_docs, reason = "the names of the format")]
pub mod kind {
    pub const UNKNOWN: u64 = 0;
    pub const NORMAL: u64 = 1;
    pub const NO_REFERENCES: u64 = 2;
    pub const STRING: u64 = 3;
    pub const ARRAY: u64 = 4;
    pub const CLASS: u64 = 5;
    pub const CLASS_LOADER: u64 = 6;
    pub const SOFT: u64 = 8;
    pub const WEAK: u64 = 9;
    pub const FINALIZER: u64 = 10;
    pub const PHANTOM: u64 = 11;
}

/// Kinds of roots.
#[expect(missing_docs, reason = "the names of the format")]
pub mod root {
    pub const UNKNOWN: u64 = 0;
    pub const JNI_GLOBAL: u64 = 1;
    pub const JAVA_FRAME: u64 = 3;
    pub const STICKY_CLASS: u64 = 5;
    pub const MONITOR_USED: u64 = 7;
    pub const THREAD_OBJECT: u64 = 8;
    pub const VM_INTERNAL: u64 = 13;
}

/// Heaps of objects.
#[expect(missing_docs, reason = "the names of the format")]
pub mod heap {
    pub const APP: u64 = 1;
    pub const ZYGOTE: u64 = 2;
    pub const IMAGE: u64 = 3;
}

/// A type.
#[derive(Debug, Clone, Default)]
pub struct Type<'a> {
    /// Its id.
    pub id: u64,
    /// In source notation; of a class object `java.lang.Class<shop.Cart>`.
    pub name: &'a str,
    /// Id of the file with its code; 0: none.
    pub location: u64,
    /// Bytes of an instance.
    pub object_size: u64,
    /// Id of the superclass; 0: none.
    pub superclass: u64,
    /// Object of the loader; 0: none.
    pub loader: Id,
    /// See [`kind`].
    pub kind: u64,
    /// Ids of the names of its own reference fields.
    pub fields: &'a [u64],
}

/// An object.
#[derive(Debug, Clone, Default)]
pub struct Object<'a> {
    /// Its id.
    pub id: Id,
    /// Id of its type.
    pub of: u64,
    /// In bytes; 0: that of the type.
    pub size: u64,
    /// Ids of the fields of its references, if they are not those of the type.
    pub fields: &'a [u64],
    /// References; 0 is null.
    pub references: &'a [Id],
    /// Objects held by the runtime on its behalf.
    pub internal: &'a [Id],
    /// Heap from this object on; 0: as before.
    pub heap: u64,
    /// Size in a registry of native allocations.
    pub registry_size: Option<u64>,
    /// Other fields of the message: number and value.
    pub values: &'a [(u32, u64)],
    /// Fields that say which of several merged classes it is, with their values.
    pub discriminators: &'a [(&'a str, u64)],
}

/// Packet of a heap graph under construction.
pub struct Graph<'a> {
    out: &'a mut dyn Write,
    form: Form,
    /// Process, writer and time in nanoseconds since boot.
    of: (u64, u64, u64),
    index: u64,
    body: Proto,
    last: Id,
}

impl<'a> Graph<'a> {
    /// Begins a heap graph of a process, by a writer, at a time in nanoseconds since boot.
    pub fn new(out: &'a mut dyn Write, form: Form, of: (u64, u64, u64)) -> Self {
        Self { out, form, of, index: 0, body: Proto::default(), last: 0 }
    }

    fn flush(&mut self, continued: bool) -> io::Result<()> {
        let (pid, sequence, time) = self.of;
        let mut body = Proto::default();
        body.number(1, pid);
        body.bytes.append(&mut self.body.bytes);
        body.number(5, continued.into()).number(6, self.index);
        self.index += 1;
        let mut packet = Proto::default();
        packet.number(8, time).number(10, sequence).bytes(56, &body.bytes);
        let mut trace = Proto::default();
        trace.bytes(1, &packet.bytes);
        self.out.write_all(&trace.bytes)
    }

    fn next(&mut self) -> io::Result<()> {
        if self.body.bytes.len() >= self.form.packet { self.flush(true) } else { Ok(()) }
    }

    /// Ends a packet, as a full buffer does.
    pub fn split(&mut self) -> io::Result<()> {
        self.flush(true)
    }

    /// Leaves out the index of a packet, as if the packet had been lost.
    pub fn lose_packet(&mut self) {
        self.index += 1;
    }

    /// A type.
    pub fn type_of(&mut self, of: &Type<'_>) -> io::Result<()> {
        let packed = self.form.packed;
        self.body.message(9, |out| {
            out.number(1, of.id);
            if of.location > 0 {
                out.number(2, of.location);
            }
            out.bytes(3, of.name.as_bytes()).number(4, of.object_size);
            if of.superclass > 0 {
                out.number(5, of.superclass);
            }
            out.numbers(6, packed, of.fields);
            if of.kind > 0 {
                out.number(7, of.kind);
            }
            out.number(8, of.loader);
        });
        self.next()
    }

    fn text(&mut self, field: u32, id: u64, text: &str) -> io::Result<()> {
        self.body.message(field, |out| {
            out.number(1, id).bytes(2, text.as_bytes());
        });
        self.next()
    }

    /// Name of a field: its type, a blank, its class, a dot and its name.
    pub fn field_name(&mut self, id: u64, text: &str) -> io::Result<()> {
        self.text(4, id, text)
    }

    /// Path of a file.
    pub fn location(&mut self, id: u64, text: &str) -> io::Result<()> {
        self.text(8, id, text)
    }

    /// Roots of one kind.
    pub fn roots(&mut self, kind: u64, objects: &[Id]) -> io::Result<()> {
        let packed = self.form.packed;
        self.body.message(7, |out| {
            out.numbers(1, packed, objects).number(2, kind);
        });
        self.next()
    }

    /// An object.
    pub fn object(&mut self, object: &Object<'_>) -> io::Result<()> {
        let form = self.form;
        let delta = object.id.checked_sub(self.last).filter(|&delta| form.deltas && delta > 0 && self.last > 0);
        self.last = object.id;
        let smallest = object.references.iter().copied().filter(|&id| id > 0).min();
        let base = smallest.filter(|&id| form.based && id > 1).map_or(0, |id| id - 1);
        let references: Vec<Id> = object.references.iter().map(|&id| if id == 0 { 0 } else { id - base }).collect();
        self.body.message(2, |out| {
            match delta {
                Some(delta) => out.number(7, delta),
                None => out.number(1, object.id),
            };
            out.number(2, object.of);
            if object.size > 0 {
                out.number(3, object.size);
            }
            out.numbers(4, form.packed, object.fields);
            if base > 0 {
                out.number(6, base);
            }
            out.numbers(5, form.packed, &references);
            object.registry_size.into_iter().for_each(|size| {
                out.number(8, size);
            });
            if object.heap > 0 {
                out.number(9, object.heap);
            }
            out.numbers(10, form.packed, object.internal);
            object.values.iter().for_each(|&(field, value)| {
                out.number(field, value);
            });
            for (name, value) in object.discriminators {
                out.message(16, |out| {
                    out.bytes(1, name.as_bytes()).number(2, *value);
                });
            }
        });
        self.next()
    }

    /// Ends the heap graph.
    pub fn end(mut self) -> io::Result<()> {
        self.flush(false)
    }
}

/// Trace packet of the processes of a device: number, name, user.
pub fn processes(processes: &[(u64, &str, u64)]) -> Vec<u8> {
    packet(|out| {
        out.message(2, |tree| {
            for (pid, name, user) in processes {
                tree.message(1, |out| {
                    out.number(1, *pid).bytes(3, name.as_bytes()).number(5, *user);
                });
            }
        });
    })
}

/// Trace packet of installed packages: name and user.
pub fn packages(packages: &[(&str, u64)]) -> Vec<u8> {
    packet(|out| {
        out.message(47, |list| {
            for (name, user) in packages {
                list.message(1, |out| {
                    out.bytes(1, name.as_bytes()).number(2, *user);
                });
            }
        });
    })
}

/// Trace packet that relates calendar time to time since boot, both in nanoseconds.
pub fn clocks(since_1970: u64, since_boot: u64) -> Vec<u8> {
    packet(|out| {
        out.message(6, |clocks| {
            for (id, time) in [(1, since_1970), (6, since_boot)] {
                clocks.message(1, |out| {
                    out.number(1, id).number(2, time);
                });
            }
        });
    })
}

/// A class of a mapping: obfuscated and original name, the same of its fields, and the classes merged into it.
pub type MappedClass<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)], Option<Proto>);

/// Trace packet with the mapping of a package.
pub fn mapping(package: &str, classes: &[MappedClass<'_>]) -> Vec<u8> {
    packet(|out| {
        out.message(64, |mapping| {
            mapping.bytes(1, package.as_bytes());
            for (obfuscated, original, members, merged) in classes {
                mapping.message(3, |class| {
                    class.bytes(1, obfuscated.as_bytes()).bytes(2, original.as_bytes());
                    for (obfuscated, original) in *members {
                        class.message(3, |out| {
                            out.bytes(1, obfuscated.as_bytes()).bytes(2, original.as_bytes());
                        });
                    }
                    merged.iter().for_each(|merged| {
                        class.bytes(5, &merged.bytes);
                    });
                });
            }
        });
    })
}

/// Classes merged into one: field with the number of the class, and each class with its number, name and the classes
/// merged into it.
pub fn merged(field: &str, classes: Vec<(u64, &str, Option<Proto>)>) -> Proto {
    let mut out = Proto::default();
    if !field.is_empty() {
        out.bytes(1, field.as_bytes());
    }
    for (number, name, nested) in classes {
        out.message(2, |class| {
            class.bytes(1, name.as_bytes()).number(2, number);
            nested.iter().for_each(|nested| {
                class.bytes(3, &nested.bytes);
            });
        });
    }
    out
}

/// Any trace packet.
pub fn packet(build: impl FnOnce(&mut Proto)) -> Vec<u8> {
    let mut trace = Proto::default();
    trace.message(1, build);
    trace.bytes
}

/// A heap graph written by `build`, as a trace of process 2 at 10 ns.
///
/// # Panics
/// If `build` fails.
pub fn graph(form: Form, build: impl FnOnce(&mut Graph<'_>) -> io::Result<()>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut graph = Graph::new(&mut bytes, form, (2, 999, 10));
    build(&mut graph).and_then(|()| graph.end()).expect("memory");
    bytes
}
