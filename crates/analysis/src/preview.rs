//! Preview of an object: the fields that tell the instances of its class apart, with their values: `id "sess-b26…"  user
//! "anna"`. The fields are chosen from the data of some instances, once per class.

use std::collections::HashSet;
use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

use crate::answers::{DumpData, Question, RetainedQuestion};
use crate::naming::global_name;
use crate::secrets::is_credential;
use heaplens_base::invisible::one_line;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ClassKind, Field, ObjectId, ReferenceKind, Role, Value};

/// Maximum number of fields of a preview.
const FIELDS: usize = 3;
/// Number of instances of a class from which its fields are chosen, and of their fields that are compared.
const SAMPLED: usize = 32;
const COMPARED: usize = 100;
/// Maximum number of characters of a value, and length from which on a text is long.
const CHARACTERS: usize = 24;
const LONG: usize = 64;
/// Fields of the runtime that differ, but mean nothing to people.
const MEANINGLESS: [&str; 6] = ["hash", "hashCode", "hashcode", "_hash", "modCount", "serialVersionUID"];
/// Properties that name the class in JavaScript.
const OF_ENGINE: [&str; 2] = ["__proto__", "constructor"];
/// Values of JavaScript that mean no value.
const NO_VALUES: [&str; 5] = ["undefined", "null", "the_hole", "hole", "heap number"];

/// A field, by the class that declares it and its name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct FieldKey {
    declared_by: String,
    name: String,
}

/// Kind of a value, best for a preview first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Text,
    /// Number, boolean, constant of an enum, or another object with a label.
    Plain,
    /// Object by the first short text in it.
    Nested,
    /// Collection by its size.
    Size,
}

/// A value that people can read.
#[derive(Debug, Clone)]
struct Readable {
    kind: Kind,
    /// Number of characters before it was shortened, as far as it was read.
    length: usize,
    text: String,
}

/// What is known of the classes of a dump.
pub struct Previews {
    /// By class, the first row and number of its sampled instances.
    starts: Vec<(u32, u32)>,
    /// Sampled instances, class by class.
    instances: Vec<ObjectId>,
    /// Fields of classes that were asked about.
    fields: RwLock<FxHashMap<ClassId, Arc<[FieldKey]>>>,
}

/// The instances from which previews are chosen; the choice of each class is added when it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreviewsQuestion;

impl Question for PreviewsQuestion {
    type Answer = Previews;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<Previews, Cancelled> {
        Previews::new(dump, task)
    }
}

impl RetainedQuestion for PreviewsQuestion {}

/// Preview of an object; `None` for class objects, arrays, collections and objects without readable values, and if values
/// are hidden.
pub fn preview(dump: DumpData<'_>, object: ObjectId, task: &Task) -> Result<Option<String>, Cancelled> {
    let DumpData { heap, contents, .. } = dump;
    let class = heap.class_id(object);
    let has_none = contents.hides_values()
        || heap.class(object).kind != ClassKind::Plain
        || heap.classes.of_object(object).is_some()
        || contents.role(class) != Role::Other
        || contents.is_engine_class(class)
        || global_name(&heap.class(object).name).is_some();
    if has_none || contents.is_dictionary(heap, object) {
        return Ok(None);
    }
    let chosen = dump.retained_answer(&PreviewsQuestion, task)?.fields(dump, class, task)?;
    let fields = fields(dump, object);
    let namer = if heap.snapshot().is_some() { None } else { Some(dump.namer(task)?) };
    let name = |field: &Field| match namer {
        Some(namer) => namer.index.source_member(heap, class, &field.name).name,
        None => field.name.clone(),
    };
    let shown = |field: &Field| Some((name(field), readable(dump, field.value)?));
    let of_class = chosen.iter().filter_map(|key| fields.iter().find(|field| is_field(field, key)).and_then(shown));
    let mut values: Vec<(String, Readable)> = of_class.collect();
    if values.is_empty() && chosen.is_empty() && heap.snapshot().is_some() {
        // Plain objects of JavaScript have fields of their own.
        values = fields.iter().filter_map(shown).filter(|(_, value)| value.kind < Kind::Size).collect();
        values.sort_by_key(|(_, value)| value.kind);
        values.truncate(FIELDS);
    }
    let words: Vec<String> = values.into_iter().map(|(name, value)| format!("{name} {}", value.text)).collect();
    Ok((!words.is_empty()).then(|| words.join("  ")))
}

/// Label of an object, or its preview if it has no label of its own: the label of a plain object of JavaScript only lists
/// its properties.
pub fn label_or_preview(dump: DumpData<'_>, object: ObjectId, task: &Task) -> Result<Option<String>, Cancelled> {
    let label = dump.contents.label(dump.heap, object);
    let lists_names = |label: &String| dump.heap.snapshot().is_some() && label.starts_with('{');
    if label.as_ref().is_some_and(|label| !lists_names(label)) {
        return Ok(label);
    }
    Ok(preview(dump, object, task)?.or(label))
}

impl Previews {
    /// Some instances of each class, at equal distances.
    fn new(dump: DumpData<'_>, task: &Task) -> Result<Self, Cancelled> {
        let DumpData { heap, analysis, .. } = dump;
        // By class: instances to skip before the next sample, and the distance between samples.
        let mut steps: Vec<(u64, u64)> = heap
            .classes
            .iter()
            .map(|(class, row)| match row.kind {
                ClassKind::Plain => (0, analysis.class_totals(class).objects.div_ceil(SAMPLED as u64).max(1)),
                _ => (u64::MAX, 1),
            })
            .collect();
        let mut sampled: Vec<(ClassId, ObjectId)> = Vec::new();
        let of_rows = heap.class_column().slices();
        for block in task.blocks(heap.len()) {
            for row in block? {
                let Some(class) = of_rows.get(row).and_then(ClassId::from_raw) else { continue };
                let Some((left, distance)) = steps.get_mut(class.index()) else { continue };
                let Some(object) =
                    ObjectId::new(row).filter(|&object| *left != u64::MAX && analysis.is_reachable(object))
                else {
                    continue;
                };
                if *left == 0 {
                    sampled.push((class, object));
                    *left = *distance;
                }
                *left -= 1;
            }
        }
        sampled.sort_unstable();
        let mut starts = vec![(0, 0); heap.classes.len()];
        for (at, (class, _)) in sampled.iter().enumerate() {
            if let Some((start, count)) = starts.get_mut(class.index()) {
                if *count == 0 {
                    *start = at as u32;
                }
                *count += 1;
            }
        }
        let instances = sampled.into_iter().map(|(_, object)| object).collect();
        Ok(Self { starts, instances, fields: RwLock::default() })
    }

    /// Fields that tell the instances of a class apart, best first; chosen on first use.
    fn fields(&self, dump: DumpData<'_>, class: ClassId, task: &Task) -> Result<Arc<[FieldKey]>, Cancelled> {
        if let Ok(known) = self.fields.read()
            && let Some(known) = known.get(&class)
        {
            return Ok(known.clone());
        }
        let (start, count) = self.starts.get(class.index()).copied().unwrap_or_default();
        let instances = self.instances.get(start as usize..(start + count) as usize).unwrap_or_default();
        let chosen: Arc<[FieldKey]> = choose(dump, instances, task)?.into();
        if let Ok(mut known) = self.fields.write() {
            known.insert(class, chosen.clone());
        }
        Ok(chosen)
    }
}

/// Values of a field in the sampled instances.
struct Candidate {
    key: FieldKey,
    values: Vec<Option<Readable>>,
}

impl Candidate {
    /// Sort key, best first; `None` if the field does not tell instances apart.
    fn rank(&self) -> Option<(u8, usize, usize)> {
        let readable: Vec<&Readable> = self.values.iter().flatten().collect();
        let kind = readable.iter().map(|value| value.kind).max()?;
        let distinct = readable.iter().map(|value| &*value.text).collect::<HashSet<_>>().len();
        let length = readable.iter().map(|value| value.length).sum::<usize>() / readable.len();
        // A single instance cannot be compared with others: all of its fields are equally good.
        if distinct < 2 && self.values.len() > 1 || readable.len() * 4 < self.values.len() {
            return None;
        }
        let is_rare = readable.len() * 2 < self.values.len();
        let tier = match kind {
            _ if MEANINGLESS.contains(&&*self.key.name) => 5,
            Kind::Text if length <= LONG && distinct * 2 >= readable.len() => 0,
            Kind::Nested if distinct * 2 >= readable.len() => 1,
            Kind::Text if length > LONG => 3,
            Kind::Text | Kind::Plain => 2,
            Kind::Nested => 3,
            Kind::Size => 4,
        };
        Some((tier + u8::from(is_rare), usize::MAX - distinct, length))
    }

    /// True if both fields have the same value in all instances.
    fn repeats(&self, other: &Self) -> bool {
        let text = |value: &Option<Readable>| value.as_ref().map(|value| value.text.trim_matches('"').to_owned());
        self.values.len() > 1 && self.values.iter().map(text).eq(other.values.iter().map(text))
    }
}

/// The fields whose values tell some instances apart.
fn choose(dump: DumpData<'_>, instances: &[ObjectId], task: &Task) -> Result<Vec<FieldKey>, Cancelled> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut known: FxHashMap<FieldKey, usize> = FxHashMap::default();
    for (at, &object) in instances.iter().enumerate() {
        task.checkpoint()?;
        for field in fields(dump, object).into_iter().take(COMPARED) {
            let key = FieldKey { declared_by: field.declared_by, name: field.name };
            let candidate = *known.entry(key.clone()).or_insert_with(|| {
                candidates.push(Candidate { key, values: vec![None; instances.len()] });
                candidates.len() - 1
            });
            let values = candidates.get_mut(candidate).map(|candidate| &mut candidate.values);
            if let Some(value) = values.and_then(|values| values.get_mut(at)) {
                *value = readable(dump, field.value);
            }
        }
    }
    let mut ranked: Vec<_> = candidates.iter().filter_map(|candidate| Some((candidate.rank()?, candidate))).collect();
    // Stable: equally good fields are in the order of their declaration.
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut chosen: Vec<&Candidate> = Vec::new();
    for (_, candidate) in ranked {
        if chosen.len() < FIELDS && !chosen.iter().any(|better| better.repeats(candidate)) {
            chosen.push(candidate);
        }
    }
    Ok(chosen.into_iter().map(|candidate| candidate.key.clone()).collect())
}

/// Fields of an object of which a preview may show the value: none that is named like a credential.
fn fields(dump: DumpData<'_>, object: ObjectId) -> Vec<Field> {
    let mut fields = dump.contents.fields(dump.heap, object).unwrap_or_default();
    let is_snapshot = dump.heap.snapshot().is_some();
    fields.retain(|field| {
        let is_named = !field.name.starts_with('<') && !OF_ENGINE.contains(&&*field.name);
        let is_property = field.type_name == ReferenceKind::Property.name() && is_named;
        !field.is_static && (!is_snapshot || is_property) && !is_credential(&field.name)
    });
    fields
}

fn is_field(field: &Field, key: &FieldKey) -> bool {
    field.name == key.name && field.declared_by == key.declared_by
}

/// A value as people read it; `None` for null and for objects that only their fields describe.
fn readable(dump: DumpData<'_>, value: Value) -> Option<Readable> {
    let DumpData { heap, contents, .. } = dump;
    let plain = |kind, text: String| Readable { kind, length: text.chars().count(), text: shortened(&text) };
    let object = match value {
        Value::Null | Value::Dangling(_) | Value::Unavailable => return None,
        Value::Object(object) => object,
        _ => return Some(plain(Kind::Plain, value.to_string())),
    };
    if contents.text(heap, object, 1).is_some() {
        return text_of(dump, object);
    }
    let class = heap.class_id(object);
    if let Some(boxed) = contents.boxed(heap, object) {
        return Some(plain(Kind::Plain, boxed.to_string()));
    }
    let is_size = contents.role(class) == Role::Collection;
    if heap.class(object).kind != ClassKind::Plain || heap.classes.of_object(object).is_some() {
        return None;
    }
    let Some(label) = contents.label(heap, object) else { return nested(dump, object) };
    if NO_VALUES.contains(&&*label) {
        return None;
    }
    if heap.snapshot().is_some() && label.starts_with('{') {
        return nested(dump, object);
    }
    // Functions tell nothing apart.
    if heap.snapshot().is_some() && (label.ends_with("()") || label.starts_with('(') || label.starts_with("system")) {
        return None;
    }
    Some(plain(if is_size { Kind::Size } else { Kind::Plain }, label))
}

/// The first short text in the fields of an object without a label: `"anna"` for a user with this name.
fn nested(dump: DumpData<'_>, object: ObjectId) -> Option<Readable> {
    if dump.contents.role(dump.heap.class_id(object)) != Role::Other {
        return None;
    }
    let fields = fields(dump, object);
    let mut texts = fields.iter().take(COMPARED).filter_map(|field| text_of(dump, field.value.object()?));
    texts.find(|text| text.length <= LONG).map(|text| Readable { kind: Kind::Nested, ..text })
}

/// A string in quotes; `None` for other objects and for blank texts.
fn text_of(dump: DumpData<'_>, object: ObjectId) -> Option<Readable> {
    let text = dump.contents.text(dump.heap, object, LONG * 2)?;
    let text = text.trim();
    let length = text.chars().count();
    (length > 0).then(|| Readable { kind: Kind::Text, length, text: format!("\"{}\"", shortened(text)) })
}

/// The beginning of a text, on one line.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(CHARACTERS) {
        Some((end, _)) => one_line(text.get(..end).unwrap_or_default()) + "…",
        None => one_line(text),
    }
}
