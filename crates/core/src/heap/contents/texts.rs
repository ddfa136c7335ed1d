//! Texts of objects, and short names by which users recognize them.

use crate::heap::{Heap, ObjectId};

/// Texts and labels of any object: what a row of a table shows, and filters match.
pub trait ObjectTexts: Send + Sync {
    /// Text value of an object (a string), up to `limit` characters.
    fn text(&self, heap: &Heap, object: ObjectId, limit: usize) -> Option<String>;

    /// Short name by which users recognize the object: the text of a string, the name of a thread or class, the length
    /// of an array. `None` if there is nothing to add to class and id.
    fn label(&self, heap: &Heap, object: ObjectId) -> Option<String>;

    /// True if values of the program are replaced by a placeholder, so that equal texts prove nothing.
    fn hides_values(&self) -> bool {
        false
    }
}
