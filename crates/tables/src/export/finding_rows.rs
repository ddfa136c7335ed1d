//! Findings as rows: columns with their types and values, declared once. A finding of the search, a trace of an Android
//! dump and an unreachable object there fill the same [`FindingRow`].

use crate::List;
use crate::columns::{Columns, Item, heading, rounded};
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
    /// The short name that the title begins with.
    pub short_name: Option<String>,
    /// The same with packages, as the dump has it.
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
    /// The holding object.
    pub holder: Option<ObjectId>,
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

/// Columns of findings, in output order.
pub(crate) const COLUMNS: Columns<Item<FindingRow>> = &[&[
    heading("group", "Group", "Group of the finding: leak, waste, bounded, normal or expected")
        .text(|row, _| Some(row.group.as_str().into())),
    heading("kind", "Kind", "Kind of the finding, such as holder, thread, waste or trace")
        .text(|row, _| Some(row.kind.as_str().into())),
    heading("name", "Holder", "Field or object that holds the leaking objects")
        .text(|row, _| row.name.as_deref().map(Into::into)),
    heading("short_name", "Name", "Field or variable in the source that the title begins with; empty if there is none")
        .text(|row, _| row.short_name.as_deref().map(Into::into)),
    heading("label", "Full name", "The name with packages, as the dump has it")
        .text(|row, _| row.label.as_deref().map(Into::into)),
    heading(
        "distinction",
        "Distinction",
        "What tells the finding from others of the same name: the file or package, or the last steps of the path",
    )
    .text(|row, _| row.distinction.as_deref().map(Into::into)),
    heading("class", "Accumulated class", "Class of which many objects accumulate")
        .text(|row, _| row.class.as_deref().map(Into::into)),
    heading("count", "Count", "Number of accumulated objects of this class").count(|row, _| row.count),
    heading("frees_bytes", "Frees", "Bytes freed by cutting the references in the column Cut")
        .bytes(|row, _| row.frees),
    heading("share", "Share", "Freed bytes as a percentage of all reachable bytes").share(|row, _| row.share),
    heading("objects", "Objects", "Number of objects freed; for waste, the number of objects that waste memory")
        .count(|row, _| row.objects),
    heading("holder", "Holder", "Address or id of the holding object").object(|row, _| row.holder),
    heading("cut", "Cut", "References that must all be cut to free the objects")
        .text(|row, _| row.cut.as_deref().map(Into::into)),
    heading("fingerprint", "Fingerprint", "Identifies the finding in later dumps of the program")
        .text(|row, _| row.fingerprint.as_deref().map(Into::into)),
    heading("growth_bytes", "Growth", "Freed bytes minus those in the baseline; empty without a baseline")
        .byte_delta(|row, _| row.growth),
    heading(
        "growth_within",
        "Growth within",
        "Finding that states this growth, too: a sum leaves out the growth of rows with one",
    )
    .text(|row, _| row.growth_within.as_deref().map(Into::into)),
    heading(
        "likelihood",
        "Likelihood",
        "leak, or suspect with a certainty below 0.6; empty of waste and of memory that is no leak",
    )
    .text(|row, _| row.likelihood.map(|likelihood| likelihood.key().into())),
    heading(
        "certainty",
        "Certainty",
        "Estimate from the evidence that the finding is a leak, from 0 to 1; empty where the likelihood is",
    )
    .fraction(|row, _| row.certainty),
    heading("within", "Within", "Finding that holds these bytes, too: a sum leaves out rows with one")
        .text(|row, _| row.within.as_deref().map(Into::into)),
]];

/// Table of findings.
pub fn finding_table(rows: Vec<FindingRow>) -> List<FindingRow> {
    List::new(COLUMNS, rows)
}

impl From<&LeakFinding> for FindingRow {
    fn from(finding: &LeakFinding) -> Self {
        let accumulated = finding.accumulated.as_ref();
        let cuts: Vec<&str> = finding.cut.iter().map(|cut| &*cut.name).collect();
        Self {
            group: finding.group.key().to_owned(),
            kind: finding.kind.key().to_owned(),
            name: Some(finding.name.clone()),
            short_name: Some(finding.label.clone()).filter(|label| !label.is_empty()),
            label: Some(finding.qualified.clone()).filter(|label| !label.is_empty()),
            distinction: finding.distinction.clone(),
            class: accumulated.map(|of_class| of_class.class.clone()),
            count: accumulated.map(|of_class| of_class.objects),
            frees: Some(finding.frees),
            share: Some(finding.share()),
            objects: Some(finding.objects),
            holder: finding.holder.as_ref().map(|holder| holder.object),
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
