//! The shapes of json answers that are more than a table. Field names are a
//! contract: see `docs/command-line.md`.

use serde::Serialize;

use crate::analysis::object::ObjectDetails;
use crate::analysis::paths::Path;
use crate::heap::analyzed::Analyzed;
use crate::heap::contents::{Contents, Value};
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::heap::totals::Totals;
use crate::task::Progress;
use crate::units::Share;

/// Answer of `summary`.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct Summary {
    pub file: String,
    pub format: &'static str,
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
    pub size_model: &'static str,
    pub from_cache: bool,
    pub notes: Vec<Note>,
    pub phases: Vec<PhaseTime>,
    pub seconds: f64,
    pub peak_memory_bytes: Option<u64>,
}

/// Objects and bytes.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it")]
pub struct Extent {
    pub objects: u64,
    pub bytes: u64,
}

/// An import note.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it")]
pub struct Note {
    pub severity: &'static str,
    pub count: u64,
    pub message: String,
    pub first_offset: Option<u64>,
}

/// Seconds of one phase.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it")]
pub struct PhaseTime {
    pub name: &'static str,
    pub seconds: f64,
}

impl Summary {
    /// Puts together what is known of an opened dump.
    pub fn new(file: String, heap: &Heap, analyzed: &Analyzed, progress: &Progress, peak: Option<u64>) -> Self {
        let extent = |t: Totals| Extent { objects: t.objects, bytes: t.shallow.0 };
        let taken = heap.origin.taken_at_millis.and_then(|millis| {
            let time = std::time::UNIX_EPOCH.checked_add(std::time::Duration::from_millis(millis))?;
            // Years past 9999 have no such form; a damaged header may say so.
            (millis < 253_402_300_800_000).then(|| humantime::format_rfc3339_seconds(time).to_string())
        });
        Self {
            file,
            format: heap.origin.format,
            producer: heap.origin.producer.clone(),
            id_bytes: heap.origin.id_bytes,
            taken_at: taken,
            objects: heap.len() as u64,
            references: heap.reference_count(),
            classes: heap.classes.len() as u64,
            gc_roots: analyzed.roots().objects().len() as u64,
            total_bytes: (analyzed.shown.shallow + analyzed.unreachable.shallow).0,
            reachable: extent(analyzed.shown),
            unreachable: extent(analyzed.unreachable),
            size_model: heap.origin.size_model.name(),
            from_cache: false,
            notes: heap
                .notes
                .iter()
                .map(|n| Note {
                    severity: n.severity.name(),
                    count: n.count,
                    message: n.message.clone(),
                    first_offset: n.first_offset,
                })
                .collect(),
            phases: progress
                .finished
                .iter()
                .map(|p| PhaseTime { name: p.name, seconds: p.elapsed.as_secs_f64() })
                .collect(),
            seconds: progress.elapsed.as_secs_f64(),
            peak_memory_bytes: peak,
        }
    }
}

/// One row of `dominators`, with those below it.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct DominatorRow {
    pub id: String,
    pub class: String,
    pub label: Option<String>,
    pub shallow_bytes: u64,
    pub retained_bytes: u64,
    pub share: f64,
    pub dominated: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub children: Option<Vec<DominatorRow>>,
}

impl DominatorRow {
    /// A row without those below it.
    pub fn new(heap: &Heap, contents: &dyn Contents, analyzed: &Analyzed, object: ObjectId) -> Self {
        let retained = analyzed.retained(object);
        Self {
            id: heap.id_text(object),
            class: heap.class(object).name.to_string(),
            label: contents.label(heap, object),
            shallow_bytes: heap.shallow(object).0,
            retained_bytes: retained.0,
            share: super::table::fraction(Share::of(retained, analyzed.shown.shallow)),
            dominated: analyzed.dominated(object),
            children: None,
        }
    }
}

/// Answer of `paths`.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct Paths {
    pub paths: Vec<PathRow>,
}

/// One path.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct PathRow {
    pub root_kind: &'static str,
    pub strength: &'static str,
    /// Steps left out in the middle, and after how many of `steps`; only with `--top`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted: Option<OmittedSteps>,
    pub steps: Vec<StepRow>,
}

/// Steps that are not written out.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it")]
pub struct OmittedSteps {
    pub after: usize,
    pub steps: usize,
}

/// One step of a path.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct StepRow {
    pub id: String,
    pub class: String,
    pub label: Option<String>,
    pub reference: Option<String>,
}

impl Paths {
    /// The paths, as they are.
    pub fn new(paths: &[Path]) -> Self {
        let step = |s: &crate::analysis::paths::PathStep| StepRow {
            id: s.id.clone(),
            class: s.class.clone(),
            label: s.label.clone(),
            reference: s.reference.clone(),
        };
        let row = |p: &Path| PathRow {
            root_kind: p.root_kind.name(),
            strength: p.strength.name(),
            omitted: p.omission.map(|o| OmittedSteps { after: o.after, steps: o.steps }),
            steps: p.steps.iter().map(step).collect(),
        };
        Self { paths: paths.iter().map(row).collect() }
    }
}

/// Answer of `object`.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct Object {
    pub id: String,
    pub class: String,
    pub label: Option<String>,
    pub shallow_bytes: u64,
    pub retained_bytes: u64,
    pub immediate_dominator: Option<String>,
    pub roots: Vec<&'static str>,
    pub distance: Option<u32>,
    pub loader: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<String>,
    pub fields: Vec<ObjectField>,
}

/// One field, static or element.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct ObjectField {
    pub name: String,
    #[serde(rename = "type")]
    pub type_name: String,
    pub value: serde_json::Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

impl Object {
    /// The object; elements of arrays count as fields.
    pub fn new(heap: &Heap, details: &ObjectDetails) -> Self {
        let field = |name: String, type_name: String, value: Value, label: Option<&str>| ObjectField {
            name,
            type_name,
            value: json_value(value, label),
            id: value.object().map(|o| heap.id_text(o)),
        };
        let fields = details.fields.iter().map(|f| {
            let type_name = f.class.clone().unwrap_or_else(|| f.field.type_name.to_owned());
            field(f.field.name.clone(), type_name, f.field.value, f.label.as_deref())
        });
        let element = details.class_name.strip_suffix("[]").unwrap_or(&details.class_name);
        let elements = details.elements.iter().map(|e| {
            let type_name = e.class.clone().unwrap_or_else(|| element.to_owned());
            field(format!("[{}]", e.index), type_name, e.value, e.label.as_deref())
        });
        Self {
            id: details.id.clone(),
            class: details.class_name.clone(),
            label: details.label.clone(),
            shallow_bytes: details.shallow.0,
            retained_bytes: details.retained.0,
            immediate_dominator: details.immediate_dominator.map(|o| heap.id_text(o)),
            roots: details.roots.iter().map(|r| r.name()).collect(),
            distance: details.distance,
            loader: details.loader.map(|o| heap.id_text(o)),
            text: details.text.clone(),
            length: details.length,
            stack: details.stack.clone(),
            fields: fields.chain(elements).collect(),
        }
    }
}

/// Numbers as numbers, references by their label; what json cannot say (NaN, infinities) as text.
fn json_value(value: Value, label: Option<&str>) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Object(_) => label.into(),
        Value::Bool(b) => b.into(),
        Value::Byte(n) => n.into(),
        Value::Short(n) => n.into(),
        Value::Int(n) => n.into(),
        Value::Long(n) => n.into(),
        Value::Float(n) if n.is_finite() => n.into(),
        Value::Double(n) if n.is_finite() => n.into(),
        Value::Float(_) | Value::Double(_) | Value::Char(_) | Value::Dangling(_) => value.to_string().into(),
    }
}
