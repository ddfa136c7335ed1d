//! References to cut to free a location, and the bytes that frees.
//!
//! Cutting every reference into an object from outside its retained set frees exactly its retained size, unless it is a
//! GC root. From a location, the search goes up while a single reference holds it, to the nearest application object:
//! that reference can be changed in the source. Weak references need no cut.

use super::accumulation_point::{AccumulationPoint, Shape};
use super::cut_options::{CutOption, CutOptions, SEVERAL, outside};
use super::fingerprint::{general, general_thread};
use super::{cleaners, container_cuts, cut_names::CutNames, finding::ReferenceToCut, growing_cuts, owners};
use crate::naming::Namer;
use crate::structure::{self, Origin, ShortName};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{ClassKind, ObjectId, ReferenceKind, ReferenceName, Totals, shown_names};

/// Maximum number of steps up to an application object.
const STEPS: usize = 64;
/// Maximum number of owners that name what they share.
const NAMED: usize = 4;
/// Maximum number of members with cuts of their own; of more, the first represent all.
const LISTED: usize = 64;
/// Structures of a class whose names are compared.
const SIBLINGS: usize = 16;

/// Beginning of the names of what a thread holds.
const THREAD: &str = "thread ";

/// The references to cut, and what that frees.
#[derive(Default)]
pub(super) struct CutPlan {
    pub(super) references: Vec<ReferenceToCut>,
    /// Name of the location, by its holder.
    pub(super) name: String,
    /// Its name in the source, if there is one.
    pub(super) short_name: Option<ShortName>,
    /// The object of that name; of several, the largest.
    pub(super) named_object: Option<ObjectId>,
    /// The name in the fingerprint if it differs from `name`: the short name, else the owners of shared objects, or the class
    /// that holds it in snapshots, whose roots lead to an object in several ways, of which any may be the shortest in the
    /// next dump.
    pub(super) known_by: Option<String>,
    /// The name in fingerprints of earlier versions, if it was another one.
    pub(super) formerly_known_by: Option<String>,
    pub(super) frees: Bytes,
    pub(super) objects: u64,
    /// True if an application object holds the location or is on the path to it.
    pub(super) is_of_application: bool,
    /// Whose code decides what is in it.
    pub(super) origin: Option<Origin>,
    /// True if its name is that of a root, or of an object that leads to everything.
    pub(super) is_nameless: bool,
    /// True if only local variables hold it.
    pub(super) is_local: bool,
    /// Number of further objects to cut in the same way as those of `references`.
    pub(super) unlisted: u64,
    /// A reference that frees most of it if cut in each of several objects, and the bytes.
    pub(super) mostly: Option<(String, Bytes)>,
}

impl CutPlan {
    /// The npm package that its name begins in, of what only a library holds.
    pub(super) fn library(&self) -> Option<&str> {
        self.short_name.as_ref().filter(|name| name.origin == Origin::Library)?.source.as_deref()
    }

    /// Gives it its name in the source, by which it is known in later dumps, too.
    pub(super) fn rename(&mut self, name: ShortName) {
        self.formerly_known_by = Some(self.known_by.take().unwrap_or_else(|| self.name.clone()));
        self.known_by = Some(name.key());
        self.short_name = Some(name);
    }
}

/// Finds the references to cut for a location.
pub(super) fn cut(namer: Namer<'_>, point: &AccumulationPoint, task: &Task) -> Result<CutPlan, Cancelled> {
    let options = match point.shape {
        Shape::Threads => return of_threads(namer, point, task),
        Shape::Finalizers => return Ok(of_finalizers(namer, point)),
        Shape::Cleaners => return of_cleaners(namer, point, task),
        Shape::Shared => match owners::of_owners(namer, point, task)? {
            Some(options) => options,
            None => match container_cuts::of_containers(namer, point, task)? {
                Some(options) => options,
                None => of_members(namer, point, task)?,
            },
        },
        Shape::Siblings | Shape::ThreadLocals => of_members(namer, point, task)?,
        _ if point.is_apart => growing_cuts::options(namer, point, of_one(namer, point.unit, task)?, task)?,
        _ => {
            let option = of_one(namer, point.unit, task)?;
            let frees = namer.analysis.kept_by(option.to);
            CutOptions { listed: vec![option], frees, ..CutOptions::default() }
        }
    };
    let mut plan = CutPlan { unlisted: options.alike, ..CutPlan::default() };
    (plan.frees, plan.objects) = (options.frees.shallow, options.frees.objects);
    let listed: Vec<ObjectId> = options.listed.iter().map(|option| option.to).collect();
    let mut names = CutNames::new(namer);
    for option in options.listed {
        for from in option.from {
            plan.references.push(names.of(from, option.to, task)?);
        }
    }
    // What a field holds, too, is no matter of the method that has it in a variable just now.
    plan.references.sort_by_key(|cut| cut.is_local);
    plan.is_local = plan.references.first().is_some_and(|cut| cut.is_local);
    let owners = if point.shape == Shape::Shared { owners::names(namer, point, task)? } else { Vec::new() };
    if point.shape == Shape::Shared && !point.owners.is_empty() {
        // The number of references differs from dump to dump; the owners do not.
        plan.known_by = Some(owners.iter().map(|name| general(name)).collect::<Vec<_>>().join(" + "));
    }
    let owner = namer.holder_of_application(point.unit, task)?;
    // Internal data of a runtime loader is not application data, even if an application object leads to it.
    let is_loader = |object: ObjectId| is_below(namer, object, "java.lang.ClassLoader");
    let of_loader =
        plan.references.first().is_some_and(|cut| is_loader(cut.from) && !is_of_application(namer, cut.from));
    let is_of_program = owner.is_some_and(|owner| !structure::leads_to_all(namer, owner.object));
    plan.is_of_application = is_of_program && !of_loader;
    // Where too many objects hold a structure, its own storage is cut: the name is that of the structure.
    let is_part_cut = |one: &ReferenceToCut| {
        one.from == point.unit && matches!(point.shape, Shape::Collection | Shape::Array) && point.members.is_empty()
    };
    plan.named_object = Some(match (point.shape, plan.references.as_slice()) {
        (Shape::ThreadLocals | Shape::Shared, _) => point.unit,
        (_, [one]) if is_part_cut(one) => point.unit,
        (_, [one]) => one.to,
        _ => point.unit,
    });
    plan.name = match (point.shape, plan.references.as_slice()) {
        (Shape::ThreadLocals, _) => thread_local(namer, point, task)?,
        // Too many holders: they are named by what contains all of them.
        (Shape::Shared, _) if point.owners.is_empty() => {
            point.within.map(|within| namer.name(within, task)).transpose()?.flatten().unwrap_or_default()
        }
        (_, []) => String::new(),
        (_, [one]) if is_part_cut(one) => namer.name(point.unit, task)?.unwrap_or_else(|| one.name.clone()),
        (_, [one]) => one.name.clone(),
        (Shape::Shared, several) => {
            if several.len() <= NAMED {
                owners::one_of_each(several.iter().map(|cut| cut.name.clone()).collect()).join(" + ")
            } else if owners.len() <= NAMED {
                owners.join(" + ")
            } else {
                namer.name(point.within.unwrap_or(point.unit), task)?.unwrap_or_default()
            }
        }
        _ => namer.name(point.unit, task)?.unwrap_or_default(),
    };
    if let (Shape::ThreadLocals, Some(&key)) = (point.shape, point.owners.first())
        && let Some(owner) = namer.holder_of_application(key, task)?
    {
        // Whoever declares the thread local decides what is in it, whatever class its values have.
        let class = namer.heap.classes.of_object(owner.object).unwrap_or_else(|| namer.heap.class_id(owner.object));
        let of_library = namer.index.is_library(class);
        plan.origin = Some(if of_library { Origin::Library } else { Origin::Application });
        plan.is_of_application |= !of_library;
        plan.short_name = namer.short_name(key, task)?.filter(|name| name.origin != Origin::Runtime);
    }
    plan.is_nameless = plan.name.is_empty()
        || plan.name.starts_with("root <")
        // A thread leads to what it uses.
        || (point.shape == Shape::Shared && plan.name.starts_with(THREAD))
        || (point.shape == Shape::Shared && point.within.is_some_and(|within| structure::leads_to_all(namer, within)));
    if let Some(short_name) = short_name(namer, point, (&listed, plan.is_nameless), task)? {
        // A package of a snapshot is a part of the program: what it holds is no table of the runtime.
        let is_of_package = short_name.origin == Origin::Library && namer.heap.snapshot().is_some();
        let is_of_program = short_name.is_of_application() || is_of_package;
        plan.is_of_application |= is_of_program && !point.is_of_runtime && !of_loader;
        plan.origin = Some(short_name.origin);
        if point.shape == Shape::Shared && plan.known_by.is_some() && namer.heap.snapshot().is_none() {
            // All owners are the same in the next dump, but not the two that hold most.
            plan.short_name = Some(short_name);
        } else {
            plan.rename(short_name);
        }
        let is_structure = !matches!(point.shape, Shape::ThreadLocals | Shape::Shared | Shape::Siblings);
        if let (true, [one]) = (is_structure, plan.references.as_slice()) {
            // The name is that of the structure, which the cut may release together with the objects above it.
            let head = structure::head(namer, point.unit, task)?;
            if head != one.to && namer.analysis.dominates(one.to, head) {
                plan.named_object = Some(head);
            }
        }
    } else if namer.heap.snapshot().is_some() {
        let above = point.within.or_else(|| namer.analysis.immediate_dominator(point.unit));
        plan.known_by = above.map(|above| namer.heap.class(above).name.to_string());
    } else if point.shape != Shape::Shared && plan.name.starts_with(THREAD) && point.shape != Shape::ThreadLocals {
        namer.short_name(point.unit, task)?.into_iter().for_each(|name| plan.rename(name));
    } else if point.shape == Shape::Shared {
        // No structure of the application or a library holds them: a thread leads to them, or the runtime.
        plan.short_name = container_cuts::field_on_most_paths(namer, point, task)?;
    } else if plan.short_name.is_none() && namer.heap.classes.of_object(point.unit).is_none() {
        plan.short_name = namer.short_name(point.unit, task)?.and_then(ShortName::owner);
    }
    Ok(plan)
}

/// The name of a location in the source: that of its structure, of shared objects those of the structures that hold
/// them, or of most of them if they have no other name.
fn short_name(
    namer: Namer<'_>,
    point: &AccumulationPoint,
    (cut, is_nameless): (&[ObjectId], bool),
    task: &Task,
) -> Result<Option<ShortName>, Cancelled> {
    match point.shape {
        Shape::ThreadLocals => Ok(None),
        Shape::Shared if point.is_of_runtime => Ok(None),
        Shape::Siblings => siblings_name(namer, point, task),
        Shape::Shared => {
            // The structures that are cut, if they are few; else those that hold most.
            let of_cut = cut.iter().map(|&head| (head, 1)).take_while(|_| cut.len() <= NAMED);
            let of_structures = match container_cuts::short_name(namer, of_cut, task)? {
                None => {
                    let containers = point.containers.iter().map(|container| (container.head, container.holds));
                    container_cuts::short_name(namer, containers, task)?
                }
                other => other,
            };
            match of_structures {
                None if is_nameless => container_cuts::name_of_most(namer, point, task),
                other => Ok(other),
            }
        }
        _ => structure::of_structure(namer, structure::head(namer, point.unit, task)?, task),
    }
}

/// The name of several structures of a class. They may be of different fields or packages: the name of one is that of all if
/// most of a sample have it; else those of all, if they are few.
fn siblings_name(namer: Namer<'_>, point: &AccumulationPoint, task: &Task) -> Result<Option<ShortName>, Cancelled> {
    let Some(first) = sibling_name(namer, point.unit, task)? else { return Ok(None) };
    let mut names: Vec<(usize, ShortName)> = vec![(0, first.clone())];
    let mut all = 0;
    for &member in point.members.iter().step_by((point.members.len() / SIBLINGS).max(1)) {
        all += 1;
        let Some(name) = sibling_name(namer, member, task)? else { continue };
        match names.iter_mut().find(|(_, known)| known.has_member_of(&name)) {
            Some((times, _)) => *times += 1,
            None => names.push((1, name)),
        }
    }
    if names.iter().any(|(times, known)| known.has_member_of(&first) && times * 2 > all) || all == 0 {
        return Ok(Some(first));
    }
    names.sort_by_cached_key(|(times, name)| (std::cmp::Reverse(*times), name.to_string()));
    if names.len() > NAMED {
        return Ok(None);
    }
    let mut names = names.into_iter().map(|(_, name)| name);
    let most = names.next();
    Ok(most.map(|most| ShortName { others: names.collect(), ..most }))
}

/// The name of one of several structures of a class: that of what holds it.
fn sibling_name(namer: Namer<'_>, member: ObjectId, task: &Task) -> Result<Option<ShortName>, Cancelled> {
    let above = namer.analysis.immediate_dominator(member);
    let above = above.filter(|&above| namer.heap.classes.of_object(above).is_none());
    let of = |object| structure::of_structure(namer, object, task);
    let name = match above.map(of).transpose()?.flatten() {
        // Class objects belong to their loader, not to the field that leads to it.
        None if namer.heap.classes.of_object(member).is_none() => {
            match structure::of_thread_locals(namer, member, task)? {
                None => of(member)?,
                name => name,
            }
        }
        other => other,
    };
    // They are the entries.
    Ok(name.map(ShortName::without_steps))
}

/// `desk.Forms.CONTEXT`: the name of the thread local, or of the threads' entry if the thread local was collected.
fn thread_local(namer: Namer<'_>, point: &AccumulationPoint, task: &Task) -> Result<String, Cancelled> {
    let key = point.owners.first().map(|&key| namer.name(key, task)).transpose()?.flatten();
    if let Some(key) = key.filter(|key| !key.starts_with(THREAD)) {
        return Ok(key);
    }
    Ok(general_thread(&namer.name(point.unit, task)?.unwrap_or_default()))
}

/// Threads of one name pattern. The reference that holds most of it in each thread is reported separately.
fn of_threads(namer: Namer<'_>, point: &AccumulationPoint, task: &Task) -> Result<CutPlan, Cancelled> {
    let (heap, analysis) = (namer.heap, namer.analysis);
    let label = namer.contents.label(heap, point.unit).unwrap_or_default();
    let name = format!("thread {:?}", general_thread(&label));
    let mut plan = CutPlan { name: name.clone(), named_object: Some(point.unit), ..CutPlan::default() };
    let mut by: Vec<(ReferenceName, ObjectId)> = Vec::new();
    let mut alone = Bytes(0);
    for &thread in &point.members {
        task.checkpoint()?;
        let retained = analysis.retained(thread);
        plan.frees += retained;
        plan.objects += analysis.dominated_count(thread) + 1;
        let children = analysis.dominator_children_with_retained(Some(thread));
        let biggest = children.max_by_key(|&(object, bytes)| (bytes, std::cmp::Reverse(object)));
        let Some((child, bytes)) = biggest.filter(|(_, bytes)| bytes.0 / 4 >= retained.0 / 5) else { continue };
        let Some(reference) = namer.contents.reference_names(heap, thread, child, 1).pop() else { continue };
        alone += bytes;
        by.push((reference, child));
    }
    plan.is_of_application = is_of_application(namer, point.unit);
    let is_alike = by.len() == point.members.len() && by.windows(2).all(|two| two[0].0.text == two[1].0.text);
    if let Some((reference, child)) = by.first().filter(|_| is_alike) {
        plan.is_of_application |= namer.holder_of_application(*child, task)?.is_some();
        let declared = namer.contents.fields(heap, point.unit).unwrap_or_default();
        let class = declared
            .iter()
            .zip(shown_names(&declared))
            .find(|(_, name)| *name == reference.text)
            .map(|(field, _)| &*field.declared_by);
        let field = match class.filter(|_| reference.kind != ReferenceKind::Local) {
            Some(class) => format!("{class}.{}", reference.field()),
            None => general_thread(&namer.name(*child, task)?.unwrap_or_else(|| name.clone())),
        };
        plan.mostly = Some((field, alone));
    }
    let times = point.members.len() as u64;
    plan.references.push(every(namer, name, (point.unit, point.unit), "<thread>", times));
    Ok(plan)
}

/// The finalizer's reference, in all of them.
fn of_finalizers(namer: Namer<'_>, point: &AccumulationPoint) -> CutPlan {
    let analysis = namer.analysis;
    let name = "java.lang.ref.Finalizer.queue".to_owned();
    let mut plan = CutPlan { name, named_object: Some(point.unit), ..CutPlan::default() };
    (plan.frees, plan.objects) = (point.held.shallow, point.held.objects);
    let from = analysis.immediate_dominator(point.unit).unwrap_or(point.unit);
    let name = "java.lang.ref.Reference.referent".to_owned();
    let times = point.members.len() as u64;
    plan.references.push(every(namer, name, (from, point.unit), "referent", times));
    plan
}

/// The reference to the action, in all of them, named by the cleaner's list.
fn of_cleaners(namer: Namer<'_>, point: &AccumulationPoint, task: &Task) -> Result<CutPlan, Cancelled> {
    let (heap, analysis) = (namer.heap, namer.analysis);
    let mut plan = CutPlan { named_object: Some(point.unit), ..CutPlan::default() };
    (plan.frees, plan.objects) = (point.held.shallow, point.held.objects);
    let owner = analysis.immediate_dominator(point.unit).unwrap_or(point.unit);
    let class = heap.class(owner).name.to_string();
    let list = cleaners::referred(namer.dump, owner, "list");
    plan.name = list.map(|list| namer.name(list, task)).transpose()?.flatten().unwrap_or_else(|| class.clone());
    let field = cleaners::action_field(heap, owner).unwrap_or_default();
    let times = point.members.len() as u64;
    plan.references.push(every(namer, format!("{class}.{field}"), (owner, point.unit), field, times));
    Ok(plan)
}

/// One reference that stands for the same field in many objects.
fn every(
    namer: Namer<'_>,
    name: String,
    (from, to): (ObjectId, ObjectId),
    reference: &str,
    times: u64,
) -> ReferenceToCut {
    let (from_id, to_id) = (namer.heap.id_text(from), namer.heap.id_text(to));
    ReferenceToCut { name, from, from_id, to, to_id, reference: reference.to_owned(), times, is_local: false }
}

/// Each member with all references into it from outside.
fn of_members(namer: Namer<'_>, point: &AccumulationPoint, task: &Task) -> Result<CutOptions, Cancelled> {
    let mut options = CutOptions { frees: point.held, ..CutOptions::default() };
    for &member in &point.members {
        task.checkpoint()?;
        // A GC root stays alive whatever is cut.
        if !namer.analysis.roots().of(member).is_empty() {
            let Totals { objects, shallow } = namer.analysis.kept_by(member);
            options.frees.objects -= objects;
            options.frees.shallow = Bytes(options.frees.shallow.0 - shallow.0);
            continue;
        }
        if options.listed.len() < LISTED {
            options.listed.push(CutOption { from: outside(namer, member, task)?.unwrap_or_default(), to: member });
        } else {
            options.alike += 1;
        }
    }
    Ok(options)
}

/// The nearest reference of an application object or a scope of the program that alone holds an object, else any such reference, else all that hold it
/// together.
pub(super) fn of_one(namer: Namer<'_>, unit: ObjectId, task: &Task) -> Result<CutOption, Cancelled> {
    let analysis = namer.analysis;
    let (mut best, mut at) = (None::<CutOption>, unit);
    for _ in 0..STEPS {
        if !analysis.roots().of(at).is_empty() || namer.heap.classes.of_object(at).is_some() {
            break;
        }
        let Some(from) = outside(namer, at, task)? else { break };
        match from.as_slice() {
            [one] => {
                let one = *one;
                best = Some(CutOption { from, to: at });
                let much_else = analysis.retained(one).0 / 5 * 4 > analysis.retained(unit).0;
                if is_of_application(namer, one) || much_else || structure::is_scope_of_program(namer, one) {
                    break;
                }
                at = one;
            }
            _ if best.is_none() && !from.is_empty() => {
                best = Some(CutOption { from, to: at });
                break;
            }
            _ => break,
        }
    }
    // A root, or too many holders: cut its own references instead.
    Ok(best.unwrap_or_else(|| {
        let below = analysis.dominator_children_with_retained(Some(unit)).take(SEVERAL);
        let biggest = below.max_by_key(|&(object, retained)| (retained, std::cmp::Reverse(object)));
        match biggest.filter(|(object, _)| namer.heap.references(unit).contains(&object.raw())) {
            Some((object, _)) => CutOption { from: vec![unit], to: object },
            None => CutOption { from: Vec::new(), to: unit },
        }
    }))
}

fn is_below(namer: Namer<'_>, object: ObjectId, ancestor: &str) -> bool {
    let heap = namer.heap;
    heap.classes.named(ancestor).is_some_and(|ancestor| heap.classes.is_subclass(heap.class_id(object), ancestor))
}

fn is_of_application(namer: Namer<'_>, object: ObjectId) -> bool {
    let heap = namer.heap;
    let class = heap.classes.of_object(object).unwrap_or(heap.class_id(object));
    heap.class(object).kind == ClassKind::Plain && !namer.index.is_runtime(class)
}
