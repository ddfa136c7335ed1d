//! Fields that Shark follows in the instances of each class, sorted by name, and the objects in them.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use super::collection_readers::CollectionReader;
use super::matchers::{Applied, Kind};
use crate::android::android_heap::AndroidHeap;
use heaplens_heap::{ClassId, ClassKind, Heap, ObjectId, Value};

/// Array elements read at once.
const BLOCK: u64 = 4_096;
/// Classes whose objects are not followed.
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

/// A field that is followed.
pub(super) struct PlannedField<'a> {
    /// Index among the reference fields of the class.
    pub(super) index: usize,
    pub(super) name: &'a str,
    pub(super) declared_by: ClassId,
    pub(super) matcher: Option<u32>,
}

/// Fields followed in instances of a class.
#[derive(Default)]
pub(super) struct Plan<'a> {
    /// Sorted by name.
    pub(super) fields: Vec<PlannedField<'a>>,
    pub(super) logical: Option<CollectionReader>,
    pub(super) is_leaf: bool,
}

/// Fields followed in the instances of each class.
pub(super) struct ReferenceFields<'a> {
    pub(super) phone: &'a AndroidHeap<'a>,
    pub(super) matchers: &'a Applied<'a>,
    /// Plans of classes with visited instances; built on demand, since a deep class needs a long one.
    plans: Vec<OnceCell<Plan<'a>>>,
    is_logical: bool,
    /// First record of new activities.
    pub(super) new_activities: Option<ObjectId>,
}

impl<'a> ReferenceFields<'a> {
    /// With `is_logical`, collections have a reader.
    pub(super) fn new(phone: &'a AndroidHeap<'a>, matchers: &'a Applied<'a>, is_logical: bool) -> Self {
        let plans = phone.heap.classes.iter().map(|_| OnceCell::new()).collect();
        let thread = phone.static_field("android.app.ActivityThread", "sCurrentActivityThread");
        let thread = thread.and_then(Value::object);
        let new = thread.and_then(|thread| phone.object(thread, "android.app.ActivityThread", "mNewActivities"));
        Self { phone, matchers, plans, is_logical, new_activities: new }
    }

    fn heap(&self) -> &'a Heap {
        self.phone.heap
    }

    /// Fields followed in the instances of a class.
    pub(super) fn plan(&self, class: ClassId) -> Option<&Plan<'a>> {
        let made = || plan(self.phone, self.matchers, class, self.is_logical);
        self.plans.get(class.index()).map(|plan| plan.get_or_init(made))
    }

    /// Goes through the objects in an array.
    pub(super) fn each_element(&self, array: ObjectId, mut take: impl FnMut(u64, ObjectId)) {
        // In a crafted file a field may name a primitive array whose stripped contents have no bytes.
        if self.heap().class(array).kind != ClassKind::ObjectArray {
            return;
        }
        let mut from = 0;
        loop {
            let block = self.phone.contents.elements(self.heap(), array, from..from + BLOCK).unwrap_or_default();
            for (index, value) in (from..).zip(&block) {
                if let Value::Object(target) = *value {
                    take(index, target);
                }
            }
            from += BLOCK;
            if (block.len() as u64) < BLOCK {
                return;
            }
        }
    }

    /// Object in a reference field of any declaring class.
    pub(super) fn value(&self, object: ObjectId, name: &str) -> Option<Value> {
        let plan = self.plan(self.heap().class_id(object))?;
        let field = plan.fields.iter().find(|field| field.name == name)?;
        Some(self.phone.contents.reference_field(self.heap(), object, field.index))
    }
}

fn plan<'a>(phone: &'a AndroidHeap<'a>, matchers: &Applied<'_>, class: ClassId, is_logical: bool) -> Plan<'a> {
    let name = phone.name_of(class);
    let is_leaf = LEAVES.contains(&name)
        || name.strip_suffix("[]").is_some_and(|of| LEAVES.contains(&of) && of != "java.lang.String");
    if is_leaf || phone.heap.classes.get(class).kind != ClassKind::Plain {
        return Plan { is_leaf, ..Plan::default() };
    }
    // The nearest class with a pattern for the field name counts.
    let mut known: FxHashMap<&str, u32> = FxHashMap::default();
    for above in phone.lineage(class) {
        for (&field, &matcher) in matchers.at(Kind::Field, phone.name_of(above)).into_iter().flatten() {
            known.entry(field).or_insert(matcher);
        }
    }
    let named = phone.contents.named_references(class);
    let fields =
        named.into_iter().enumerate().filter(|(_, (declares, _))| phone.name_of(*declares) != "java.lang.Object");
    let fields = fields.map(|(index, (declared_by, name))| PlannedField {
        index,
        name,
        declared_by,
        matcher: known.get(name).copied(),
    });
    let is_ignored = |field: &PlannedField<'_>| {
        field.matcher.and_then(|at| matchers.get(at)).is_some_and(|matched| matched.is_ignored)
    };
    let mut fields: Vec<_> = fields.filter(|field| !is_ignored(field)).collect();
    fields.sort_by_key(|field| field.name);
    Plan { fields, logical: CollectionReader::of(name).filter(|_| is_logical), is_leaf: false }
}
