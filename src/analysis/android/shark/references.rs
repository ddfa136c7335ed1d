//! References as Shark follows them: statics in the order of the file, fields by
//! name, what somebody put into a collection before what it is built of. No
//! references to classes and loaders but those that stand in fields.

use std::cell::{OnceCell, RefCell};

use rustc_hash::FxHashMap;

use super::collections::{self, Logical};
use super::matchers::{Applied, Kind, Matcher};
use super::roots::Roots;
use crate::analysis::android::phone::Phone;
use crate::heap::classes::ClassKind;
use crate::heap::contents::{Contents, Value};
use crate::heap::facts::Heap;
use crate::heap::ids::{ClassId, ObjectId};
use crate::heap::roots::RootKind;

/// References from which on those of an object are kept for a while.
const MANY: usize = 256;
/// Elements of an array that are read at once.
const BLOCK: u64 = 4_096;
/// Statics that the runtime made up.
const MADE_UP: [&str; 3] = ["$staticOverhead", "$classOverhead", "<resolved_references>"];
/// Objects that refer to nothing worth a step.
const LEAVES: [&str; 9] = [
    "java.lang.String",
    "java.lang.Boolean",
    "java.lang.Character",
    "java.lang.Float",
    "java.lang.Double",
    "java.lang.Byte",
    "java.lang.Short",
    "java.lang.Integer",
    "java.lang.Long",
];

/// What a reference is called.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Name<'a> {
    /// A field.
    Field(&'a str),
    /// The static at a place of its class.
    Static(u32),
    /// A local variable of a running method.
    Local,
    /// The element at a place.
    Index(u64),
    /// A key of a map.
    Key,
    /// An element of a set.
    Element,
    /// The value of a key.
    Of(Value),
}

/// One reference.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reference<'a> {
    pub(super) target: ObjectId,
    pub(super) name: Name<'a>,
    /// The class that declares it.
    pub(super) declared_by: ClassId,
    /// The known leak it is.
    pub(super) matcher: Option<u32>,
    /// Whether it is followed only when nothing else is left.
    pub(super) is_last: bool,
}

/// Room for the references of one object, used again for the next.
#[derive(Default)]
pub(super) struct Found<'a> {
    pub(super) references: Vec<Reference<'a>>,
    values: Vec<Value>,
}

struct PlannedField<'a> {
    /// Its place among the reference fields of the class.
    place: usize,
    name: &'a str,
    declared_by: ClassId,
    matcher: Option<u32>,
}

/// What is followed in instances of a class.
#[derive(Default)]
struct Plan<'a> {
    /// By name.
    fields: Vec<PlannedField<'a>>,
    logical: Option<Logical>,
    is_leaf: bool,
}

/// Reads references.
pub(super) struct References<'a> {
    pub(super) phone: &'a Phone<'a>,
    pub(super) matchers: &'a Applied<'a>,
    /// Of the classes whose instances were met: one below very many others would have a long plan for nothing.
    plans: Vec<OnceCell<Plan<'a>>>,
    is_logical: bool,
    /// The references of the object read last that has very many: paths to its elements read it again and again.
    many: RefCell<Option<(ObjectId, Vec<Reference<'a>>)>>,
    /// What the frames of each thread hold.
    frames: FxHashMap<ObjectId, Vec<ObjectId>>,
    /// The thread that Android calls main.
    main: Option<ObjectId>,
    /// The first record of activities that just came to the front.
    pub(super) new_activities: Option<ObjectId>,
}

impl<'a> References<'a> {
    /// With `is_logical` what collections hold goes before what they are built of.
    pub(super) fn new(phone: &'a Phone<'a>, matchers: &'a Applied<'a>, is_logical: bool, roots: Roots) -> Self {
        let classes = &phone.heap.classes;
        let plans = classes.iter().map(|_| OnceCell::new()).collect();
        let thread = phone.static_field("android.app.ActivityThread", "sCurrentActivityThread");
        let thread = thread.and_then(Value::object);
        let new = thread.and_then(|thread| phone.object(thread, "android.app.ActivityThread", "mNewActivities"));
        let looper = phone.static_field("android.os.Looper", "sMainLooper").and_then(Value::object);
        let main = looper.and_then(|looper| phone.object(looper, "android.os.Looper", "mThread"));
        let frames = if roots == Roots::All { frames(phone.contents) } else { FxHashMap::default() };
        let many = RefCell::default();
        Self { phone, matchers, plans, is_logical, many, frames, main, new_activities: new }
    }

    fn heap(&self) -> &'a Heap {
        self.phone.heap
    }

    fn plan(&self, class: ClassId) -> Option<&Plan<'a>> {
        let made = || plan(self.phone, self.matchers, class, self.is_logical);
        self.plans.get(class.index()).map(|plan| plan.get_or_init(made))
    }

    /// One of the references of an object, by its place among all.
    pub(super) fn at(&self, object: ObjectId, place: u32, found: &mut Found<'a>) -> Option<Reference<'a>> {
        let mut many = self.many.borrow_mut();
        if let Some((_, references)) = many.as_ref().filter(|(of, _)| *of == object) {
            return references.get(place as usize).copied();
        }
        self.read(object, found);
        if found.references.len() > MANY {
            *many = Some((object, found.references.clone()));
        }
        found.references.get(place as usize).copied()
    }

    /// All references of an object, in the order in which they are followed.
    pub(super) fn read(&self, object: ObjectId, found: &mut Found<'a>) {
        found.references.clear();
        if let Some(class) = self.heap().classes.of_object(object) {
            self.statics(object, class, found);
            return;
        }
        let class = self.heap().class_id(object);
        match self.heap().classes.get(class).kind {
            ClassKind::PrimitiveArray => {}
            ClassKind::ObjectArray => self.elements(object, class, found),
            ClassKind::Plain => self.instance(object, class, found),
        }
    }

    fn instance(&self, object: ObjectId, class: ClassId, found: &mut Found<'a>) {
        let Some(plan) = self.plan(class).filter(|plan| !plan.is_leaf) else { return };
        if let Some(held) = self.frames.get(&object) {
            self.locals(object, class, held, found);
        }
        if let Some(logical) = plan.logical {
            collections::read(self, object, class, logical, &mut found.references);
        }
        if plan.fields.is_empty() {
            return;
        }
        self.phone.contents.reference_values(self.heap(), object, &mut found.values);
        for field in &plan.fields {
            let Some(&Value::Object(target)) = found.values.get(field.place) else { continue };
            found.references.push(Reference {
                target,
                name: Name::Field(field.name),
                declared_by: field.declared_by,
                matcher: field.matcher,
                is_last: field.matcher.is_some(),
            });
        }
    }

    fn locals(&self, thread: ObjectId, class: ClassId, held: &[ObjectId], found: &mut Found<'a>) {
        let matcher = self.thread_name(thread).and_then(|name| self.matchers.find(Kind::Local, &name, ""));
        if matcher.is_some_and(|matcher| self.is_ignored(matcher)) {
            return;
        }
        let local = |&target| Reference { target, name: Name::Local, declared_by: class, matcher, is_last: true };
        found.references.extend(held.iter().map(local));
    }

    /// The name of a thread; of Android's main thread also where texts were stripped.
    pub(super) fn thread_name(&self, thread: ObjectId) -> Option<String> {
        let name = self.phone.contents.label(self.heap(), thread);
        name.or_else(|| (self.main == Some(thread)).then(|| "main".to_owned()))
    }

    fn statics(&self, object: ObjectId, class: ClassId, found: &mut Found<'a>) {
        let known = self.matchers.at(Kind::Static, self.phone.name_of(class));
        let fields = self.phone.contents.fields(self.heap(), object).unwrap_or_default();
        for (place, field) in (0..).zip(&fields) {
            let Value::Object(target) = field.value else { continue };
            if MADE_UP.contains(&&*field.name) {
                continue;
            }
            let matcher = known.and_then(|known| known.get(&*field.name)).copied();
            if matcher.is_some_and(|matcher| self.is_ignored(matcher)) {
                continue;
            }
            let name = Name::Static(place);
            found.references.push(Reference { target, name, declared_by: class, matcher, is_last: matcher.is_some() });
        }
    }

    fn elements(&self, array: ObjectId, class: ClassId, found: &mut Found<'a>) {
        if self.plan(class).is_some_and(|plan| plan.is_leaf) {
            return;
        }
        self.each_element(array, |place, target| {
            let name = Name::Index(place);
            found.references.push(Reference { target, name, declared_by: class, matcher: None, is_last: false });
        });
    }

    /// Goes through the objects in an array.
    pub(super) fn each_element(&self, array: ObjectId, mut take: impl FnMut(u64, ObjectId)) {
        // What else a field may name, in a made-up file: numbers that were left out take no room there.
        if self.heap().class(array).kind != ClassKind::ObjectArray {
            return;
        }
        let mut from = 0;
        loop {
            let block = self.phone.contents.elements(self.heap(), array, from..from + BLOCK).unwrap_or_default();
            for (place, value) in (from..).zip(&block) {
                if let Value::Object(target) = *value {
                    take(place, target);
                }
            }
            from += BLOCK;
            if (block.len() as u64) < BLOCK {
                return;
            }
        }
    }

    /// What stands in a reference field, whoever declares it.
    pub(super) fn value(&self, object: ObjectId, name: &str) -> Option<Value> {
        let plan = self.plan(self.heap().class_id(object))?;
        let field = plan.fields.iter().find(|field| field.name == name)?;
        Some(self.phone.contents.reference_field(self.heap(), object, field.place))
    }

    pub(super) fn is_ignored(&self, matcher: u32) -> bool {
        self.matchers.get(matcher).is_some_and(|matcher| matcher.is_ignored)
    }

    /// The known leak that a reference is.
    pub(super) fn known(&self, matcher: Option<u32>) -> Option<&'a Matcher> {
        matcher.and_then(|matcher| self.matchers.get(matcher))
    }

    /// What a reference is called.
    pub(super) fn name(&self, from: ObjectId, reference: &Reference<'a>) -> String {
        match reference.name {
            Name::Field(name) => name.to_owned(),
            Name::Static(place) => {
                let fields = self.phone.contents.fields(self.heap(), from).unwrap_or_default();
                fields.into_iter().nth(place as usize).map_or("?".to_owned(), |field| field.name)
            }
            Name::Local => "<Java Local>".to_owned(),
            Name::Index(place) => format!("[{place}]"),
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

fn plan<'a>(phone: &'a Phone<'a>, matchers: &Applied<'_>, class: ClassId, is_logical: bool) -> Plan<'a> {
    let name = phone.name_of(class);
    let is_leaf = LEAVES.contains(&name)
        || name.strip_suffix("[]").is_some_and(|of| LEAVES.contains(&of) && of != "java.lang.String");
    if is_leaf || phone.heap.classes.get(class).kind != ClassKind::Plain {
        return Plan { is_leaf, ..Plan::default() };
    }
    // The nearest class counts that has a pattern for the name of a field.
    let mut known: FxHashMap<&str, u32> = FxHashMap::default();
    for above in phone.lineage(class) {
        for (&field, &matcher) in matchers.at(Kind::Field, phone.name_of(above)).into_iter().flatten() {
            known.entry(field).or_insert(matcher);
        }
    }
    let named = phone.contents.named_references(class);
    let fields =
        named.into_iter().enumerate().filter(|(_, (declares, _))| phone.name_of(*declares) != "java.lang.Object");
    let fields = fields.map(|(place, (declared_by, name))| PlannedField {
        place,
        name,
        declared_by,
        matcher: known.get(name).copied(),
    });
    let is_ignored =
        |field: &PlannedField<'_>| field.matcher.and_then(|at| matchers.get(at)).is_some_and(|found| found.is_ignored);
    let mut fields: Vec<_> = fields.filter(|field| !is_ignored(field)).collect();
    fields.sort_by_key(|field| field.name);
    Plan { fields, logical: Logical::of(name).filter(|_| is_logical), is_leaf: false }
}

/// What the frames of each thread hold that the dump has.
fn frames(contents: &dyn Contents) -> FxHashMap<ObjectId, Vec<ObjectId>> {
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
