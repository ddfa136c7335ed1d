//! Classes of the Java runtime, and their subclasses, in a dump. Looked up once, since labels are needed for every
//! visible row, and collections for every object of a heap.

use rustc_hash::FxHashMap;

use super::collection_rules::{COLLECTIONS, CollectionRule};
use super::label_rules::{LABELS, LabelRule};
use super::shapes::Shapes;
use crate::heap::{ClassId, Role};

/// Maximum length of the superclass chain: no class of the runtime has a longer one.
const LINE: usize = 64;

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
struct ClassRules {
    role: Role,
    label: Option<&'static LabelRule>,
    collection: Option<&'static CollectionRule>,
}

/// Rules for each class.
pub(super) struct RuntimeRules {
    rows: Vec<ClassRules>,
    /// True if the file lists the fields of a class from last to first, as HotSpot 17 does and 25 does not.
    pub(super) last_field_first: bool,
}

impl RuntimeRules {
    pub(super) fn new(shapes: &Shapes) -> Self {
        let labels: FxHashMap<&str, &'static LabelRule> = LABELS.iter().map(|rule| (rule.class, rule)).collect();
        let collections: FxHashMap<&str, &'static CollectionRule> =
            COLLECTIONS.iter().map(|rule| (rule.class, rule)).collect();
        let rows = (0..).map_while(|at| shapes.class(at)).map(|class| {
            let mut row = ClassRules::default();
            let line = std::iter::successors(Some(class), |class| shapes.class(class.superclass?));
            for (above, class) in line.take(LINE).enumerate() {
                let name = shapes.name(class.name);
                // The nearest class is the most specific: a class may be a Throwable and have a label rule of its own.
                row.label = row.label.or_else(|| labels.get(name).copied());
                row.collection = row.collection.or_else(|| collections.get(name).copied());
                row.role = match name {
                    "java.lang.String" if above == 0 => Role::Text,
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
        Self { rows: rows.collect(), last_field_first: last_field_first(shapes) }
    }

    fn row(&self, class: ClassId) -> ClassRules {
        self.rows.get(class.index()).copied().unwrap_or_default()
    }

    pub(super) fn role(&self, class: ClassId) -> Role {
        self.row(class).role
    }

    pub(super) fn label(&self, class: ClassId) -> Option<&'static LabelRule> {
        self.row(class).label
    }

    /// Rule for reading objects of a class as a collection.
    pub(super) fn collection(&self, class: ClassId) -> Option<&'static CollectionRule> {
        self.row(class).collection
    }
}

/// Determines the order by the one class with known fields in every dump: in the source of String, the characters come
/// before the hash.
fn last_field_first(shapes: &Shapes) -> bool {
    let mut classes = (0..).map_while(|at| shapes.class(at));
    let string = classes.find(|class| shapes.name(class.name) == "java.lang.String");
    let mut names = string.into_iter().flat_map(|class| shapes.fields(class)).map(|(_, field)| shapes.name(field.name));
    names.find(|name| ["value", "hash"].contains(name)) == Some("hash")
}
