//! Heap as plain data: input of the writers, and expected output of the readers. Objects, classes included, are
//! identified by their id in the file; 0 is null.

use std::collections::BTreeMap;

/// The id of an object in the file: its address.
pub type Id = u64;

/// The type of a field or an array element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the types of Java, by their own names")]
pub enum Type {
    Object,
    Boolean,
    Char,
    Float,
    Double,
    Byte,
    Short,
    Int,
    Long,
}

impl Type {
    /// All types.
    pub const ALL: [Self; 9] = [
        Self::Object,
        Self::Boolean,
        Self::Char,
        Self::Float,
        Self::Double,
        Self::Byte,
        Self::Short,
        Self::Int,
        Self::Long,
    ];

    /// Name in the notation, and in Java except for `object`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Boolean => "boolean",
            Self::Char => "char",
            Self::Float => "float",
            Self::Double => "double",
            Self::Byte => "byte",
            Self::Short => "short",
            Self::Int => "int",
            Self::Long => "long",
        }
    }

    /// The type of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.name() == name)
    }

    /// Size of a value in bytes, given that of a reference.
    pub fn bytes(self, reference: u64) -> u64 {
        match self {
            Self::Object => reference,
            Self::Boolean | Self::Byte => 1,
            Self::Char | Self::Short => 2,
            Self::Float | Self::Int => 4,
            Self::Double | Self::Long => 8,
        }
    }
}

/// A value of a field or an array element.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the types of Java, by their own names")]
pub enum Value {
    Object(Id),
    Boolean(bool),
    Char(u16),
    Float(f32),
    Double(f64),
    Byte(i8),
    Short(i16),
    Int(i32),
    Long(i64),
}

impl Value {
    /// Its type.
    pub fn kind(self) -> Type {
        match self {
            Self::Object(_) => Type::Object,
            Self::Boolean(_) => Type::Boolean,
            Self::Char(_) => Type::Char,
            Self::Float(_) => Type::Float,
            Self::Double(_) => Type::Double,
            Self::Byte(_) => Type::Byte,
            Self::Short(_) => Type::Short,
            Self::Int(_) => Type::Int,
            Self::Long(_) => Type::Long,
        }
    }
}

/// Class, which is also an object.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Class {
    /// Id of the class object.
    pub id: Id,
    /// Name in source notation: `java.lang.String`, `int[]`.
    pub name: String,
    /// Superclass; 0 for none.
    pub superclass: Id,
    /// Class loader; 0 for the bootstrap loader.
    pub loader: Id,
    /// Fields it declares itself, in order.
    pub fields: Vec<(String, Type)>,
    /// Statics with their values.
    pub statics: Vec<(String, Value)>,
}

/// Object other than a class.
#[derive(Debug, Clone, PartialEq)]
pub struct Object {
    /// Its id.
    pub id: Id,
    /// Contents.
    pub body: Body,
}

/// Contents of an object.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Fields of the class itself, then of its superclasses.
    Instance {
        /// Its class.
        class: Id,
        /// One value per field.
        fields: Vec<Value>,
    },
    /// References.
    Objects {
        /// The class of the array.
        class: Id,
        /// Elements.
        elements: Vec<Id>,
    },
    /// Values of one type.
    Primitives {
        /// Their type.
        kind: Type,
        /// The values.
        elements: Vec<Value>,
    },
}

/// Reason why an object is a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "threads and frames by their numbers in the dump")]
pub enum RootRecord {
    Unknown,
    JniGlobal,
    JniLocal { thread: u32, frame: u32 },
    JavaFrame { thread: u32, frame: u32 },
    NativeStack { thread: u32 },
    StickyClass,
    ThreadBlock { thread: u32 },
    MonitorUsed,
    Thread { thread: u32, trace: u32 },
}

/// A frame of a stack trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Method, as `run`.
    pub method: String,
    /// Signature, as `()V`.
    pub signature: String,
    /// Source file.
    pub source: String,
    /// The class of the method.
    pub class: Id,
    /// Line, or a number below 1: none, unknown, compiled, native.
    pub line: i32,
}

/// Stack trace of one thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// Number of the trace.
    pub number: u32,
    /// Number of the thread.
    pub thread: u32,
    /// Its frames, innermost first.
    pub frames: Vec<Frame>,
}

/// Complete heap.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sketch {
    /// The classes.
    pub classes: Vec<Class>,
    /// All other objects.
    pub objects: Vec<Object>,
    /// The roots; repetitions occur.
    pub roots: Vec<(Id, RootRecord)>,
    /// Stack traces.
    pub traces: Vec<Trace>,
    /// Labels of objects in the notation.
    pub labels: BTreeMap<String, Id>,
}

impl Sketch {
    /// Id of a label or, failing that, of the class with that name.
    ///
    /// # Panics
    /// If there is neither.
    pub fn id(&self, name: &str) -> Id {
        let class = || self.class_named(name).map(|class| class.id);
        self.labels.get(name).copied().or_else(class).unwrap_or_else(|| panic!("nothing is called {name:?}"))
    }

    /// The class of a name.
    pub fn class_named(&self, name: &str) -> Option<&Class> {
        self.classes.iter().find(|class| class.name == name)
    }

    /// The class of an id.
    pub fn class(&self, id: Id) -> Option<&Class> {
        self.classes.iter().find(|class| class.id == id)
    }

    /// Class and its superclasses, nearest first.
    pub fn line_of(&self, class: Id) -> Vec<&Class> {
        std::iter::successors(self.class(class), |class| self.class(class.superclass)).collect()
    }

    /// The class of an object.
    pub fn class_of(&self, object: &Object) -> Option<&Class> {
        match &object.body {
            Body::Instance { class, .. } | Body::Objects { class, .. } => self.class(*class),
            Body::Primitives { kind, .. } => self.class_named(&format!("{}[]", kind.name())),
        }
    }
}

/// Allocator of consecutive addresses.
#[derive(Debug, Clone)]
pub struct AddressAllocator {
    next: Id,
    alignment: u64,
}

impl AddressAllocator {
    /// Allocates addresses from `start` on, multiples of `alignment`.
    pub fn new(start: Id, alignment: u64) -> Self {
        Self { next: start.next_multiple_of(alignment), alignment }
    }

    /// The address of an object of `bytes` bytes.
    pub fn take(&mut self, bytes: u64) -> Id {
        let id = self.next;
        self.next = (id + bytes.max(1)).next_multiple_of(self.alignment);
        id
    }
}
