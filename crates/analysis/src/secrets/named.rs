//! Values whose field, property or key says that they are credentials.

use rayon::prelude::*;

use super::rules::{PASSWORD, SECRET};
use super::texts::{TextForm, Texts};
use super::values::{is_credential, is_password, is_placeholder};
use crate::rows::joined;
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_core::heap::{Analysis, ClassId, ClassKind, Contents, Heap, ObjectId, ReferenceKind};

/// Maximum length of a name in characters.
const LONGEST_NAME: usize = 40;
/// Number of holders of a key or value that are examined.
const HOLDERS: usize = 64;
/// Lengths of the shortest and longest value of a property, in characters.
const PROPERTY: std::ops::RangeInclusive<usize> = 6..=256;
/// Length of the shortest password of a field in characters.
const PASSWORD_LENGTH: usize = 4;

/// What the name of a field, property or key says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameMeaning {
    /// Any text.
    Password,
    /// Something random.
    Secret,
}

impl NameMeaning {
    /// Kind of a value with such a name; `None` if it is no credential.
    pub(super) fn kind(self, value: &str) -> Option<&'static str> {
        match self {
            Self::Password => (value.chars().count() >= PASSWORD_LENGTH && is_password(value)).then_some(PASSWORD),
            Self::Secret => (is_credential(value) && !is_placeholder(value)).then_some(SECRET),
        }
    }
}

/// Endings of names in lower case, without separators.
const PASSWORDS: [&str; 4] = ["password", "passwd", "passphrase", "pwd"];
const SECRETS: [&str; 12] = [
    "secret",
    "secretkey",
    "secretaccesskey",
    "apikey",
    "accesskey",
    "accesstoken",
    "authtoken",
    "refreshtoken",
    "sessiontoken",
    "bearertoken",
    "privatekey",
    "token",
];

/// Meaning of a name; `None` for most.
pub(super) fn meaning(name: &str) -> Option<NameMeaning> {
    if name.len() > LONGEST_NAME {
        return None;
    }
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let ends = |words: &[&str]| words.iter().any(|word| name.ends_with(word));
    match () {
        () if ends(&PASSWORDS) => Some(NameMeaning::Password),
        () if ends(&SECRETS) => Some(NameMeaning::Secret),
        () => None,
    }
}

/// A value with such a name.
pub(super) struct NamedValue {
    pub(super) object: ObjectId,
    pub(super) kind: &'static str,
    pub(super) value: String,
}

/// Finds values by the names of their fields and keys.
pub(super) struct NamedSearch<'a> {
    pub(super) heap: &'a Heap,
    pub(super) contents: &'a dyn Contents,
    pub(super) analysis: &'a Analysis,
    pub(super) texts: &'a Texts<'a>,
}

impl NamedSearch<'_> {
    /// Values of fields, static fields and properties, and those of maps with the given keys.
    pub(super) fn find(&self, keys: &[ObjectId], task: &Task) -> Result<Vec<NamedValue>, Cancelled> {
        let mut found = self.of_fields(task)?;
        found.extend(self.of_statics(task)?);
        for &key in keys {
            task.checkpoint()?;
            found.extend(self.of_key(key));
        }
        if self.heap.snapshot().is_some() {
            found.extend(self.of_properties(task)?);
        }
        Ok(found)
    }

    fn value(&self, object: ObjectId, meaning: NameMeaning) -> Option<NamedValue> {
        if self.texts.form(object) == TextForm::None {
            return None;
        }
        let value = self.texts.any_text(object)?;
        Some(NamedValue { object, kind: meaning.kind(&value)?, value })
    }

    fn of_fields(&self, task: &Task) -> Result<Vec<NamedValue>, Cancelled> {
        let fields: Vec<Vec<(usize, NameMeaning)>> = (self.heap.classes.iter())
            .map(|(class, _)| {
                let names = self.contents.named_references(class).into_iter().enumerate();
                names.filter_map(|(place, (_, name))| Some((place, meaning(name)?))).collect()
            })
            .collect();
        if fields.iter().all(Vec::is_empty) {
            return Ok(Vec::new());
        }
        task.step("Searching fields", Unit::Objects, self.heap.len() as u64);
        let column = self.heap.class_column().slices();
        joined(task.par_blocks(self.heap.len()).map(|rows| {
            let rows = rows?;
            task.advance(rows.len() as u64);
            let mut found = Vec::new();
            for row in rows {
                let class = column.get(row).and_then(ClassId::from_raw);
                let of_class = class.and_then(|class| fields.get(class.index())).map_or(&[][..], Vec::as_slice);
                let Some(object) = ObjectId::new(row).filter(|_| !of_class.is_empty()) else { continue };
                for &(place, meaning) in of_class {
                    let value = self.contents.reference_field(self.heap, object, place).object();
                    found.extend(value.and_then(|value| self.value(value, meaning)));
                }
            }
            Ok(found)
        }))
    }

    /// Constants such as `PASSWORD = "j_password"` are names themselves: a static value must look random.
    fn of_statics(&self, task: &Task) -> Result<Vec<NamedValue>, Cancelled> {
        let mut found = Vec::new();
        if self.heap.snapshot().is_some() {
            return Ok(found);
        }
        for (_, class) in self.heap.classes.iter() {
            task.checkpoint()?;
            let Some(object) = class.object else { continue };
            for field in self.contents.fields(self.heap, object).unwrap_or_default() {
                let meaning = field.is_static.then(|| meaning(&field.name)).flatten();
                let (Some(meaning), Some(value)) = (meaning, field.value.object()) else { continue };
                let has_digit = |value: &NamedValue| value.value.bytes().any(|byte| byte.is_ascii_digit());
                found.extend(self.value(value, meaning).filter(has_digit));
            }
        }
        Ok(found)
    }

    /// Values in the entries with a key.
    fn of_key(&self, key: ObjectId) -> Vec<NamedValue> {
        let Some(meaning) = self.texts.any_text(key).and_then(|text| meaning(&text)) else { return Vec::new() };
        let holders = self.analysis.retainers(key).iter().take(HOLDERS).filter_map(|&row| ObjectId::from_raw(row));
        let plain = holders.filter(|&holder| self.heap.class(holder).kind == ClassKind::Plain);
        let values = plain.filter_map(|holder| {
            let fields = self.contents.fields(self.heap, holder).ok()?;
            let object = |names: &[&str]| {
                let field = fields.iter().find(|field| names.contains(&&*field.name) && !field.is_static);
                field.and_then(|field| field.value.object())
            };
            (object(&["key", "k", "name"]) == Some(key)).then(|| object(&["value", "val", "v"])).flatten()
        });
        values.filter_map(|value| self.value(value, meaning)).collect()
    }

    /// Properties of a snapshot, from their values.
    fn of_properties(&self, task: &Task) -> Result<Vec<NamedValue>, Cancelled> {
        task.step("Searching properties", Unit::Objects, self.heap.len() as u64);
        joined(task.par_blocks(self.heap.len()).map(|rows| {
            let rows = rows?;
            task.advance(rows.len() as u64);
            let strings = rows.filter_map(ObjectId::new).filter(|&object| self.texts.form(object) == TextForm::String);
            Ok(strings.filter_map(|string| self.of_property(string)).collect())
        }))
    }

    fn of_property(&self, string: ObjectId) -> Option<NamedValue> {
        let text = self.contents.text(self.heap, string, PROPERTY.end() + 1)?;
        // Most strings are no credentials: only for the others are their properties read.
        if !PROPERTY.contains(&text.chars().count()) || !is_password(&text) {
            return None;
        }
        let holders = self.analysis.retainers(string).iter().take(HOLDERS).filter_map(|&row| ObjectId::from_raw(row));
        let named = holders.filter(|&holder| !self.heap.class(holder).name.starts_with('(')).find_map(|holder| {
            let names = self.contents.reference_names(self.heap, holder, string, HOLDERS);
            let names =
                names.iter().filter(|name| matches!(name.kind, ReferenceKind::Property | ReferenceKind::Context));
            names.into_iter().find_map(|name| meaning(&name.text))
        })?;
        Some(NamedValue { object: string, kind: named.kind(&text)?, value: text })
    }
}

#[cfg(test)]
mod tests {
    use super::{NameMeaning, meaning};

    #[test]
    fn names_say_what_their_values_are() {
        for name in ["password", "dbPassword", "DB_PASSWORD", "proxy-passwd", "keyPassphrase"] {
            assert_eq!(meaning(name), Some(NameMeaning::Password), "{name}");
        }
        for name in ["apiKey", "API_KEY", "client_secret", "authToken", "token", "aws_secret_access_key"] {
            assert_eq!(meaning(name), Some(NameMeaning::Secret), "{name}");
        }
        for name in ["passwordField", "tokens", "tokenizer", "key", "secretary", "passwordHint"] {
            assert_eq!(meaning(name), None, "{name}");
        }
    }
}
