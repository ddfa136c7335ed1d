//! Which objects belong to the application, and which of them holds what the
//! runtime's library is used for.

use crate::analysis::runtime_classes::RuntimeClasses;
use crate::heap::analyzed::Analyzed;
use crate::heap::contents::{Contents, ReferenceKind};
use crate::heap::facts::Heap;
use crate::heap::ids::{ClassId, ObjectId};

/// Steps towards the roots in search of the application.
const STEPS: usize = 64;

/// By class, whose it is.
pub(super) struct Owners {
    application: Vec<bool>,
    thread: Vec<bool>,
    loader: Vec<bool>,
}

impl Owners {
    pub(super) fn new(heap: &Heap, rules: &RuntimeClasses) -> Self {
        let below = |name: &str| heap.classes.all_below(heap.classes.named(name).as_slice());
        Self {
            application: heap.classes.iter().map(|(_, class)| !rules.contains(&class.name)).collect(),
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
