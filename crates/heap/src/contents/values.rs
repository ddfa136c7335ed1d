//! Values in the fields of an object and in the elements of an array.

use std::{fmt, hash::Hash, ops::Range};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Address, Heap, ObjectId, split_class};
use heaplens_base::invisible::is_invisible;

/// Reason why the contents of an object could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentsError(pub String);

impl fmt::Display for ContentsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ContentsError {}

/// A value in a field or an array.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// Null reference.
    Null,
    /// A reference to an object of the heap.
    Object(ObjectId),
    /// Dangling reference: an address without an object in the dump.
    Dangling(Address),
    /// Value that is only in the dump file, which is unavailable.
    Unavailable,
    /// `boolean`
    Bool(bool),
    /// `char`: one UTF-16 unit.
    Char(u16),
    /// `byte`
    Byte(i8),
    /// `short`
    Short(i16),
    /// `int`
    Int(i32),
    /// `long`
    Long(i64),
    /// `float`
    Float(f32),
    /// `double`
    Double(f64),
}

impl Value {
    /// True if both are the same value. Unlike for `==`, NaN is the same as NaN of equal bits, and 0 is not the same as -0.
    pub fn is_same(self, other: Self) -> bool {
        match (self, other) {
            (Self::Float(one), Self::Float(other)) => one.to_bits() == other.to_bits(),
            (Self::Double(one), Self::Double(other)) => one.to_bits() == other.to_bits(),
            (one, other) => one == other,
        }
    }

    /// Target, if it is a reference to an object.
    pub fn object(self) -> Option<ObjectId> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }
}

/// Digits, `true`, `'x'`, `null`; references are shown as "object".
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Object(_) => f.write_str("object"),
            Self::Dangling(address) => write!(f, "{address} (not in the dump)"),
            Self::Unavailable => f.write_str("not available"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Char(c) => match char::from_u32(u32::from(*c)) {
                Some(c) if !is_invisible(c) => write!(f, "'{c}'"),
                _ => write!(f, "'\\u{c:04x}'"),
            },
            Self::Byte(n) => write!(f, "{n}"),
            Self::Short(n) => write!(f, "{n}"),
            Self::Int(n) => write!(f, "{n}"),
            Self::Long(n) => write!(f, "{n}"),
            Self::Float(n) => write!(f, "{n}"),
            Self::Double(n) => write!(f, "{n}"),
        }
    }
}

/// One field of an object, or one static of a class object.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Declared type as far as the file records it: `int`, `object`, …
    pub type_name: &'static str,
    /// Name of the class that declares it.
    pub declared_by: String,
    /// True for a static field of the class, false for a field of the instance.
    pub is_static: bool,
    /// Value of the field.
    pub value: Value,
}

/// Name of a field that a class declares, given the classes that declare fields of that name in an object.
pub fn unambiguous<'a>(name: &str, class: &'a str, classes: impl Iterator<Item = &'a str>) -> String {
    FieldNames::of(classes.map(|class| ((), class))).shown((), name, class)
}

/// Names of fields among all fields of their object: with the class that declares it if another field has the same name,
/// `Base.name` or, if both classes are called that, `shop.Base.name`.
pub fn shown_names(fields: &[Field]) -> Vec<String> {
    let known = FieldNames::of(fields.iter().map(|field| ((&*field.name, field.is_static), &*field.declared_by)));
    let shown = |field: &Field| known.shown((&*field.name, field.is_static), &field.name, &field.declared_by);
    fields.iter().map(shown).collect()
}

/// Which fields of an object share a name `N`.
pub struct FieldNames<'a, N> {
    /// Number of classes that declare a field of a name.
    classes: FxHashMap<N, u32>,
    /// The same, of the classes with a name without package.
    simple: FxHashMap<(N, &'a str), u32>,
}

impl<'a, N: Copy + Eq + Hash> FieldNames<'a, N> {
    /// The names of fields, each with the class that declares it.
    pub fn of(fields: impl Iterator<Item = (N, &'a str)>) -> Self {
        let mut names = Self { classes: FxHashMap::default(), simple: FxHashMap::default() };
        let mut known = FxHashSet::default();
        for (name, class) in fields.filter(|(_, class)| !class.is_empty()) {
            if known.insert((name, class)) {
                *names.classes.entry(name).or_default() += 1;
                *names.simple.entry((name, split_class(class).1)).or_default() += 1;
            }
        }
        names
    }

    /// Name of one of the fields, which has this text and is declared by `class`.
    pub fn shown(&self, name: N, text: &str, class: &'a str) -> String {
        let simple = split_class(class).1;
        let is_one = |count: Option<&u32>| count.is_none_or(|&count| count <= 1);
        match (class.is_empty() || is_one(self.classes.get(&name)), is_one(self.simple.get(&(name, simple)))) {
            (true, _) => text.to_owned(),
            (false, true) => format!("{simple}.{text}"),
            (false, false) => format!("{class}.{text}"),
        }
    }
}

/// Fields and elements of any object: what an inspector shows, and searches by field read.
pub trait ObjectValues: Send + Sync {
    /// Fields of an instance, own class first; statics of a class object.
    ///
    /// # Errors
    /// If the record of the object cannot be read.
    fn fields(&self, heap: &Heap, object: ObjectId) -> Result<Vec<Field>, ContentsError>;

    /// Length of an array; `None` for other objects, and without the dump.
    fn array_length(&self, heap: &Heap, object: ObjectId) -> Option<u64>;

    /// Elements `range` of an array (clipped to its length); empty for other objects.
    ///
    /// # Errors
    /// If the record of the object cannot be read, or the file is unavailable.
    fn elements(&self, heap: &Heap, object: ObjectId, range: Range<u64>) -> Result<Vec<Value>, ContentsError>;

    /// All elements of an object array, in formats that have to read the whole record to find any, and true if they are
    /// contiguous from index 0: nulls may be omitted. `None` for formats that read ranges ([`Self::elements`]), for
    /// other objects, and without the dump.
    fn whole_array(&self, _heap: &Heap, _object: ObjectId) -> Option<(Vec<Value>, bool)> {
        None
    }

    /// Indexes of the array elements `range`, if they are not contiguous from 0: for JavaScript arrays, a snapshot has
    /// only the elements that are objects.
    fn element_places(&self, _heap: &Heap, _object: ObjectId, _range: Range<u64>) -> Option<Vec<u64>> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_the_same_by_its_bits() {
        assert!(Value::Double(f64::NAN).is_same(Value::Double(f64::NAN)));
        assert!(Value::Float(f32::NAN).is_same(Value::Float(f32::NAN)));
        assert!(!Value::Double(0.0).is_same(Value::Double(-0.0)));
        assert!(Value::Int(3).is_same(Value::Int(3)) && !Value::Int(3).is_same(Value::Long(3)));
    }
}
