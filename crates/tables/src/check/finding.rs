//! What a check compares of a dump: leaks, waste and owners, as entries of a baseline and as text for people.

use std::collections::BTreeMap;

use super::entry::BaselineEntry;
use super::part::CheckPart;
use crate::export::hidden_values::without_values;
use crate::export::leaks::trace;
use crate::export::printable::one_line;
use crate::export::traces::{held_by, trace_text};
use heaplens_analysis::LeakFinding;
use heaplens_analysis::android::shark::Leak;
use heaplens_analysis::leaks::words;
use heaplens_analysis::leaks::{Group, Kind, Likelihood, owner_fingerprint};
use heaplens_analysis::retained_by_owner::{OwnerSize, retained_by_owner};
use heaplens_base::{Bytes, Cancelled, Count, Share, Task};
use heaplens_dump::Dump;
use heaplens_session::leaks::{Device, LeakRules, Matchers, Roots, Traced, add_waste_totals, findings, traces};
use heaplens_session::overview::WasteTotalsQuestion;

/// Divisor of the smallest size of a finding down to which smaller ones are accepted, too: a finding at the limit is
/// not new because it grew a little.
const MARGIN: u64 = 2;
/// Maximum number of characters of a name in a baseline.
const LONGEST: usize = 200;

/// Key of the kind of leak traces, and of owners.
const TRACE: &str = "trace";
const OWNER: &str = "owner";

/// What to compare.
pub struct CheckQuery<'a> {
    /// Rules for findings, and known leaks.
    pub rules: &'a LeakRules,
    /// Known references of Android.
    pub matchers: &'a Matchers,
    /// Smallest size of a finding and of an owner. Leak traces of Android may be smaller.
    pub min_bytes: Bytes,
    /// Parts to gather.
    pub parts: &'a [CheckPart],
    /// True to add smaller findings, for a baseline.
    pub with_small: bool,
}

/// What a check compares of a dump.
#[derive(Debug, Clone, Default)]
pub struct CheckedDump {
    /// Findings that fail unless they are accepted, in the order of `heaplens leaks`.
    pub findings: Vec<CheckedFinding>,
    /// Fingerprints of findings that do not fail, with the key of their group.
    pub judged: Vec<(String, &'static str)>,
    /// Smallest size of a finding.
    pub min_bytes: Bytes,
    /// What is missing of an incomplete dump.
    pub incomplete: Option<String>,
}

/// A finding of a check.
#[derive(Debug, Clone)]
pub struct CheckedFinding {
    /// Part it belongs to.
    pub part: CheckPart,
    /// The finding as an entry of a baseline, without what people write there.
    pub entry: BaselineEntry,
    /// The fingerprint of the same finding in baselines of earlier versions, if it is another one.
    pub former_fingerprint: Option<String>,
    /// True if it is smaller than a finding: accepted, but never new.
    pub is_small: bool,
    /// Stable key of its group: `leak`, `bounded` or `waste`, of leak traces `application` or `library`, else `owner`.
    pub group: &'static str,
    /// What a finding of the leak search is by its certainty.
    pub likelihood: Option<Likelihood>,
    /// Kind for people.
    pub kind: &'static str,
    /// Title with figures.
    pub title: String,
    /// Name of the holder as in the dump, with values; may be empty.
    pub holder: String,
    /// What else is known, in sentences.
    pub facts: Vec<String>,
    /// Path from a GC root, one line a step; may be empty.
    pub path: String,
}

impl Default for CheckedFinding {
    fn default() -> Self {
        Self {
            part: CheckPart::Leaks,
            entry: BaselineEntry::default(),
            former_fingerprint: None,
            is_small: false,
            group: "",
            likelihood: None,
            kind: "",
            title: String::new(),
            holder: String::new(),
            facts: Vec::new(),
            path: String::new(),
        }
    }
}

/// Gathers what a check compares of a dump.
pub fn checked_dump(dump: &Dump, query: &CheckQuery<'_>, task: &Task) -> Result<CheckedDump, Cancelled> {
    let heap = &dump.facts.heap;
    let incomplete = heap.worst_note().map(|note| one_line(&note.message));
    let mut checked = CheckedDump { min_bytes: query.min_bytes, incomplete, ..CheckedDump::default() };
    let smaller = Bytes((query.min_bytes.0 / MARGIN).max(1));
    if query.parts.iter().any(|part| matches!(part, CheckPart::Leaks | CheckPart::Waste)) {
        let device = Device::default();
        let (matchers, contents) = (query.matchers, &*dump.facts.contents);
        let question = Traced { heap, contents, matchers, device: &device, roots: Roots::All };
        let report = traces(question, task)?;
        checked.findings.extend(report.iter().flat_map(|report| &report.leaks).map(of_trace));
        let mut findings_here = findings(dump.data(), (query.rules, query.min_bytes), task)?;
        let has_waste = query.parts.contains(&CheckPart::Waste);
        let totals = has_waste.then(|| dump.answer(&WasteTotalsQuestion, task)).transpose()?;
        if let Some(totals) = &totals {
            let min_bytes = if query.with_small { smaller } else { query.min_bytes };
            add_waste_totals(&dump.analysis, (totals, min_bytes), query.rules, &mut findings_here);
        }
        if query.with_small {
            let small = findings(dump.data(), (query.rules, smaller), task)?;
            findings_here.extend(small.into_iter().filter(|finding| finding.frees < query.min_bytes));
        }
        for finding in &findings_here {
            if is_compared(finding) {
                checked.findings.push(of_finding(finding, query.min_bytes));
            } else {
                let fingerprints = [Some(&finding.fingerprint), finding.former_fingerprint.as_ref()];
                let fingerprints = fingerprints.into_iter().flatten().cloned();
                checked.judged.extend(fingerprints.map(|fingerprint| (fingerprint, finding.group.key())));
            }
        }
    }
    if query.parts.contains(&CheckPart::Owners) {
        let owners = retained_by_owner(dump.namer(task)?, without_values, task)?;
        let min_bytes = if query.with_small { smaller } else { query.min_bytes };
        let total = dump.analysis.shown.shallow;
        let large = owners.iter().filter(|owner| owner.bytes >= min_bytes);
        checked.findings.extend(large.map(|owner| of_owner(owner, total, query.min_bytes)));
    }
    checked.findings.retain(|finding| query.parts.contains(&finding.part));
    checked.findings = one_of_each(checked.findings);
    Ok(checked)
}

/// True of findings that fail unless they are accepted: leaks, waste, and large structures of the application. One dump may
/// show that the size of a structure is limited, for example because entries are removed; growth from build to build
/// shows that it is not. A single array does not grow.
fn is_compared(finding: &LeakFinding) -> bool {
    match finding.group {
        Group::Leak | Group::Waste => true,
        Group::Bounded => {
            let is_several = finding.accumulated.as_ref().is_some_and(|accumulated| accumulated.objects > 1);
            finding.kind != Kind::Buffer && is_several
        }
        Group::Normal | Group::Expected => false,
    }
}

/// One finding of those with one fingerprint, with the sums of their figures. Traces without a reference are alike.
fn one_of_each(findings: Vec<CheckedFinding>) -> Vec<CheckedFinding> {
    let mut one: Vec<CheckedFinding> = Vec::with_capacity(findings.len());
    let mut indexes: BTreeMap<(CheckPart, String), usize> = BTreeMap::new();
    for finding in findings {
        let index = *indexes.entry((finding.part, finding.entry.fingerprint.clone())).or_insert(one.len());
        match one.get_mut(index) {
            // The same finding of another search: it is there already.
            Some(_) if finding.is_small => {}
            Some(all) => {
                all.entry.bytes = all.entry.bytes.saturating_add(finding.entry.bytes);
                all.entry.objects = all.entry.objects.saturating_add(finding.entry.objects);
            }
            None => one.push(finding),
        }
    }
    one
}

fn of_finding(finding: &LeakFinding, min_bytes: Bytes) -> CheckedFinding {
    let class = finding.accumulated.as_ref().map_or("", |accumulated| &accumulated.class);
    let is_waste = matches!(finding.kind, Kind::Waste(_));
    let owner = if is_waste { String::new() } else { written(&finding.name) };
    let label = written(&finding.qualified);
    let title = match (label.is_empty(), class.is_empty()) {
        _ if is_waste => finding.kind.title().to_owned(),
        (true, true) => finding.kind.title().to_owned(),
        (true, false) => format!("{}: {}", finding.kind.title(), written(class)),
        (false, true) => label,
        (false, false) => format!("{label} holds {}", written(class)),
    };
    CheckedFinding {
        part: if is_waste { CheckPart::Waste } else { CheckPart::Leaks },
        entry: BaselineEntry {
            fingerprint: finding.fingerprint.clone(),
            kind: finding.kind.key().to_owned(),
            title,
            owner,
            class: written(class),
            bytes: finding.frees.0,
            objects: finding.objects,
            ..BaselineEntry::default()
        },
        former_fingerprint: finding.former_fingerprint.clone(),
        is_small: finding.frees < min_bytes,
        group: finding.group.key(),
        likelihood: finding.likelihood(),
        kind: finding.kind.title(),
        title: words::title(finding),
        holder: if is_waste { String::new() } else { finding.name.clone() },
        facts: words::sentences(finding),
        path: finding.path.as_ref().map(|path| trace(finding, path)).unwrap_or_default(),
    }
}

fn of_trace(leak: &Leak) -> CheckedFinding {
    let first = leak.traces.first();
    let holder = first.and_then(held_by).unwrap_or_default();
    let class = leak.class();
    let through = |holder: &str| if holder.is_empty() { String::new() } else { format!(" through {holder}") };
    let (bytes, objects) = (leak.retained(), leak.objects());
    let leaks = match leak.traces.len() as u64 {
        1 => String::new(),
        several => format!(", {} times", Count(several)),
    };
    let known = leak.known.as_ref().map(|known| format!("Leak pattern {}: {}", known.pattern, known.cause));
    CheckedFinding {
        part: CheckPart::Leaks,
        entry: BaselineEntry {
            fingerprint: leak.fingerprint.clone(),
            kind: TRACE.to_owned(),
            title: format!("{} leaks{}", written(class), through(&written(&holder))),
            owner: written(&holder),
            class: written(class),
            bytes: bytes.0,
            objects,
            ..BaselineEntry::default()
        },
        former_fingerprint: None,
        is_small: false,
        group: leak.kind(),
        likelihood: None,
        kind: if leak.known.is_some() { "Leak trace of a library" } else { "Leak trace" },
        title: one_line(&format!("{class} leaks{}, {bytes}{leaks}", through(&holder))),
        holder,
        facts: known.into_iter().map(|known| one_line(&known)).collect(),
        path: first.map(trace_text).unwrap_or_default(),
    }
}

fn of_owner(owner: &OwnerSize, total: Bytes, min_bytes: Bytes) -> CheckedFinding {
    let share = Share::of(owner.bytes, total);
    let objects = Count(owner.objects).of("object", "objects");
    CheckedFinding {
        part: CheckPart::Owners,
        entry: BaselineEntry {
            fingerprint: owner_fingerprint(&owner.owner),
            kind: OWNER.to_owned(),
            title: written(&owner.owner),
            owner: written(&owner.owner),
            bytes: owner.bytes.0,
            objects: owner.objects,
            ..BaselineEntry::default()
        },
        former_fingerprint: None,
        is_small: owner.bytes < min_bytes,
        group: OWNER,
        likelihood: None,
        kind: "Owner",
        title: one_line(&format!("{} retains {} ({share}) in {objects}", owner.owner, owner.bytes)),
        holder: owner.owner.clone(),
        facts: Vec::new(),
        path: String::new(),
    }
}

/// A name as a baseline has it: in one line, without values, not too long.
fn written(name: &str) -> String {
    let name = one_line(&without_values(name));
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name,
    }
}
