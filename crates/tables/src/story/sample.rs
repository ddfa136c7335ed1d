//! Some entries of the structure that a finding is about, as rows to read.

use super::page::StoryInput;
use heaplens_analysis::leaks::LeakFinding;
use heaplens_analysis::preview::label_or_preview;
use heaplens_base::invisible::one_line;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{LogicalEntry, ObjectId, Value, split_class, value_rules};

/// Letters of a key.
const KEY: usize = 40;

/// Some entries of a collection.
#[derive(Debug, Clone, PartialEq)]
pub struct EntrySample {
    /// Number of all entries.
    pub size: u64,
    /// Those that are shown, in the order of the collection.
    pub entries: Vec<SampledEntry>,
}

/// An entry.
#[derive(Debug, Clone, PartialEq)]
pub struct SampledEntry {
    /// Its key as text, in quotes, if it has one that is to be shown.
    pub key: Option<String>,
    /// Class of its value, or of its key if it has none, and what tells it from others.
    pub value: String,
    /// Retained size of that.
    pub retained: Bytes,
}

/// At most `most` entries of the first structure of a finding that has some, evenly spaced; `None` if it has none.
///
/// # Errors
/// When `task` is cancelled.
pub fn sample(
    input: StoryInput<'_>,
    finding: &LeakFinding,
    most: u64,
    task: &Task,
) -> Result<Option<EntrySample>, Cancelled> {
    let data = input.shown.data();
    for structure in finding.structures() {
        let Some(size) = data.contents.logical(data.heap, structure, 0..0).map(|logical| logical.size) else {
            continue;
        };
        let (count, mut entries) = (most.min(size), Vec::new());
        for nth in 0..count {
            // The middle of each of so many equal parts.
            let at = (size / count) * nth + (size / count) / 2;
            let read = data.contents.logical(data.heap, structure, at..at + 1).map(|logical| logical.entries);
            if let Some(entry) = read.and_then(|entries| entries.into_iter().next()) {
                entries.extend(sampled(input, &entry, task)?);
            }
        }
        if !entries.is_empty() {
            return Ok(Some(EntrySample { size, entries }));
        }
    }
    Ok(None)
}

fn sampled(input: StoryInput<'_>, entry: &LogicalEntry, task: &Task) -> Result<Option<SampledEntry>, Cancelled> {
    let data = input.shown.data();
    let key_object = entry.key.and_then(Value::object);
    let Some(value) = entry.value.object().or(key_object) else { return Ok(None) };
    let key = match key_object.filter(|&key| key != value && !data.contents.hides_values()) {
        Some(key) => data.contents.text(data.heap, key, KEY).map(|text| format!("{:?}", one_line(&text))),
        None => None,
    };
    Ok(Some(SampledEntry { key, value: described(input, value, task)?, retained: data.analysis.retained(value) }))
}

/// The class of an object without its package, and what tells it from others.
fn described(input: StoryInput<'_>, object: ObjectId, task: &Task) -> Result<String, Cancelled> {
    let class = &input.shown.facts.heap.class(object).name;
    let simple = value_rules::name(split_class(class).1).to_string();
    let label = label_or_preview(input.shown.data(), object, task)?;
    // A preview has two spaces between its fields.
    Ok(label.map_or_else(|| simple.clone(), |label| format!("{simple} {}", one_line(&label).replace("  ", ", "))))
}
