//! Writes a sketch as PHD, the binary heap dump of IBM virtual machines, in every form: versions 4 to 6, addresses of 4
//! and 8 bytes, hashed and not, every tag. The layout is that of the OpenJ9 documentation, repeated here on purpose: no
//! constant is shared with the reader.

use std::io::{self, Write};

use super::hprof::internal_name;
use super::random::Random;
use super::sketch::{Body, Class, Id, Sketch, Type, Value};

/// Which of the forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "flags of the header, each by itself")]
pub struct Form {
    /// 4, 5 or 6.
    pub version: u32,
    /// Addresses of eight bytes.
    pub wide: bool,
    /// Every record has a hash.
    pub hashed: bool,
    /// True for J9, false for older virtual machines, which write version 4.
    pub j9: bool,
    /// True if classes come before all objects, false if after.
    pub classes_first: bool,
    /// Seed for choosing among equivalent records.
    pub seed: u64,
}

impl Form {
    /// Form written by OpenJ9.
    pub const MODERN: Self = Self { version: 6, wide: true, hashed: false, j9: true, classes_first: false, seed: 0 };

    /// All forms.
    pub fn all() -> Vec<Self> {
        let mut forms = Vec::new();
        for (version, j9) in [(4, false), (5, true), (6, true)] {
            for bits in 0..8_u64 {
                let [wide, hashed, classes_first] = [0, 1, 2].map(|bit| bits >> bit & 1 == 1);
                if !(hashed && version == 6) {
                    forms.push(Self { version, wide, hashed, j9, classes_first, seed: bits });
                }
            }
        }
        forms
    }

    /// Bytes of an address, and of a reference in arrays.
    pub fn word(self) -> u64 {
        if self.wide { 8 } else { 4 }
    }

    /// Size in bytes of an instance with such fields in a virtual machine: a header of two words before J9 2.6 or with
    /// hashes, otherwise of one.
    pub fn instance_bytes(self, fields: impl IntoIterator<Item = Type>) -> u64 {
        let header = 2 * self.word();
        (header + fields.into_iter().map(|kind| kind.bytes(self.word())).sum::<u64>()).next_multiple_of(8).max(16)
    }

    /// Size of an array in bytes by the rules of IBM's reader (`exact` false), or as in memory.
    pub fn array_bytes(self, kind: Type, length: u64, exact: bool) -> u64 {
        // Older virtual machines, and those that hash all objects, use the same header for both.
        let header = if exact && self.j9 && !self.hashed { 2 * self.word() } else { 2 * self.word() + 8 };
        (header + length * kind.bytes(self.word())).next_multiple_of(8).max(16)
    }

    fn shift(self) -> u32 {
        if self.j9 { 2 } else { 3 }
    }
}

/// Class record.
#[derive(Debug, Clone, Copy)]
pub struct ClassRecord<'a> {
    /// Address.
    pub id: Id,
    /// Bytes of an instance.
    pub instance_bytes: u64,
    /// Address of the class above, or 0.
    pub superclass: Id,
    /// As in class files.
    pub name: &'a str,
    /// None of them null.
    pub references: &'a [Id],
}

/// Writes one record after the other.
pub struct Writer<'w> {
    out: &'w mut dyn Write,
    form: Form,
    last: Id,
    classes: [Id; 4],
    next_class: usize,
    random: Random,
    record: Vec<u8>,
}

impl<'w> Writer<'w> {
    /// Writes the header.
    ///
    /// # Errors
    /// I/O errors of the output.
    pub fn new(out: &'w mut dyn Write, form: Form) -> io::Result<Self> {
        let text = "portable heap dump";
        out.write_all(&(text.len() as u16).to_be_bytes())?;
        out.write_all(text.as_bytes())?;
        out.write_all(&form.version.to_be_bytes())?;
        let flags = u32::from(form.wide) | u32::from(form.hashed) << 1 | u32::from(form.j9) << 2;
        out.write_all(&flags.to_be_bytes())?;
        out.write_all(&[1])?;
        if !form.j9 {
            out.write_all(&[1, 0, 0, 0, 0, 0, 0, 0, 0])?;
            out.write_all(&[3, 1, 2, 3, 4, 5, 6, 7, 8])?;
        }
        let name = "JRE 1.8.0 made up";
        out.write_all(&[4])?;
        out.write_all(&(name.len() as u16).to_be_bytes())?;
        out.write_all(name.as_bytes())?;
        out.write_all(&[2, 2])?;
        let random = Random::new(form.seed);
        Ok(Self { out, form, last: 0, classes: [0; 4], next_class: 0, random, record: Vec::new() })
    }

    /// Writes an instance; `references` contains no nulls.
    ///
    /// # Errors
    /// I/O errors of the output.
    pub fn instance(&mut self, id: Id, class: Id, references: &[Id]) -> io::Result<()> {
        let gap = self.gap(id);
        let (gap_width, width) = (width(gap), self.reference_width(id, references));
        let known = self.classes.iter().position(|&known| known == class && known != 0);
        let fits = gap_width < 2 && !self.random.one_in(8);
        match known {
            Some(index) if fits && references.len() < 4 => {
                self.u1(0x80 | (index as u8) << 5 | (references.len() as u8) << 3 | gap_width << 2 | width);
                self.number(gap, gap_width);
                self.short_hash();
            }
            _ if fits && references.len() < 8 => {
                self.u1(0x40 | (references.len() as u8) << 3 | gap_width << 2 | width);
                self.number(gap, gap_width);
                self.word(class);
                self.remember(class);
                self.short_hash();
            }
            _ => {
                let has_hash = !self.form.hashed && self.random.one_in(2);
                self.u1(4);
                self.u1(gap_width << 6 | width << 4 | u8::from(has_hash) << 1);
                self.number(gap, gap_width);
                self.word(class);
                self.remember(class);
                self.short_hash();
                self.long_hash(has_hash);
                self.u4(references.len() as u32);
            }
        }
        self.references(id, references, width);
        self.end_record()
    }

    /// Writes an object array: element class, non-null elements in order, length including nulls, and size in bytes.
    ///
    /// # Errors
    /// I/O errors of the output.
    pub fn objects(&mut self, id: Id, element: Id, references: &[Id], length: u32, bytes: u64) -> io::Result<()> {
        let gap = self.gap(id);
        let (gap_width, width) = (width(gap), self.reference_width(id, references));
        let has_length = self.form.version > 4;
        let has_hash = !self.form.hashed && self.random.one_in(4);
        self.u1(if has_length { 8 } else { 5 });
        self.u1(gap_width << 6 | width << 4 | u8::from(has_hash) << 1);
        self.number(gap, gap_width);
        self.word(element);
        self.short_hash();
        self.long_hash(has_hash);
        self.u4(references.len() as u32);
        // The last comes first.
        let backwards: Vec<Id> = references.iter().rev().copied().collect();
        self.references(id, &backwards, width);
        if has_length {
            self.u4(length);
            self.size(bytes);
        }
        self.end_record()
    }

    /// An array of numbers.
    ///
    /// # Errors
    /// I/O errors of the output.
    ///
    /// # Panics
    /// If it is an object array.
    pub fn primitives(&mut self, id: Id, kind: Type, length: u64, bytes: u64) -> io::Result<()> {
        let code = match kind {
            Type::Boolean => 0,
            Type::Char => 1,
            Type::Float => 2,
            Type::Double => 3,
            Type::Byte => 4,
            Type::Short => 5,
            Type::Int => 6,
            Type::Long => 7,
            Type::Object => panic!("an array of references is none of numbers"),
        };
        let gap = self.gap(id);
        let for_length = [8, 16, 32, 64].iter().position(|&bits| bits == 64 || length < 1 << bits).unwrap_or(3) as u8;
        let wanted = width(gap).max(for_length);
        if self.random.one_in(4) && (wanted == 0 || wanted <= if self.form.wide { 3 } else { 2 }) {
            let has_hash = !self.form.hashed && self.random.one_in(2);
            self.u1(7);
            self.u1(code << 5 | u8::from(wanted > 0) << 4 | u8::from(has_hash) << 1);
            let word = if self.form.wide { 3 } else { 2 };
            self.number(gap, if wanted > 0 { word } else { 0 });
            self.number(length.cast_signed(), if wanted > 0 { word } else { 0 });
            self.short_hash();
            self.long_hash(has_hash);
        } else {
            self.u1(0x20 | code << 2 | wanted);
            self.number(gap, wanted);
            self.number(length.cast_signed(), wanted);
            self.short_hash();
        }
        self.size(bytes);
        self.end_record()
    }

    /// A class.
    ///
    /// # Errors
    /// I/O errors of the output.
    pub fn class(&mut self, class: &ClassRecord<'_>) -> io::Result<()> {
        let gap = self.gap(class.id);
        let (gap_width, width) = (width(gap), self.reference_width(class.id, class.references));
        let has_hash = !self.form.hashed && self.random.one_in(2);
        self.u1(6);
        self.u1(gap_width << 6 | width << 4 | u8::from(has_hash) << 3);
        self.number(gap, gap_width);
        self.u4(class.instance_bytes as u32);
        self.short_hash();
        self.long_hash(has_hash);
        self.word(class.superclass);
        self.record.extend((class.name.len() as u16).to_be_bytes());
        self.record.extend(class.name.bytes());
        self.u4(class.references.len() as u32);
        self.references(class.id, class.references, width);
        self.end_record()
    }

    /// Writes the end tag.
    ///
    /// # Errors
    /// I/O errors of the output.
    pub fn end(self) -> io::Result<()> {
        self.out.write_all(&[3])
    }

    fn u1(&mut self, n: u8) {
        self.record.push(n);
    }

    fn u4(&mut self, n: u32) {
        self.record.extend(n.to_be_bytes());
    }

    fn word(&mut self, id: Id) {
        if self.form.wide {
            self.record.extend(id.to_be_bytes());
        } else {
            self.u4(id as u32);
        }
    }

    fn number(&mut self, n: i64, width: u8) {
        match width {
            0 => self.record.extend((n as i8).to_be_bytes()),
            1 => self.record.extend((n as i16).to_be_bytes()),
            2 => self.record.extend((n as i32).to_be_bytes()),
            _ => self.record.extend(n.to_be_bytes()),
        }
    }

    fn size(&mut self, bytes: u64) {
        if self.form.version == 6 {
            self.u4((bytes / 4) as u32);
        }
    }

    fn short_hash(&mut self) {
        if self.form.hashed && self.form.j9 {
            self.record.extend([0x12, 0x34]);
        }
    }

    fn long_hash(&mut self, is_there: bool) {
        if is_there {
            self.u4(0x1234_5678);
        }
    }

    fn remember(&mut self, class: Id) {
        self.classes[self.next_class] = class;
        self.next_class = (self.next_class + 1) % 4;
    }

    /// Distance between two addresses, in the units of the file.
    fn far(&self, from: Id, to: Id) -> i64 {
        (to.cast_signed() - from.cast_signed()) >> self.form.shift()
    }

    fn gap(&mut self, id: Id) -> i64 {
        let gap = self.far(self.last, id);
        self.last = id;
        gap
    }

    fn reference_width(&self, from: Id, references: &[Id]) -> u8 {
        references.iter().map(|&to| width(self.far(from, to))).max().unwrap_or(0)
    }

    fn references(&mut self, from: Id, references: &[Id], width: u8) {
        for &to in references {
            let delta = self.far(from, to);
            self.number(delta, width);
        }
    }

    fn end_record(&mut self) -> io::Result<()> {
        self.out.write_all(&self.record)?;
        self.record.clear();
        Ok(())
    }
}

/// The code of the bytes that a signed number takes.
fn width(n: i64) -> u8 {
    match n {
        -0x80..=0x7f => 0,
        -0x8000..=0x7fff => 1,
        -0x8000_0000..=0x7fff_ffff => 2,
        _ => 3,
    }
}

/// The sketch as a file.
///
/// # Panics
/// If an array has elements of a class that the sketch does not have.
pub fn write(sketch: &Sketch, form: Form) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Writing to a vector cannot fail.
    write_to(sketch, form, &mut bytes).unwrap_or_default();
    bytes
}

fn write_to(sketch: &Sketch, form: Form, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer::new(out, form)?;
    for classes_now in [true, false] {
        if classes_now == form.classes_first {
            for class in &sketch.classes {
                let fields = sketch.line_of(class.id).into_iter().flat_map(|class| &class.fields);
                writer.class(&ClassRecord {
                    id: class.id,
                    instance_bytes: form.instance_bytes(fields.map(|&(_, kind)| kind)),
                    superclass: class.superclass,
                    name: &internal_name(&class.name),
                    references: &references_of_class(class),
                })?;
            }
            continue;
        }
        for object in &sketch.objects {
            match &object.body {
                Body::Instance { class, fields } => {
                    writer.instance(object.id, *class, &fields_that_refer(fields))?;
                }
                Body::Objects { class, elements } => {
                    let name = sketch.class(*class).map_or("", |class| &class.name);
                    let element = sketch.id(name.strip_suffix("[]").unwrap_or(name));
                    let there: Vec<Id> = elements.iter().copied().filter(|&id| id != 0).collect();
                    let bytes = form.array_bytes(Type::Object, elements.len() as u64, true);
                    writer.objects(object.id, element, &there, elements.len() as u32, bytes)?;
                }
                Body::Primitives { kind, elements } => {
                    let length = elements.len() as u64;
                    writer.primitives(object.id, *kind, length, form.array_bytes(*kind, length, true))?;
                }
            }
        }
    }
    writer.end()
}

/// References of a class: its loader first, then its statics and its superclass.
pub fn references_of_class(class: &Class) -> Vec<Id> {
    let statics = class.statics.iter().filter_map(|(_, value)| match value {
        Value::Object(id) => Some(*id),
        _ => None,
    });
    let all = std::iter::once(class.loader).chain(statics).chain([class.superclass]);
    all.filter(|&id| id != 0).collect()
}

/// References among field values.
pub fn fields_that_refer(fields: &[Value]) -> Vec<Id> {
    let ids = fields.iter().filter_map(|value| match value {
        Value::Object(id) if *id != 0 => Some(*id),
        _ => None,
    });
    ids.collect()
}
