//! Names of references: the field, array index or edge by which one object refers to another.

use crate::{ClassId, Heap, ObjectId, Strength};

/// Kind of slot that contains a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceKind {
    /// Reference of every object to its class.
    Class,
    /// Reference of a class to its superclass.
    Superclass,
    /// A class to its loader.
    Loader,
    /// A static of a class.
    Static,
    /// A field of an instance.
    Field,
    /// An element of an array.
    Element,
    /// A local variable on a thread's stack.
    Local,
    /// A property of a JavaScript object.
    Property,
    /// Variable captured by a closure.
    Context,
    /// Internal to a JavaScript engine, and named by it.
    Internal,
    /// Internal and without a name.
    Hidden,
    /// Shortcut edge to a node that is also reachable by other edges.
    Shortcut,
    /// Weak edge of a JavaScript engine, which does not retain its target.
    Weak,
}

impl ReferenceKind {
    /// Name in the user interface and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Superclass => "superclass",
            Self::Loader => "loader",
            Self::Static => "static",
            Self::Field => "field",
            Self::Element => "element",
            Self::Local => "local",
            Self::Property => "property",
            Self::Context => "context var",
            Self::Internal => "internal",
            Self::Hidden => "hidden",
            Self::Shortcut => "shortcut",
            Self::Weak => "weak",
        }
    }
}

/// Name by which one object refers to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceName {
    /// `cache`, `[17]`, `<class>`.
    pub text: String,
    /// Kind of slot that contains the reference.
    pub kind: ReferenceKind,
    /// Strength of the reference.
    pub strength: Strength,
}

impl ReferenceName {
    /// Array element; its index may be unknown.
    pub fn element(index: Option<u64>) -> Self {
        let text = index.map_or_else(|| "[?]".to_owned(), |index| format!("[{index}]"));
        Self::strong(ReferenceKind::Element, text)
    }

    /// Name without the brackets of internal references and elements: `map` for `<map>`, `3` for `[3]`.
    pub fn bare(&self) -> &str {
        let inside = |open: &str, close: char| self.text.strip_prefix(open).and_then(|text| text.strip_suffix(close));
        let bare = match self.kind {
            ReferenceKind::Element => inside("[", ']'),
            ReferenceKind::Internal => inside("<", '>'),
            ReferenceKind::Hidden => inside("<hidden-", '>'),
            ReferenceKind::Weak => inside("<weak-", '>'),
            _ => None,
        };
        bare.unwrap_or(&self.text)
    }

    /// Name of a field without the class that declares it, which is part of an ambiguous name.
    pub fn field(&self) -> &str {
        match self.kind {
            ReferenceKind::Field => self.text.rsplit_once('.').map_or(&*self.text, |(_, name)| name),
            _ => &self.text,
        }
    }

    /// An ordinary reference.
    pub fn strong(kind: ReferenceKind, text: impl Into<String>) -> Self {
        Self { text: text.into(), kind, strength: Strength::Strong }
    }
}

/// Names of references of any object: the steps of a path.
pub trait ReferenceNames: Send + Sync {
    /// Names by which `from` refers to `to`, strong references first; at most `limit`, since an array may contain the
    /// same object ten million times. Without the dump, a field may be ambiguous (`next or value`), an element unknown
    /// (`[?]`).
    fn reference_names(&self, heap: &Heap, from: ObjectId, to: ObjectId, limit: usize) -> Vec<ReferenceName>;

    /// First references of an object with their names, in file order, including weak ones. `None` in formats where
    /// names are looked up individually ([`Self::reference_names`]), and without the dump.
    fn named_references_of(
        &self,
        _heap: &Heap,
        _object: ObjectId,
        _limit: usize,
    ) -> Option<Vec<(ReferenceName, ObjectId)>> {
        None
    }

    /// True if the names of the properties of an object are keys: a plain object of JavaScript with many of them.
    fn is_dictionary(&self, _heap: &Heap, _object: ObjectId) -> bool {
        false
    }

    /// True if the objects of a class belong to an engine, and may store properties of the program's objects.
    fn is_engine_class(&self, _class: ClassId) -> bool {
        false
    }

    /// True if all retaining references from one object to another are part of an engine's storage of properties and
    /// elements: they lead from an object of the program to its storage, or from an object of the engine to another or
    /// to a value. False without the dump.
    fn is_storage_edge(&self, _heap: &Heap, _from: ObjectId, _to: ObjectId) -> bool {
        false
    }
}
