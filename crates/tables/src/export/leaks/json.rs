//! Findings as JSON. Field names are a contract: see `docs/command-line.md`.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::Counts;
use crate::columns::rounded;
use crate::export::finding_rows::growth_bytes;
use crate::export::traces::{metadata_json, trace_json, unreachable_json};
use crate::{columns::fraction, export::json::PathRow};
use heaplens_analysis::leaks::{Evidence, Likelihood, NamedObject, known_rules::KnownLeak, rules::Verdict, words};
use heaplens_analysis::{LeakFinding, android::shark::LeakReport};
use heaplens_heap::Heap;

/// Writes findings as one JSON object, as [`leaks_json`] makes it.
///
/// # Errors
/// If it cannot be written.
pub fn write_leaks_json(
    mut out: impl Write,
    findings: &[LeakFinding],
    counts: Counts,
    report: Option<(&Heap, &LeakReport)>,
) -> io::Result<()> {
    serde_json::to_writer(&mut out, &leaks_json(findings, counts, report))?;
    writeln!(out)
}

/// Findings as one JSON object; of an Android dump, with leak traces. `counts` covers all findings, whatever the filter
/// leaves out.
pub fn leaks_json(findings: &[LeakFinding], counts: Counts, report: Option<(&Heap, &LeakReport)>) -> Value {
    let traces =
        report.map_or(Vec::new(), |(heap, report)| report.leaks.iter().map(|leak| trace_json(heap, leak)).collect());
    let mut answer = json!({
        "findings": findings.iter().map(finding_json).collect::<Vec<_>>(),
        "counts": {"application": counts.application, "library": counts.library, "unreachable": counts.unreachable},
        "traces": traces,
    });
    if let (Some((heap, report)), Value::Object(answer)) = (report, &mut answer) {
        answer.insert("unreachable".to_owned(), unreachable_json(heap, report));
        answer.insert("metadata".to_owned(), metadata_json(report));
    }
    answer
}

/// A finding as a json object.
pub(in crate::export) fn finding_json(finding: &LeakFinding) -> Value {
    let named = |named: &NamedObject| json!({"id": named.id, "class": named.class, "label": named.label});
    let cut = finding.cut.iter().map(|cut| {
        json!({
            "name": cut.name, "from": cut.from_id, "to": cut.to_id, "reference": cut.reference, "times": cut.times,
        })
    });
    let mut holder = finding.holder.as_ref().map_or(Value::Null, named);
    if let Value::Object(holder) = &mut holder {
        holder.insert("name".to_owned(), Value::from(finding.name.clone()));
    }
    let accumulated = finding.accumulated.as_ref();
    json!({
        "kind": finding.kind.key(),
        "group": finding.group.key(),
        "title": words::title(finding),
        "bytes": finding.frees.0,
        "share": fraction(finding.share()),
        "objects": finding.objects,
        "name": finding.name,
        "label": finding.qualified,
        "short_name": Some(&finding.label).filter(|label| !label.is_empty()),
        "distinction": finding.distinction,
        "certainty": finding.stated_certainty().map(rounded),
        "likelihood": finding.likelihood().map(Likelihood::key),
        "within": finding.within.as_deref().filter(|label| !label.is_empty()),
        "holder": holder,
        "accumulation": finding.point.as_ref().map_or(Value::Null, named),
        "accumulates": accumulated.map(|of_class| {
            let (objects, freed) = (of_class.objects, of_class.freed);
            json!({"class": of_class.class, "objects": objects, "freed_objects": freed, "of_all": of_class.of_all})
        }),
        "collection": finding.collection.as_ref().map(|inside| {
            json!({"class": inside.class, "kind": inside.kind.name(), "size": inside.size})
        }),
        "path": finding.path.as_ref().map(PathRow::new),
        "cut": cut.collect::<Vec<_>>(),
        "unlisted": finding.unlisted,
        "frees": finding.frees.0,
        "places": finding.locations,
        "fingerprint": finding.fingerprint,
        "growth": finding.growth().map(|growth| growth_json(growth, finding.growth_within.as_deref())),
        "explanation": words::explanation(finding),
        "evidence": finding.evidence.iter().map(Evidence::key).collect::<Vec<_>>(),
        "for": finding.evidence.iter().filter(|sign| sign.is_for()).map(Evidence::to_string).collect::<Vec<_>>(),
        "against": finding.evidence.iter().filter(|sign| sign.is_against()).map(Evidence::to_string).collect::<Vec<_>>(),
        "known": finding.known.as_deref().map(known_json),
        "verdict": finding.verdict.as_ref().map(verdict_json),
    })
}

/// Growth since the baseline as a JSON object. `bytes` is negative if the finding shrank; `within` is the finding that states
/// it, too.
fn growth_json(growth: &Evidence, within: Option<&str>) -> Value {
    let (Evidence::Grew { bytes, objects, .. } | Evidence::DidNotGrow { bytes, objects }) = growth else {
        return Value::Null;
    };
    json!({
        "grew": growth.is_for(), "bytes": growth_bytes(growth).map(|bytes| bytes.0),
        "bytes_before": bytes.0.0, "bytes_after": bytes.1.0, "objects_before": objects.0, "objects_after": objects.1,
        "within": within,
    })
}

/// A known leak as a JSON object; versions and source are null if unknown.
fn known_json(known: &KnownLeak) -> Value {
    let text = |text: &str| Some(text).filter(|text| !text.is_empty()).map(str::to_owned);
    json!({
        "id": known.id, "title": known.title, "advice": known.advice, "versions": text(&known.versions),
        "source": text(&known.source),
    })
}

/// A verdict as a JSON object.
pub(in crate::export) fn verdict_json(verdict: &Verdict) -> Value {
    json!({"group": verdict.group.key(), "pattern": verdict.pattern, "reason": verdict.reason})
}
