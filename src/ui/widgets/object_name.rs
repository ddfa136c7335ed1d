//! Name of an object: class, label, id.

use heaplens_heap::{Heap, ObjectId, split_class};
use heaplens_session::open_dump::labels::Labels;
use heaplens_tables::clips::object_name;

/// Name of an object.
#[derive(Debug, Clone, Copy)]
pub struct ObjectName<'a> {
    /// Its class.
    pub class: &'a str,
    /// Short label, such as the content of a string.
    pub label: Option<&'a str>,
    /// Id in the notation of the format; empty to omit it.
    pub id: &'a str,
}

impl<'a> ObjectName<'a> {
    /// Calls `with` with class, label and id of an object.
    pub fn with<R>(labels: &mut Labels, heap: &Heap, object: ObjectId, with: impl FnOnce(ObjectName<'_>) -> R) -> R {
        let id = heap.id_text(object);
        let class = &heap.class(object).name;
        with(ObjectName { class, label: labels.of(object), id: &id })
    }

    /// Class represented by a class object.
    pub(super) fn represented_class(&self) -> Option<&'a str> {
        self.label.filter(|_| self.class == "java.lang.Class")
    }

    /// Label of what is no class object.
    pub(super) fn own_label(&self) -> Option<&'a str> {
        self.label.filter(|_| self.represented_class().is_none())
    }

    /// Plain text for tooltips, screen readers and the clipboard.
    pub fn plain(&self) -> String {
        object_name(self.class, self.label, self.id)
    }

    /// Package and simple name of the class, or of the class that a class object represents.
    pub(super) fn parts(&self) -> (&'a str, &'a str) {
        split_class(self.represented_class().unwrap_or(self.class))
    }
}
