//! Who holds the memory, why it is alive, and what cutting the references frees.

use std::sync::Arc;

use super::page::{Claim, HOLDERS, StoryInput};
use super::suspects::{filled_heap, is_most, open_handles, outside};
use crate::export::traces::{headline, held_by};
use heaplens_analysis::cuts::{Cut, what_if};
use heaplens_analysis::leaks::{Kind, LeakFinding, words};
use heaplens_analysis::out_of_memory::ErrorKind;
use heaplens_analysis::overview::Target;
use heaplens_analysis::paths::ReferencePath;
use heaplens_analysis::preview::label_or_preview;
use heaplens_analysis::process::PartKind;
use heaplens_base::invisible::one_line;
use heaplens_base::{Bytes, Cancelled, Count, Share, Task};
use heaplens_heap::{ObjectId, Value};
use heaplens_heap::{split_class, value_rules};

/// Steps of a path that are told at each end.
const ENDS: usize = 4;
/// A longer name of a reference, such as a path of JavaScript, is not told.
const LONG: usize = 80;

/// A sentence for each holder, with one of its entries below the first.
pub(super) fn claims(
    input: StoryInput<'_>,
    holders: &[Arc<LeakFinding>],
    task: &Task,
) -> Result<Vec<Claim>, Cancelled> {
    let mut claims = Vec::new();
    if let Some(report) = input.traces {
        claims.push(Claim::new(one_line(&headline(report))).to(Target::Leaks));
        for leak in report.leaks.iter().take(HOLDERS) {
            let held = leak.traces.first().and_then(held_by).map_or_else(String::new, |by| format!(" is held by {by}"));
            let text = format!("{}{held}: it retains {}", leak.class(), leak.retained());
            claims.push(Claim::new(one_line(&text)).to(Target::Leaks));
        }
    }
    claims.extend(
        outside(input).chain(open_handles(input)).map(|owner| Claim::new(owner.to_string()).to(Target::Process)),
    );
    for finding in holders {
        let likelihood = match words::likelihood(finding) {
            // How likely it grows is no question where it fills the heap that ran out.
            _ if filled_heap(input) && is_most(finding) => ". It is most of the heap that ran out".to_owned(),
            Some(likelihood) => format!(". {likelihood}"),
            None => String::new(),
        };
        claims.push(Claim::new(format!("{}{likelihood}", words::title(finding))).about(finding));
        if let Some(entry) = entry(input, finding, task)? {
            claims.push(Claim::new(entry).about(finding));
        }
    }
    claims.extend(of_limit(input));
    if holders.is_empty() && input.traces.is_none() {
        let read = if input.dump.facts.heap.is_incomplete() { " in what was read" } else { "" };
        claims.push(Claim::new(format!("No structure of the heap looks like a leak{read}")).to(Target::Leaks));
        let structure = largest_structure(input).map(|largest| {
            Claim::new(format!("The largest structure: {}", words::title(largest))).about(&Arc::new(largest.clone()))
        });
        claims.push(structure.unwrap_or_else(|| largest(input)));
        claims.retain(|claim| !claim.text.is_empty());
    }
    Ok(claims)
}

/// What has most of what ran out besides the heap: class loaders, or threads.
fn of_limit(input: StoryInput<'_>) -> Option<Claim> {
    let kinds = &input.overview.glance.out_of_memory.first()?.kinds;
    let is_all = |wanted: &[ErrorKind]| kinds.iter().all(|kind| wanted.contains(kind));
    let (part, words, target) = if is_all(&[ErrorKind::Metaspace, ErrorKind::ClassSpace]) {
        (PartKind::ClassMetadata, "Class loaders with most of the classes", Target::Loaders)
    } else if is_all(&[ErrorKind::NativeThread]) {
        (PartKind::ThreadStacks, "Most of the threads", Target::Threads(None))
    } else {
        return None;
    };
    let holder = input.memory.parts.iter().find(|of| of.kind == part)?.holder.as_ref()?;
    Some(Claim::new(one_line(&format!("{words}: {holder}"))).to(target))
}

/// The largest structure, where nothing looks like a leak.
pub(super) fn largest_structure(input: StoryInput<'_>) -> Option<&LeakFinding> {
    let structures = input.findings.iter().filter(|finding| !matches!(finding.kind, Kind::Waste(_)));
    structures.max_by_key(|finding| finding.frees)
}

/// The largest object, where there is no large structure.
fn largest(input: StoryInput<'_>) -> Claim {
    let Some(first) = input.overview.glance.objects.first() else { return Claim::new("") };
    let share = Share::of(first.retained, input.overview.glance.totals.shallow);
    let name = first.label.as_deref().map_or_else(|| first.class.clone(), |label| format!("{} {label}", first.class));
    let text = format!("The largest object is {}: it retains {}, {share} of the heap", one_line(&name), first.retained);
    Claim::new(text).to(Target::Object(first.object))
}

/// `One of 1,200 entries: "sess-17" → Session user "anna", 4.4 kB`.
fn entry(input: StoryInput<'_>, finding: &LeakFinding, task: &Task) -> Result<Option<String>, Cancelled> {
    let data = input.shown.data();
    for structure in finding.structures() {
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
    let class = &input.shown.facts.heap.class(object).name;
    let simple = value_rules::name(split_class(class).1).to_string();
    let label = label_or_preview(input.shown.data(), object, task)?;
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
        let is_one_name = |first: &str| finding.cut.iter().all(|cut| cut.name == first);
        let remedy = match finding.cut.as_slice() {
            [first, _, ..] if finding.unlisted == 0 && is_one_name(&first.name) && !finding.label.is_empty() => {
                format!(
                    "Cutting the {} references to {} frees {} in {}",
                    Count(finding.cut.len() as u64),
                    finding.whole_name(),
                    finding.frees,
                    Count(finding.objects).of("object", "objects")
                )
            }
            [only] if only.name.chars().count() > LONG && !finding.label.is_empty() => format!(
                "Cutting the reference {} that holds {} frees {} in {}",
                only.reference,
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
