//! References as Shark follows them: statics in the order of the file, fields by name, entries of a collection before
//! its internal structure. No references to classes and class loaders except those in fields.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::matchers::{Applied, Kind, Matcher};
use super::reference::{Name, Reference, ReferenceBuffer};
use super::{collections, reference_fields::ReferenceFields, roots::Roots};
use crate::android::android_heap::AndroidHeap;
use heaplens_heap::{ClassId, ClassKind, Heap, ObjectId, RootKind, ThreadStacks, Value};

/// Number of references above which those of an object are cached.
const MANY: usize = 256;
/// Synthetic statics of the runtime.
const MADE_UP: [&str; 3] = ["$staticOverhead", "$classOverhead", "<resolved_references>"];
/// Reads references.
pub(super) struct References<'a> {
    pub(super) phone: &'a AndroidHeap<'a>,
    pub(super) matchers: &'a Applied<'a>,
    fields: ReferenceFields<'a>,
    /// References of the last object with very many: paths to its elements read it repeatedly.
    many: RefCell<Option<(ObjectId, Vec<Reference<'a>>)>>,
    /// Local variables of each thread's frames.
    frames: FxHashMap<ObjectId, Vec<ObjectId>>,
    /// Android's main thread.
    main: Option<ObjectId>,
}

impl<'a> References<'a> {
    /// With `is_logical`, entries of collections are followed before their internal structure.
    pub(super) fn new(phone: &'a AndroidHeap<'a>, matchers: &'a Applied<'a>, is_logical: bool, roots: Roots) -> Self {
        let fields = ReferenceFields::new(phone, matchers, is_logical);
        let looper = phone.static_field("android.os.Looper", "sMainLooper").and_then(Value::object);
        let main = looper.and_then(|looper| phone.object(looper, "android.os.Looper", "mThread"));
        let frames = if roots == Roots::All { frames(phone.contents) } else { FxHashMap::default() };
        let many = RefCell::default();
        Self { phone, matchers, fields, many, frames, main }
    }

    fn heap(&self) -> &'a Heap {
        self.phone.heap
    }

    /// Reference of an object by its index.
    pub(super) fn at(&self, object: ObjectId, index: u32, buffer: &mut ReferenceBuffer<'a>) -> Option<Reference<'a>> {
        let mut many = self.many.borrow_mut();
        if let Some((_, references)) = many.as_ref().filter(|(of, _)| *of == object) {
            return references.get(index as usize).copied();
        }
        self.read(object, buffer);
        if buffer.references.len() > MANY {
            *many = Some((object, buffer.references.clone()));
        }
        buffer.references.get(index as usize).copied()
    }

    /// All references of an object, in the order in which they are followed.
    pub(super) fn read(&self, object: ObjectId, buffer: &mut ReferenceBuffer<'a>) {
        buffer.references.clear();
        if let Some(class) = self.heap().classes.of_object(object) {
            self.statics(object, class, buffer);
            return;
        }
        let class = self.heap().class_id(object);
        match self.heap().classes.get(class).kind {
            ClassKind::PrimitiveArray => {}
            ClassKind::ObjectArray => self.elements(object, class, buffer),
            ClassKind::Plain => self.instance(object, class, buffer),
        }
    }

    fn instance(&self, object: ObjectId, class: ClassId, buffer: &mut ReferenceBuffer<'a>) {
        let Some(plan) = self.fields.plan(class).filter(|plan| !plan.is_leaf) else { return };
        if let Some(held) = self.frames.get(&object) {
            self.locals(object, class, held, buffer);
        }
        if let Some(logical) = plan.logical {
            collections::read(&self.fields, object, class, logical, &mut buffer.references);
        }
        if plan.fields.is_empty() {
            return;
        }
        self.phone.contents.reference_values(self.heap(), object, &mut buffer.values);
        for field in &plan.fields {
            let Some(&Value::Object(target)) = buffer.values.get(field.index) else { continue };
            buffer.references.push(Reference {
                target,
                name: Name::Field(field.name),
                declared_by: field.declared_by,
                matcher: field.matcher,
                is_last: field.matcher.is_some(),
            });
        }
    }

    fn locals(&self, thread: ObjectId, class: ClassId, held: &[ObjectId], buffer: &mut ReferenceBuffer<'a>) {
        let matcher = self.thread_name(thread).and_then(|name| self.matchers.find(Kind::Local, &name, ""));
        if matcher.is_some_and(|matcher| self.is_ignored(matcher)) {
            return;
        }
        let local = |&target| Reference { target, name: Name::Local, declared_by: class, matcher, is_last: true };
        buffer.references.extend(held.iter().map(local));
    }

    /// Thread name; for Android's main thread also in dumps with stripped strings.
    pub(super) fn thread_name(&self, thread: ObjectId) -> Option<String> {
        let name = self.phone.contents.label(self.heap(), thread);
        name.or_else(|| (self.main == Some(thread)).then(|| "main".to_owned()))
    }

    fn statics(&self, object: ObjectId, class: ClassId, buffer: &mut ReferenceBuffer<'a>) {
        let known = self.matchers.at(Kind::Static, self.phone.name_of(class));
        let fields = self.phone.contents.fields(self.heap(), object).unwrap_or_default();
        for (index, field) in (0..).zip(&fields) {
            let Value::Object(target) = field.value else { continue };
            if MADE_UP.contains(&&*field.name) {
                continue;
            }
            let matcher = known.and_then(|known| known.get(&*field.name)).copied();
            if matcher.is_some_and(|matcher| self.is_ignored(matcher)) {
                continue;
            }
            let name = Name::Static(index);
            buffer.references.push(Reference { target, name, declared_by: class, matcher, is_last: matcher.is_some() });
        }
    }

    fn elements(&self, array: ObjectId, class: ClassId, buffer: &mut ReferenceBuffer<'a>) {
        if self.fields.plan(class).is_some_and(|plan| plan.is_leaf) {
            return;
        }
        self.fields.each_element(array, |index, target| {
            let name = Name::Index(index);
            buffer.references.push(Reference { target, name, declared_by: class, matcher: None, is_last: false });
        });
    }

    pub(super) fn is_ignored(&self, matcher: u32) -> bool {
        self.matchers.get(matcher).is_some_and(|matcher| matcher.is_ignored)
    }

    /// Known leak that a reference matches.
    pub(super) fn known(&self, matcher: Option<u32>) -> Option<&'a Matcher> {
        matcher.and_then(|matcher| self.matchers.get(matcher))
    }

    /// Name of a reference.
    pub(super) fn name(&self, from: ObjectId, reference: &Reference<'a>) -> String {
        match reference.name {
            Name::Field(name) => name.to_owned(),
            Name::Static(index) => {
                let fields = self.phone.contents.fields(self.heap(), from).unwrap_or_default();
                fields.into_iter().nth(index as usize).map_or("?".to_owned(), |field| field.name)
            }
            Name::Local => "<Java Local>".to_owned(),
            Name::Index(index) => format!("[{index}]"),
            Name::Key => "[key()]".to_owned(),
            Name::Element => "[element()]".to_owned(),
            Name::Of(Value::Object(key)) => match self.phone.text_of(key) {
                Some(text) => format!("[\"{text}\"]"),
                None => format!("[{}]", self.phone.described(key)),
            },
            Name::Of(value) => format!("[{value}]"),
        }
    }
}

/// Local variables of the frames of each thread in the dump.
fn frames(contents: &dyn ThreadStacks) -> FxHashMap<ObjectId, Vec<ObjectId>> {
    let mut frames: FxHashMap<ObjectId, Vec<ObjectId>> = FxHashMap::default();
    for (at, owner) in contents.stack_owners().into_iter().enumerate() {
        let Some(thread) = owner.object else { continue };
        let stack = contents.whole_stack(at);
        let inside = stack.frames.iter().flat_map(|frame| &frame.locals);
        let locals = inside.chain(&stack.outside).filter(|local| local.kind == RootKind::JavaFrame);
        frames.entry(thread).or_default().extend(locals.map(|local| local.object));
    }
    frames
}
