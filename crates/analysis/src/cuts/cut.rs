//! A cut: a hypothetical change to the program, *what if this reference did not exist?* It names objects, classes and
//! fields, not positions of references: [`excluded_references`](super::excluded_references) resolves it to those.

use std::sync::Arc;

use super::entry_range::EntryRange;
use crate::naming::{class_name, field};
use heaplens_heap::{ClassId, Heap, ObjectId};

/// References to exclude. An object always keeps the reference to its class, unless the class object itself is cut:
/// every object has a class.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Cut {
    /// All references from one object to another, in any field.
    Reference {
        /// Source of the reference.
        from: ObjectId,
        /// Target of the reference.
        to: ObjectId,
    },
    /// Field in all instances of a class and its subclasses, declared or inherited by the class.
    Field {
        /// The class.
        class: ClassId,
        /// The field.
        name: Box<str>,
    },
    /// All references to an object, and its root status.
    Object(ObjectId),
    /// The same for all objects of a class.
    Class(ClassId),
    /// The same for a class loader, its classes and their instances.
    Loader(ObjectId),
    /// The same for objects that a query returns.
    Query {
        /// The query.
        text: Box<str>,
        /// Its objects, in the order of the answer.
        objects: Arc<[ObjectId]>,
    },
    /// The root status of the objects that a cut leads to; references to them remain.
    Roots(Box<Cut>),
    /// All references from the objects that a cut leads to. Of a class object, its static fields.
    From(Box<Cut>),
    /// The same for all objects and classes of a package and of those below it.
    Package(Box<str>),
    /// Entries of the collections and arrays that a cut leads to.
    Entries {
        /// The cut that leads to them.
        of: Box<Cut>,
        /// Which entries.
        range: EntryRange,
    },
    /// All references to strings that are equal to one before them, as if the program shared equal strings.
    DuplicateStrings,
}

/// Words that begin or are the name of a cut.
pub(super) mod words {
    /// An object that is cut itself.
    pub(in super::super) const OBJECT: &str = "object ";
    /// A class loader.
    pub(in super::super) const LOADER: &str = "loader ";
    /// GC roots.
    pub(in super::super) const ROOTS: &str = "root of ";
    /// References from objects.
    pub(in super::super) const FROM: &str = "from ";
    /// Strings that are equal to one before them.
    pub(in super::super) const DUPLICATE_STRINGS: &str = "duplicate strings";
}

impl Cut {
    /// The cut of a field in all instances, for the reference between two objects with this name in the first. A static
    /// field exists once, so only this reference is cut. `None` if the reference is not a field, or has no known name.
    pub fn in_all_instances(heap: &Heap, from: ObjectId, to: ObjectId, name: Option<&str>) -> Option<Self> {
        if heap.classes.of_object(from).is_some() {
            return Some(Self::Reference { from, to });
        }
        let name = name.filter(|name| !name.starts_with(['[', '<']))?;
        Some(Self::Field { class: heap.class_id(from), name: name.into() })
    }

    /// Text of the cut with ids of objects, valid for this dump only and without values of the program, besides those of a query:
    /// `0x123:0x456`, `desk.Session.cart`, `0x123`, `desk.Session`. [`Namer::resolve_cut`](crate::naming::Namer::resolve_cut) reads it,
    /// but for a query.
    pub fn text_with_ids(&self, heap: &Heap) -> String {
        self.text(&|cut| match cut {
            Self::Reference { from, to } => format!("{}:{}", heap.id_text(*from), heap.id_text(*to)),
            Self::Field { class, name } => class_name(heap, *class) + &field(name),
            Self::Loader(object) | Self::Object(object) => heap.id_text(*object),
            Self::Class(class) => class_name(heap, *class),
            _ => String::new(),
        })
    }

    /// Text of the cut; `name` is that of a reference, field, object, class or class loader.
    pub(super) fn text(&self, name: &dyn Fn(&Self) -> String) -> String {
        match self {
            Self::Reference { .. } | Self::Field { .. } | Self::Object(_) | Self::Class(_) => name(self),
            Self::Loader(_) => format!("{}{}", words::LOADER, name(self)),
            Self::Query { text, .. } => text.to_string(),
            Self::Roots(of) => format!("{}{}", words::ROOTS, name(of)),
            Self::From(of) => format!("{}{}", words::FROM, name(of)),
            Self::Package(package) => format!("{}{package}.*", words::FROM),
            Self::Entries { of, range } => format!("{}{range}", name(of)),
            Self::DuplicateStrings => words::DUPLICATE_STRINGS.to_owned(),
        }
    }
}
