//! Leak search: where memory accumulates, the field that holds it, the reference to cut, and the bytes that frees.
//!
//! [`find_leaks()`] descends the dominator tree to accumulation points, and groups what many threads or queues hold in the
//! same way: thread locals, objects that await finalization, cleaning actions. Each [`LeakFinding`] has the references
//! to cut, the class that accumulates, and [`Evidence`] for and against a leak. Rules that are data ([`rules`]) mark
//! memory as normal; names of application classes never do.
//!
//! With an earlier dump as the baseline, [`with_baseline`] adds growth as evidence.
//!
//! Sizes freed by a cut are exact retained sizes: a single reference is proposed only if it is the only one.

mod accumulation_point;
mod accumulation_points;
mod actions;
mod alike;
mod baseline;
mod baseline_growth;
mod bound_rules;
mod bounds;
mod certainty;
mod cleaners;
mod container_cuts;
mod contents;
mod counts;
mod cut_names;
mod cut_options;
mod cut_plan;
mod entries;
mod entry_fields;
mod entry_roles;
mod evidence;
mod evidence_search;
mod evidence_words;
mod explanations;
mod finalizers;
mod finding;
mod finding_cuts;
mod fingerprint;
mod fitting;
mod growing_cuts;
mod growth_stated;
mod kinds;
mod known;
pub mod known_rules;
mod library;
mod likelihood;
mod links;
mod names_of_limits;
mod owner_growth;
mod owner_names;
mod owners;
mod query;
mod reloaded;
pub mod rules;
mod samples;
mod shared_points;
mod thread_locals;
mod unbounded_arrays;
mod verdict_lookup;
pub mod words;

pub use self::actions::next_instance;
pub use self::baseline::with_baseline;
pub use self::contents::SAMPLE;
pub use self::evidence::{Evidence, Novelty};
pub use self::explanations::pattern_of;
pub use self::finding::{DominantClass, HoldingCollection, LeakFinding, NamedObject, ReferenceToCut, leaking};
pub use self::finding_cuts::{MOST_CUT, all_cuts};
pub use self::fingerprint::{general, owner_fingerprint};
pub use self::kinds::{Group, Kind};
pub use self::likelihood::Likelihood;
pub use self::owner_names::{OwnersName, no_single_owner, owners_name, owners_short_name};
pub use self::query::{BaselineQuery, LeakQuery, default_min_bytes};
pub use self::verdict_lookup::judge;

use crate::answers::DumpData;
use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;

use rayon::prelude::*;

use self::accumulation_point::{AccumulationPoint, Shape};
use self::{accumulation_points::accumulation_points, contents::AccumulationContents, cut_plan::CutPlan};
use crate::diff::put_after_application;
use crate::naming::{Namer, distinctions};
use crate::paths::ignored::IgnoredReference;
use crate::paths::{PathOptions, ReferencePath, paths, paths_without};
use crate::structure::{self, Origin, ShortName};
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_heap::{Heap, LogicalKind, ObjectId, Strength};

/// Steps kept at both ends of a path.
const ENDS: usize = 25;
/// Number of findings that everything shows that shows findings.
const FIRST: usize = 3;
/// Greatest certainty in an incomplete dump: certainties were measured on complete ones, and what holds an object may be in
/// the part that was not read.
const OF_PART: f64 = 0.25;
/// Maximum number of locations examined, largest first.
const MOST: usize = 96;

/// All findings except waste, by group, largest first.
pub fn find_leaks(question: LeakQuery<'_>, task: &Task) -> Result<Vec<LeakFinding>, Cancelled> {
    let analysis = question.namer.analysis;
    task.step("Searching for leaks", Unit::Objects, 0);
    let mut plan = accumulation_points(question, task)?;
    thread_locals::put_together(question, &mut plan, task)?;
    finalizers::put_together(question, &mut plan, task)?;
    cleaners::put_together(question, &mut plan, task)?;
    plan.sort_by_cached_key(|point| (std::cmp::Reverse(point.retained(analysis)), point.unit));
    plan.truncate(MOST);
    let insides = contents::insides(question, &plan, task)?;
    let findings = plan.par_iter().zip(&insides).map(|(point, inside)| {
        task.checkpoint()?;
        finding(question, point, inside, task)
    });
    // One by one, since names of shared objects take unequal times.
    let findings: Vec<Option<LeakFinding>> = findings.with_max_len(1).collect::<Result<_, Cancelled>>()?;
    let mut findings: Vec<LeakFinding> = findings.into_iter().flatten().collect();
    if question.namer.heap.snapshot().is_none() {
        fingerprint_apart(&mut findings);
    }
    let mut findings = uncovered(question, alike::together(question, findings, task)?);
    findings.retain(|finding| finding.frees >= question.min_bytes);
    for finding in &mut findings {
        reloaded::mark(question, finding, task)?;
    }
    for finding in &mut findings {
        finding.explained_by = explanations::explained_by(question.namer, finding, task)?;
    }
    library::add_versions(question, &mut findings, task)?;
    known::mark(question, &mut findings);
    if question.namer.heap.is_incomplete() {
        findings.iter_mut().for_each(|finding| finding.certainty = finding.certainty.min(OF_PART));
    }
    findings.iter_mut().for_each(|finding| finding.unjudged = finding.group);
    judge(analysis, question.rules, &mut findings);
    rank(&mut findings);
    tell_apart(&mut findings);
    Ok(findings)
}

/// Finds what tells findings of the same label apart: the files or packages that their variables are in, else the last
/// steps of their paths, else the ids of the objects that they are about.
fn tell_apart(findings: &mut [LeakFinding]) {
    let mut sources: HashMap<&str, Vec<Option<&str>>> = HashMap::new();
    for finding in findings.iter() {
        sources.entry(&finding.label).or_default().push(finding.source.as_deref());
    }
    let have_sources = |label: &str| {
        let mut of_label = sources.get(label).cloned().unwrap_or_default();
        let count = of_label.len();
        of_label.sort_unstable();
        of_label.dedup();
        of_label.len() == count && of_label.iter().all(Option::is_some)
    };
    let path = |at: usize| -> Result<Option<String>, Infallible> {
        let finding = &findings[at];
        Ok(Some(match &finding.source {
            Some(source) if have_sources(&finding.label) => source.clone(),
            // Keys and indices are others in the next dump.
            _ => general(&finding.name),
        }))
    };
    let id = |at: usize| findings[at].point.as_ref().map(|point| point.id.clone());
    // Titles have the classes that accumulate, and findings their kind: those of one label differ by these already.
    let name = |finding: &LeakFinding| match &finding.accumulated {
        Some(accumulated) if !finding.label.is_empty() && !have_sources(&finding.label) => {
            format!("{}\n{}\n{}", finding.label, accumulated.class, finding.kind.key())
        }
        _ => finding.label.clone(),
    };
    let names: Vec<String> = findings.iter().map(name).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let Ok(distinction_of) = distinctions(&names, path, id);
    for (at, finding) in findings.iter_mut().enumerate() {
        finding.distinction = distinction_of.get(&at).cloned();
    }
}

/// Sorts findings in display order: group, bytes grown since the baseline if there is one, score, bytes freed, name. Of
/// those that grew much alike, structures of which most is new come first, and shared objects last. What dominates the
/// heap is among the first.
pub fn rank(findings: &mut [LeakFinding]) {
    findings.sort_by(|a, b| {
        let by_group = a.section().cmp(&b.section()).then(a.group.cmp(&b.group));
        let by_growth = by_group.then(b.grown().cmp(&a.grown()));
        let by_size = by_growth.then(b.score().total_cmp(&a.score())).then(b.frees.cmp(&a.frees));
        by_size.then_with(|| a.name.cmp(&b.name)).then_with(|| a.fingerprint.cmp(&b.fingerprint))
    });
    baseline_growth::put_specific_first(findings);
    let is_grown = |finding: &LeakFinding| finding.grown().0 > 0 && finding.group == Group::Leak;
    let end = findings.iter().position(|finding| !is_grown(finding)).unwrap_or(findings.len());
    put_after_application(&mut findings[..end], |finding| finding.is_of_engine, |finding| finding.grown().0);
    put_among_first(findings, |finding| finding.section() == Group::Leak && finding.is_dominating());
}

/// Moves the rows that `is_large` is true of among the first [`FIRST`], no further than needed. The order is kept else.
pub(crate) fn put_among_first<T>(rows: &mut [T], is_large: impl Fn(&T) -> bool) {
    let large = rows.iter().filter(|row| is_large(row)).take(FIRST).count();
    let (mut large, mut others, mut end) = (large, FIRST - large, 0);
    for at in 0..rows.len() {
        let left = if is_large(&rows[at]) { &mut large } else { &mut others };
        if *left > 0 {
            *left -= 1;
            rows[end..=at].rotate_right(1);
            end += 1;
        }
    }
}

fn finding(
    question: LeakQuery<'_>,
    accumulation: &AccumulationPoint,
    inside: &AccumulationContents,
    task: &Task,
) -> Result<Option<LeakFinding>, Cancelled> {
    let DumpData { heap, analysis, .. } = question.namer.dump;
    let mut cut = cut_plan::cut(question.namer, accumulation, task)?;
    let (mut point, mut point_class) = (accumulation.point, accumulation.class_name(heap));
    if let (Shape::Shared, true, None, Some(class)) =
        (accumulation.shape, cut.is_nameless, &cut.short_name, inside.class)
        && let Some((name, entry)) =
            container_cuts::name_of_accumulated(question.namer, (accumulation, class), &inside.sample, task)?
    {
        cut.rename(name.clone());
        point = entry;
        // Which of the objects that share them comes first, and the steps to it, differ from dump to dump.
        cut.known_by = name.owner().map(|owner| owner.key());
        point_class = "";
    }
    let Some(first) = cut.references.first() else { return Ok(None) };
    let holder = first.from;
    let name = cut.name.clone();
    let path = shortest_path(question.namer.dump, point, &cut, task)?;
    let evidence = evidence_search::evidence(question, accumulation, inside, &cut, task)?;
    let kind = kind(question, accumulation, inside, &cut, &evidence);
    // In V8 snapshots, shared objects belong to the engine or its library even if a global leads to them.
    let is_of_engine = heap.snapshot().is_some() && accumulation.shape == Shape::Shared;
    let is_held_by_application = cut.is_of_application && !accumulation.is_of_runtime && !is_of_engine;
    let is_of_machine = is_of_machine(question, accumulation, (inside, &cut), &evidence);
    // What scripts of the engine hold is theirs, unless objects of the application accumulate there, as timers do.
    let is_of_runtime = |class| question.namer.index.is_runtime(class);
    let is_of_script = cut.origin == Some(Origin::Runtime) && inside.class.is_none_or(is_of_runtime);
    let is_of_application = (inside.is_of_application || is_held_by_application) && !is_of_machine && !is_of_script;
    // Tables of a library that still grow are no start-up tables.
    let is_in_library = evidence_search::is_of_library(question, inside)
        || cut.origin == Some(Origin::Library)
        || accumulation.shape == Shape::ThreadLocals;
    let is_growing = is_in_library && evidence.iter().any(Evidence::is_late);
    let group = if is_of_machine || (!is_of_application && !is_growing) {
        Group::Normal
    } else if evidence::is_bounded(&evidence) {
        Group::Bounded
    } else {
        Group::Leak
    };
    let mut accumulated = inside.accumulated.clone();
    if let (Some(accumulated), Some(class)) = (&mut accumulated, inside.class) {
        accumulated.freed = counts::freed(question, (accumulation, &cut), (class, accumulated.freed), task)?;
    }
    // What roots of the engine share has no name in the source.
    let is_nameless = accumulation.shape == Shape::Shared && is_of_engine && cut.is_nameless;
    let accumulated_class = accumulated.as_ref().map_or("", |accumulated| &accumulated.class);
    let known_by = cut.known_by.as_deref().unwrap_or(&name);
    // Names in snapshots had no files; classes of lambda expressions had a number up to Java 17.
    let former = heap.snapshot().is_none().then(|| {
        let known_by = cut.formerly_known_by.as_deref().unwrap_or(known_by);
        fingerprint::fingerprint(kind, known_by, accumulation.class_name(heap), accumulated_class)
    });
    let [point_class, accumulated_class] = [point_class, accumulated_class].map(fingerprint::without_number_of_lambda);
    let fingerprint = fingerprint::fingerprint(kind, known_by, &point_class, &accumulated_class);
    let without_name = || if is_nameless { String::new() } else { name.clone() };
    Ok(Some(LeakFinding {
        kind,
        group,
        unjudged: group,
        label: cut.short_name.as_ref().map_or_else(without_name, ToString::to_string),
        qualified: cut.short_name.as_ref().map_or_else(without_name, ShortName::qualified_text),
        source: cut.short_name.as_ref().and_then(|name| name.source.clone()),
        name,
        distinction: None,
        // One array has no age, and grows as a whole.
        certainty: certainty::certainty(&evidence),
        holder: Some(NamedObject::of(question.namer.dump, holder)),
        named_object: cut.named_object,
        point: Some(NamedObject::of(question.namer.dump, point)),
        accumulated,
        collection: inside.collection.clone(),
        path,
        frees: cut.frees,
        objects: cut.objects,
        cut: cut.references,
        unlisted: cut.unlisted,
        total: analysis.shown.shallow,
        evidence,
        is_of_application: is_held_by_application,
        // What several objects share may be of the application, whoever else leads to it.
        is_of_engine: is_of_machine
            || (heap.snapshot().is_some() && group == Group::Normal && accumulation.shape != Shape::Shared),
        locations: accumulation.members.len().max(1) as u64,
        within: None,
        growth_within: None,
        known: None,
        verdict: None,
        explained_by: Vec::new(),
        former_fingerprint: former.filter(|former| *former != fingerprint),
        fingerprint,
    }))
}

/// The shortest path to an object: by the field that holds it, if a local variable has it, too.
fn shortest_path(
    dump: DumpData<'_>,
    point: ObjectId,
    cut: &CutPlan,
    task: &Task,
) -> Result<Option<ReferencePath>, Cancelled> {
    let options = |weakest| PathOptions::default().min_strength(weakest).max_listed_at_end(ENDS);
    let locals = cut.references.iter().filter(|one| one.is_local && !cut.is_local);
    let locals: Vec<_> = locals.map(|one| IgnoredReference::Between(one.from, one.to)).collect();
    let mut shortest = paths_without(dump, point, options(Strength::Strong), &locals, task)?;
    if shortest.is_empty() && !locals.is_empty() {
        shortest = paths(dump, point, options(Strength::Strong), task)?;
    }
    if shortest.is_empty() {
        shortest = paths(dump, point, options(Strength::Phantom), task)?;
    }
    Ok(shortest.pop())
}

/// Classes of V8 for code and the layout of objects.
const CODE: [&str; 2] = ["(compiled code)", "(object shape)"];
/// Classes of the Java virtual machine that describe the program: classes, methods, call sites.
const METADATA: [&str; 7] = [
    "java.lang.Class",
    "java.lang.ClassLoader",
    "java.lang.ClassValue",
    "java.lang.invoke.",
    "java.lang.reflect.",
    "jdk.internal.",
    "sun.reflect.",
];

/// True if what the machine makes of the program accumulates: compiled code, the text of a script, functions of a module,
/// and objects of the engine or metadata of classes that neither the application nor a library has in a field. It follows
/// from what the application does, and is no leak of its own.
fn is_of_machine(
    question: LeakQuery<'_>,
    point: &AccumulationPoint,
    (inside, cut): (&AccumulationContents, &CutPlan),
    evidence: &[Evidence],
) -> bool {
    let Namer { dump: DumpData { heap, analysis, .. }, index } = question.namer;
    let Some(id) = inside.class else { return false };
    let class = &*heap.classes.get(id).name;
    // A thread local that was collected is none of the runtime, whose own are in static fields.
    let is_collected = point.shape == Shape::ThreadLocals && point.owners.is_empty();
    let is_in_field = is_collected || matches!(cut.origin, Some(Origin::Application | Origin::Library));
    if heap.snapshot().is_none() {
        let is_of_loaders = evidence.iter().any(|sign| matches!(sign, Evidence::Loaders { .. }));
        return !is_in_field && !is_of_loaders && is_metadata(class);
    }
    let is_text = || {
        let script = analysis.immediate_dominator(point.point);
        class == "(string)" && script.is_some_and(|script| heap.class(script).name.starts_with("(compiled code)"))
    };
    let is_of_engine = || {
        let is_shared = point.shape == Shape::Shared && index.is_engine(id);
        let is_of_all = point.shape == Shape::Object && structure::leads_to_all(question.namer, point.unit);
        is_shared || is_of_all || class == "(synthetic)" || is_in_context(heap, cut)
    };
    CODE.contains(&class)
        || (class == "Function" && point.shape == Shape::Siblings)
        || is_text()
        || (!is_in_field && is_of_engine())
}

/// True if a context of the engine has it in a slot of its own, as it has its caches of functions. The table of scripts has
/// the variables of the program.
fn is_in_context(heap: &Heap, cut: &CutPlan) -> bool {
    let class = |object| &*heap.class(object).name;
    !cut.references.is_empty()
        && cut.references.iter().all(|reference| {
            class(reference.from).starts_with("system / NativeContext")
                && class(reference.to) != "system / ScriptContextTable"
        })
}

/// True of a class of the Java virtual machine for what describes the program.
fn is_metadata(class: &str) -> bool {
    METADATA.iter().any(|name| {
        let rest = class.strip_prefix(name);
        rest.is_some_and(|rest| name.ends_with('.') || rest.is_empty() || rest.starts_with(['$', '[']))
    })
}

/// Kind of the finding at a location.
fn kind(
    question: LeakQuery<'_>,
    point: &AccumulationPoint,
    inside: &AccumulationContents,
    cut: &CutPlan,
    evidence: &[Evidence],
) -> Kind {
    let heap = question.namer.heap;
    if evidence.iter().any(|sign| matches!(sign, Evidence::Loaders { .. })) {
        return Kind::ClassLoaders;
    }
    match point.shape {
        Shape::ThreadLocals => return Kind::ThreadLocals,
        Shape::Finalizers => return Kind::Finalizers,
        Shape::Cleaners => return Kind::Cleaners,
        Shape::Threads => return Kind::Thread,
        Shape::Loader => return Kind::ClassLoaders,
        Shape::Shared => return Kind::Shared,
        Shape::Siblings => return Kind::Siblings,
        Shape::Tree => return Kind::Chain,
        _ => {}
    }
    if cut.is_local {
        return Kind::Thread;
    }
    let held = cut.references.first().map_or(point.unit, |cut| cut.to);
    match (point.shape, &inside.collection) {
        _ if evidence_search::is_queue(heap, point.unit) || evidence_search::is_queue(heap, held) => Kind::Queue,
        (_, Some(collection)) if collection.kind == LogicalKind::Map => Kind::Cache,
        (_, Some(_)) => Kind::Collection,
        (Shape::Array, None) => Kind::Array,
        (Shape::Data, None) => Kind::Buffer,
        (Shape::Chain, None) => Kind::Chain,
        _ => Kind::Holder,
    }
}

/// Gives findings of one short name that different fields lead to, such as two objects of a class in two statics, fingerprints
/// of their own, by their paths. In snapshots paths differ from dump to dump.
fn fingerprint_apart(findings: &mut [LeakFinding]) {
    let mut paths: HashMap<String, BTreeSet<String>> = HashMap::new();
    for finding in findings.iter() {
        paths.entry(finding.fingerprint.clone()).or_default().insert(general(&finding.name));
    }
    for finding in findings {
        if paths.get(&finding.fingerprint).is_some_and(|paths| paths.len() > 1) {
            finding.fingerprint = fingerprint::further(&finding.fingerprint, &general(&finding.name));
        }
    }
}

/// Drops findings within shared objects that outweigh them, such as the arrays that hold these.
fn uncovered(question: LeakQuery<'_>, findings: Vec<LeakFinding>) -> Vec<LeakFinding> {
    let analysis = question.namer.analysis;
    let shared: Vec<(f64, Vec<ObjectId>)> = findings
        .iter()
        .filter(|finding| finding.kind == Kind::Shared)
        .map(|finding| (finding.weight(), finding.cut.iter().map(|cut| cut.to).collect()))
        .collect();
    let is_covered = |finding: &LeakFinding| {
        finding.cut.first().is_some_and(|cut| {
            let within = |heads: &[ObjectId]| heads.iter().any(|&head| analysis.dominates(head, cut.to));
            shared.iter().any(|(weight, heads)| *weight > finding.weight() && within(heads))
        })
    };
    let covered: Vec<bool> = findings.iter().map(is_covered).collect();
    findings.into_iter().zip(covered).filter(|(_, covered)| !covered).map(|(finding, _)| finding).collect()
}
