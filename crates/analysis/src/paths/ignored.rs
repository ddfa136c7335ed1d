//! References that a path search ignores, to find alternative paths.

use std::fmt;

use crate::answers::DumpData;
use heaplens_heap::{ClassId, Heap, ObjectId, Strength};

/// Maximum number of names examined between two objects.
const NAMES: usize = 256;

/// An ignored reference, or all of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IgnoredReference {
    /// Every reference from one object to another.
    Between(ObjectId, ObjectId),
    /// One field, static or element of one object, by its name.
    Member(ObjectId, String),
    /// A field of all instances of the classes of this name and of those below them, or a static of theirs.
    ClassField(String, String),
}

impl IgnoredReference {
    /// Parses `0x123.next`, `0x123[17]`, `0x123:0x456`, `java.util.HashMap$Node.next` or
    /// `desk.SessionCache.ENTRIES`.
    ///
    /// # Errors
    /// A description of the error.
    pub fn parse(heap: &Heap, text: &str) -> Result<Self, String> {
        let object = |id: &str| heap.find(id).ok_or_else(|| format!("no object {id}: write ids as 0x…"));
        if let Some((from, to)) = text.split_once(':') {
            return Ok(Self::Between(object(from)?, object(to)?));
        }
        if text.starts_with("0x")
            && let Some((id, element)) = text.split_once('[')
        {
            return Ok(Self::Member(object(id)?, format!("[{element}")));
        }
        let unclear =
            || format!("'{text}' is not a reference: write 0x123.field, 0x123[7], 0x123:0x456 or Class.field");
        let (of, field) =
            text.rsplit_once('.').filter(|(of, field)| !of.is_empty() && !field.is_empty()).ok_or_else(unclear)?;
        if of.starts_with("0x") {
            return Ok(Self::Member(object(of)?, field.to_owned()));
        }
        heap.classes.named(of).ok_or_else(|| format!("no class {of}"))?;
        Ok(Self::ClassField(of.to_owned(), field.to_owned()))
    }

    /// Text form that [`IgnoredReference::parse`] reads.
    pub fn text(&self, heap: &Heap) -> String {
        match self {
            Self::Between(from, to) => format!("{}:{}", heap.id_text(*from), heap.id_text(*to)),
            Self::Member(object, name) if name.starts_with('[') => format!("{}{name}", heap.id_text(*object)),
            Self::Member(object, name) => format!("{}.{name}", heap.id_text(*object)),
            Self::ClassField(class, name) => format!("{class}.{name}"),
        }
    }
}

/// A field of classes.
struct IgnoredField {
    /// By class: true if its instances have it.
    classes: Vec<bool>,
    name: String,
}

/// Ignored references, indexed for the search.
#[derive(Default)]
pub struct IgnoredReferences {
    between: Vec<(ObjectId, ObjectId)>,
    of: Vec<(ObjectId, String)>,
    of_class: Vec<IgnoredField>,
}

impl fmt::Debug for IgnoredReferences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} references excluded", self.between.len() + self.of.len() + self.of_class.len())
    }
}

impl IgnoredReferences {
    /// Builds the index from a list.
    pub fn new(heap: &Heap, ignored: &[IgnoredReference]) -> Self {
        let mut ignoring = Self::default();
        for one in ignored {
            match one {
                IgnoredReference::Between(from, to) => ignoring.between.push((*from, *to)),
                IgnoredReference::Member(object, name) => ignoring.of.push((*object, name.clone())),
                IgnoredReference::ClassField(class, name) => {
                    let of_name: Vec<ClassId> =
                        heap.classes.iter().filter(|(_, c)| *c.name == **class).map(|(id, _)| id).collect();
                    let classes = heap.classes.all_below(&of_name);
                    ignoring.of_class.push(IgnoredField { classes, name: name.clone() });
                }
            }
        }
        ignoring
    }

    /// True if nothing is ignored.
    pub fn is_empty(&self) -> bool {
        self.between.is_empty() && self.of.is_empty() && self.of_class.is_empty()
    }

    /// True if a reference no weaker than `weakest` remains from the retainer `from` to `to`.
    pub fn leaves(&self, dump: DumpData<'_>, from: ObjectId, to: ObjectId, weakest: Strength) -> bool {
        let heap = dump.heap;
        if self.between.contains(&(from, to)) {
            return false;
        }
        let of = self.of.iter().filter(|(object, _)| *object == from).map(|(_, name)| name.as_str());
        let has = |classes: &[bool], class: ClassId| classes.get(class.index()) == Some(&true);
        // A class object has the statics of the class it represents.
        let stands_for = if self.of_class.is_empty() { None } else { heap.classes.of_object(from) };
        let of_class = self.of_class.iter().filter(|of| {
            has(&of.classes, heap.class_id(from)) || stands_for.is_some_and(|class| has(&of.classes, class))
        });
        let names: Vec<&str> = of.chain(of_class.map(|of| of.name.as_str())).collect();
        if names.is_empty() {
            return holds(heap, from, to, weakest);
        }
        let left = dump.contents.reference_names(heap, from, to, NAMES);
        left.iter().any(|name| {
            name.strength <= weakest && !names.iter().any(|&ignored| ignored == name.text || ignored == name.field())
        })
    }
}

/// True if one of the references from the retainer `from` to `to` is no weaker than `weakest`.
fn holds(heap: &Heap, from: ObjectId, to: ObjectId, weakest: Strength) -> bool {
    !heap.has_referent_first(from)
        || heap.class(from).strength <= weakest
        || heap.class(from).object == Some(to)
        || heap.references(from).iter().skip(1).any(|&other| other == to.raw())
}
