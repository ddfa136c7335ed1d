//! Which objects belong to the application, and which of them holds what the
//! runtime's library is used for.

use crate::heap::analyzed::Analyzed;
use crate::heap::contents::{Contents, ReferenceKind};
use crate::heap::facts::Heap;
use crate::heap::ids::{ClassId, ObjectId};

/// Packages of the runtime and its library.
const RUNTIME: [&str; 9] =
    ["java.", "javax.", "jdk.", "sun.", "com.sun.", "org.ietf.jgss.", "org.omg.", "org.w3c.dom.", "org.xml.sax."];
/// Arrays of these are nobody's in particular.
const PRIMITIVE: [&str; 8] = ["boolean", "byte", "char", "short", "int", "long", "float", "double"];
/// Steps towards the roots in search of the application.
const STEPS: usize = 64;

/// By class, whose it is.
pub(super) struct Owners {
    application: Vec<bool>,
    thread: Vec<bool>,
    loader: Vec<bool>,
}

/// Whether a class is of the application, by its name.
fn is_of_application(name: &str) -> bool {
    let element = name.trim_end_matches("[]");
    !RUNTIME.iter().any(|package| element.starts_with(package)) && !PRIMITIVE.contains(&element)
}

impl Owners {
    pub(super) fn new(heap: &Heap) -> Self {
        let below = |name: &str| heap.classes.all_below(heap.classes.named(name).as_slice());
        Self {
            application: heap.classes.iter().map(|(_, class)| is_of_application(&class.name)).collect(),
            thread: below("java.lang.Thread"),
            loader: below("java.lang.ClassLoader"),
        }
    }

    pub(super) fn is_application_class(&self, class: ClassId) -> bool {
        self.application.get(class.index()) == Some(&true)
    }

    pub(super) fn is_thread(&self, heap: &Heap, object: ObjectId) -> bool {
        self.thread.get(heap.class_id(object).index()) == Some(&true)
    }

    pub(super) fn is_loader(&self, heap: &Heap, object: ObjectId) -> bool {
        self.loader.get(heap.class_id(object).index()) == Some(&true)
    }

    /// An instance of a class of the application, or such a class itself.
    pub(super) fn is_application(&self, heap: &Heap, object: ObjectId) -> bool {
        self.is_application_class(heap.classes.of_object(object).unwrap_or(heap.class_id(object)))
    }

    /// The nearest object of the application, or thread, on the shortest way to `object`; and the step after it.
    pub(super) fn holder(&self, heap: &Heap, analyzed: &Analyzed, object: ObjectId) -> Option<(ObjectId, ObjectId)> {
        let mut at = object;
        for _ in 0..STEPS {
            let before = analyzed.before(heap, at)?;
            // What classes of the application hang on is no data of it.
            if self.is_loader(heap, before) {
                return None;
            }
            if self.is_application(heap, before) || self.is_thread(heap, before) {
                return Some((before, at));
            }
            at = before;
        }
        None
    }
}

/// What people call an object: a class by its name, anything else by its class and label.
pub(super) fn name(heap: &Heap, contents: &dyn Contents, object: ObjectId) -> String {
    if let Some(class) = heap.classes.of_object(object) {
        return heap.classes.get(class).name.to_string();
    }
    let class = &heap.class(object).name;
    // The size of a collection or array is no name.
    let label = contents.label(heap, object).filter(|label| !label.starts_with(['(', '[']));
    label.map_or_else(|| class.to_string(), |label| format!("{class} {label:?}"))
}

/// The same, with the name by which it holds `held`.
pub(super) fn name_to(heap: &Heap, contents: &dyn Contents, holder: ObjectId, held: ObjectId) -> String {
    let name = name(heap, contents, holder);
    match contents.reference_names(heap, holder, held, 1).into_iter().next() {
        Some(by) if by.kind == ReferenceKind::Element => format!("{name}{}", by.text),
        Some(by) if matches!(by.kind, ReferenceKind::Static | ReferenceKind::Field) => format!("{name}.{}", by.text),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::is_of_application;

    #[test]
    fn the_runtime_is_told_by_its_packages() {
        for name in ["desk.Session", "shop.Cart[][]", "Main", "javatools.Parser", "org.apache.Foo$$Lambda/0x12"] {
            assert!(is_of_application(name), "{name}");
        }
        for name in ["byte[]", "int[][]", "java.util.HashMap$Node[]", "jdk.internal.misc.VM", "sun.misc.VM"] {
            assert!(!is_of_application(name), "{name}");
        }
    }
}
