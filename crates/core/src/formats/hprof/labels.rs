//! Labels of objects: their text, number, path, or number of entries. Rules are in one table, by class; a label costs
//! only a few reads, since lists need one per row. At most [`DEPTH`] references are followed.

use super::collections;
use super::formatting;
use super::java::{name_text, shortened, string_text};
use super::peek::{Fields, Peek};
use super::tags::BasicType;
use crate::heap::contents::{Role, Value};
use crate::heap::ids::{Address, ObjectId};
use heaplens_base::units::Count;

/// Maximum length of a label in characters.
const LABEL: usize = 80;
/// Maximum depth of labels within labels: an entry shows its key, and that its own label.
const DEPTH: u32 = 2;
/// Maximum number of record components shown.
const COMPONENTS: usize = 4;

/// Rule for labels of objects of a class.
#[derive(Debug)]
pub(super) struct LabelRule {
    /// Class to which the rule applies, including its subclasses.
    pub(super) class: &'static str,
    source: LabelSource,
}

#[derive(Debug, Clone, Copy)]
enum LabelSource {
    /// Text of the first of these fields that has one.
    Text(&'static [&'static str]),
    /// Value of the first of these fields: a number, or the label of an object.
    Field(&'static [&'static str]),
    /// Value of the field, if it is set.
    Optional,
    /// Integer used as a boolean.
    Flag(&'static str),
    /// Key and value, each from the first existing field.
    Entry(&'static [&'static str], &'static [&'static str]),
    /// Class and name of one of its members.
    Member(&'static str),
    /// Several fields, formatted by a function.
    Formatted(fn(Fields<'_>) -> Option<String>),
    /// Fields by name.
    Components,
}

const fn rule(class: &'static str, source: LabelSource) -> LabelRule {
    LabelRule { class, source }
}

const VALUE: LabelSource = LabelSource::Field(&["value"]);
const NAME: LabelSource = LabelSource::Text(&["name"]);
const NODE: LabelSource = LabelSource::Entry(&["key"], &["value", "val"]);

/// Rules for labels, by class.
pub(super) const LABELS: &[LabelRule] = &[
    rule("java.lang.Boolean", VALUE),
    rule("java.lang.Byte", VALUE),
    rule("java.lang.Character", VALUE),
    rule("java.lang.Double", VALUE),
    rule("java.lang.Float", VALUE),
    rule("java.lang.Integer", VALUE),
    rule("java.lang.Long", VALUE),
    rule("java.lang.Short", VALUE),
    rule("java.util.concurrent.atomic.AtomicInteger", VALUE),
    rule("java.util.concurrent.atomic.AtomicLong", VALUE),
    rule("java.util.concurrent.atomic.AtomicReference", VALUE),
    rule("java.util.concurrent.atomic.AtomicBoolean", LabelSource::Flag("value")),
    rule("java.util.Optional", LabelSource::Optional),
    rule("java.util.OptionalInt", LabelSource::Optional),
    rule("java.util.OptionalLong", LabelSource::Optional),
    rule("java.util.OptionalDouble", LabelSource::Optional),
    rule("java.util.BitSet", LabelSource::Formatted(formatting::bit_set)),
    rule("java.lang.ref.SoftReference", LabelSource::Field(&["referent"])),
    rule("java.lang.ref.WeakReference", LabelSource::Field(&["referent"])),
    rule("java.lang.ref.PhantomReference", LabelSource::Field(&["referent"])),
    rule("java.lang.Enum", NAME),
    rule("java.lang.Record", LabelSource::Components),
    rule("java.lang.Thread", NAME),
    rule("java.lang.ThreadGroup", NAME),
    rule("java.lang.ClassLoader", NAME),
    rule("java.lang.Module", NAME),
    rule("java.lang.Package", LabelSource::Text(&["pkgName", "name"])),
    rule("java.lang.module.ModuleDescriptor", NAME),
    rule("java.lang.Throwable", LabelSource::Text(&["detailMessage"])),
    rule("java.lang.StackTraceElement", LabelSource::Formatted(formatting::frame)),
    rule("java.lang.AbstractStringBuilder", LabelSource::Formatted(builder)),
    rule("java.lang.reflect.Method", LabelSource::Member("clazz")),
    rule("java.lang.reflect.Field", LabelSource::Member("clazz")),
    rule("java.lang.reflect.Constructor", LabelSource::Field(&["clazz"])),
    rule("java.lang.invoke.MemberName", LabelSource::Member("clazz")),
    rule("java.util.regex.Pattern", LabelSource::Text(&["pattern"])),
    rule("java.util.logging.Logger", NAME),
    rule("java.nio.charset.Charset", NAME),
    rule("java.io.File", LabelSource::Text(&["path"])),
    rule("java.util.zip.ZipFile", NAME),
    rule("sun.nio.fs.UnixPath", LabelSource::Text(&["path"])),
    rule("sun.nio.fs.WindowsPath", LabelSource::Text(&["path"])),
    rule("java.net.URI", LabelSource::Formatted(formatting::uri)),
    rule("java.net.URL", LabelSource::Formatted(formatting::url)),
    rule("java.util.Locale", LabelSource::Formatted(formatting::locale)),
    rule("sun.util.locale.BaseLocale", LabelSource::Formatted(formatting::base_locale)),
    rule("java.util.UUID", LabelSource::Formatted(formatting::uuid)),
    rule("java.math.BigInteger", LabelSource::Formatted(formatting::big_integer)),
    rule("java.math.BigDecimal", LabelSource::Formatted(formatting::big_decimal)),
    rule("java.time.LocalDate", LabelSource::Formatted(formatting::date)),
    rule("java.time.LocalTime", LabelSource::Formatted(formatting::time)),
    rule("java.time.LocalDateTime", LabelSource::Entry(&["date"], &["time"])),
    rule("java.time.Instant", LabelSource::Formatted(formatting::instant)),
    rule("java.time.Duration", LabelSource::Formatted(formatting::duration)),
    rule("java.time.ZoneId", LabelSource::Text(&["id"])),
    rule("java.time.ZoneOffset", LabelSource::Text(&["id"])),
    rule("java.time.ZoneRegion", LabelSource::Text(&["id"])),
    rule("java.util.Date", LabelSource::Formatted(formatting::old_date)),
    rule("java.util.AbstractMap$SimpleEntry", NODE),
    rule("java.util.AbstractMap$SimpleImmutableEntry", NODE),
    rule("java.util.KeyValueHolder", NODE),
    rule("java.util.HashMap$Node", NODE),
    rule("java.util.HashMap$Entry", NODE),
    rule("java.util.HashMap$HashMapEntry", NODE),
    rule("java.util.Hashtable$HashtableEntry", NODE),
    rule("java.util.Hashtable$Entry", NODE),
    rule("java.util.TreeMap$Entry", NODE),
    rule("java.util.concurrent.ConcurrentHashMap$Node", NODE),
    rule("java.util.concurrent.ConcurrentHashMap$HashEntry", NODE),
    rule("java.util.concurrent.ConcurrentSkipListMap$Node", NODE),
    rule("java.util.WeakHashMap$Entry", LabelSource::Entry(&["referent"], &["value"])),
    rule("java.lang.ThreadLocal$ThreadLocalMap$Entry", LabelSource::Entry(&["referent"], &["value"])),
];

/// The label of an object.
pub(super) fn label(peek: Peek<'_>, object: ObjectId) -> Option<String> {
    peek.label(object, DEPTH).map(|label| shortened(&label, LABEL))
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
        if contents.shapes.boxes_are_blanked && contents.rules.role(class) == Role::Boxed {
            return None;
        }
        if let Some(rule) = contents.rules.label(class) {
            return self.by_rule(object, rule, depth);
        }
        if contents.rules.collection(class).is_some() {
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
        let fields = self.fields(object, rule.class)?;
        match rule.source {
            LabelSource::Text(names) => names.iter().find_map(|name| self.text(fields.get(name)?.object()?)),
            LabelSource::Field(names) => Some(self.shown(fields.any(names)?, depth)),
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
            LabelSource::Formatted(write) => write(fields),
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

    /// Value within a label: a number, a text, otherwise the class name without package and its label.
    fn shown(self, value: Value, depth: u32) -> String {
        let Some(object) = value.object() else { return value.to_string() };
        let class = self.class_name(object);
        let short = class.rsplit('.').next().unwrap_or(class);
        // For classes whose objects are labelled by their contents, the class name adds nothing.
        match depth.checked_sub(1).and_then(|depth| self.label(object, depth)) {
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
        self.contents.string(self.heap, object, LABEL + 1)
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

/// The text so far.
fn builder(fields: Fields<'_>) -> Option<String> {
    let peek = fields.peek;
    let array = peek.array(fields.object(&["value"])?).filter(|array| peek.contents.is_recorded(array))?;
    let count = usize::try_from(fields.count(&["count"])?).ok()?;
    let latin1 = fields.get("coder") != Some(Value::Byte(1));
    let used = if array.kind == BasicType::Byte && latin1 { count } else { count.saturating_mul(2) };
    let used = array.elements.get(..used).unwrap_or(array.elements);
    Some(string_text(array.kind, latin1, used, LABEL + 1))
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
