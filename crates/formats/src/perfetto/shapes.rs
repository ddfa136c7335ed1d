//! Names of fields: what is needed to name the references of an object, besides its record.

use std::iter::successors;

use serde::{Deserialize, Serialize};

use super::deobfuscation::Deobfuscation;
use super::objects::RawObject;
use super::types::Types;
use heaplens_heap::original::class_name;
use heaplens_heap::{MappingFit, OriginalNames};

/// Field with the referent of a reference object.
const REFERENT: &str = "java.lang.ref.Reference.referent";
/// Field of a class object with its superclass.
const SUPERCLASS: &str = "java.lang.Class.superClass";
/// Maximum length of a line of superclasses: a malformed file may have a cycle.
const LINE: usize = 64;

/// What a field means to the virtual machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Meaning {
    Other,
    /// The referent of a reference object, which may be weak.
    Referent,
    /// From a class object to that of its superclass.
    Superclass,
}

/// A field, which holds a reference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FieldName {
    /// The class that declares it; empty if unknown.
    pub(super) declared_by: Box<str>,
    pub(super) name: Box<str>,
    pub(super) meaning: Meaning,
}

impl FieldName {
    /// Of `shop.Cart shop.Order.cart`: type, class and name. The type is missing in traces of Android 11.
    fn read(text: &str, original: &Deobfuscation) -> Self {
        let qualified = text.split_once(' ').map_or(text, |(_, rest)| rest);
        let shown = original.field(qualified).unwrap_or(qualified);
        let (declared_by, name) = shown.rsplit_once('.').unwrap_or(("", shown));
        let meaning = match qualified {
            REFERENT => Meaning::Referent,
            SUPERCLASS => Meaning::Superclass,
            _ => Meaning::Other,
        };
        Self { declared_by: declared_by.into(), name: name.into(), meaning }
    }
}

/// Reference fields of the instances of a class.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Shape {
    pub(super) superclass: Option<u32>,
    /// Its own fields, as indexes.
    pub(super) fields: Vec<u32>,
    /// True if references of its instances are in no field: those of arrays.
    pub(super) is_without_fields: bool,
}

/// Fields of all classes.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Shapes {
    /// Ids of fields, ascending.
    ids: Vec<u64>,
    /// Field with each id.
    fields: Vec<FieldName>,
    /// By class.
    pub(super) classes: Vec<Shape>,
}

impl Shapes {
    /// Names of all fields, and no classes yet.
    pub(super) fn new(types: &Types, original: &Deobfuscation) -> Self {
        let mut fields: Vec<(u64, &String)> = types.fields.iter().map(|(&id, text)| (id, text)).collect();
        fields.sort_unstable();
        let (ids, fields) = fields.into_iter().map(|(id, text)| (id, FieldName::read(text, original))).unzip();
        Self { ids, fields, classes: Vec::new() }
    }

    /// Index of the field with an id.
    pub(super) fn index(&self, id: u64) -> Option<u32> {
        self.ids.binary_search(&id).ok().map(|at| at as u32)
    }

    /// Field with an id.
    pub(super) fn field(&self, id: u64) -> Option<&FieldName> {
        self.fields.get(self.index(id)? as usize)
    }

    /// Ids of the fields with a meaning.
    pub(super) fn ids_of(&self, meaning: Meaning) -> Vec<u64> {
        let all = self.ids.iter().zip(&self.fields);
        all.filter(|(_, field)| field.meaning == meaning).map(|(&id, _)| id).collect()
    }

    /// Fields that a class declares itself.
    pub(super) fn declared_by(&self, class: u32) -> impl Iterator<Item = Option<&FieldName>> {
        let fields = self.classes.get(class as usize).map_or(&[][..], |shape| &shape.fields);
        fields.iter().map(|&field| self.fields.get(field as usize))
    }

    /// Reference fields of the instances of a class, each with the class of this index that declares it: those of the
    /// class itself first, as objects list them. `None` for a field without a name.
    pub(super) fn of_class(&self, class: u32) -> impl Iterator<Item = (u32, Option<&FieldName>)> {
        let own = self.classes.get(class as usize).filter(|shape| !shape.is_without_fields);
        let above = |&(_, shape): &(u32, &Shape)| {
            let at = shape.superclass?;
            Some((at, self.classes.get(at as usize)?))
        };
        let line = successors(own.map(|shape| (class, shape)), above).take(LINE);
        line.flat_map(move |(at, shape)| shape.fields.iter().map(move |&field| (at, self.fields.get(field as usize))))
    }

    /// Fields of the references of an object, in their order.
    pub(super) fn of_object<'a>(
        &'a self,
        object: &RawObject<'a>,
        class: u32,
    ) -> Box<dyn Iterator<Item = Option<&'a FieldName>> + 'a> {
        if object.is_inconsistent() {
            return Box::new(std::iter::repeat(None));
        }
        if object.field_ids.is_empty() {
            return Box::new(self.of_class(class).map(|(_, field)| field).chain(std::iter::repeat(None)));
        }
        Box::new(object.field_ids.iter().map(|id| self.field(id)))
    }

    /// True if an index leads nowhere: the data is damaged.
    pub(super) fn is_damaged(&self) -> bool {
        let is_class = |at: u32| (at as usize) < self.classes.len();
        self.ids.len() != self.fields.len()
            || !self.ids.is_sorted()
            || !self.classes.iter().all(|shape| shape.superclass.is_none_or(is_class))
    }

    /// The same with original names of fields, and how well they fit.
    pub(super) fn renamed(&self, names: &dyn OriginalNames) -> (Self, MappingFit) {
        let mut fit = MappingFit::default();
        let mut renamed = self.clone();
        for field in &mut renamed.fields {
            let Some(class) = class_name(names, &field.declared_by) else { continue };
            // All fields recorded here hold references: two may have the same name in the dump.
            let known = names.fields(&field.declared_by);
            let same = || known.iter().filter(|known| *known.in_dump == *field.name);
            if let Some(declared) = same().find(|known| known.type_name == "object").or_else(|| same().next()) {
                fit.fields += 1;
                fit.of_other_type += u64::from(declared.type_name != "object");
                field.name = declared.name.into();
            }
            field.declared_by = class.into();
        }
        (renamed, fit)
    }
}
