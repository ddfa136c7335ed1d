//! A named variable of the program.

use std::sync::Arc;

use heaplens_heap::{ClassId, ObjectId, split_class};

/// Kind of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VariableKind {
    /// Static field of a class.
    Static,
    /// Variable that functions of a script capture.
    Scope,
    /// Property of the exports of a module.
    Export,
    /// Property of a global object, or of a JavaScript class.
    Property,
    /// Field of the instances of a class.
    Field,
}

impl VariableKind {
    /// Name in the user interface and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Scope => "variable",
            Self::Export => "export",
            Self::Property => "property",
            Self::Field => "field",
        }
    }
}

/// Where a variable leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VariableTarget {
    /// The object that it refers to.
    Value(ObjectId),
    /// The class object of a static without an object.
    Declaring(ObjectId),
    /// The instances that have the field: the class with the largest retained size among those that declare or inherit
    /// it.
    Instances(ClassId),
}

/// A named variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Kind of the variable.
    pub kind: VariableKind,
    /// What declares it: a class by its full name, a file, a global object.
    pub declared_by: Arc<str>,
    /// Its name.
    pub name: Box<str>,
    /// Where it leads.
    pub target: VariableTarget,
    /// Number of objects that have it: instances, contexts of closures; 1 of the others.
    pub holders: u64,
    /// True if the runtime or its library declares it.
    pub is_of_runtime: bool,
}

impl Variable {
    /// `desk.SessionCache.ENTRIES`; with a space after the name of a file: `server.js sessions`.
    pub fn title(&self) -> String {
        let between = if self.is_of_file() { ' ' } else { '.' };
        format!("{}{between}{}", self.declared_by, self.name)
    }

    /// Package of the class, or folder of the file, that declares it, with the last dot or slash.
    pub fn package(&self) -> &str {
        if self.is_of_file() {
            let end = self.declared_by.rfind('/').map_or(0, |slash| slash + 1);
            return self.declared_by.get(..end).unwrap_or_default();
        }
        split_class(&self.declared_by).0
    }

    /// True if a file declares it.
    fn is_of_file(&self) -> bool {
        matches!(self.kind, VariableKind::Scope | VariableKind::Export)
    }

    /// The object to show: the value, or the class object that declares it. `None` for fields of instances.
    pub fn object(&self) -> Option<ObjectId> {
        match self.target {
            VariableTarget::Value(object) | VariableTarget::Declaring(object) => Some(object),
            VariableTarget::Instances(_) => None,
        }
    }
}

/// True if a text is the name of a variable: engines and readers write other references in brackets, unknown ones as
/// alternatives or question marks.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.starts_with(['<', '?', '[', '(']) && !text.contains(" or ") && !text.starts_with("… ")
}
