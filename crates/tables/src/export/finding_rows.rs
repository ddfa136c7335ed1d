//! Findings as rows: columns with their types and values, declared once. A finding of the search, a trace of an Android
//! dump and an unreachable object there fill the same [`FindingRow`].

use crate::columns::{ColumnKind, Heading, Value, heading};
use heaplens_analysis::LeakFinding;
use heaplens_analysis::leaks::{Evidence, Likelihood};
use heaplens_base::{ByteDelta, Bytes, Share};
use heaplens_heap::ObjectId;

/// A finding as a row; what is not known is `None`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FindingRow {
    /// Group of the finding: leak, waste, bounded, normal or expected.
    pub group: String,
    /// Kind of the finding.
    pub kind: String,
    /// Field or object that holds the leaking objects.
    pub name: Option<String>,
    /// The field in the source that the title begins with.
    pub label: Option<String>,
    /// What tells it from other findings of the same label.
    pub distinction: Option<String>,
    /// Class of which many objects accumulate.
    pub class: Option<String>,
    /// Number of accumulated objects of this class.
    pub count: Option<u64>,
    /// Bytes freed by cutting the references.
    pub frees: Option<Bytes>,
    /// These bytes as a share of all reachable bytes.
    pub share: Option<Share>,
    /// Number of objects freed; for waste, of objects that waste memory.
    pub objects: Option<u64>,
    /// The holding object, and its id as text.
    pub holder: Option<(ObjectId, String)>,
    /// References that must all be cut.
    pub cut: Option<String>,
    /// Identifies the finding in later dumps.
    pub fingerprint: Option<String>,
    /// Growth in bytes since the baseline.
    pub growth: Option<ByteDelta>,
    /// The finding that states this growth, too.
    pub growth_within: Option<String>,
    /// What it is by its certainty; `None` of waste and of memory that is no leak.
    pub likelihood: Option<Likelihood>,
    /// Certainty of that, from 0 to 1.
    pub certainty: Option<f64>,
    /// Label of the finding that holds these bytes, too.
    pub within: Option<String>,
}

/// Column of findings.
pub struct FindingColumn {
    /// Key, title and definition.
    pub heading: Heading,
    /// Type.
    pub kind: ColumnKind,
    /// Value of a row.
    pub cell: fn(&FindingRow) -> Value<'static>,
}

/// The columns of findings, in output order.
pub const COLUMNS: [FindingColumn; 18] = [
    column(
        "group",
        "Group",
        "Group of the finding: leak, waste, bounded, normal or expected",
        ColumnKind::Text,
        |row| Value::text(row.group.clone()),
    ),
    column("kind", "Kind", "Kind of the finding, such as holder, thread, waste or trace", ColumnKind::Text, |row| {
        Value::text(row.kind.clone())
    }),
    column("name", "Holder", "Field or object that holds the leaking objects", ColumnKind::Text, |row| {
        cell(row.name.clone(), Value::text)
    }),
    column(
        "label",
        "Label",
        "Field in the source that the title begins with; empty if there is none",
        ColumnKind::Text,
        |row| cell(row.label.clone(), Value::text),
    ),
    column(
        "distinction",
        "Distinction",
        "What tells the finding from others of the same label: the file or package, or the last steps of the path",
        ColumnKind::Text,
        |row| cell(row.distinction.clone(), Value::text),
    ),
    column("class", "Accumulated class", "Class of which many objects accumulate", ColumnKind::Text, |row| {
        cell(row.class.clone(), Value::text)
    }),
    column("count", "Count", "Number of accumulated objects of this class", ColumnKind::Count, |row| {
        cell(row.count, Value::Count)
    }),
    column(
        "frees_bytes",
        "Frees",
        "Bytes freed by cutting the references in the column Cut",
        ColumnKind::Bytes,
        |row| cell(row.frees, Value::Bytes),
    ),
    column("share", "Share", "Freed bytes as a percentage of all reachable bytes", ColumnKind::Share, |row| {
        cell(row.share, Value::Share)
    }),
    column(
        "objects",
        "Objects",
        "Number of objects freed; for waste, the number of objects that waste memory",
        ColumnKind::Count,
        |row| cell(row.objects, Value::Count),
    ),
    column("holder", "Holder", "Address or id of the holding object", ColumnKind::Object, |row| {
        cell(row.holder.as_ref(), |(_, id)| Value::text(id.clone()))
    }),
    column("cut", "Cut", "References that must all be cut to free the objects", ColumnKind::Text, |row| {
        cell(row.cut.clone(), Value::text)
    }),
    column(
        "fingerprint",
        "Fingerprint",
        "Identifies the finding in later dumps of the program",
        ColumnKind::Text,
        |row| cell(row.fingerprint.clone(), Value::text),
    ),
    column(
        "growth_bytes",
        "Growth",
        "Freed bytes minus those in the baseline; empty without a baseline",
        ColumnKind::ByteDelta,
        |row| cell(row.growth, Value::ByteDelta),
    ),
    column(
        "growth_within",
        "Growth within",
        "Finding that states this growth, too: a sum leaves out the growth of rows with one",
        ColumnKind::Text,
        |row| cell(row.growth_within.clone(), Value::text),
    ),
    column(
        "likelihood",
        "Likelihood",
        "leak, or suspect with a certainty below 0.6; empty of waste and of memory that is no leak",
        ColumnKind::Text,
        |row| cell(row.likelihood, |likelihood| Value::text(likelihood.key().to_owned())),
    ),
    column(
        "certainty",
        "Certainty",
        "Estimate from the evidence that the finding is a leak, from 0 to 1; empty where the likelihood is",
        ColumnKind::Share,
        |row| cell(row.certainty, Value::Real),
    ),
    column(
        "within",
        "Within",
        "Finding that holds these bytes, too: a sum leaves out rows with one",
        ColumnKind::Text,
        |row| cell(row.within.clone(), Value::text),
    ),
];

const fn column(
    key: &'static str,
    title: &'static str,
    about: &'static str,
    kind: ColumnKind,
    cell: fn(&FindingRow) -> Value<'static>,
) -> FindingColumn {
    FindingColumn { heading: heading(key, title, about), kind, cell }
}

fn cell<T>(value: Option<T>, make: impl FnOnce(T) -> Value<'static>) -> Value<'static> {
    value.map_or(Value::Null, make)
}

impl FindingRow {
    /// The cells of all columns.
    pub fn cells(&self) -> Vec<Value<'static>> {
        COLUMNS.iter().map(|column| (column.cell)(self)).collect()
    }
}

impl From<&LeakFinding> for FindingRow {
    fn from(finding: &LeakFinding) -> Self {
        let accumulated = finding.accumulated.as_ref();
        let cuts: Vec<&str> = finding.cut.iter().map(|cut| &*cut.name).collect();
        Self {
            group: finding.group.key().to_owned(),
            kind: finding.kind.key().to_owned(),
            name: Some(finding.name.clone()),
            label: Some(finding.label.clone()).filter(|label| !label.is_empty()),
            distinction: finding.distinction.clone(),
            class: accumulated.map(|found| found.class.clone()),
            count: accumulated.map(|found| found.objects),
            frees: Some(finding.frees),
            share: Some(finding.share()),
            objects: Some(finding.objects),
            holder: finding.holder.as_ref().map(|holder| (holder.object, holder.id.clone())),
            cut: Some(cuts.join(" + ")),
            fingerprint: Some(finding.fingerprint.clone()),
            growth: growth(finding),
            growth_within: finding.growth_within.clone(),
            likelihood: finding.likelihood(),
            certainty: finding.stated_certainty().map(rounded),
            within: finding.within.clone().filter(|label| !label.is_empty()),
        }
    }
}

/// A certainty as answers state it, to three digits.
pub(crate) fn rounded(certainty: f64) -> f64 {
    (certainty * 1000.0).round() / 1000.0
}

/// Growth in bytes since the baseline, if it is known.
fn growth(finding: &LeakFinding) -> Option<ByteDelta> {
    growth_bytes(finding.growth()?)
}

/// Bytes that a finding grew by; negative if it shrank. `None` of other evidence.
pub(crate) fn growth_bytes(growth: &Evidence) -> Option<ByteDelta> {
    match growth {
        Evidence::Grew { grown, .. } => Some(ByteDelta::between(Bytes(0), *grown)),
        Evidence::DidNotGrow { bytes, .. } => Some(ByteDelta::between(bytes.0, bytes.1)),
        _ => None,
    }
}
