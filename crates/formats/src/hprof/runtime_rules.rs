//! Classes of the Java runtime, and their subclasses, in a dump. Looked up once, since labels are needed for every
//! visible row, and collections for every object of a heap.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::collection_rules::{COLLECTIONS, CollectionRule};
use super::label_rules::{LABELS, LabelRule};
use super::library_label_rules::LIBRARY_LABELS;
use super::shapes::{FieldSlot, Shape, Shapes};
use heaplens_heap::collection_list::{CollectionList, ListedCollection, ListedNode};
use heaplens_heap::{ClassId, Role};

/// Maximum length of the superclass chain: no class of the runtime has a longer one.
const LINE: usize = 64;

/// Class of texts.
pub(super) const STRING: &str = "java.lang.String";

pub(super) const BOXED: [&str; 8] = [
    "java.lang.Boolean",
    "java.lang.Byte",
    "java.lang.Character",
    "java.lang.Double",
    "java.lang.Float",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Short",
];

#[derive(Debug, Clone, Copy, Default)]
struct ClassRow {
    role: Role,
    label: Option<&'static LabelRule>,
    collection: Option<RuleIndex>,
    /// Rule for its objects as nodes of a trie.
    node: Option<u32>,
}

/// Where instances of [`STRING`] have what their text is made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextSlots {
    /// Array of characters.
    pub(super) value: Option<FieldSlot>,
    pub(super) coder: Option<FieldSlot>,
    /// First character.
    pub(super) offset: Option<FieldSlot>,
    /// Number of characters.
    pub(super) count: Option<FieldSlot>,
}

impl TextSlots {
    /// For instances of a class, which may be a subclass.
    pub(super) fn of(shapes: &Shapes, class: &Shape) -> Self {
        let slot = |name| shapes.slot(class, STRING, name);
        Self { value: slot("value"), coder: slot("coder"), offset: slot("offset"), count: slot("count") }
    }
}

#[derive(Debug, Clone, Copy)]
enum RuleIndex {
    Library(&'static CollectionRule),
    /// Index in the list, and the class from which on the fields are those of the rule.
    Listed(u32, u32),
}

/// Rule for reading objects of a class as a collection.
pub(super) enum ClassRule<'a> {
    /// Of the Java library or of Android.
    Library(&'static CollectionRule),
    /// Of the list, with the lowest class that has fields of the rule: this or a superclass.
    Listed(&'a ListedCollection, &'a Shape),
}

/// Rules for each class.
pub(super) struct RuntimeRules {
    rows: Vec<ClassRow>,
    /// Class index of strings, with their places: strings are most of the objects that are read.
    text: Option<(u32, TextSlots)>,
    /// Collections of libraries.
    pub(super) list: Arc<CollectionList>,
    /// True if the file lists the fields of a class from last to first, as HotSpot 17 does and 25 does not.
    pub(super) last_field_first: bool,
}

impl RuntimeRules {
    pub(super) fn new(shapes: &Shapes, list: Arc<CollectionList>) -> Self {
        let labels = LABELS.iter().chain(LIBRARY_LABELS);
        let labels: FxHashMap<&str, &'static LabelRule> = labels.map(|rule| (rule.class, rule)).collect();
        let library: FxHashMap<&str, &'static CollectionRule> =
            COLLECTIONS.iter().map(|rule| (rule.class, rule)).collect();
        // A class is the superclass of many: its own rule is looked up once.
        let classes = || (0..).map_while(|at| Some((at, shapes.class(at)?)));
        let own: Vec<Option<RuleIndex>> = classes()
            .map(|(at, class)| {
                let name = shapes.name(class.name);
                let has_field = |field: &str| shapes.fields(class).any(|(_, own)| shapes.name(own.name) == field);
                let fits = |rule: &u32| list.collection(*rule).is_some_and(|rule| rule.fits(has_field));
                // The lines of the user may be about the Java library too.
                let line = std::iter::successors(Some(at), |&at| shapes.class(at)?.superclass).take(LINE);
                // A class without fields of its own does not show where those of its superclasses begin.
                let base = line.into_iter().find(|&at| shapes.declares_fields(at));
                let listed = list.of_class(name).into_iter().find(fits);
                let listed = listed.map(|rule| RuleIndex::Listed(rule, base.unwrap_or(at)));
                listed.or_else(|| library.get(name).map(|&rule| RuleIndex::Library(rule)))
            })
            .collect();
        let rows = classes().map(|(at, class)| {
            let mut row = ClassRow { node: list.node_of_class(shapes.name(class.name)), ..ClassRow::default() };
            let line = std::iter::successors(Some((at, class)), |(_, class)| {
                let above = class.superclass?;
                Some((above, shapes.class(above)?))
            });
            for (above, (at, class)) in line.take(LINE).enumerate() {
                let name = shapes.name(class.name);
                // The nearest class is the most specific: a class may be a Throwable and have a label rule of its own.
                row.label = row.label.or_else(|| labels.get(name).copied());
                row.collection = row.collection.or_else(|| own.get(at as usize).copied().flatten());
                row.role = match name {
                    STRING if above == 0 => Role::Text,
                    "java.lang.AbstractStringBuilder" => Role::Buffer,
                    _ if above == 0 && BOXED.contains(&name) => Role::Boxed,
                    _ => row.role,
                };
            }
            if row.collection.is_some() {
                row.role = Role::Collection;
            }
            row
        });
        let rows = rows.collect();
        let mut strings = classes().filter(|(_, class)| shapes.is(class.name, STRING));
        let text = strings.next().map(|(at, class)| (at, TextSlots::of(shapes, class)));
        Self { rows, text, list, last_field_first: last_field_first(shapes) }
    }

    fn row(&self, class: ClassId) -> ClassRow {
        self.rows.get(class.index()).copied().unwrap_or_default()
    }

    pub(super) fn role(&self, class: ClassId) -> Role {
        self.row(class).role
    }

    /// Places in objects of a class, if it is that of strings.
    pub(super) fn text_slots(&self, class: ClassId) -> Option<TextSlots> {
        self.text.filter(|&(at, _)| at == class.raw()).map(|(_, slots)| slots)
    }

    pub(super) fn label(&self, class: ClassId) -> Option<&'static LabelRule> {
        self.row(class).label
    }

    /// True if objects of a class are collections.
    pub(super) fn is_collection(&self, class: ClassId) -> bool {
        self.row(class).collection.is_some()
    }

    /// Rule for reading objects of a class as a collection.
    pub(super) fn collection<'a>(&'a self, shapes: &'a Shapes, class: ClassId) -> Option<ClassRule<'a>> {
        Some(match self.row(class).collection? {
            RuleIndex::Library(rule) => ClassRule::Library(rule),
            RuleIndex::Listed(rule, at) => ClassRule::Listed(self.list.collection(rule)?, shapes.class(at)?),
        })
    }

    /// Rule for objects of a class as nodes of a trie.
    pub(super) fn node(&self, class: ClassId) -> Option<&ListedNode> {
        self.list.node(self.row(class).node?)
    }
}

/// Determines the order by the one class with known fields in every dump: in the source of String, the characters come
/// before the hash.
fn last_field_first(shapes: &Shapes) -> bool {
    let mut classes = (0..).map_while(|at| shapes.class(at));
    let string = classes.find(|class| shapes.name(class.name) == STRING);
    let mut names = string.into_iter().flat_map(|class| shapes.fields(class)).map(|(_, field)| shapes.name(field.name));
    names.find(|name| ["value", "hash"].contains(name)) == Some("hash")
}
