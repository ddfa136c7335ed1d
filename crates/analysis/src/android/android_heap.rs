//! Access to an Android dump by class and field names. Everything may be missing: fields change from one Android to the
//! next, croppers leave things out, and names may be obfuscated. Missing data is `None`, never an error.

use rustc_hash::FxHashMap;

use heaplens_base::{Cancelled, Task};
use heaplens_heap::{Class, ClassId, ClassKind, Contents, Field, Heap, ObjectId, RootKind, Value};

/// Maximum number of characters read of a string.
const TEXT: usize = 4_096;
/// Maximum number of elements read of a primitive array: a stripped array may claim any length.
const MOST_NUMBERS: u64 = 1 << 20;

/// A dump with its classes by name.
pub(super) struct AndroidHeap<'a> {
    pub(super) heap: &'a Heap,
    pub(super) contents: &'a dyn Contents,
    /// Classes by name; those held by the VM come first.
    by_name: FxHashMap<&'a str, Vec<ClassId>>,
}

impl<'a> AndroidHeap<'a> {
    pub(super) fn new(heap: &'a Heap, contents: &'a dyn Contents) -> Self {
        let mut by_name: FxHashMap<&'a str, Vec<ClassId>> = FxHashMap::default();
        let is_held = |class: &Class| {
            let roots = class.object.map(|object| heap.roots.of(object)).unwrap_or_default();
            roots.iter().any(|root| root.kind == RootKind::SystemClass)
        };
        for (id, class) in heap.classes.iter() {
            let all = by_name.entry(&class.name).or_default();
            let first_is_held = all.first().is_some_and(|&first| is_held(heap.classes.get(first)));
            all.insert(if is_held(class) && !first_is_held { 0 } else { all.len() }, id);
        }
        Self { heap, contents, by_name }
    }

    /// All classes of a name.
    pub(super) fn classes(&self, name: &str) -> &[ClassId] {
        self.by_name.get(name).map_or(&[], |all| all)
    }

    /// All instances of these classes and of those below, by address.
    pub(super) fn instances(&self, names: &[&str], task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
        let classes: Vec<ClassId> = names.iter().flat_map(|name| self.classes(name)).copied().collect();
        let mut instances = Vec::new();
        if classes.is_empty() {
            return Ok(instances);
        }
        let (is_meant, rows) = (self.heap.classes.all_below(&classes), self.heap.class_rows());
        for block in task.blocks(self.heap.len()) {
            let meant = block?.filter(|&row| {
                rows.get(row as u32).is_some_and(|class| is_meant.get(class.index()).copied().unwrap_or(false))
            });
            instances.extend(meant.filter_map(ObjectId::new));
        }
        Ok(instances)
    }

    /// A class and those above it.
    pub(super) fn lineage(&self, class: ClassId) -> impl Iterator<Item = ClassId> + use<'a> {
        let classes = &self.heap.classes;
        // A hostile file may contain a cycle: no chain is longer than the class table.
        std::iter::successors(Some(class), |&class| classes.get(class).superclass).take(classes.len() + 1)
    }

    pub(super) fn name_of(&self, class: ClassId) -> &'a str {
        &self.heap.classes.get(class).name
    }

    /// The name of an object's class; of a class object its own.
    pub(super) fn class_name(&self, object: ObjectId) -> &'a str {
        self.name_of(self.heap.classes.of_object(object).unwrap_or_else(|| self.heap.class_id(object)))
    }

    /// Simple name of an object's class.
    pub(super) fn simple_name(&self, object: ObjectId) -> &'a str {
        simple(self.class_name(object))
    }

    /// True if the object is an instance of the class or a subclass.
    pub(super) fn is_a(&self, object: ObjectId, class: &str) -> bool {
        self.heap.classes.of_object(object).is_none()
            && self.lineage(self.heap.class_id(object)).any(|above| self.name_of(above) == class)
    }

    /// All fields of an instance.
    pub(super) fn fields(&self, object: ObjectId) -> Vec<Field> {
        if self.heap.classes.of_object(object).is_some() {
            return Vec::new();
        }
        self.contents.fields(self.heap, object).unwrap_or_default()
    }

    /// A field that a class declares.
    pub(super) fn field(&self, object: ObjectId, class: &str, name: &str) -> Option<Value> {
        let mut fields = self.fields(object).into_iter();
        fields.find(|field| field.name == name && field.declared_by == class).map(|field| field.value)
    }

    /// A field by name alone; the object's own class is searched first.
    pub(super) fn any_field(&self, object: ObjectId, name: &str) -> Option<Value> {
        self.fields(object).into_iter().find(|field| field.name == name).map(|field| field.value)
    }

    /// The object in a field.
    pub(super) fn object(&self, object: ObjectId, class: &str, name: &str) -> Option<ObjectId> {
        self.field(object, class, name)?.object()
    }

    /// True if a field is null; `None` if unknown.
    pub(super) fn is_null(&self, object: ObjectId, class: &str, name: &str) -> Option<bool> {
        match self.field(object, class, name)? {
            Value::Null => Some(true),
            Value::Object(_) | Value::Dangling(_) => Some(false),
            _ => None,
        }
    }

    /// Boolean value of a field.
    pub(super) fn flag(&self, object: ObjectId, class: &str, name: &str) -> Option<bool> {
        match self.field(object, class, name)? {
            Value::Bool(flag) => Some(flag),
            _ => None,
        }
    }

    /// Integer value of a field.
    pub(super) fn number(&self, object: ObjectId, class: &str, name: &str) -> Option<i64> {
        number(self.field(object, class, name)?)
    }

    /// String value of a field.
    pub(super) fn text(&self, object: ObjectId, class: &str, name: &str) -> Option<String> {
        self.text_of(self.object(object, class, name)?)
    }

    /// String value of an object.
    pub(super) fn text_of(&self, object: ObjectId) -> Option<String> {
        self.contents.text(self.heap, object, TEXT)
    }

    /// Static field of the class with a name.
    pub(super) fn static_field(&self, class: &str, name: &str) -> Option<Value> {
        self.classes(class).iter().find_map(|&class| {
            let object = self.heap.classes.get(class).object?;
            let statics = self.contents.fields(self.heap, object).ok()?;
            statics.into_iter().find(|field| field.name == name).map(|field| field.value)
        })
    }

    /// The elements of an array.
    pub(super) fn elements(&self, array: ObjectId) -> Vec<Value> {
        let is_of_objects = self.heap.class(array).kind == ClassKind::ObjectArray;
        let most = if is_of_objects { u64::from(u32::MAX) } else { MOST_NUMBERS };
        self.contents.elements(self.heap, array, 0..most).unwrap_or_default()
    }

    /// Name of an enum constant: the static field that holds it, known even in dumps without strings.
    pub(super) fn constant(&self, object: ObjectId) -> Option<String> {
        let class = self.heap.class_id(object);
        let above = self.lineage(class).take(2);
        let by_identity = above.filter_map(|class| self.heap.classes.get(class).object).find_map(|class| {
            let statics = self.contents.fields(self.heap, class).ok()?;
            statics.into_iter().find(|field| field.value == Value::Object(object)).map(|field| field.name)
        });
        by_identity.or_else(|| self.text(object, "java.lang.Enum", "name"))
    }

    /// An object as Shark writes it: `instance @1234 of a.B`.
    pub(super) fn described(&self, object: ObjectId) -> String {
        format!("instance @{} of {}", self.heap.address(object).0, self.class_name(object))
    }

    /// A value as Shark writes it.
    pub(super) fn written(&self, value: Value) -> String {
        match value {
            Value::Object(object) => self.text_of(object).unwrap_or_else(|| self.described(object)),
            value => value.to_string(),
        }
    }

    /// Its name and address: `Receiver@1234`.
    pub(super) fn short(&self, object: ObjectId) -> String {
        format!("{}@{}", self.simple_name(object), self.heap.address(object).0)
    }
}

/// Integer value.
pub(super) fn number(value: Value) -> Option<i64> {
    match value {
        Value::Byte(n) => Some(n.into()),
        Value::Short(n) => Some(n.into()),
        Value::Int(n) => Some(n.into()),
        Value::Long(n) => Some(n),
        _ => None,
    }
}

/// Class name without its package.
pub(super) fn simple(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}
