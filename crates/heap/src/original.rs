//! Original names of an obfuscated program. Names are columns of a heap, independent of all others, so a mapping can be
//! applied and removed without reading the dump again.

use super::{Class, ClassId, Classes, Heap, ImportNote};

/// A frame of a stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame<T> {
    /// The class, with dots.
    pub class: T,
    /// The method.
    pub method: T,
    /// Source file; empty if unknown.
    pub source: T,
    /// Positive: a line; 0 none, -1 unknown, -2 compiled, -3 native.
    pub line: i32,
}

/// A field of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    /// Its name in the dump.
    pub in_dump: &'a str,
    /// Original name.
    pub name: &'a str,
    /// Type: `int`, `object`, … as far as dumps distinguish them.
    pub type_name: &'a str,
}

/// Source of original names.
pub trait OriginalNames {
    /// Original name of a class; `None` if it was not renamed.
    fn class(&self, in_dump: &str) -> Option<String>;

    /// Original names of the fields of a class, given its name in the dump.
    fn fields(&self, class: &str) -> Vec<Field<'_>>;

    /// Original frames of a frame, undoing inlining, innermost first. Empty if the frame was not renamed.
    fn frames(&self, in_dump: &Frame<&str>) -> Vec<Frame<String>>;

    /// True if the mapping is of another build than the one that produced this source file name; `None` if unknown.
    fn is_other_build(&self, source: &str) -> Option<bool>;
}

/// Degree to which a mapping fits a dump.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MappingFit {
    /// Number of fields found in the mapping.
    pub fields: u64,
    /// Number of those with another type in the dump.
    pub of_other_type: u64,
    /// True if the dump is from another build.
    pub other_build: bool,
}

/// Original name of a class, which may be an array.
pub fn class_name(names: &dyn OriginalNames, in_dump: &str) -> Option<String> {
    let element = in_dump.trim_end_matches("[]");
    let brackets = in_dump.get(element.len()..)?;
    Some(names.class(element)? + brackets)
}

impl Heap {
    /// This heap with original class names, and the number of renamed classes. All other columns are shared.
    pub fn renamed(&self, names: &dyn OriginalNames) -> (Self, u64) {
        let mut named = 0;
        let class = |class: &Class| {
            let name = class_name(names, &class.name);
            named += u64::from(name.is_some());
            Class { name: name.map_or_else(|| class.name.clone(), Into::into), ..class.clone() }
        };
        let classes = Classes::new(self.classes.all().iter().map(class).collect());
        (Self { classes, ..self.clone() }, named)
    }

    /// This heap with other names of classes; `name` is `None` for those that keep theirs. All other columns are shared.
    #[must_use]
    pub fn with_class_names(&self, mut name: impl FnMut(ClassId, &Class) -> Option<String>) -> Self {
        let class = |(id, class): (ClassId, &Class)| {
            let name = name(id, class);
            Class { name: name.map_or_else(|| class.name.clone(), Into::into), ..class.clone() }
        };
        let classes = Classes::new(self.classes.iter().map(class).collect());
        Self { classes, ..self.clone() }
    }

    /// Adds a note to the heap.
    #[must_use]
    pub fn noted(mut self, note: ImportNote) -> Self {
        self.notes.push(note);
        self
    }
}
