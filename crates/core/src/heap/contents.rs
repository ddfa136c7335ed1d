//! Contents of single objects, read from the file on demand. Declared here and implemented by every format, so the code
//! above never depends on a format.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::classes::{ScriptPosition, Strength};
use super::facts::Heap;
use super::ids::{Address, ClassId, ObjectId};
pub use super::logical::{Capacity, LogicalCollection, LogicalEntry, LogicalKind};
use super::original::{MappingFit, OriginalNames};
use super::threads::{Stack, StackLocal, StackOwner, ThreadInfo};
use heaplens_base::task::{Cancelled, Task};
use heaplens_base::units::Bytes;

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
                Some(c) if !c.is_control() => write!(f, "'{c}'"),
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

/// Kind of slot that contains a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceKind {
    /// Reference of every object to its class.
    Class,
    /// Reference of a class to its superclass.
    Superclass,
    /// A class to its loader.
    Loader,
    /// A static of a class.
    Static,
    /// A field of an instance.
    Field,
    /// An element of an array.
    Element,
    /// A local variable on a thread's stack.
    Local,
    /// A property of a JavaScript object.
    Property,
    /// Variable captured by a closure.
    Context,
    /// Internal to a JavaScript engine, and named by it.
    Internal,
    /// Internal and without a name.
    Hidden,
    /// Shortcut edge to a node that is also reachable by other edges.
    Shortcut,
    /// Weak edge of a JavaScript engine, which does not retain its target.
    Weak,
}

impl ReferenceKind {
    /// Name in the user interface and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Superclass => "superclass",
            Self::Loader => "loader",
            Self::Static => "static",
            Self::Field => "field",
            Self::Element => "element",
            Self::Local => "local",
            Self::Property => "property",
            Self::Context => "context var",
            Self::Internal => "internal",
            Self::Hidden => "hidden",
            Self::Shortcut => "shortcut",
            Self::Weak => "weak",
        }
    }
}

/// Name by which one object refers to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceName {
    /// `cache`, `[17]`, `<class>`.
    pub text: String,
    /// Kind of slot that contains the reference.
    pub kind: ReferenceKind,
    /// Strength of the reference.
    pub strength: Strength,
}

impl ReferenceName {
    /// Array element; its index may be unknown.
    pub fn element(place: Option<u64>) -> Self {
        let text = place.map_or_else(|| "[?]".to_owned(), |place| format!("[{place}]"));
        Self::strong(ReferenceKind::Element, text)
    }

    /// Name without the brackets of internal references and elements: `map` for `<map>`, `3` for `[3]`.
    pub fn bare(&self) -> &str {
        let inside = |open: &str, close: char| self.text.strip_prefix(open).and_then(|text| text.strip_suffix(close));
        let bare = match self.kind {
            ReferenceKind::Element => inside("[", ']'),
            ReferenceKind::Internal => inside("<", '>'),
            ReferenceKind::Hidden => inside("<hidden-", '>'),
            ReferenceKind::Weak => inside("<weak-", '>'),
            _ => None,
        };
        bare.unwrap_or(&self.text)
    }

    /// An ordinary reference.
    pub fn strong(kind: ReferenceKind, text: impl Into<String>) -> Self {
        Self { text: text.into(), kind, strength: Strength::Strong }
    }
}

/// Script position of a function, or of the constructor of an object.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScriptLocation {
    /// Name of the script, if the file records it.
    pub script: Option<String>,
    /// The place.
    pub place: ScriptPosition,
}

/// 1-based as in editors: `shop.js:10:5`, `script 42:10:5`.
impl fmt::Display for ScriptLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScriptPosition { script, line, column } = self.place;
        match &self.script {
            Some(name) => f.write_str(name)?,
            None => write!(f, "script {script}")?,
        }
        write!(f, ":{}:{}", u64::from(line) + 1, u64::from(column) + 1)
    }
}

/// Objects with their names in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedObjects {
    /// Objects, ascending, each with the index of its name.
    pub objects: Vec<(ObjectId, u32)>,
    /// The names, each once.
    pub names: Vec<String>,
}

impl NamedObjects {
    /// Each object with its name.
    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, &str)> {
        self.objects.iter().filter_map(|&(object, name)| Some((object, self.names.get(name as usize)?.as_str())))
    }
}

/// Properties shared by many plain JavaScript objects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommonShape {
    /// Name of such objects: `{id, name}`.
    pub name: String,
    /// The properties, each once.
    pub properties: Vec<String>,
}

/// Role of a class in the search for wasted memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Role {
    /// Nothing in particular.
    #[default]
    Other,
    /// A text: a string.
    Text,
    /// Boxed primitive.
    Boxed,
    /// Text under construction, in an array with spare capacity.
    Buffer,
    /// Collection of the Java library, or of a subclass.
    Collection,
}

/// Identity of a text or a primitive array by content. Different contents have the same fingerprint with a probability
/// of 2^-128.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint {
    /// Hash of type, length and all elements; for a text, of its characters, independent of their encoding.
    pub hash: [u64; 2],
    /// Elements or characters (UTF-16 units).
    pub length: u64,
    /// True if all elements are zero.
    pub zero: bool,
    /// Array with the characters of a text; otherwise the array itself.
    pub array: ObjectId,
}

/// Reads the contents of objects. Shared between threads; every call is cheap enough for a visible object, none for all
/// objects.
///
/// A stored analysis may be opened without its dump. Then everything that follows from the heap's references, names and
/// shapes is exact, and the rest is [`Value::Unavailable`] or absent: no result is a guess.
pub trait Contents: Send + Sync {
    /// Serializes the data needed to read objects again, besides the file: names and shapes, no values.
    fn save(&self) -> Vec<u8>;

    /// The same contents with the original names of fields, classes and frames, and the degree to which the mapping
    /// fits. `None` if the format has no names to map.
    fn renamed(&self, _names: &dyn OriginalNames) -> Option<(Arc<dyn Contents>, MappingFit)> {
        None
    }

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
    /// contiguous from index 0: nulls may be omitted. `None` for formats that read ranges ([`Contents::elements`]), for
    /// other objects, and without the dump.
    fn whole_array(&self, _heap: &Heap, _object: ObjectId) -> Option<(Vec<Value>, bool)> {
        None
    }

    /// Indexes of the array elements `range`, if they are not contiguous from 0: for JavaScript arrays, a snapshot has
    /// only the elements that are objects.
    fn element_places(&self, _heap: &Heap, _object: ObjectId, _range: Range<u64>) -> Option<Vec<u64>> {
        None
    }

    /// Text value of an object (a string), up to `limit` characters.
    fn text(&self, heap: &Heap, object: ObjectId, limit: usize) -> Option<String>;

    /// Short name by which users recognize the object: the text of a string, the name of a thread or class, the length
    /// of an array. `None` if there is nothing to add to class and id.
    fn label(&self, heap: &Heap, object: ObjectId) -> Option<String>;

    /// Names by which `from` refers to `to`, strong references first; at most `limit`, since an array may contain the
    /// same object ten million times. Without the dump, a field may be ambiguous (`next or value`), an element unknown
    /// (`[?]`).
    fn reference_names(&self, heap: &Heap, from: ObjectId, to: ObjectId, limit: usize) -> Vec<ReferenceName>;

    /// Common shapes of plain JavaScript objects; of two that fit equally well, the first is preferred.
    fn common_shapes(&self) -> Vec<CommonShape> {
        Vec::new()
    }

    /// Property names of a plain JavaScript object, in order; `None` for other objects, and without the dump.
    fn plain_properties(&self, _heap: &Heap, _object: ObjectId) -> Option<Vec<String>> {
        None
    }

    /// First references of an object with their names, in file order, including weak ones. `None` in formats where
    /// names are looked up individually ([`Contents::reference_names`]), and without the dump.
    fn named_references_of(
        &self,
        _heap: &Heap,
        _object: ObjectId,
        _limit: usize,
    ) -> Option<Vec<(ReferenceName, ObjectId)>> {
        None
    }

    /// Name of a script, if the file records it.
    fn script_name(&self, _script: u32) -> Option<String> {
        None
    }

    /// Script position of a function, or of the constructor of an object.
    fn script_location(&self, _heap: &Heap, _object: ObjectId) -> Option<ScriptLocation> {
        None
    }

    /// Objects whose name in the file begins with one of some texts, found in a walk over all objects. Empty without
    /// the dump.
    ///
    /// # Errors
    /// [`Cancelled`] if the task was cancelled.
    fn objects_beginning(&self, _texts: &[&str], _task: &Task) -> Result<NamedObjects, Cancelled> {
        Ok(NamedObjects::default())
    }

    /// By row, target of the first internal reference with a name ([`heaplens_graph::NONE`] if there is none), found in a
    /// walk over all references. Empty without the dump.
    ///
    /// # Errors
    /// [`Cancelled`] if the task was cancelled.
    fn internal_targets(&self, _name: &str, _task: &Task) -> Result<Vec<u32>, Cancelled> {
        Ok(Vec::new())
    }

    /// Times of a recording in microseconds, each with the highest object id assigned by then.
    fn allocation_samples(&self) -> Vec<(u64, u64)> {
        Vec::new()
    }

    /// True if there are any, without reading them.
    fn has_samples(&self) -> bool {
        false
    }

    /// Role of a class in the search for wasted memory.
    fn role(&self, _class: ClassId) -> Role {
        Role::Other
    }

    /// Entries `range` of a collection, clipped to the existing ones; an empty range reads none, and few objects.
    /// Terminates for cycles and wrong sizes. `None` if the object is not a known collection, or without the dump.
    fn logical(&self, _heap: &Heap, _collection: ObjectId, _range: Range<u64>) -> Option<LogicalCollection> {
        None
    }

    /// Fingerprint of a text or a primitive array.
    fn fingerprint(&self, _heap: &Heap, _object: ObjectId) -> Option<Fingerprint> {
        None
    }

    /// Fields of an instance or elements of an array as stored in the file, references as addresses: equal for an
    /// object that neither moved nor changed, nor refers to one that moved. `None` for class objects, and without the
    /// dump.
    fn body(&self, _heap: &Heap, _object: ObjectId) -> Option<&[u8]> {
        None
    }

    /// Part of the file from the record of one object up to that of a later one. `None` if it is not later, and without
    /// the dump.
    fn records(&self, _heap: &Heap, _from: ObjectId, _to: ObjectId) -> Option<&[u8]> {
        None
    }

    /// Number of reference fields of an instance of a class. `None` if unknown.
    fn reference_fields(&self, _class: ClassId) -> Option<usize> {
        None
    }

    /// Reference fields of an instance of a class, in the bit order of [`Contents::nulls`]: declaring class and name of
    /// each. Empty if unknown.
    fn named_references(&self, _class: ClassId) -> Vec<(ClassId, &str)> {
        Vec::new()
    }

    /// Value of a reference field of an instance, by its index in [`Contents::named_references`];
    /// [`Value::Unavailable`] if unknown without the dump.
    fn reference_field(&self, _heap: &Heap, _object: ObjectId, _place: usize) -> Value {
        Value::Unavailable
    }

    /// Reads the values of all reference fields of an instance, in the order of [`Contents::named_references`]. Clears
    /// `into` and fills it as far as the values are known.
    fn reference_values(&self, _heap: &Heap, _object: ObjectId, into: &mut Vec<Value>) {
        into.clear();
    }

    /// Size in bytes of an object's record in the file: of an instance its fields, of an array its elements, of a class
    /// object its record; without header and rounding. `None` without the dump.
    fn recorded_bytes(&self, _heap: &Heap, _object: ObjectId) -> Option<Bytes> {
        None
    }

    /// True if the reference in this field may be weak.
    fn is_referent(&self, _class: ClassId, _place: usize) -> bool {
        false
    }

    /// Bit mask of the reference fields of an instance that are null, lowest first, at most 64. `None` for other
    /// objects, and without the dump.
    fn nulls(&self, _heap: &Heap, _object: ObjectId) -> Option<u64> {
        None
    }

    /// Hash of the values of an object other than references: the characters of a text, primitive elements, the length
    /// of an object array, primitive fields. Comparable between dumps. `None` if unreadable, or if there are none.
    fn digest(&self, _heap: &Heap, _object: ObjectId) -> Option<u64> {
        None
    }

    /// The value in a [`Role::Boxed`] object.
    fn boxed(&self, _heap: &Heap, _object: ObjectId) -> Option<Value> {
        None
    }

    /// Used and total capacity of a [`Role::Buffer`].
    fn room(&self, _heap: &Heap, _object: ObjectId) -> Option<Capacity> {
        None
    }

    /// Stack of a thread object, innermost frame first, in the format of a Java stack trace; empty for other objects.
    fn stack(&self, _heap: &Heap, _thread: ObjectId) -> Vec<String> {
        Vec::new()
    }

    /// True if the dump records allocation sites of any object.
    fn has_sites(&self) -> bool {
        false
    }

    /// Number of the allocation site of an object. `None` if the dump does not record it, or is unavailable.
    fn allocation_site(&self, _heap: &Heap, _object: ObjectId) -> Option<u32> {
        None
    }

    /// Frames of an allocation site, innermost first, in the format of a Java stack trace.
    fn site(&self, _site: u32) -> Vec<String> {
        Vec::new()
    }

    /// Threads with a stack in the file.
    fn stack_owners(&self) -> Vec<StackOwner> {
        Vec::new()
    }

    /// Data that the file has about the `at`-th of [`Contents::stack_owners`] besides its object.
    fn thread_info(&self, _at: usize) -> Option<ThreadInfo> {
        None
    }

    /// Stack of the `at`-th of [`Contents::stack_owners`], with the objects held by each frame.
    fn whole_stack(&self, _at: usize) -> Stack {
        Stack::default()
    }

    /// All objects held by thread stacks, and their holders: in the heap, these are references of the thread.
    fn stack_locals(&self) -> Vec<StackLocal> {
        Vec::new()
    }
}
