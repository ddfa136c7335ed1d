//! JSON structures of answers that are not tables. Field names are a contract: see `docs/command-line.md`.

#![expect(missing_docs, reason = "names say it; the command line's manual explains them")]

use std::{cell::RefCell, collections::BTreeMap};

use serde::{Serialize, Serializer};

use super::ages::ObjectAges;
use super::cuts::Cuts;
use super::extent::Extent;
use super::leaks::LeakVerdicts;
use super::memory_errors::ErrorsAnswer;
use super::object_extras::ObjectExtras;
use super::parts::Figures;
use super::snapshot::SnapshotStatistics;
use super::time::taken_at;
use heaplens_analysis::object::{ElementRow, FieldRow};
use heaplens_analysis::paths::merged::{MergeBy, MergedTree, Node};
use heaplens_analysis::paths::text::{object_text, reference_text};
use heaplens_analysis::structure::ShortName;
use heaplens_analysis::{DumpData, ObjectDetails, PathStep, ReferencePath, native_memory::OutsideHeap};
use heaplens_base::{Count, Progress};
use heaplens_heap::native::{NativeKind, NativeTotals};
use heaplens_heap::parts::RegionTotals;
use heaplens_heap::{
    Analysis, Heap, ImportNote, LogicalCollection, LogicalEntry, LogicalKind, ObjectId, Snapshot, Strength, Value,
};

/// Answer of `summary`.
#[derive(Debug, Serialize)]
pub struct Summary {
    pub file: String,
    pub format: String,
    pub producer: String,
    pub id_bytes: u32,
    pub taken_at: Option<String>,
    pub objects: u64,
    pub references: u64,
    pub classes: u64,
    pub gc_roots: u64,
    pub total_bytes: u64,
    pub reachable: Extent,
    pub unreachable: Extent,
    /// The removals after which the summary is; JSON begins with them, as in all answers.
    #[serde(skip)]
    pub cuts: Option<Cuts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaks: Option<LeakVerdicts>,
    pub outside_heap: OutsideMemory,
    pub out_of_memory: Option<ErrorsAnswer>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub heaps: BTreeMap<String, HeapExtent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<SnapshotStatistics>,
    pub size_model: &'static str,
    pub from_cache: bool,
    pub notes: Vec<Note>,
    pub phases: Vec<PhaseTime>,
    pub seconds: f64,
    pub peak_memory_bytes: Option<u64>,
}

/// Shown objects of one Android heap.
#[derive(Debug, Clone, Serialize)]
pub struct HeapExtent {
    pub objects: u64,
    pub shallow_bytes: u64,
    pub native_bytes: u64,
}

/// Memory outside the heap.
#[derive(Debug, Serialize)]
pub struct OutsideMemory {
    pub direct_buffers: u64,
    pub bytes: u64,
    pub kinds: Vec<NativeSum>,
    #[serde(skip)]
    pub of: OutsideHeap,
}

/// Native memory of one kind.
#[derive(Debug, Serialize)]
pub struct NativeSum {
    pub kind: &'static str,
    pub objects: u64,
    pub bytes: u64,
    /// False if the amount is what the library usually allocates.
    pub measured: bool,
}

impl OutsideMemory {
    fn new(of: OutsideHeap) -> Self {
        let sum = |sum: &NativeTotals| NativeSum {
            kind: sum.kind.name(),
            objects: sum.objects,
            bytes: sum.bytes.0,
            measured: sum.kind.is_measured(),
        };
        let kinds = of.kinds.iter().map(sum).collect();
        Self { direct_buffers: of.objects(NativeKind::DirectBuffer), bytes: of.bytes().0, kinds, of }
    }
}

/// A parse warning.
#[derive(Debug, Clone, Serialize)]
pub struct Note {
    pub severity: &'static str,
    pub count: u64,
    pub message: String,
    pub first_offset: Option<u64>,
    /// The note in one line, for people.
    #[serde(skip)]
    pub text: String,
}

impl Note {
    /// Converts to the JSON structure.
    pub fn new(note: &ImportNote) -> Self {
        Self {
            severity: note.severity.name(),
            count: note.count,
            message: note.message.clone(),
            first_offset: note.first_offset,
            text: note.to_string(),
        }
    }
}

/// Seconds of one phase.
#[derive(Debug, Serialize)]
pub struct PhaseTime {
    pub name: &'static str,
    pub seconds: f64,
}

/// Data of a summary about this open, not about the dump.
#[derive(Debug, Clone, Copy)]
pub struct OpenDetails<'a> {
    /// The phases and their times.
    pub progress: &'a Progress,
    /// True if a stored analysis was opened instead of the dump.
    pub from_cache: bool,
    /// Notes about this open.
    pub open_warnings: &'a [ImportNote],
    /// Peak memory of the process, if the system reports it.
    pub peak_memory: Option<u64>,
}

impl Summary {
    /// Builds the summary of an opened dump, without cuts, leaks and errors.
    pub fn new(file: String, dump: DumpData<'_>, this_open: OpenDetails<'_>) -> Self {
        let DumpData { heap, analysis, .. } = dump;
        let OpenDetails { progress, from_cache, open_warnings, peak_memory } = this_open;
        Self {
            file,
            format: heap.origin.format.key().to_owned(),
            producer: heap.origin.producer.clone(),
            id_bytes: heap.origin.id_bytes,
            taken_at: taken_at(heap),
            objects: heap.len() as u64,
            references: heap.reference_count(),
            classes: heap.classes.len() as u64,
            gc_roots: analysis.roots().objects().len() as u64,
            total_bytes: (analysis.shown.shallow + analysis.unreachable.shallow).0
                + heap.snapshot().map_or(0, Snapshot::extra_native),
            reachable: analysis.shown.into(),
            unreachable: analysis.unreachable.into(),
            cuts: None,
            leaks: None,
            out_of_memory: None,
            outside_heap: OutsideMemory::new(OutsideHeap::of(dump)),
            heaps: heaps(analysis),
            statistics: heap.snapshot().map(|snapshot| SnapshotStatistics::new(snapshot.statistics())),
            size_model: heap.origin.size_model.name(),
            from_cache,
            notes: heap.notes.iter().chain(open_warnings).map(Note::new).collect(),
            phases: progress
                .finished
                .iter()
                .map(|p| PhaseTime { name: p.name, seconds: p.elapsed.as_secs_f64() })
                .collect(),
            seconds: progress.elapsed.as_secs_f64(),
            peak_memory_bytes: peak_memory,
        }
    }
}

/// Android heaps with shown objects.
fn heaps(analysis: &Analysis) -> BTreeMap<String, HeapExtent> {
    let shown = analysis.region_totals().iter().filter(|region| region.shown.objects > 0);
    let extent = |region: &RegionTotals| {
        let (objects, shallow_bytes) = (region.shown.objects, region.shown.shallow.0);
        (region.name.to_string(), HeapExtent { objects, shallow_bytes, native_bytes: region.native.0 })
    };
    shown.map(extent).collect()
}

/// One path, of the answer of `paths`; borrowed, because it may have millions of steps.
#[derive(Debug, Serialize)]
pub struct PathRow<'a> {
    pub root_kind: &'static str,
    pub strength: &'static str,
    /// Omitted steps in the middle, and the number of `steps` before them; only with `--top`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted: Option<OmittedSteps>,
    pub steps: Vec<StepRow<'a>>,
}

/// Omitted steps.
#[derive(Debug, Serialize)]
pub struct OmittedSteps {
    pub after: usize,
    pub steps: usize,
}

/// One step of a path.
#[derive(Debug, Serialize)]
pub struct StepRow<'a> {
    pub id: &'a str,
    pub class: &'a str,
    pub label: Option<&'a str>,
    pub reference: Option<&'a str>,
    /// True if every path to the last step passes this one.
    pub dominates: bool,
}

impl<'a> PathRow<'a> {
    /// Converts a path.
    pub fn new(path: &'a ReferencePath) -> Self {
        let step = |s: &'a PathStep| StepRow {
            id: &s.id,
            class: &s.class,
            label: s.label.as_deref(),
            reference: s.reference.as_deref(),
            dominates: s.dominates,
        };
        Self {
            root_kind: path.root_kind.key(),
            strength: path.strength.name(),
            omitted: path.omission.map(|o| OmittedSteps { after: o.after, steps: o.steps }),
            steps: path.steps.iter().map(step).collect(),
        }
    }
}

/// A node of merged paths without its children.
#[derive(Debug, Serialize)]
pub struct MergedNode {
    pub reference: Option<String>,
    pub id: Option<String>,
    pub class: String,
    pub label: Option<String>,
    pub steps: u64,
    pub objects: u64,
    pub shallow_bytes: u64,
    pub retained_bytes: u64,
}

impl MergedNode {
    /// The object of a node; `None` if it represents several objects of a class.
    pub(crate) fn single_object(tree: &MergedTree, node: usize, by: MergeBy) -> Option<ObjectId> {
        let node_of = tree.node(node)?;
        node_of.object().filter(|_| by == MergeBy::Object || node_of.steps == 1)
    }

    /// Converts a node. If it represents several objects of a class it has no id.
    pub fn new(dump: DumpData<'_>, tree: &MergedTree, node: usize, by: MergeBy) -> Self {
        let DumpData { heap, contents, .. } = dump;
        let node_of = tree.node(node);
        let object = node_of.and_then(Node::object);
        let one = Self::single_object(tree, node, by);
        let via = || {
            let name = contents.reference_names(heap, node_of?.before()?, object?, 1).pop();
            Some(name.map_or_else(|| "<unknown>".to_owned(), |name| name.text))
        };
        Self {
            reference: if by == MergeBy::Class { tree.name(node).map(str::to_owned) } else { via() },
            id: one.map(|object| heap.id_text(object)),
            class: object.map(|object| heap.class(object).name.to_string()).unwrap_or_default(),
            label: one.and_then(|object| contents.label(heap, object)),
            steps: node_of.map_or(0, |node| u64::from(node.steps)),
            objects: node_of.map_or(0, |node| u64::from(node.objects)),
            shallow_bytes: node_of.map_or(0, |node| node.shallow.0),
            retained_bytes: node_of.map_or(0, |node| node.retained.0),
        }
    }

    /// Text in one line: `.next → big.Node ×5,000,000`.
    pub fn text(&self) -> String {
        let reference = self.reference.as_deref().map(reference_text).unwrap_or_default();
        let object = object_text(&self.class, self.label.as_deref(), self.id.as_deref().unwrap_or_default());
        let steps = if self.steps == 1 { String::new() } else { format!(" ×{}", Count(self.steps)) };
        format!("{reference}{object}{steps}")
    }
}

/// Names of an object without its address, its owner, and its inferred root.
#[derive(Debug, Default)]
pub struct ObjectLabel {
    /// Name that resolves to it; `None` if unreachable.
    pub name: Option<String>,
    /// Short name: the member of the source that holds it.
    pub short_name: Option<String>,
    /// That member, of whatever entry.
    pub owner: Option<String>,
    /// Ownership data, on request.
    pub ownership: Option<Figures>,
    /// When it and what it holds were allocated.
    pub ages: ObjectAges,
}

impl ObjectLabel {
    /// The names alone.
    pub fn of(name: Option<String>, short_name: Option<ShortName>) -> Self {
        let text = short_name.as_ref().map(ToString::to_string);
        let owner = short_name.and_then(ShortName::owner).map(|owner| owner.to_string());
        Self { name, short_name: text, owner, ..Self::default() }
    }
}

/// Answer of `object`; `F` is a list of [`ObjectField`].
#[derive(Debug, Serialize)]
pub struct Object<F> {
    pub id: String,
    pub name: Option<String>,
    pub class: String,
    pub label: Option<String>,
    pub short_name: Option<String>,
    pub owner: Option<String>,
    pub shallow_bytes: u64,
    pub retained_bytes: u64,
    /// Heap and native bytes, where the dump has any.
    #[serde(flatten)]
    pub parts: Figures,
    pub immediate_dominator: Option<String>,
    pub roots: Vec<&'static str>,
    pub distance: Option<u32>,
    #[serde(flatten)]
    pub ages: ObjectAges,
    /// Reachability strength: the best over all root paths of each path's weakest reference; null if unreachable.
    pub strength: Option<&'static str>,
    pub loader: Option<String>,
    /// Further properties.
    #[serde(flatten)]
    pub told: ObjectExtras,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What is missing of the text, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<String>,
    /// Entries of a collection, in addition to its fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection: Option<Collection>,
    pub fields: F,
}

/// A collection with its logical entries.
#[derive(Debug, Serialize)]
pub struct Collection {
    #[serde(serialize_with = "super::keys::collection")]
    pub kind: LogicalKind,
    pub size: u64,
    pub capacity: Option<u64>,
    pub entries: Vec<Entry>,
}

/// An entry; lists and sets have no keys. Each side is a number, a text or an object.
#[derive(Debug, Serialize)]
pub struct Entry {
    pub key: Option<serde_json::Value>,
    pub value: Option<serde_json::Value>,
}

impl Collection {
    /// Converts a collection.
    pub fn new(dump: DumpData<'_>, logical: &LogicalCollection) -> Self {
        let side = |value: Value| match value {
            Value::Object(object) => serde_json::json!({
                "id": dump.heap.id_text(object),
                "class": &*dump.heap.class(object).name,
                "label": dump.contents.label(dump.heap, object),
            }),
            // Not a null of the program: a small integer of JavaScript, a blanked number.
            Value::Unavailable => serde_json::json!({ "available": false }),
            value => json_value(value, None),
        };
        let entry = |entry: &LogicalEntry| Entry { key: entry.key.map(side), value: Some(side(entry.value)) };
        Self {
            kind: logical.kind,
            size: logical.size,
            capacity: logical.capacity,
            entries: logical.entries.iter().map(entry).collect(),
        }
    }
}

/// One field, static or element.
#[derive(Debug, Serialize)]
pub struct ObjectField {
    pub name: String,
    /// Present only if another field of the object has the same name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared_by: Option<String>,
    /// Name in the source of a variable of a bundle, if it has another one there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_name: Option<String>,
    /// Name for people: that in the source, or with the class that declares it in that case.
    #[serde(skip)]
    pub shown_name: String,
    #[serde(rename = "type")]
    pub type_name: String,
    pub value: serde_json::Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Present only if false: then `value` is not a null of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available: Option<bool>,
}

impl<F> Object<F> {
    /// The object; elements of arrays count as fields.
    pub fn new(
        heap: &Heap,
        details: &ObjectDetails,
        called: ObjectLabel,
        collection: Option<Collection>,
        parts: Figures,
        fields: F,
    ) -> Self {
        Self {
            id: details.id.clone(),
            name: called.name,
            class: details.class_name.clone(),
            label: details.label.clone(),
            short_name: called.short_name,
            owner: called.owner,
            shallow_bytes: details.shallow.0,
            retained_bytes: details.retained.0,
            parts,
            immediate_dominator: details.immediate_dominator.map(|o| heap.id_text(o)),
            roots: details.roots.iter().map(|r| r.name()).collect(),
            distance: details.distance,
            ages: called.ages,
            strength: details.strength.map(Strength::name),
            told: ObjectExtras::new(heap, details, called.ownership),
            loader: details.loader.map(|o| heap.id_text(o)),
            text: details.text.clone(),
            missing_text: details.missing_text.map(|missing| missing.to_string()),
            length: details.length,
            stack: details.stack.clone(),
            collection,
            fields,
        }
    }
}

impl ObjectField {
    /// Converts a field or static.
    pub fn of_field(heap: &Heap, row: &FieldRow) -> Self {
        let type_name = row.class.clone().unwrap_or_else(|| row.field.type_name.to_owned());
        let field = Self::new(heap, row.field.name.clone(), type_name, row.field.value, row.label.as_deref());
        let declared_by = (row.name != row.field.name).then(|| row.field.declared_by.clone());
        let source_name = row.source_name.clone();
        let shown_name = source_name.clone().unwrap_or_else(|| row.name.clone());
        Self { declared_by, source_name, shown_name, ..field }
    }

    /// Converts an element of an array of this class.
    pub fn of_element(heap: &Heap, array_class: &str, row: &ElementRow) -> Self {
        let element = array_class.strip_suffix("[]").unwrap_or(array_class);
        let type_name = row.class.clone().unwrap_or_else(|| element.to_owned());
        Self::new(heap, format!("[{}]", row.index), type_name, row.value, row.label.as_deref())
    }

    /// Value as text: for a reference its label, which may be empty.
    pub fn text(&self) -> String {
        match &self.value {
            _ if self.available == Some(false) => Value::Unavailable.to_string(),
            serde_json::Value::Null if self.id.is_some() => String::new(),
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }

    fn new(heap: &Heap, name: String, type_name: String, value: Value, label: Option<&str>) -> Self {
        let id = value.object().map(|o| heap.id_text(o));
        let available = (value == Value::Unavailable).then_some(false);
        let (shown_name, value) = (name.clone(), json_value(value, label));
        Self { name, declared_by: None, source_name: None, shown_name, type_name, value, id, available }
    }
}

/// Serializes an answer.
pub fn text(answer: &impl Serialize) -> String {
    // Only maps with non-string keys fail, and there are none.
    serde_json::to_string(answer).unwrap_or_default()
}

/// A list serialized lazily, once.
pub struct Rows<I>(RefCell<Option<I>>);

impl<I> Rows<I> {
    /// A list of an iterator's items.
    pub fn new(rows: I) -> Self {
        Self(RefCell::new(Some(rows)))
    }
}

impl<I: Iterator<Item: Serialize>> Serialize for Rows<I> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.take().into_iter().flatten())
    }
}

/// Numbers as numbers, references by their label; values JSON lacks (NaN, infinities) as text.
fn json_value(value: Value, label: Option<&str>) -> serde_json::Value {
    match value {
        Value::Null | Value::Unavailable => serde_json::Value::Null,
        Value::Object(_) => label.into(),
        Value::Bool(b) => b.into(),
        Value::Byte(n) => n.into(),
        Value::Short(n) => n.into(),
        Value::Int(n) => n.into(),
        Value::Long(n) => n.into(),
        // Via the shortest decimal form: otherwise 0.1 would become 0.10000000149011612.
        Value::Float(n) if n.is_finite() => n.to_string().parse::<f64>().unwrap_or_else(|_| f64::from(n)).into(),
        Value::Double(n) if n.is_finite() => n.into(),
        Value::Float(_) | Value::Double(_) | Value::Char(_) | Value::Dangling(_) => value.to_string().into(),
    }
}
