//! One step of a name: from an object to a target, by field, index, local variable or collection key. Spelling and
//! resolution of each kind are next to each other.

use std::sync::Arc;

use super::namer::Namer;
use super::spelling::field;
use super::stack_names::StackNames;
use heaplens_heap::{ClassKind, Field, ObjectId, ReferenceKind, ReferenceName, shown_names};

/// Maximum number of names examined per reference.
const NAMES: usize = 4;
/// Maximum number of references of an object for a lookup of fields by target.
const FEW: usize = 24;

impl Namer<'_> {
    /// `desk.SessionCache.ENTRIES`, or `desk.SessionCache.class.<classloader>` for references other than static fields.
    pub(crate) fn class_step(&self, class: ObjectId, first: ObjectId) -> String {
        let class_name = self.start_name(class);
        match self.static_name(class, first) {
            Some(name) => {
                let text = format!("{class_name}{}", field(&name));
                // Another class may have this name.
                if self.class_prefix(&text).is_none_or(|(_, length)| length == class_name.len()) {
                    return text;
                }
                format!("{class_name}.class{}", field(&name))
            }
            None => format!("{class_name}.class{}", self.step(class, first)),
        }
    }

    /// The static field through which a class holds an object; the first by index.
    pub(super) fn static_name(&self, class: ObjectId, object: ObjectId) -> Option<String> {
        let names = self.contents.reference_names(self.heap, class, object, usize::MAX);
        names.into_iter().find(|name| name.kind == ReferenceKind::Static).map(|name| name.text)
    }

    /// The step from `from` to `to`. [`Namer::child`] resolves it.
    pub(crate) fn step(&self, from: ObjectId, to: ObjectId) -> String {
        if self.heap.snapshot().is_some()
            && let Some(name) = self.contents.reference_names(self.heap, from, to, 1).pop()
        {
            return if name.kind == ReferenceKind::Element { name.text } else { field(&name.text) };
        }
        let known = match self.heap.class(from).kind {
            ClassKind::ObjectArray => self.element(from, to),
            _ => self.local(from, to).or_else(|| self.field(from, to)),
        };
        // Without the dump, the field of a reference may be unknown.
        known.unwrap_or_else(|| {
            let index = self.heap.references(from).iter().position(|&other| other == to.raw());
            index.map_or_else(|| ".<class>".to_owned(), |index| format!(".<reference>#{}", index + 1))
        })
    }

    /// The target of a step: its text without the ordinal, and the ordinal `nth`, from 0.
    pub(crate) fn child(&self, from: ObjectId, text: &str, nth: u64) -> Option<ObjectId> {
        let at = usize::try_from(nth).ok()?;
        if text == ".<reference>" {
            return ObjectId::from_raw(*self.heap.references(from).get(at)?);
        }
        if self.heap.snapshot().is_some()
            && let Some(named) = self.contents.named_references_of(self.heap, from, usize::MAX)
        {
            let written = |name: &ReferenceName| {
                if name.kind == ReferenceKind::Element { name.text == text } else { field(&name.text) == text }
            };
            return named.into_iter().filter(|(name, _)| written(name)).map(|(_, to)| to).nth(at);
        }
        if text == ".<class>" {
            return self.heap.class(from).object;
        }
        let index = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        if let Some(index) = index.filter(|_| self.contents.array_length(self.heap, from).is_some()) {
            let index: u64 = index.parse().ok()?;
            let one = index..index.checked_add(1)?;
            return self.contents.elements(self.heap, from, one).ok()?.first()?.object();
        }
        if text.starts_with(".<local of ") {
            let named = self.locals(from).into_iter().filter(|(name, _)| name == text);
            return named.map(|(_, object)| object).nth(at);
        }
        if text == ".<classloader>" {
            return self.heap.classes.of_object(from).and_then(|class| self.heap.classes.get(class).loader);
        }
        if nth == 0 && index.is_none() && self.is_simple(from) {
            let name = text.strip_prefix('.').filter(|name| !name.starts_with(['"', '<']))?;
            let mut targets = self.heap.references(from).iter().filter_map(|&to| ObjectId::from_raw(to));
            return targets.find(|&to| {
                let names = self.contents.reference_names(self.heap, from, to, NAMES);
                names.iter().any(|declared| declared.kind == ReferenceKind::Field && declared.text == name)
            });
        }
        let fields = self.fields(from);
        let shown = shown_names(&fields);
        let is_it = |(f, shown): &(&Field, &String)| field(&f.name) == text || field(shown) == text;
        fields.iter().zip(&shown).filter(is_it).filter_map(|(f, _)| f.value.object()).nth(at)
    }

    fn element(&self, from: ObjectId, to: ObjectId) -> Option<String> {
        let name = self.contents.reference_names(self.heap, from, to, 1).pop()?;
        (name.kind == ReferenceKind::Element && name.text != "[?]").then_some(name.text)
    }

    fn field(&self, from: ObjectId, to: ObjectId) -> Option<String> {
        if self.is_simple(from) {
            let names = self.contents.reference_names(self.heap, from, to, NAMES);
            // Without the dump, a reference may have alternatives: `next or value`.
            let is_exact = |name: &ReferenceName| name.kind == ReferenceKind::Field && !name.text.contains(' ');
            let first = names.into_iter().find(is_exact)?;
            let text = field(&first.text);
            // Quoted names are searched among all fields.
            return Some(text).filter(|text| !text.starts_with(".\"") && !text.starts_with(".<"));
        }
        if self.heap.classes.of_object(from).and_then(|class| self.heap.classes.get(class).loader) == Some(to) {
            return Some(".<classloader>".to_owned());
        }
        self.index.field_steps(from, || self.fields(from)).to(to)
    }

    /// True if an instance has few references and unique field names: fields can be looked up by target.
    fn is_simple(&self, object: ObjectId) -> bool {
        if self.heap.classes.of_object(object).is_some() || self.heap.references(object).len() > FEW {
            return false;
        }
        let class = self.heap.class_id(object);
        !self.index.is_shadowing(class, || {
            let mut names: Vec<String> = self.fields(object).into_iter().map(|f| f.name).collect();
            names.sort_unstable();
            // Quoted labels may be abbreviated.
            names.windows(2).any(|two| two[0] == two[1]) || names.iter().any(|name| field(name) != format!(".{name}"))
        })
    }

    pub(crate) fn fields(&self, object: ObjectId) -> Vec<Field> {
        // Unreadable objects have no fields.
        self.contents.fields(self.heap, object).unwrap_or_default()
    }

    /// What the stack of a thread holds; `None` of other objects.
    pub(super) fn stack_names(&self, thread: ObjectId) -> Option<Arc<StackNames>> {
        let index = self.index.index_of_thread(thread)?;
        let is_of_application = |class: &str| !self.index.rules.contains(class);
        let read = || StackNames::new(&self.contents.whole_stack(index), |of| self.class_of(of), is_of_application);
        Some(self.index.stack_names(thread, read))
    }

    /// True of a thread with a stack.
    pub fn is_thread(&self, object: ObjectId) -> bool {
        self.index.is_thread(object)
    }

    /// The method of a thread whose local variable holds an object.
    pub fn local_method(&self, thread: ObjectId, object: ObjectId) -> Option<String> {
        self.stack_names(thread)?.method(object).map(str::to_owned)
    }

    /// Name of the class of an object.
    fn class_of(&self, object: ObjectId) -> String {
        self.index.class(self.heap, self.heap.class_id(object))
    }

    /// Steps from a thread to all that its stack holds, without ordinals.
    pub(super) fn locals(&self, thread: ObjectId) -> Vec<(String, ObjectId)> {
        self.stack_names(thread).map_or_else(Vec::new, |stack| stack.steps(|of| self.class_of(of)).collect())
    }

    /// The step from a thread to an object that its stack holds.
    fn local(&self, thread: ObjectId, object: ObjectId) -> Option<String> {
        let stack = self.stack_names(thread).filter(|stack| stack.holds(object))?;
        stack.step(object, &self.class_of(object))
    }
}
