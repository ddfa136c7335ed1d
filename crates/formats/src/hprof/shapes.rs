//! Data needed to read objects again, besides the file: names, types and order of fields, static references. It
//! contains no values of objects and, of the file's string table, only the names of classes, fields and methods, so a
//! stored analysis can keep it after the dump is deleted.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::schema::{Blueprint, Schema};
use super::{records::Index, tags::BasicType};
use heaplens_heap::{FieldNames, unambiguous};

mod renaming;

/// Index of a text in [`Shapes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Name(u32);

/// Concatenated texts: a dump has tens of thousands.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Names {
    text: String,
    ends: Vec<usize>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct FieldShape {
    pub(super) name: Name,
    pub(super) kind: BasicType,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct StaticShape {
    pub(super) name: Name,
    pub(super) kind: BasicType,
    /// Address of the target of a reference, which is structure; 0 for primitives, whose values are not stored.
    pub(super) target: u64,
}

/// A class.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Shape {
    pub(super) name: Name,
    /// Index of the superclass among the classes.
    pub(super) superclass: Option<u32>,
    /// True if the file describes its fields.
    described: bool,
    pub(super) statics: Box<[StaticShape]>,
    fields: Box<[FieldShape]>,
}

/// Names and shapes of a dump.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Shapes {
    pub(super) id_bytes: u32,
    names: Names,
    /// In the order of the heap's classes.
    classes: Vec<Shape>,
}

/// Where an instance of a class has the value of a field.
#[derive(Debug, Clone, Copy)]
pub(super) struct FieldSlot {
    pub(super) kind: BasicType,
    /// Among the values of all fields, in bytes.
    pub(super) offset: u64,
}

/// Fields of an instance in the order of their values. Every value that is looked up by name is found this way: a loop
/// by hand, since one of nested iterators takes three times as long.
pub(super) struct FieldsAt<'a> {
    shapes: &'a Shapes,
    /// Class whose fields are being visited; `None` at the end.
    class: Option<&'a Shape>,
    rest: &'a [FieldShape],
    offset: u64,
}

impl<'a> Iterator for FieldsAt<'a> {
    type Item = (&'a Shape, FieldShape, u64);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        while let Some(class) = self.class {
            if let [field, rest @ ..] = self.rest {
                let offset = self.offset;
                self.rest = rest;
                self.offset += u64::from(field.kind.bytes(self.shapes.id_bytes));
                return Some((class, *field, offset));
            }
            self.class = class.superclass.and_then(|above| self.shapes.class(above));
            self.rest = self.class.map_or(&[], |class| &class.fields);
        }
        None
    }
}

impl Names {
    fn add(&mut self, text: &str) -> Name {
        let name = Name(self.ends.len() as u32);
        self.text.push_str(text);
        self.ends.push(self.text.len());
        name
    }

    fn range(&self, Name(at): Name) -> Option<std::ops::Range<usize>> {
        let end = *self.ends.get(at as usize)?;
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before as usize)).copied();
        Some(start.unwrap_or(0)..end)
    }

    fn get(&self, name: Name) -> Option<&str> {
        self.text.get(self.range(name)?)
    }

    #[inline]
    fn is(&self, name: Name, text: &str) -> bool {
        self.range(name).and_then(|range| self.text.as_bytes().get(range)) == Some(text.as_bytes())
    }
}

/// Adds names from the file, each once.
pub(super) struct Namer<'a> {
    file: &'a [u8],
    pub(super) index: &'a Index,
    names: Names,
    known: FxHashMap<u64, Name>,
}

impl Namer<'_> {
    /// Adds a name that is not one of the file's strings.
    pub(super) fn add(&mut self, text: &str) -> Name {
        self.names.add(text)
    }

    /// Text for a string id, or a placeholder if it is missing.
    fn of(&mut self, id: u64) -> Name {
        let (file, index, names) = (self.file, self.index, &mut self.names);
        let text = || index.text(file, id).unwrap_or_else(|| format!("name {id:#x}"));
        *self.known.entry(id).or_insert_with(|| names.add(&text()))
    }

    /// The string of this id.
    pub(super) fn if_there(&mut self, id: u64) -> Option<Name> {
        self.index.strings.contains_key(&id).then(|| self.of(id))
    }

    fn shape(&mut self, class: &Blueprint) -> Shape {
        let name = self.add(&class.name);
        let statics = class.statics.iter().map(|s| {
            let target = if s.kind == BasicType::Object { s.value } else { 0 };
            StaticShape { name: self.of(s.name), kind: s.kind, target }
        });
        let statics = statics.collect();
        let fields = class.fields.iter().map(|f| FieldShape { name: self.of(f.name), kind: f.kind }).collect();
        Shape { name, superclass: class.superclass, described: class.undescribed == 0, statics, fields }
    }
}

impl Shapes {
    /// Extracts the required data of the classes, and lets `add_more` add names of other things.
    pub(super) fn new<T>(
        file: &[u8],
        index: &Index,
        schema: &Schema,
        add_more: impl FnOnce(&mut Namer<'_>) -> T,
    ) -> (Self, T) {
        let mut namer = Namer { file, index, names: Names::default(), known: FxHashMap::default() };
        let classes = schema.classes.iter().map(|class| namer.shape(class)).collect();
        let more = add_more(&mut namer);
        (Self { id_bytes: index.id_bytes, names: namer.names, classes }, more)
    }

    pub(super) fn add(&mut self, text: &str) -> Name {
        self.names.add(text)
    }

    pub(super) fn len(&self) -> usize {
        self.classes.len()
    }

    /// Text of a name; empty if there is no such name.
    pub(super) fn name(&self, name: Name) -> &str {
        self.names.get(name).unwrap_or("")
    }

    /// True if a name is this text: less work than to compare [`Shapes::name`].
    #[inline]
    pub(super) fn is(&self, name: Name, text: &str) -> bool {
        self.names.is(name, text)
    }

    pub(super) fn class(&self, at: u32) -> Option<&Shape> {
        self.classes.get(at as usize)
    }

    /// True if the class at an index declares fields itself.
    pub(super) fn declares_fields(&self, at: u32) -> bool {
        self.class(at).is_some_and(|class| !class.fields.is_empty())
    }

    /// Fields of an instance, own class first, with the declaring class of each; empty if the file does not describe
    /// its class.
    pub(super) fn fields<'a>(&'a self, class: &'a Shape) -> impl Iterator<Item = (&'a Shape, FieldShape)> {
        self.fields_at(class).map(|(declares, field, _)| (declares, field))
    }

    /// Name of a field of an instance: with the class that declares it if the instance has another field of that name.
    pub(super) fn field_name(&self, class: &Shape, (declares, field): (&Shape, FieldShape)) -> String {
        let alike = self.fields(class).filter(|(_, other)| other.name == field.name);
        unambiguous(self.name(field.name), self.name(declares.name), alike.map(|(of, _)| self.name(of.name)))
    }

    /// The same names of all reference fields of an instance in their order, each with whether it is a referent.
    pub(super) fn reference_names(&self, class: &Shape) -> Vec<(String, bool)> {
        let known = FieldNames::of(self.fields(class).map(|(of, field)| (field.name, self.name(of.name))));
        let references = self.fields(class).filter(|(_, field)| field.kind == BasicType::Object);
        let named = references.map(|(declares, field)| {
            let text = known.shown(field.name, self.name(field.name), self.name(declares.name));
            (text, self.is_referent(declares, field))
        });
        named.collect()
    }

    /// Reference fields that a class declares itself.
    pub(super) fn declared_references(&self, at: u32) -> impl Iterator<Item = FieldShape> {
        let fields = self.class(at).map_or(&[][..], |class| &class.fields);
        fields.iter().copied().filter(|field| field.kind == BasicType::Object)
    }

    /// The same, with the offset of the value of each among all values.
    pub(super) fn fields_at<'a>(&'a self, class: &'a Shape) -> FieldsAt<'a> {
        let class = Some(class).filter(|class| class.described);
        FieldsAt { shapes: self, class, rest: class.map_or(&[], |class| &class.fields), offset: 0 }
    }

    /// Place of the first field with this name in instances of a class, considering the class `base` and its
    /// superclasses; empty for all.
    pub(super) fn slot(&self, class: &Shape, base: &str, name: &str) -> Option<FieldSlot> {
        let mut begun = base.is_empty();
        let (_, field, offset) = self.fields_at(class).find(|(declares, field, _)| {
            begun = begun || self.is(declares.name, base);
            begun && self.is(field.name, name)
        })?;
        Some(FieldSlot { kind: field.kind, offset })
    }

    /// Reference fields of an instance of a class, in the order of [`Shapes::fields`], with the index of the declaring
    /// class of each.
    pub(super) fn references(&self, at: u32) -> impl Iterator<Item = (u32, &Shape, FieldShape)> {
        let described = Some(at).filter(|&at| self.class(at).is_some_and(|class| class.described));
        let line = std::iter::successors(described, |&at| self.class(at)?.superclass);
        let line = line.map_while(|at| Some((at, self.class(at)?)));
        let fields = line.flat_map(|(at, class)| class.fields.iter().map(move |&field| (at, class, field)));
        fields.filter(|(.., field)| field.kind == BasicType::Object)
    }

    /// True if the reference in this field may be weak.
    pub(super) fn is_referent(&self, declares: &Shape, field: FieldShape) -> bool {
        self.name(field.name) == "referent" && self.name(declares.name) == "java.lang.ref.Reference"
    }

    /// First inconsistency in deserialized shapes. Lookups are checked later too, but walks up the superclass chain
    /// must terminate.
    pub(super) fn fault(&self) -> Option<&'static str> {
        if self.id_bytes != 4 && self.id_bytes != 8 {
            return Some("unknown identifier size");
        }
        let classes = self.classes.len();
        let nowhere = |class: &Shape| class.superclass.is_some_and(|at| at as usize >= classes);
        if self.classes.iter().any(nowhere) || self.any_ring() {
            return Some("invalid superclass chain");
        }
        None
    }

    /// True if any superclass chain is cyclic.
    fn any_ring(&self) -> bool {
        // Marks each class with the walk that visited it first: a walk meets its own mark only in a cycle.
        let mut first_walk: Vec<Option<u32>> = vec![None; self.classes.len()];
        (0..self.classes.len() as u32).any(|walk| {
            let mut at = Some(walk);
            while let Some(class) = at {
                match first_walk.get_mut(class as usize) {
                    Some(first @ None) => *first = Some(walk),
                    Some(first) => return *first == Some(walk),
                    None => return false,
                }
                at = self.class(class).and_then(|class| class.superclass);
            }
            false
        })
    }
}
