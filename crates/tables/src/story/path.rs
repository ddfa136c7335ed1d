//! Why the first holder is alive: its path from a GC root, a step each, shortened in the middle.

use std::sync::Arc;

use super::page::{Claim, StoryInput};
use super::suspects::owners;
use heaplens_analysis::leaks::LeakFinding;
use heaplens_analysis::naming::Namer;
use heaplens_analysis::overview::Target;
use heaplens_analysis::paths::{PathOptions, PathStep, ReferencePath, paths};
use heaplens_base::invisible::one_line;
use heaplens_base::{Cancelled, Count, Task};
use heaplens_heap::{ObjectId, split_class};

/// Steps of a path that are told at each end.
const ENDS: usize = 4;
/// Retainers of a structure of which a path is compared.
const RETAINERS: usize = 4;
/// Class of the objects by which V8 groups its roots.
const SYNTHETIC: &str = "(synthetic)";

/// The path in a line.
pub(super) fn claims(input: StoryInput<'_>, holders: &[Arc<LeakFinding>], steps: &[String]) -> Vec<Claim> {
    if steps.is_empty() {
        return Vec::new();
    }
    let claim = Claim::new(steps.join(" → "));
    vec![match (holders.first(), owners(input).next()) {
        (Some(finding), _) => claim.about(finding),
        (None, Some(owner)) => claim.to(Target::Object(owner.object)),
        (None, None) => claim,
    }]
}

/// A path to the structure of a finding by the member that names it, if the shortest path is by another reference, such as
/// that of a local variable.
fn through_owner(
    input: StoryInput<'_>,
    finding: &LeakFinding,
    named: ObjectId,
    task: &Task,
) -> Result<Option<ReferencePath>, Cancelled> {
    let Some(owner) = input.dump.namer(task)?.owner(named, task)? else { return Ok(None) };
    let is_passed = |path: &ReferencePath| path.steps.iter().any(|step| step.object == owner.object);
    if finding.path.as_ref().is_none_or(is_passed) {
        return Ok(None);
    }
    let others = paths(input.dump.data(), named, PathOptions::default().count(RETAINERS), task)?;
    Ok(others.into_iter().find(is_passed))
}

/// The path of the first finding; without one, that of what has much outside of the heap.
fn path_of(
    input: StoryInput<'_>,
    holders: &[Arc<LeakFinding>],
    task: &Task,
) -> Result<Option<ReferencePath>, Cancelled> {
    if let Some(finding) = holders.first() {
        let by_name = finding.named_object.map_or(Ok(None), |named| through_owner(input, finding, named, task))?;
        return Ok(by_name.or_else(|| finding.path.clone()));
    }
    let Some(owner) = owners(input).next() else { return Ok(None) };
    Ok(paths(input.dump.data(), owner.object, PathOptions::default(), task)?.into_iter().next())
}

/// `GC root (System Class)`, `class SessionCache`, `.ENTRIES HashMap`, `.table HashMap$Node[]`.
pub(super) fn steps(
    input: StoryInput<'_>,
    holders: &[Arc<LeakFinding>],
    task: &Task,
) -> Result<Vec<String>, Cancelled> {
    let Some(path) = path_of(input, holders, task)? else { return Ok(Vec::new()) };
    let namer = input.dump.namer(task)?;
    let first = first_told(input, &path);
    let steps = path.steps.len() - first;
    let mut words = vec![format!("GC root ({})", path.root_kind.name())];
    for (at, step) in path.steps.iter().skip(first).enumerate() {
        if at == ENDS && steps > 2 * ENDS {
            words.push(format!("… {} more …", Count((path.length() - first - 2 * ENDS) as u64)));
        }
        if at >= ENDS && steps > 2 * ENDS && at < steps - ENDS {
            continue;
        }
        // The step before is not listed where some are left out.
        let is_after_gap = path.omission.is_some_and(|omission| omission.after == first + at);
        let before = at.checked_sub(1).and_then(|before| path.steps.get(first + before)).filter(|_| !is_after_gap);
        words.push(one_line(&words_of(namer, before, step, at == 0 && first > 0)));
    }
    Ok(words)
}

/// Index of the first step that is told: V8 has objects of its own before the first of the program.
fn first_told(input: StoryInput<'_>, path: &ReferencePath) -> usize {
    if input.dump.facts.heap.snapshot().is_none() {
        return 0;
    }
    let first = path.steps.iter().position(|step| step.class != SYNTHETIC).unwrap_or(0);
    let is_in_gap = path.omission.is_some_and(|omission| omission.after <= first);
    if is_in_gap { 0 } else { first }
}

/// The reference from the step before, and the object.
fn words_of(namer: Namer<'_>, before: Option<&PathStep>, step: &PathStep, is_first: bool) -> String {
    let class = split_class(&step.class).1;
    let name = match &step.label {
        Some(label) if step.class == "java.lang.Class" => format!("class {}", split_class(label).1),
        Some(label) if namer.is_thread(step.object) => format!("{class} {label:?}"),
        _ => class.to_owned(),
    };
    let method = before.and_then(|thread| namer.local_method(thread.object, step.object));
    match (method, &step.reference) {
        (Some(method), _) => format!("<local of {}> {name}", short_method(&method)),
        (None, Some(reference)) if !is_first => format!(".{reference} {name}").replacen(".[", "[", 1),
        _ => name,
    }
}

/// `AuditTrail.record` of `shop.AuditTrail.record`.
fn short_method(method: &str) -> String {
    let (class, name) = method.rsplit_once('.').unwrap_or(("", method));
    if class.is_empty() { name.to_owned() } else { format!("{}.{name}", split_class(class).1) }
}
