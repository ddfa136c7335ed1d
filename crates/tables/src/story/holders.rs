//! Who holds the memory, why it is alive, and what cutting the references frees.

use std::sync::Arc;

use super::page::{Claim, HOLDERS, StoryInput};
use crate::export::traces::{headline, held_by};
use heaplens_analysis::cuts::{Cut, what_if};
use heaplens_analysis::leaks::{Group, LeakFinding, words};
use heaplens_analysis::native_owners::NativeOwner;
use heaplens_analysis::overview::Target;
use heaplens_analysis::paths::ReferencePath;
use heaplens_analysis::preview::label_or_preview;
use heaplens_base::invisible::one_line;
use heaplens_base::{Bytes, Cancelled, Count, Share, Task};
use heaplens_heap::{ObjectId, Value};
use heaplens_heap::{split_class, value_rules};

/// Steps of a path that are told at each end.
const ENDS: usize = 4;
/// A longer name of a reference, such as a path of JavaScript, is not told.
const LONG: usize = 80;
/// A finding that frees less than one part in so many of the first is not told.
const LEAST: u64 = 20;

/// The findings that are told: leaks and what dominates the heap, in the order of the leak search.
pub(super) fn told(findings: &[LeakFinding]) -> Vec<Arc<LeakFinding>> {
    let is_told = |finding: &&LeakFinding| finding.section() == Group::Leak && finding.within.is_none();
    let leaks: Vec<&LeakFinding> = findings.iter().filter(is_told).take(HOLDERS).collect();
    let most = leaks.iter().map(|finding| finding.frees.0).max().unwrap_or(0);
    let large = leaks.into_iter().enumerate().filter(|(at, finding)| *at == 0 || finding.frees.0 >= most / LEAST);
    large.map(|(_, finding)| Arc::new(finding.clone())).collect()
}

/// A sentence for each holder, with one of its entries below the first.
pub(super) fn claims(
    input: StoryInput<'_>,
    holders: &[Arc<LeakFinding>],
    task: &Task,
) -> Result<Vec<Claim>, Cancelled> {
    let mut claims = Vec::new();
    if let Some(report) = input.traces.filter(|report| !report.leaks.is_empty()) {
        claims.push(Claim::new(one_line(&headline(report))).to(Target::Leaks));
        for leak in report.leaks.iter().take(HOLDERS) {
            let held = leak.traces.first().and_then(held_by).map_or_else(String::new, |by| format!(" is held by {by}"));
            let text = format!("{}{held}: it retains {}", leak.class(), leak.retained());
            claims.push(Claim::new(one_line(&text)).to(Target::Leaks));
        }
    }
    claims.extend(outside(input).map(|owner| Claim::new(owner.to_string()).to(Target::Process)));
    for finding in holders {
        let likelihood = words::likelihood(finding).map_or_else(String::new, |likelihood| format!(". {likelihood}"));
        claims.push(Claim::new(format!("{}{likelihood}", words::title(finding))).about(finding));
        if let Some(entry) = entry(input, finding, task)? {
            claims.push(Claim::new(entry).about(finding));
        }
    }
    if claims.is_empty() {
        claims.push(Claim::new("Nothing looks like a leak").to(Target::Leaks));
        claims.extend(largest(input));
    }
    Ok(claims)
}

/// Who holds much outside of the heap.
pub(super) fn outside(input: StoryInput<'_>) -> impl Iterator<Item = &NativeOwner> {
    let heap = input.overview.glance.totals.shallow;
    input.memory.owners.iter().filter(move |owner| owner.is_beside_findings(heap)).take(HOLDERS)
}

/// The largest object, where nothing looks like a leak.
fn largest(input: StoryInput<'_>) -> Option<Claim> {
    let first = input.overview.glance.objects.first()?;
    let share = Share::of(first.retained, input.overview.glance.totals.shallow);
    let name = first.label.as_deref().map_or_else(|| first.class.clone(), |label| format!("{} {label}", first.class));
    let text = format!("The largest object is {}: it retains {}, {share} of the heap", one_line(&name), first.retained);
    Some(Claim::new(text).to(Target::Object(first.object)))
}

/// `One of 1,200 entries: "sess-17" → Session user "anna", 4.4 kB`.
fn entry(input: StoryInput<'_>, finding: &LeakFinding, task: &Task) -> Result<Option<String>, Cancelled> {
    let data = input.dump.data();
    let structures = finding.named_object.into_iter().chain(finding.point.as_ref().map(|point| point.object));
    for structure in structures {
        let Some(size) = data.contents.logical(data.heap, structure, 0..0).map(|logical| logical.size) else {
            continue;
        };
        // Not the first, which is often special.
        let middle = size / 2;
        let entries = data.contents.logical(data.heap, structure, middle..middle + 1).map(|logical| logical.entries);
        let Some(entry) = entries.and_then(|entries| entries.into_iter().next()) else { continue };
        let Some(value) = entry.value.object().or_else(|| entry.key?.object()) else { continue };
        let key = match entry.key {
            Some(Value::Object(key)) if key != value && !data.contents.hides_values() => {
                data.contents.text(data.heap, key, 40).map(|text| format!("{:?} → ", one_line(&text)))
            }
            _ => None,
        };
        let retained = data.analysis.retained(value);
        let (key, named) = (key.unwrap_or_default(), described(input, value, task)?);
        let of = Count(size).of("entry", "entries");
        return Ok(Some(format!("One of {of}: {key}{named}, {retained}")));
    }
    Ok(None)
}

/// The class of an object without its package, and what tells it from others.
fn described(input: StoryInput<'_>, object: ObjectId, task: &Task) -> Result<String, Cancelled> {
    let class = &input.dump.facts.heap.class(object).name;
    let simple = value_rules::name(split_class(class).1).to_string();
    let label = label_or_preview(input.dump.data(), object, task)?;
    // A preview has two spaces between its fields.
    Ok(label.map_or_else(|| simple.clone(), |label| format!("{simple} {}", one_line(&label).replace("  ", ", "))))
}

/// Why the first holder is alive: its path, shortened in the middle.
pub(super) fn path(holders: &[Arc<LeakFinding>]) -> Vec<Claim> {
    let first = holders.first().and_then(|finding| Some((finding, finding.path.as_ref()?)));
    first.map(|(finding, path)| Claim::new(line(path)).about(finding)).into_iter().collect()
}

/// `GC root (System Class) → class SessionCache .ENTRIES → HashMap .table → …`.
fn line(path: &ReferencePath) -> String {
    let steps = path.steps.len();
    let mut words = vec![format!("GC root ({})", path.root_kind.name())];
    for (at, step) in path.steps.iter().enumerate() {
        if at == ENDS && steps > 2 * ENDS {
            let between = path.length() - 2 * ENDS;
            words.push(format!("… {} more …", Count(between as u64)));
        }
        if at >= ENDS && steps > 2 * ENDS && at < steps - ENDS {
            continue;
        }
        let class = split_class(&step.class).1;
        let name = match &step.label {
            Some(label) if step.class == "java.lang.Class" => format!("class {}", split_class(label).1),
            _ => class.to_owned(),
        };
        let reference = step.reference.as_ref().map_or_else(String::new, |reference| format!(".{reference} "));
        words.push(one_line(&format!("{}{name}", reference.replacen(".[", "[", 1))));
    }
    words.join(" → ")
}

/// What cutting the references frees, exactly; of what is outside of the heap, what is freed without the structure.
pub(super) fn fixes(input: StoryInput<'_>, holders: &[Arc<LeakFinding>], task: &Task) -> Result<Vec<Claim>, Cancelled> {
    let mut claims = Vec::new();
    for owner in outside(input) {
        let what = what_if(input.dump.data(), &[Cut::Object(owner.object)], task)?;
        if let Some(name) = owner.name.as_ref().filter(|_| what.native > Bytes(0)) {
            let (freed, exact) = (what.native, what.native.exact());
            let rest = if what.native < owner.bytes { "; others hold the rest, too" } else { "" };
            let text =
                format!("Without what {name} refers to, {freed} outside the heap are freed ({exact} bytes){rest}");
            claims.push(Claim::new(text).to(Target::Process));
        }
    }
    for finding in holders {
        let remedy = match finding.cut.as_slice() {
            [only] if only.name.chars().count() > LONG && !finding.label.is_empty() => format!(
                "Cutting the reference that holds {} frees {} in {}",
                finding.whole_name(),
                finding.frees,
                Count(finding.objects).of("object", "objects")
            ),
            _ => words::remedy(finding),
        };
        let exact = format!("{remedy} ({} bytes, {} of the heap)", finding.frees.exact(), finding.share());
        if !remedy.is_empty() {
            claims.push(Claim::new(one_line(&exact)).about(finding));
        }
    }
    Ok(claims)
}
