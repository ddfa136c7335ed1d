//! Labels of objects: their text, number, path, or number of entries. Rules are in one table, by class; a label costs
//! only a few reads, since lists need one per row. At most [`DEPTH`] references are followed.

use super::java::{LABEL, name_text, shortened, string_text};
use super::label_rules::{LabelRule, LabelSource};
use super::peek::{Fields, Peek};
use super::{collections, formatting, tags::BasicType};
use heaplens_base::Count;
use heaplens_heap::{Address, ObjectId, Role, Value};

/// Maximum depth of labels within labels: an entry shows its key, and that its own label.
const DEPTH: u32 = 2;
/// Maximum number of record components shown.
const COMPONENTS: usize = 4;
/// Maximum number of keys shown of a JSON object.
const KEYS: u64 = 8;

pub(super) fn label(peek: Peek<'_>, object: ObjectId) -> Option<String> {
    let label = peek.label(object, DEPTH)?;
    // The name of a class is no text of which the beginning says enough.
    let is_class = peek.contents.stands_for(peek.heap, object).is_some();
    Some(if is_class { label } else { shortened(&label, LABEL) })
}

impl<'a> Peek<'a> {
    fn label(self, object: ObjectId, depth: u32) -> Option<String> {
        let (heap, contents) = (self.heap, self.contents);
        if let Some(class) = contents.stands_for(heap, object) {
            return Some(contents.shapes.name(class.name).to_owned());
        }
        if heap.address(object) == Address(0) {
            return Some("<system class loader>".to_owned());
        }
        let class = heap.class_id(object);
        if contents.recorded.boxes_are_blanked && contents.rules.role(class) == Role::Boxed {
            return None;
        }
        if let Some(rule) = contents.rules.label(class) {
            return self.by_rule(object, rule, depth);
        }
        if contents.rules.is_collection(class) {
            return Some(format!("({})", Count(collections::size(self, object)?)));
        }
        let name = self.class_name(object);
        if let Some(maker) = maker(name) {
            return Some(maker);
        }
        if let Some(text) = self.string(object) {
            return Some(text);
        }
        if let Some(class) = self.table_of(object) {
            return Some(format!("virtual methods of {class}"));
        }
        self.array(object).map(|array| format!("[{}]", Count(array.length.into())))
    }

    /// Class for whose vtable ART wrote this array, since the vtable is inside the class object.
    fn table_of(self, array: ObjectId) -> Option<&'a str> {
        let Address(at) = self.heap.address(array);
        let class = self.heap.at(Address(at.checked_sub(1)?)).filter(|_| at & 1 == 1)?;
        self.contents.stands_for(self.heap, class).map(|class| self.contents.shapes.name(class.name))
    }

    fn by_rule(self, object: ObjectId, rule: &'static LabelRule, depth: u32) -> Option<String> {
        let fields = self.fields(object, rule.base)?;
        match rule.source {
            LabelSource::Text(names) => names.iter().find_map(|name| self.text(fields.get(name)?.object()?)),
            LabelSource::Field(names) => {
                let value = fields.any(names)?;
                // The value of a boxed number is no object; in a crafted dump it may be the number itself.
                let is_boxed = self.contents.rules.role(self.heap.class_id(object)) == Role::Boxed;
                (!is_boxed || value.object().is_none()).then(|| self.shown(value, depth))
            }
            LabelSource::Optional => {
                let value = fields.get("value")?;
                // Primitive variants have a flag, since a number is never null.
                let empty = value == Value::Null || fields.get("isPresent") == Some(Value::Bool(false));
                Some(if empty { "empty".to_owned() } else { self.shown(value, depth) })
            }
            LabelSource::Flag(name) => Some((fields.integer(name)? != 0).to_string()),
            LabelSource::Entry(key, value) => {
                Some(format!("{} → {}", self.shown(fields.any(key)?, depth), self.shown(fields.any(value)?, depth)))
            }
            LabelSource::Member(owner) => {
                let owner = self.shown(fields.get(owner)?, depth);
                Some(format!("{owner}.{}", self.text(fields.object(&["name"])?)?))
            }
            LabelSource::Formatted(formatter) => formatting::format(formatter, fields, depth),
            LabelSource::Keys => self.keys(object),
            LabelSource::Components => {
                // A record's own fields; records do not inherit any.
                let mut all: Vec<_> = self.fields(object, "")?.all().collect();
                if self.contents.rules.last_field_first {
                    all.reverse();
                }
                let mut text = String::new();
                for (at, (name, value)) in all.into_iter().take(COMPONENTS + 1).enumerate() {
                    if at > 0 {
                        text.push_str(", ");
                    }
                    if at == COMPONENTS {
                        text.push('…');
                        break;
                    }
                    text.push_str(name);
                    text.push('=');
                    text.push_str(&self.shown(value, depth));
                }
                Some(text)
            }
        }
    }

    /// Number of members of a JSON object, and its first keys: `(3) {id, name, tags}`.
    fn keys(self, object: ObjectId) -> Option<String> {
        let size = collections::size(self, object)?;
        let Some(keys) = collections::first_keys(self, object, KEYS) else {
            return Some(format!("({})", Count(size)));
        };
        let keys = keys.into_iter();
        let mut keys: Vec<String> = keys.map_while(|key| self.string(key.object()?)).collect();
        if (keys.len() as u64) < size {
            keys.push("…".to_owned());
        }
        Some(format!("({}) {{{}}}", Count(size), keys.join(", ")))
    }

    /// Value within a label: a number, a text, otherwise the class name without package and its label.
    pub(super) fn shown(self, value: Value, depth: u32) -> String {
        let Some(object) = value.object() else { return value.to_string() };
        let class = self.class_name(object);
        let short = class.rsplit('.').next().unwrap_or(class);
        // For classes whose objects are labelled by their contents, the class name adds nothing.
        let is_leaf = matches!(self.contents.rules.role(self.heap.class_id(object)), Role::Text | Role::Boxed);
        let depth = if is_leaf { Some(0) } else { depth.checked_sub(1) };
        match depth.and_then(|depth| self.label(object, depth)) {
            // A text may begin with any character.
            Some(label) if is_leaf => shortened(&label, LABEL),
            Some(label) if label.starts_with('(') => format!("{short}{label}"),
            Some(label) if label.starts_with('[') => format!("{}{label}", short.strip_suffix("[]").unwrap_or(short)),
            Some(label) => shortened(&label, LABEL),
            None => short.to_owned(),
        }
    }

    fn string(self, object: ObjectId) -> Option<String> {
        if self.class_name(object) != "java.lang.String" {
            return None;
        }
        self.string_text(object, LABEL + 1)
    }

    /// Text of a field in any of its representations: a string, chars, or UTF-8 bytes.
    pub(super) fn text(self, object: ObjectId) -> Option<String> {
        if let Some(text) = self.string(object) {
            return Some(text);
        }
        let array = self.array(object).filter(|array| self.contents.is_recorded(array))?;
        match array.kind {
            // Thread names up to JDK 8.
            BasicType::Char => Some(string_text(array.kind, false, array.elements, LABEL + 1)),
            // A character takes at most four bytes.
            BasicType::Byte => Some(name_text(array.elements.get(..4 * LABEL).unwrap_or(array.elements))),
            _ => None,
        }
    }
}

impl Fields<'_> {
    /// Text of the object in the first existing one of these fields.
    pub(super) fn text(self, names: &[&str]) -> Option<String> {
        self.peek.text(self.object(names)?)
    }
}

/// Class that defines a lambda or another hidden class, whose own name is a number.
fn maker(class: &str) -> Option<String> {
    if let Some((maker, _)) = class.split_once("$$Lambda") {
        return Some(format!("lambda in {maker}"));
    }
    let (maker, number) = class.rsplit_once(['/', '+'])?;
    (number.starts_with("0x") || number.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| format!("hidden class of {maker}"))
}

#[cfg(test)]
mod tests {
    use super::maker;

    #[test]
    fn hidden_classes_are_named_by_their_host() {
        for (class, label) in [
            ("desk.OrderDesk$$Lambda/0x00007f0a8c001000", Some("lambda in desk.OrderDesk")),
            ("desk.OrderDesk$$Lambda$14/135721597", Some("lambda in desk.OrderDesk")),
            ("desk.OrderDesk$$Lambda+0x00007f0a8c001000", Some("lambda in desk.OrderDesk")),
            ("java.lang.invoke.LambdaForm$MH/0x01", Some("hidden class of java.lang.invoke.LambdaForm$MH")),
            ("desk.OrderDesk$Counter", None),
            ("byte[]", None),
        ] {
            assert_eq!(maker(class).as_deref(), label);
        }
    }
}
