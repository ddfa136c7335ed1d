//! Reads fields and statics by name, for facts that the runtime library keeps in known ones.

use std::collections::BTreeMap;

use crate::answers::DumpData;
use heaplens_heap::{ObjectId, Value};

/// Maximum entries read of a map, and characters of a string.
const ENTRIES: u64 = 1_000;
const CHARACTERS: usize = 400;
/// Statics with the system properties, then the VM's own copies, newer names first.
const PROPERTIES: [(&str, &str); 3] =
    [("java.lang.System", "props"), ("jdk.internal.misc.VM", "savedProps"), ("sun.misc.VM", "savedProps")];

impl DumpData<'_> {
    /// A static of a class.
    pub(crate) fn static_field(&self, class: &str, field: &str) -> Option<Value> {
        let class = self.heap.classes.named(class)?;
        self.field(self.heap.classes.get(class).object?, field)
    }

    /// A field of an object.
    pub(crate) fn field(&self, object: ObjectId, name: &str) -> Option<Value> {
        let fields = self.contents.fields(self.heap, object).ok()?;
        fields.iter().find(|field| field.name == name).map(|field| field.value)
    }

    /// Object in a field of an object.
    pub(crate) fn object_field(&self, object: ObjectId, name: &str) -> Option<ObjectId> {
        self.field(object, name)?.object()
    }

    /// Text of a string, without spaces around it; `None` if it is empty.
    pub(crate) fn short_text(&self, object: ObjectId) -> Option<String> {
        let text = self.contents.text(self.heap, object, CHARACTERS)?;
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The system properties among `keys`; no others are read, because they may be secrets.
    pub(crate) fn system_properties(&self, keys: &[&'static str]) -> BTreeMap<&'static str, String> {
        let mut properties = BTreeMap::new();
        for (class, field) in PROPERTIES {
            let map = self.static_field(class, field).and_then(Value::object);
            let map = map.and_then(|map| self.contents.logical(self.heap, map, 0..ENTRIES));
            for entry in map.map(|map| map.entries).unwrap_or_default() {
                let text = |value: Value| value.object().and_then(|object| self.short_text(object));
                let Some(key) = entry.key.and_then(text) else { continue };
                if let (Some(&key), Some(value)) = (keys.iter().find(|known| **known == key), text(entry.value)) {
                    properties.entry(key).or_insert(value);
                }
            }
        }
        properties
    }
}
