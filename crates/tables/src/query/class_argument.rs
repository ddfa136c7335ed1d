//! A class as an argument of the command line.

use heaplens_heap::{ClassId, Heap};

/// A class by name, or by the id of its class object if the name is ambiguous.
pub(crate) fn class_named(heap: &Heap, class: ClassId) -> String {
    let row = heap.classes.get(class);
    let namesakes = heap.classes.iter().filter(|(_, other)| other.name == row.name).count();
    match row.object.filter(|_| namesakes > 1) {
        Some(object) => heap.id_text(object),
        None => row.name.to_string(),
    }
}
