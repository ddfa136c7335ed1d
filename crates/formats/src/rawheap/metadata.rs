//! Type metadata of a raw heap: the JSON after its body. It is needed to read the memory of an object as fields.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::snapshot::kind;

/// Maximum number of types: a type is a byte.
const TYPES: usize = 256;
/// Maximum depth of parents. The runtime has seven.
const PARENTS: usize = 64;
/// Maximum number of fields of one type, including those of its parents. The runtime has 16.
const FIELDS: usize = 4096;

/// Field, with its offset from the start of an object.
#[derive(Debug, Clone)]
pub(super) struct Field {
    /// Shared by all types that inherit it from one parent.
    pub(super) name: Arc<str>,
    pub(super) offset: u32,
    pub(super) size: u32,
}

/// Type with its inherited fields.
#[derive(Debug, Default)]
pub(super) struct Type {
    name: String,
    node_name: String,
    /// Node kind of its objects in a snapshot.
    pub(super) kind: u8,
    /// Sorted by offset, without duplicates.
    pub(super) fields: Vec<Field>,
    /// Offset of the end of the fields, where properties begin.
    pub(super) end: u32,
    /// True if it is an array of values.
    pub(super) is_array: bool,
}

impl Type {
    /// Default name of objects of the type.
    pub(super) fn label(&self) -> String {
        if self.node_name.is_empty() { self.name.to_lowercase() } else { self.node_name.clone() }
    }

    pub(super) fn offset_of(&self, name: &str) -> Option<u32> {
        self.fields.iter().find(|field| &*field.name == name).map(|field| field.offset)
    }
}

/// Layout of a dictionary, in units of values.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub(super) struct Dictionary {
    pub(super) key_index: u32,
    pub(super) value_index: u32,
    pub(super) entry_size: u32,
    pub(super) header_size: u32,
}

/// Offsets of fields that locate others.
#[derive(Debug, Default)]
pub(super) struct KeyOffsets {
    /// In a hidden class: type of its objects.
    pub(super) class_type: Option<u32>,
    /// In a hidden class: number of properties, and number of in-object properties.
    pub(super) class_counts: Option<u32>,
    /// In a hidden class: array of keys and attributes.
    pub(super) class_layout: Option<u32>,
    /// In an object: out-of-object properties.
    pub(super) properties: Option<u32>,
    /// In a native pointer: number of bytes it owns, and their address.
    pub(super) binding_size: Option<u32>,
    pub(super) external_pointer: Option<u32>,
    /// In an array: length.
    pub(super) length: Option<u32>,
    pub(super) data: Option<u32>,
}

/// Types with special treatment.
#[derive(Debug, Default)]
pub(super) struct SpecialTypes {
    pub(super) global_env: Option<u8>,
    pub(super) native_pointer: Option<u8>,
    pub(super) wrapped_napi: Option<u8>,
    pub(super) dictionary: Option<u8>,
    strings: Option<(u8, u8)>,
    objects: Option<(u8, u8)>,
}

/// All types.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    types: Vec<Type>,
    pub(super) dictionary: Dictionary,
    pub(super) offsets: KeyOffsets,
    pub(super) special: SpecialTypes,
}

#[derive(Deserialize)]
struct RawMetadata {
    #[serde(rename = "type_enum")]
    numbered: Enum,
    #[serde(rename = "type_list")]
    listed: Vec<RawType>,
    #[serde(rename = "type_layout", default)]
    layout: Layout,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct RawType {
    name: String,
    node_name: String,
    visit_type: String,
    offsets: Vec<RawField>,
    end_offset: u32,
    parents: Vec<String>,
}

fn shared<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<str>, D::Error> {
    String::deserialize(from).map(Arc::from)
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct RawField {
    #[serde(deserialize_with = "shared")]
    name: Arc<str>,
    #[serde(rename = "offset")]
    at: u32,
    size: u32,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Layout {
    #[serde(rename = "Dictionary_layout")]
    dictionary: Dictionary,
    #[serde(rename = "Type_range")]
    range: TypeRanges,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct TypeRanges {
    string_first: String,
    string_last: String,
    js_object_first: String,
    js_object_last: String,
}

/// Numbers of the types, in file order.
struct Enum(Vec<(String, u8)>);

impl<'de> Deserialize<'de> for Enum {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EnumVisitor;
        impl<'de> Visitor<'de> for EnumVisitor {
            type Value = Enum;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map of type names to numbers")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Enum, A::Error> {
                let mut types = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    if let (Some(number), true) = (value.as_f64(), types.len() < TYPES) {
                        types.push((name, number as u8));
                    }
                }
                Ok(Enum(types))
            }
        }
        deserializer.deserialize_map(EnumVisitor)
    }
}

impl Metadata {
    /// Parses the JSON; the error is a description.
    pub(super) fn read(text: &[u8]) -> Result<Self, String> {
        let raw: RawMetadata = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        let listed: FxHashMap<&str, &RawType> = raw.listed.iter().map(|of| (of.name.as_str(), of)).collect();
        let numbers: FxHashMap<&str, u8> =
            raw.numbered.0.iter().zip(0..).map(|((name, _), number)| (name.as_str(), number)).collect();
        let number = |name: &str| numbers.get(name).copied();
        let range = |first: &str, last: &str| Some((number(first)?, number(last)?));
        let ranges = &raw.layout.range;
        let at = |of: &str, field: &str| resolve(of, 0, &listed).offset_of(field);
        Ok(Self {
            types: raw.numbered.0.iter().map(|(name, kind)| resolve(name, *kind, &listed)).collect(),
            dictionary: raw.layout.dictionary,
            offsets: KeyOffsets {
                class_type: at("HCLASS", "BitField"),
                class_counts: at("HCLASS", "BitField1"),
                class_layout: at("HCLASS", "Layout"),
                properties: at("JS_OBJECT", "Properties"),
                binding_size: at("JS_NATIVE_POINTER", "BindingSize"),
                external_pointer: at("JS_NATIVE_POINTER", "ExternalPointer"),
                length: at("TAGGED_ARRAY", "Length"),
                data: at("TAGGED_ARRAY", "Data"),
            },
            special: SpecialTypes {
                global_env: number("GLOBAL_ENV"),
                native_pointer: number("JS_NATIVE_POINTER"),
                wrapped_napi: number("JS_WRAPPED_NAPI_OBJECT"),
                dictionary: number("TAGGED_DICTIONARY"),
                strings: range(&ranges.string_first, &ranges.string_last),
                objects: range(&ranges.js_object_first, &ranges.js_object_last),
            },
        })
    }

    /// A type by its number.
    pub(super) fn of(&self, js: u8) -> Option<&Type> {
        self.types.get(usize::from(js))
    }

    /// Node kind of objects of a type in a snapshot.
    pub(super) fn kind(&self, js: u8) -> u8 {
        self.of(js).map_or(kind::NATIVE, |of| of.kind)
    }

    /// Default name of objects of a type.
    pub(super) fn label(&self, js: u8) -> String {
        self.of(js).map_or_else(|| "unknown_type".to_owned(), Type::label)
    }

    /// True if it is an array of values.
    pub(super) fn is_array(&self, js: u8) -> bool {
        self.of(js).is_some_and(|of| of.is_array)
    }

    /// True if it is a string, whose memory is not in the file.
    pub(super) fn is_string(&self, js: u8) -> bool {
        self.special.strings.is_some_and(|(first, last)| (first..=last).contains(&js))
    }

    /// True if it may have properties.
    pub(super) fn is_object(&self, js: u8) -> bool {
        self.special.objects.is_some_and(|(first, last)| (first..=last).contains(&js))
    }
}

/// Resolves a type, with the fields of its parents first: its own are relative to the end of the parent.
fn resolve(name: &str, kind: u8, listed: &FxHashMap<&str, &RawType>) -> Type {
    let mut chain = Vec::new();
    let mut next = listed.get(name);
    while let (Some(&of), true) = (next, chain.len() < PARENTS) {
        // A type that is its own ancestor adds nothing more.
        if chain.iter().any(|before: &&RawType| std::ptr::eq(*before, of)) {
            break;
        }
        chain.push(of);
        next = of.parents.first().and_then(|parent| listed.get(parent.as_str()));
    }
    let mut of = Type { name: name.to_owned(), kind, ..Type::default() };
    of.node_name = chain.first().map(|own| own.node_name.clone()).unwrap_or_default();
    of.is_array = chain.iter().any(|of| of.visit_type == "Array");
    for part in chain.iter().rev() {
        for field in part.offsets.iter().take(FIELDS - of.fields.len()) {
            let offset = of.end.saturating_add(field.at);
            of.fields.push(Field { name: field.name.clone(), offset, size: field.size });
        }
        of.end = of.end.saturating_add(part.end_offset);
    }
    of.fields.sort_by_key(|field| field.offset);
    of.fields.dedup_by_key(|field| field.offset);
    of
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_begin_where_the_parent_ends() {
        let text = br#"{"type_enum": {"B": 3, "A": 1, "NO": "x"}, "version": "1.0.0", "type_list": [
            {"name": "A", "end_offset": 8, "offsets": [{"name": "x", "offset": 0, "size": 8}], "parents": []},
            {"name": "B", "node_name": "Bee", "end_offset": 16, "offsets": [{"name": "y", "offset": 8, "size": 4}],
             "parents": ["A"], "visit_type": "Array"}]}"#;
        let metadata = Metadata::read(text).unwrap();
        let b = metadata.of(0).unwrap();
        assert_eq!((b.offset_of("x"), b.offset_of("y"), b.end, b.kind, b.is_array), (Some(0), Some(16), 24, 3, true));
        assert_eq!(
            (metadata.label(0), metadata.label(1), metadata.label(7)),
            ("Bee".into(), "a".into(), "unknown_type".into())
        );
        assert!(!metadata.is_array(1) && metadata.of(2).is_none());
    }

    #[test]
    fn types_share_the_names_of_what_they_inherit() {
        let text = br#"{"type_enum": {"A": 0, "B": 1}, "type_list": [
            {"name": "A", "offsets": [{"name": "x", "offset": 0, "size": 8}]}, {"name": "B", "parents": ["A"]}]}"#;
        let metadata = Metadata::read(text).unwrap();
        let name = |js| metadata.of(js).unwrap().fields[0].name.clone();
        assert!(Arc::ptr_eq(&name(0), &name(1)));
    }

    #[test]
    fn cyclic_parents_end() {
        let text = br#"{"type_enum": {"A": 1}, "type_list": [{"name": "A", "parents": ["A"], "end_offset": 8}]}"#;
        assert_eq!(Metadata::read(text).unwrap().of(0).unwrap().end, 8);
    }
}
