//! Enum constants: objects that a program knows by name.

use super::{ClassId, Contents, Heap, ObjectId};

/// The class of all enums.
const ENUM: &str = "java.lang.Enum";

/// Enum class of which an object is a constant (its own class or the superclass), and up to `limit` characters of the
/// name of the constant. `None` for other objects.
pub fn enum_constant(
    heap: &Heap,
    contents: &dyn Contents,
    object: ObjectId,
    limit: usize,
) -> Option<(ClassId, String)> {
    let own = heap.class_id(object);
    let above = heap.classes.get(own).superclass?;
    let is_enum = |class| &*heap.classes.get(class).name == ENUM;
    let class = if is_enum(above) { own } else { above };
    if !is_enum(heap.classes.get(class).superclass?) {
        return None;
    }
    let fields = contents.fields(heap, object).ok()?;
    let name = fields.into_iter().find(|field| field.name == "name" && field.declared_by == ENUM)?;
    Some((class, contents.text(heap, name.value.object()?, limit)?))
}
