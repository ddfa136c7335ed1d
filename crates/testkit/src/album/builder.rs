//! Builder for Android objects by field names: omitted fields are null, zero or false.

use std::collections::BTreeMap;

use crate::art::{Art, Class, root};
use crate::sketch::{Id, Type, Value};

/// Bytes of a reference.
const REFERENCE: u64 = 4;
/// Address of the first object.
const FIRST: Id = 0x12c0_0000;

/// Declared class.
struct DeclaredClass {
    id: Id,
    /// Its fields, then those of its superclass.
    fields: Vec<(&'static str, Type)>,
}

/// A heap in the making.
pub(super) struct ObjectBuilder {
    pub(super) art: Art,
    classes: BTreeMap<&'static str, DeclaredClass>,
    next: Id,
}

impl ObjectBuilder {
    pub(super) fn new() -> Self {
        Self { art: Art::default(), classes: BTreeMap::new(), next: FIRST }
    }

    /// Allocates an address for an object.
    pub(super) fn next_id(&mut self) -> Id {
        self.next += 0x100;
        self.next
    }

    /// The id of a class.
    pub(super) fn id(&self, name: &str) -> Id {
        self.classes.get(name).unwrap_or_else(|| panic!("no class {name}")).id
    }

    /// Declares a subclass of a declared class; each is a root.
    pub(super) fn class(&mut self, name: &'static str, above: &str, fields: &[(&'static str, Type)]) -> Id {
        self.class_with(name, above, fields, &[])
    }

    /// The same with statics.
    pub(super) fn class_with(
        &mut self,
        name: &'static str,
        above: &str,
        own: &[(&'static str, Type)],
        statics: &[(&str, Value)],
    ) -> Id {
        let id = self.next_id();
        let (superclass, inherited) = match self.classes.get(above) {
            Some(above) => (above.id, above.fields.clone()),
            None => (0, Vec::new()),
        };
        let fields: Vec<(&'static str, Type)> = own.iter().copied().chain(inherited).collect();
        let bytes = fields.iter().map(|(_, kind)| kind.bytes(REFERENCE)).sum::<u64>() as u32;
        self.art.root(root::STICKY_CLASS, id, 0);
        self.art.class(Class { id, name, superclass, loader: 0, bytes, statics, fields: own });
        self.classes.insert(name, DeclaredClass { id, fields });
        id
    }

    /// An object at a place.
    pub(super) fn put(&mut self, id: Id, class: &str, values: &[(&str, Value)]) -> Id {
        let declared = self.classes.get(class).unwrap_or_else(|| panic!("no class {class}"));
        let given: BTreeMap<&str, Value> = values.iter().copied().collect();
        let known = |name: &&str| declared.fields.iter().any(|(field, _)| field == name) || class.is_empty();
        assert!(given.keys().all(known), "{class} has no such field: {given:?}");
        let value = |&(name, kind): &(&'static str, Type)| match (name, given.get(name)) {
            (_, Some(&value)) => value,
            ("shadow$_klass_", None) => Value::Object(declared.id),
            (_, None) => nothing(kind),
        };
        let values: Vec<Value> = declared.fields.iter().map(value).collect();
        let class = declared.id;
        self.art.instance(id, class, &values)
    }

    /// An object.
    pub(super) fn object(&mut self, class: &str, values: &[(&str, Value)]) -> Id {
        let id = self.next_id();
        self.put(id, class, values)
    }

    /// A text.
    pub(super) fn text(&mut self, text: &str) -> Id {
        let (id, class) = (self.next_id(), self.id("java.lang.String"));
        self.art.string(id, class, &[Value::Object(class), Value::Int(0)], text)
    }

    /// An array of references.
    pub(super) fn array(&mut self, elements: &[Id]) -> Id {
        let (id, class) = (self.next_id(), self.id("java.lang.Object[]"));
        self.art.objects(id, class, elements)
    }

    /// An array of bytes.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Id {
        let id = self.next_id();
        // The next object comes after it.
        self.next += (bytes.len() as Id + 0xff) & !0xff;
        self.art.numbers(id, Type::Byte, bytes.iter().map(|&byte| Value::Byte(byte.cast_signed())).collect())
    }

    /// A list.
    pub(super) fn list(&mut self, id: Id, elements: &[Id]) -> Id {
        let array = self.array(elements);
        let size = Value::Int(elements.len() as i32);
        self.put(id, "java.util.ArrayList", &[("elementData", Value::Object(array)), ("size", size)])
    }

    /// A map by texts.
    pub(super) fn map(&mut self, id: Id, entries: &[(&str, Id)]) -> Id {
        let mut table = Vec::new();
        for &(key, value) in entries {
            let key = Value::Object(self.text(key));
            table.push(self.object("java.util.HashMap$Node", &[("key", key), ("value", Value::Object(value))]));
        }
        table.resize(table.len().next_power_of_two().max(16), 0);
        let table = Value::Object(self.array(&table));
        self.put(id, "java.util.HashMap", &[("table", table), ("size", Value::Int(entries.len() as i32))])
    }
}

fn nothing(kind: Type) -> Value {
    match kind {
        Type::Object => Value::Object(0),
        Type::Boolean => Value::Boolean(false),
        Type::Char => Value::Char(0),
        Type::Float => Value::Float(0.0),
        Type::Double => Value::Double(0.0),
        Type::Byte => Value::Byte(0),
        Type::Short => Value::Short(0),
        Type::Int => Value::Int(0),
        Type::Long => Value::Long(0),
    }
}
