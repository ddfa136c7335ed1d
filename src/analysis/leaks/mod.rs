//! Names leaks: where memory accumulates, who holds it, which reference to cut,
//! and what that frees.
//!
//! `places` goes down the dominator tree to where what is held stops being in one piece; `aggregates` puts
//! together what many threads or loaders hold alike. Of each place `cut` finds the reference without
//! which it would be gone, `inside` what there is in it, `signs` what speaks for a leak and against one. What is
//! big but normal is told by rules that are data (`rules`), never by what classes of the application are called.
//!
//! Every figure is of this dump, and what a cut frees is what the dominator tree says it frees: a reference is only
//! proposed alone where it is the only one.

mod cleaners;
mod cut;
mod entries;
mod explained;
mod finalizers;
mod finding;
mod fingerprint;
mod follow;
mod inside;
mod owners;
mod place;
mod places;
pub mod rules;
mod several;
mod signs;
mod thread_locals;
mod together;

use std::collections::HashMap;

pub use self::explained::pattern_of;
pub use self::finding::{Accumulated, Cut, Finding, Group, Inside, Kind, Named};
pub use self::fingerprint::general;
pub use self::follow::next_instance;
use self::place::{Place, Shape};
use self::places::places;
use self::rules::{LeakRules, Verdict};
pub use self::signs::Sign;
pub use self::together::{MOST_CUT, all_cuts};
use crate::analysis::naming::Namer;
use crate::analysis::paths::{Wish, paths};
use crate::heap::analyzed::Analyzed;
use crate::heap::classes::Strength;
use crate::heap::contents::LogicalKind;
use crate::heap::ids::ObjectId;
use crate::task::{Cancelled, Task, Unit};
use crate::units::Bytes;

/// Steps of a path at either end.
const ENDS: usize = 25;
/// Places that are looked at closely, biggest first.
const MOST: usize = 96;

/// What is looked for.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Names of objects, and with them the dump.
    pub namer: Namer<'a>,
    /// What is normal, and what the user says.
    pub rules: &'a LeakRules,
    /// What frees less is left out.
    pub least: Bytes,
}

/// A hundredth of what is reachable: less is not worth a sentence unless somebody asks.
pub fn usual_least(whole: Bytes) -> Bytes {
    Bytes(whole.0.div_ceil(100).max(1))
}

/// All findings but waste: group by group, what frees most first.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn leaks(question: Question<'_>, task: &Task) -> Result<Vec<Finding>, Cancelled> {
    let analyzed = question.namer.analyzed;
    task.step("Searching for leaks", Unit::Objects, 0);
    let mut found = places(question, task)?;
    thread_locals::put_together(question, &mut found, task)?;
    finalizers::put_together(question, &mut found, task)?;
    cleaners::put_together(question, &mut found, task)?;
    found.sort_by_cached_key(|place| (std::cmp::Reverse(place.retained(analyzed)), place.unit));
    found.truncate(MOST);
    let insides = inside::insides(question, &found, task)?;
    let mut findings = Vec::with_capacity(found.len());
    for (place, inside) in found.iter().zip(&insides) {
        task.checkpoint()?;
        findings.extend(finding(question, place, inside, task)?);
    }
    let mut findings = uncovered(question, alike_together(findings));
    findings.retain(|finding| finding.frees >= question.least);
    findings.iter_mut().for_each(|finding| loaded_anew(question, finding));
    for finding in &mut findings {
        finding.explained_by = explained::explained_by(question.namer, finding, task)?;
    }
    findings.iter_mut().for_each(|finding| finding.unjudged = finding.group);
    judge(analyzed, question.rules, &mut findings);
    rank(&mut findings);
    Ok(findings)
}

/// In the order in which they are shown.
pub fn rank(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        let by_size = a.group.cmp(&b.group).then(b.frees.cmp(&a.frees));
        by_size.then_with(|| a.name.cmp(&b.name)).then_with(|| a.fingerprint.cmp(&b.fingerprint))
    });
}

fn finding(
    question: Question<'_>,
    place: &Place,
    inside: &inside::Found,
    task: &Task,
) -> Result<Option<Finding>, Cancelled> {
    let Namer { heap, contents, analyzed, .. } = question.namer;
    let cut = cut::cut(question.namer, place, task)?;
    let Some(first) = cut.references.first() else { return Ok(None) };
    let holder = first.from;
    let name = cut.name.clone();
    let point = place.point;
    let wish = |weakest| Wish { weakest, count: 1, ends: ENDS };
    let mut ways = paths(heap, contents, analyzed, point, wish(Strength::Strong), task)?;
    if ways.is_empty() {
        ways = paths(heap, contents, analyzed, point, wish(Strength::Phantom), task)?;
    }
    let path = ways.pop();
    let signs = signs::signs(question, place, inside, &cut, task)?;
    let kind = kind(question, place, inside, &cut, &signs);
    // What many hold in a JavaScript heap is the engine's and its library's, though a global leads to it.
    let is_of_engine = heap.snapshot().is_some() && place.shape == Shape::Shared;
    let is_held_by_application = cut.is_of_application && !place.is_of_runtime && !is_of_engine;
    let is_of_application = inside.is_of_application || is_held_by_application;
    let group = if !is_of_application {
        Group::Normal
    } else if signs.iter().any(Sign::is_proof_of_bound) {
        Group::Bounded
    } else {
        Group::Leak
    };
    let accumulated = inside.accumulated.clone();
    let fingerprint = fingerprint::fingerprint(
        kind,
        cut.known_by.as_deref().unwrap_or(&name),
        place.class_name(heap),
        accumulated.as_ref(),
    );
    Ok(Some(Finding {
        kind,
        group,
        unjudged: group,
        name,
        holder: Some(Named::of(heap, contents, holder)),
        named_object: cut.named_object,
        point: Some(Named::of(heap, contents, point)),
        accumulated,
        collection: inside.collection.clone(),
        path,
        frees: cut.frees,
        objects: cut.objects,
        cut: cut.references,
        unlisted: cut.unlisted,
        whole: analyzed.shown.shallow,
        signs,
        is_of_application: is_held_by_application,
        places: place.members.len().max(1) as u64,
        verdict: None,
        explained_by: Vec::new(),
        fingerprint,
    }))
}

/// How a place holds what it holds.
fn kind(question: Question<'_>, place: &Place, inside: &inside::Found, cut: &cut::Found, signs: &[Sign]) -> Kind {
    let heap = question.namer.heap;
    if signs.iter().any(|sign| matches!(sign, Sign::Loaders { .. })) {
        return Kind::ClassLoaders;
    }
    match place.shape {
        Shape::ThreadLocals => return Kind::ThreadLocals,
        Shape::Finalizers => return Kind::Finalizers,
        Shape::Cleaners => return Kind::Cleaners,
        Shape::Threads => return Kind::Thread,
        Shape::Loader => return Kind::ClassLoaders,
        Shape::Shared => return Kind::Shared,
        Shape::Siblings => return Kind::Siblings,
        _ => {}
    }
    if cut.is_local {
        return Kind::Thread;
    }
    let held = cut.references.first().map_or(place.unit, |cut| cut.to);
    match (place.shape, &inside.collection) {
        _ if signs::is_queue(heap, place.unit) || signs::is_queue(heap, held) => Kind::Queue,
        (_, Some(collection)) if collection.kind == LogicalKind::Map => Kind::Cache,
        (_, Some(_)) => Kind::Collection,
        (Shape::Array, None) => Kind::Array,
        (Shape::Data, None) => Kind::Buffer,
        (Shape::Chain, None) => Kind::Chain,
        _ => Kind::Holder,
    }
}

/// What holds alike is one finding: the same field of several threads of a pool, of several objects of a class.
fn alike_together(findings: Vec<Finding>) -> Vec<Finding> {
    let mut together: Vec<Finding> = Vec::with_capacity(findings.len());
    let mut at: HashMap<String, usize> = HashMap::new();
    for finding in findings {
        let Some(&first) = at.get(&finding.fingerprint) else {
            at.insert(finding.fingerprint.clone(), together.len());
            together.push(finding);
            continue;
        };
        // The first is the biggest: it stands for all.
        let all = &mut together[first];
        all.frees += finding.frees;
        all.objects += finding.objects;
        all.places += finding.places;
        all.unlisted += finding.unlisted;
        all.cut.extend(finding.cut);
        if let (Some(all), Some(more)) = (&mut all.accumulated, &finding.accumulated) {
            all.objects += more.objects;
        }
    }
    together
}

/// What the same static of several classes of one name holds, is held once too often: the class was loaded anew.
fn loaded_anew(question: Question<'_>, finding: &mut Finding) {
    let heap = question.namer.heap;
    let class = |cut: &Cut| Some(heap.classes.get(heap.classes.of_object(cut.from)?));
    let Some(first) = finding.cut.first().and_then(class) else { return };
    let Some(loader) = first.loader else { return };
    let mut loaders: Vec<ObjectId> = vec![loader];
    for other in finding.cut.iter().skip(1) {
        match class(other).filter(|other| other.name == first.name).and_then(|other| other.loader) {
            Some(loader) if heap.class_id(loader) == heap.class_id(loaders[0]) => loaders.push(loader),
            _ => return,
        }
    }
    loaders.sort_unstable();
    loaders.dedup();
    if loaders.len() < 2 {
        return;
    }
    finding.kind = Kind::ClassLoaders;
    finding.group = Group::Leak;
    finding.signs.retain(|sign| !sign.is_proof_of_bound());
    finding.signs.push(Sign::Loaders {
        count: loaders.len() as u64,
        class: heap.class(loader).name.to_string(),
        twice: Some(first.name.to_string()),
    });
}

/// Without what lies in what others share, where cutting that frees more.
fn uncovered(question: Question<'_>, findings: Vec<Finding>) -> Vec<Finding> {
    let analyzed = question.namer.analyzed;
    let shared: Vec<(Bytes, Vec<ObjectId>)> = findings
        .iter()
        .filter(|finding| finding.kind == Kind::Shared)
        .map(|finding| (finding.frees, finding.cut.iter().map(|cut| cut.to).collect()))
        .collect();
    let is_covered = |finding: &Finding| {
        finding.cut.first().is_some_and(|cut| {
            let within = |heads: &[ObjectId]| heads.iter().any(|&head| analyzed.dominates(head, cut.to));
            shared.iter().any(|(frees, heads)| *frees > finding.frees && within(heads))
        })
    };
    let covered: Vec<bool> = findings.iter().map(is_covered).collect();
    findings.into_iter().zip(covered).filter(|(_, covered)| !covered).map(|(finding, _)| finding).collect()
}

/// What rules and the user say. A verdict holds for what the holder dominates, too.
/// What was said of them before does not count any more; they stand in no order then.
pub fn judge(analyzed: &Analyzed, rules: &LeakRules, findings: &mut [Finding]) {
    for finding in findings.iter_mut() {
        finding.group = finding.unjudged;
        finding.verdict = rules.verdict(finding);
    }
    let judged: Vec<(ObjectId, Verdict)> = findings
        .iter()
        .filter_map(|finding| Some((finding.cut.first()?.to, finding.verdict.clone().filter(|v| v.is_of_user)?)))
        .collect();
    for finding in findings.iter_mut().filter(|finding| finding.verdict.is_none()) {
        let Some(to) = finding.cut.first().map(|cut| cut.to) else { continue };
        let above = judged.iter().find(|(above, _)| analyzed.dominates(*above, to));
        finding.verdict = above.map(|(_, verdict)| verdict.clone());
    }
    for finding in findings.iter_mut() {
        if let Some(verdict) = &finding.verdict {
            finding.group = verdict.group;
        }
    }
}
