//! Strings and arrays that look like credentials: private keys, tokens and keys with known forms, passwords in connection
//! strings and URLs, values of fields and keys named so, card numbers. To be run before a dump is given to others.
//!
//! All objects are searched, unreachable ones too, for they are in the file. Rules are data; equal values
//! are one group.

mod assignments;
mod cards;
mod checks;
mod checksums;
mod der;
mod encodings;
mod jwt;
mod mask;
mod matcher;
mod named;
mod named_fields;
mod names;
mod rules;
mod texts;
mod values;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use self::mask::FoundValue;
pub use self::matcher::SecretEvidence;
use self::matcher::{Matcher, SecretMatch};
use self::named::NamedSearch;
use self::names::{LONGEST_NAME, meaning};
use self::rules::{PRIVATE_KEY, TOKEN};
pub use self::texts::CHARACTERS;
use self::texts::{TextForm, Texts, fragments};
use super::rows::{holder, joined};
use crate::answers::{DumpData, Question};
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_heap::ObjectId;

/// Number of holders of a value that are examined for its name.
const HOLDERS: usize = 16;

/// True if the name of a field or property announces a credential.
pub(crate) fn is_credential(name: &str) -> bool {
    meaning(name).is_some()
}

/// Equal values that look like a credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretGroup {
    /// Kind: `aws-access-key`, `password`.
    pub kind: &'static str,
    /// Beginning and length of the value; of a private key its type. Never the value.
    pub masked: String,
    /// Length of the value in characters.
    pub length: u64,
    /// Why it is taken for one: the best of those of the objects.
    pub evidence: SecretEvidence,
    /// The objects with the value, in address order: strings or arrays.
    pub objects: Vec<ObjectId>,
    /// Class and field that hold the first one, as far as something does.
    pub holder: Option<String>,
}

/// Result of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Secrets {
    /// Groups by kind, then by address.
    pub groups: Vec<SecretGroup>,
    /// Number of texts that were read.
    pub texts: u64,
    /// Number of strings that could not be read: all, if the file has no texts.
    pub unreadable: u64,
}

/// A credential in an object.
struct FoundSecret {
    object: ObjectId,
    kind: &'static str,
    value: FoundValue,
    evidence: SecretEvidence,
}

/// Which strings and arrays look like credentials? The answer is not kept on disk: it has parts of them.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretsQuestion;

impl Question for SecretsQuestion {
    type Answer = Secrets;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<Secrets, Cancelled> {
        secrets(dump, task)
    }

    fn bytes(answer: &Secrets) -> usize {
        let objects = |group: &SecretGroup| size_of_val(&*group.objects);
        size_of_val(&*answer.groups) + answer.groups.iter().map(objects).sum::<usize>()
    }
}

/// Searches a heap for credentials.
pub fn secrets(dump: DumpData<'_>, task: &Task) -> Result<Secrets, Cancelled> {
    let heap = dump.heap;
    task.step("Finding strings", Unit::Objects, heap.len() as u64);
    let texts = Texts::new(dump, task)?;
    let matcher = Matcher::new();
    task.step("Searching strings", Unit::Objects, heap.len() as u64);
    let blocks = task.par_blocks(heap.len()).map(|rows| {
        let rows = rows?;
        task.advance(rows.len() as u64);
        let mut part = Part { texts: &texts, matcher: &matcher, dump, answer: BlockAnswer::default() };
        for object in rows.filter_map(ObjectId::new) {
            part.search(object, task)?;
        }
        Ok(vec![part.answer])
    });
    let mut answer = Secrets::default();
    let (mut secrets, mut keys) = (Vec::new(), Vec::new());
    for block in joined(blocks)? {
        answer.texts += block.texts;
        answer.unreadable += block.unreadable;
        secrets.extend(block.secrets);
        keys.extend(block.keys);
    }
    let search = NamedSearch { dump, texts: &texts };
    let named = search.find(&keys, task)?;
    // A name says more than that a text is random, a form more than a name.
    let of_names: BTreeSet<ObjectId> = named.iter().map(|one| one.object).collect();
    secrets.retain(|one| one.kind != TOKEN || !of_names.contains(&one.object));
    let mut known: BTreeMap<ObjectId, Vec<&str>> = BTreeMap::new();
    for one in &secrets {
        known.entry(one.object).or_default().push(&one.value.begin);
    }
    let is_new = |one: &named::NamedValue| {
        let of_object = known.get(&one.object).map_or(&[][..], Vec::as_slice);
        !of_object.iter().any(|known| one.value.begin.contains(known))
    };
    let named: Vec<named::NamedValue> = named.into_iter().filter(is_new).collect();
    secrets.extend(named.into_iter().map(|one| {
        let named::NamedValue { object, kind, value } = one;
        FoundSecret { object, kind, value, evidence: SecretEvidence::Name }
    }));
    let mut groups: BTreeMap<(&'static str, FoundValue), (BTreeSet<ObjectId>, SecretEvidence)> = BTreeMap::new();
    for FoundSecret { object, kind, value, evidence } in secrets {
        let (objects, best) = groups.entry((kind, value)).or_insert_with(|| (BTreeSet::new(), evidence));
        objects.insert(object);
        *best = evidence.min(*best);
    }
    answer.groups = groups
        .into_iter()
        .map(|((kind, value), (objects, evidence))| {
            let objects: Vec<ObjectId> = objects.into_iter().collect();
            let holder = objects.iter().find_map(|&object| holder_of(dump, object));
            SecretGroup { kind, masked: value.masked, length: value.length, evidence, objects, holder }
        })
        .collect();
    answer.groups.sort_by(|a, b| a.kind.cmp(b.kind).then_with(|| a.objects.cmp(&b.objects)));
    Ok(answer)
}

/// The holder of an object, by name: of several, one whose field says what the value is, or one of the application.
fn holder_of(dump: DumpData<'_>, object: ObjectId) -> Option<String> {
    let holders = dump.analysis.referrers(object).take(HOLDERS);
    let holders = holders.filter(|&from| !dump.analysis.is_storage_reference(dump.heap, dump.contents, from, object));
    let names = holders.map(|from| holder(dump, from, object));
    names
        .enumerate()
        .min_by_key(|(at, name)| {
            let field = name.rsplit(['.', ' ']).next().unwrap_or(name);
            let is_named = meaning(field).is_some() || cards::is_named(field);
            (!is_named, name.starts_with("java."), *at)
        })
        .map(|(_, name)| name)
}

#[derive(Default)]
struct BlockAnswer {
    secrets: Vec<FoundSecret>,
    /// Strings that may be keys of credentials.
    keys: Vec<ObjectId>,
    texts: u64,
    unreadable: u64,
}

struct Part<'a> {
    texts: &'a Texts<'a>,
    matcher: &'a Matcher,
    dump: DumpData<'a>,
    answer: BlockAnswer,
}

impl Part<'_> {
    fn search(&mut self, object: ObjectId, task: &Task) -> Result<(), Cancelled> {
        let form = self.texts.form(object);
        if form == TextForm::None || self.is_part(object) {
            return Ok(());
        }
        // A string of a million characters may be concatenated of as many parts.
        task.checkpoint()?;
        let text = self.texts.text(object);
        if let Some(bytes) = self.texts.bytes(object) {
            self.search_bytes(object, bytes, text.as_deref());
        }
        let Some(text) = text else {
            let is_string = form == TextForm::String;
            self.answer.unreadable += u64::from(is_string && self.texts.any_text(object, LONGEST_NAME + 1).is_none());
            // Another string may have the same array, and another entry of a map.
            if is_string && self.texts.any_text(object, LONGEST_NAME + 1).is_some_and(|text| is_key(&text)) {
                self.answer.keys.push(object);
            }
            return Ok(());
        };
        self.answer.texts += 1;
        if is_key(&text) {
            self.answer.keys.push(object);
        }
        self.take(object, self.matcher.find(&text));
        Ok(())
    }

    fn take(&mut self, object: ObjectId, matches: Vec<SecretMatch>) {
        for SecretMatch { kind, value, evidence, needs_name } in matches {
            if !needs_name || self.is_named_card(object) {
                let value = FoundValue::new(kind, &value);
                self.answer.secrets.push(FoundSecret { object, kind, value, evidence });
            }
        }
    }

    /// A private key, or texts between other bytes; `prefix` is the text that the array begins with.
    fn search_bytes(&mut self, object: ObjectId, bytes: &[u8], prefix: Option<&str>) {
        if let Some(key) = der::key_type(bytes) {
            let letters = bytes.iter().copied().map(char::from);
            let value: String = key.chars().chain(['\n']).chain(letters).collect();
            let value = FoundValue::new(PRIVATE_KEY, &value);
            self.answer.secrets.push(FoundSecret {
                object,
                kind: PRIVATE_KEY,
                value,
                evidence: SecretEvidence::Structure,
            });
        } else if let Some(text) = fragments(bytes, prefix) {
            self.take(object, self.matcher.find_forms(&text));
        }
    }

    /// True if a string of a snapshot is only a part of concatenated strings, which contain it.
    fn is_part(&self, object: ObjectId) -> bool {
        let (retainers, class) = (self.dump.analysis.retainers(object), self.dump.heap.class_id(object));
        let is_same = |&row: &u32| ObjectId::from_raw(row).is_some_and(|above| self.dump.heap.class_id(above) == class);
        self.dump.heap.snapshot().is_some() && !retainers.is_empty() && retainers.iter().all(is_same)
    }

    /// True if a field or property that holds an object says that it is the number of a card.
    fn is_named_card(&self, object: ObjectId) -> bool {
        let holders = self.dump.analysis.referrers(object).take(HOLDERS);
        let mut names =
            holders.flat_map(|from| self.dump.contents.reference_names(self.dump.heap, from, object, HOLDERS));
        names.any(|name| cards::is_named(&name.text))
    }
}

fn is_key(text: &str) -> bool {
    text.len() <= LONGEST_NAME && meaning(text).is_some()
}
