//! Classes that an optimizer made into one: a field of the object says which it was. The classes merged into one may be
//! merged themselves, with another field.

use super::wire::Message;

/// Maximum depth of merged classes: real mappings have two or three.
const DEPTH: usize = 16;
/// Maximum number of classes merged into one: R8 merges a few dozen.
const MOST: usize = 1_000;

/// Classes merged into one.
#[derive(Debug, Clone, Default)]
pub(super) struct MergedClasses {
    /// Field with the number of the class; empty: only fields of nested ones tell.
    field: String,
    classes: Vec<MergedClass>,
    /// Names of all classes, nested ones too, each once; empty for nested ones.
    names: Vec<String>,
}

#[derive(Debug, Clone, Default)]
struct MergedClass {
    name: String,
    number: i64,
    nested: Option<MergedClasses>,
}

/// Fields of an object that say which class it was, with their values.
type Discriminators = [(String, i64)];

impl MergedClasses {
    /// Reads a message; `None` if it is nested too deeply, or too large.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut names = Vec::new();
        let merged = Self::read_at(bytes, 0, &mut names)?;
        names.sort_unstable();
        names.dedup();
        Some(Self { names, ..merged })
    }

    fn read_at(bytes: &[u8], depth: usize, names: &mut Vec<String>) -> Option<Self> {
        if depth > DEPTH {
            return None;
        }
        let mut merged = Self::default();
        for field in Message::of(bytes) {
            match (field.number, field.as_bytes()) {
                (1, Some(_)) => merged.field = field.as_text().unwrap_or_default(),
                (2, Some(class)) => merged.classes.push(MergedClass::read(class, depth, names)?),
                _ => {}
            }
        }
        Some(merged)
    }

    /// Name of the class an object was of, where `owner` is the class that the others were merged into. `None` if the
    /// fields contradict the mapping.
    pub(super) fn class_of<'a>(&'a self, owner: &'a str, object: &Discriminators) -> Option<&'a str> {
        let value = |field: &str| object.iter().find(|(name, _)| name == field).map_or(0, |&(_, value)| value);
        if !self.field.is_empty() {
            let number = value(&self.field);
            let class = self.classes.iter().find(|class| class.number == number)?;
            return match &class.nested {
                Some(nested) => nested.class_of(&class.name, object),
                None => Some(&class.name),
            };
        }
        let nested = self.classes.iter().filter_map(|class| Some((class, class.nested.as_ref()?)));
        let mut matching = nested.filter(|(_, nested)| nested.has_discriminator(object));
        match (matching.next(), matching.next()) {
            (Some((class, nested)), None) => nested.class_of(&class.name, object),
            (None, _) => self.classes.iter().any(|class| class.name == owner).then_some(owner),
            (Some(_), Some(_)) => None,
        }
    }

    /// Names of all these classes, each once.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// True if a field of the object is about these classes.
    fn has_discriminator(&self, object: &Discriminators) -> bool {
        object.iter().any(|(name, value)| *name == self.field && *value != 0)
            || self
                .classes
                .iter()
                .filter_map(|class| class.nested.as_ref())
                .any(|nested| nested.has_discriminator(object))
    }
}

impl MergedClass {
    fn read(bytes: &[u8], depth: usize, names: &mut Vec<String>) -> Option<Self> {
        let mut class = Self::default();
        for field in Message::of(bytes) {
            match (field.number, field.as_bytes()) {
                (1, Some(_)) => class.name = field.as_text().unwrap_or_default(),
                (2, None) => class.number = field.as_number().unwrap_or_default().cast_signed(),
                (3, Some(nested)) => class.nested = Some(MergedClasses::read_at(nested, depth + 1, names)?),
                _ => {}
            }
        }
        names.push(class.name.clone());
        (names.len() <= MOST).then_some(class)
    }
}
