//! Who holds much: single objects with the place where what they hold fans
//! out, threads, and objects that are held from several sides. What the
//! runtime holds for itself (modules, loaded classes, interned strings) is no
//! finding: every heap has that.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use super::glance::top;
use super::owner::{Owners, name, name_to};
use super::{About, Finding, Holder, Shared, Target, ThreadHolder, is_much};
use crate::analysis::runtime_classes::RuntimeClasses;
use crate::heap::analyzed::Analyzed;
use crate::heap::contents::{Contents, Logical};
use crate::heap::facts::Heap;
use crate::heap::ids::{ClassId, ObjectId};
use crate::heap::totals::Totals;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};
use crate::units::Bytes;

/// Objects that are looked at more closely.
const CANDIDATES: usize = 64;
/// Holders and shared classes that become findings.
const MOST: usize = 5;
/// Steps down from a holder to where what it holds fans out.
const STEPS: usize = 64;
/// Entries of a collection, objects of a class, and retainers of each, that stand for all.
const SAMPLE: u64 = 200;
const RETAINERS: usize = 8;
/// Classes of the application that are named as holders.
const NAMED: usize = 3;

/// What is asked.
struct Question<'a> {
    heap: &'a Heap,
    contents: &'a dyn Contents,
    analyzed: &'a Analyzed,
    owners: Owners,
    task: &'a Task,
}

/// An object that holds much, and the way down to where that fans out.
struct Way {
    holder: ObjectId,
    steps: Vec<ObjectId>,
    /// What the biggest object below the last of them keeps alive.
    biggest: Bytes,
}

/// Holders, threads and classes worth a sentence, biggest first.
pub(super) fn holders(
    heap: &Heap,
    contents: &dyn Contents,
    analyzed: &Analyzed,
    rules: &RuntimeClasses,
    task: &Task,
) -> Result<Vec<Finding>, Cancelled> {
    let question = Question { heap, contents, analyzed, owners: Owners::new(heap, rules), task };
    let candidates = question.candidates()?;
    let mut ways = Vec::new();
    for &holder in candidates.iter().take(MOST) {
        ways.push(question.way(holder)?);
    }
    let held = question.held_by_class(&ways)?;
    let mut findings: Vec<Finding> = ways.iter().zip(&held).map(|(way, held)| question.finding(way, held)).collect();
    findings.extend(question.shared(&candidates)?);
    findings.sort_by(|a, b| b.bytes.cmp(&a.bytes).then(a.target.cmp(&b.target)));
    Ok(findings)
}

impl Question<'_> {
    fn whole(&self) -> Bytes {
        self.analyzed.shown.shallow
    }

    /// Objects of the application that hold much, none below another; biggest first.
    fn candidates(&self) -> Result<Vec<ObjectId>, Cancelled> {
        let least = Bytes(self.whole().0.div_ceil(100).max(1));
        let mut found = top(self.analyzed, None, CANDIDATES, least, self.task)?;
        // Classes of the application may hang below their loader.
        let classes = self.heap.classes.iter().filter(|(id, _)| self.owners.is_application_class(*id));
        found.extend(classes.filter_map(|(_, class)| class.object).filter(|&c| self.analyzed.retained(c) >= least));
        found.sort_unstable();
        found.dedup();
        found.sort_by_key(|&object| (std::cmp::Reverse(self.analyzed.retained(object)), object));
        let mut chosen: Vec<ObjectId> = Vec::new();
        for object in found {
            self.task.checkpoint()?;
            let below = chosen.iter().any(|&above| self.analyzed.dominates(above, object));
            if !below && self.is_of_application(object) {
                chosen.push(object);
            }
        }
        Ok(chosen)
    }

    /// Whether what an object holds is the application's: it is itself, or what leads to it is, or a thread.
    fn is_of_application(&self, object: ObjectId) -> bool {
        let (heap, owners) = (self.heap, &self.owners);
        if owners.is_application(heap, object) || owners.is_thread(heap, object) {
            return true;
        }
        let is_of_runtime = owners.is_loader(heap, object) || heap.classes.of_object(object).is_some();
        !is_of_runtime && owners.holder(heap, self.analyzed, object).is_some()
    }

    /// From a holder down as long as one object below holds most of it. A chain of objects of one class is one step.
    fn way(&self, holder: ObjectId) -> Result<Way, Cancelled> {
        let mut steps = vec![holder];
        let mut at = holder;
        let biggest = loop {
            // The only walk over what may be millions: what it found is kept.
            let next = top(self.analyzed, Some(at), 1, Bytes(1), self.task)?.first().copied();
            let biggest = next.map_or(Bytes(0), |next| self.analyzed.retained(next));
            let is_most = u128::from(biggest.0) * 10 >= u128::from(self.analyzed.retained(at).0) * 8;
            match next.filter(|&next| is_most && self.heap.class_id(next) != self.heap.class_id(at)) {
                Some(next) if steps.len() < STEPS => {
                    steps.push(next);
                    at = next;
                }
                _ => break biggest,
            }
        };
        Ok(Way { holder, steps, biggest })
    }

    /// Objects and bytes by class of what each holder alone keeps alive, itself excluded.
    fn held_by_class(&self, ways: &[Way]) -> Result<Vec<Vec<Totals>>, Cancelled> {
        let (heap, analyzed) = (self.heap, self.analyzed);
        let none = || vec![vec![Totals::default(); heap.classes.len()]; ways.len()];
        if ways.is_empty() {
            return Ok(none());
        }
        // What is below an object is a run of places: so each object is looked up once, not once for every holder.
        let run = |place: u32, way: &Way| place + 1..place.saturating_add(analyzed.dominated(way.holder) as u32 + 1);
        let below: Vec<Range<u32>> =
            ways.iter().map(|way| analyzed.place(way.holder).map_or(0..0, |place| run(place, way))).collect();
        // A few long runs, not one per block: each has a row for every class.
        let runs = rayon::current_num_threads() * 4;
        let per_run = heap.len().div_ceil(runs).max(1);
        let runs = (0..runs).into_par_iter().map(|run| {
            let mut held = none();
            let end = heap.len().min((run + 1) * per_run);
            for block in (run * per_run..end).step_by(CHECKPOINT_EVERY) {
                self.task.checkpoint()?;
                for object in (block..end.min(block + CHECKPOINT_EVERY)).filter_map(ObjectId::new) {
                    let Some(place) = analyzed.place(object) else { continue };
                    // No holder is below another: one at most has it.
                    let Some(at) = below.iter().position(|below| below.contains(&place)) else { continue };
                    if let Some(of_class) = held[at].get_mut(heap.class_id(object).index()) {
                        of_class.objects += 1;
                        of_class.shallow += heap.shallow(object);
                    }
                }
            }
            Ok(held)
        });
        runs.try_reduce(none, |mut all, some| {
            for (all, some) in all.iter_mut().flatten().zip(some.into_iter().flatten()) {
                all.objects += some.objects;
                all.shallow += some.shallow;
            }
            Ok(all)
        })
    }

    fn finding(&self, way: &Way, held: &[Totals]) -> Finding {
        let (bytes, whole) = (self.analyzed.retained(way.holder), self.whole());
        let collection = self.collection(way);
        let holds = self.holds(collection.as_ref(), held);
        if self.owners.is_thread(self.heap, way.holder) {
            let thread = self.thread(way.holder, holds);
            return Finding { about: About::Thread(thread), bytes, whole, target: Target::Threads(Some(way.holder)) };
        }
        let point = way.steps.last().copied().unwrap_or(way.holder);
        let holder = Holder {
            object: way.holder,
            id: self.heap.id_text(way.holder),
            class: self.heap.class(way.holder).name.to_string(),
            name: self.name_of(way),
            point,
            point_id: self.heap.id_text(point),
            collection: collection
                .map(|(object, found)| (self.heap.class(object).name.to_string(), found.kind.name(), found.size)),
            holds,
            dominated: self.analyzed.dominated(way.holder),
            biggest: way.biggest,
        };
        Finding { about: About::Holder(holder), bytes, whole, target: Target::Object(way.holder) }
    }

    /// By the field that leads to what it holds; what is no object of the application by who holds it.
    fn name_of(&self, way: &Way) -> String {
        let (heap, contents) = (self.heap, self.contents);
        if !self.owners.is_application(heap, way.holder)
            && let Some((owner, next)) = self.owners.holder(heap, self.analyzed, way.holder)
        {
            return name_to(heap, contents, owner, next);
        }
        match way.steps.get(1) {
            Some(&next) => name_to(heap, contents, way.holder, next),
            None => name(heap, contents, way.holder),
        }
    }

    /// The last collection on the way down, and its first entries.
    fn collection(&self, way: &Way) -> Option<(ObjectId, Logical)> {
        let mut steps = way.steps.iter().rev();
        steps.find_map(|&object| Some((object, self.contents.logical(self.heap, object, 0..SAMPLE)?)))
    }

    /// Of what a holder holds most: what its collection is made for, else the class of the application that takes
    /// most, else any.
    fn holds(&self, collection: Option<&(ObjectId, Logical)>, held: &[Totals]) -> Option<(String, u64)> {
        let named = |class: ClassId, objects: u64| (self.heap.classes.get(class).name.to_string(), objects);
        let entries = collection.and_then(|(_, found)| Some((self.commonest(found)?, found.size)));
        if let Some((class, size)) = entries.filter(|&(class, _)| self.owners.is_application_class(class)) {
            return Some(named(class, size));
        }
        let of_class = self.heap.classes.iter().zip(held).filter(|(_, totals)| totals.objects > 0);
        let of_class: Vec<_> = of_class.map(|((id, class), totals)| (id, class, totals)).collect();
        let all: Bytes = held.iter().map(|totals| totals.shallow).sum();
        let most = |only: bool| {
            let rows = of_class.iter().filter(|(id, _, _)| !only || self.owners.is_application_class(*id));
            rows.max_by(|a, b| {
                (a.2.shallow.cmp(&b.2.shallow)).then_with(|| b.1.name.cmp(&a.1.name)).then(b.0.cmp(&a.0))
            })
        };
        let of_application = most(true).filter(|(_, _, totals)| is_much(totals.shallow, all));
        match (of_application, entries) {
            (Some((class, _, totals)), _) => Some(named(*class, totals.objects)),
            (None, Some((class, size))) => Some(named(class, size)),
            (None, None) => most(false).map(|(class, _, totals)| named(*class, totals.objects)),
        }
    }

    /// The class that most entries of a collection have: of their values, or of their keys where values say nothing.
    fn commonest(&self, found: &Logical) -> Option<ClassId> {
        let mut classes: BTreeMap<ClassId, usize> = BTreeMap::new();
        for value in found.entries.iter().filter_map(|entry| entry.value.object()) {
            *classes.entry(self.heap.class_id(value)).or_default() += 1;
        }
        let (class, times) = classes.into_iter().max_by_key(|&(class, times)| (times, std::cmp::Reverse(class)))?;
        (times * 10 >= found.entries.len() * 9).then_some(class)
    }

    fn thread(&self, thread: ObjectId, holds: Option<(String, u64)>) -> ThreadHolder {
        let owners = self.contents.stack_owners();
        let at = owners.iter().position(|owner| owner.object == Some(thread));
        let frames = at.map(|at| self.contents.whole_stack(at).frames).unwrap_or_default();
        let kept = frames.into_iter().map(|frame| {
            let locals = frame.locals.iter().map(|local| local.object);
            let locals = locals.filter(|&local| local != thread && self.analyzed.dominates(thread, local));
            let bytes = self.analyzed.retained_together(locals);
            (frame.method, bytes)
        });
        // Innermost first: of equal ones the first.
        let frame = kept.fold(None::<(String, Bytes)>, |most, frame| match most {
            Some(most) if most.1 >= frame.1 => Some(most),
            _ => Some(frame),
        });
        ThreadHolder {
            object: thread,
            id: self.heap.id_text(thread),
            name: self.contents.label(self.heap, thread).unwrap_or_else(|| self.heap.id_text(thread)),
            out_of_memory: at.and_then(|at| owners.get(at)).is_some_and(|owner| owner.out_of_memory),
            frame: frame.filter(|(_, bytes)| is_much(*bytes, self.analyzed.retained(thread))),
            holds,
        }
    }

    /// Classes of which many objects stand below no other: each is held from several sides, or a root itself.
    fn shared(&self, holders: &[ObjectId]) -> Result<Vec<Finding>, Cancelled> {
        let mut groups = vec![(0_u64, Bytes(0), Bytes(0)); self.heap.classes.len()];
        for (at, (object, retained)) in self.analyzed.dominator_children_with_retained(None).enumerate() {
            if at.is_multiple_of(CHECKPOINT_EVERY) {
                self.task.checkpoint()?;
            }
            let is_class = self.heap.classes.of_object(object).is_some();
            if is_class || holders.contains(&object) {
                continue;
            }
            if let Some((objects, bytes, biggest)) = groups.get_mut(self.heap.class_id(object).index()) {
                (*objects, *bytes, *biggest) = (*objects + 1, *bytes + retained, retained.max(*biggest));
            }
        }
        let much = self.heap.classes.iter().zip(groups).filter(|((class, _), (objects, bytes, _))| {
            // Of what everybody uses there is always some.
            let least = if self.owners.is_application_class(*class) { 1 } else { 5 };
            *objects > 1 && is_much(Bytes(bytes.0 / least), self.whole())
        });
        let mut much: Vec<(ClassId, u64, Bytes, Bytes)> =
            much.map(|((class, _), (objects, bytes, biggest))| (class, objects, bytes, biggest)).collect();
        much.sort_by(|a, b| b.2.cmp(&a.2).then(a.0.cmp(&b.0)));
        let mut findings = Vec::new();
        for (class, objects, bytes, biggest) in much {
            let (holders, most) = self.holders_of(class)?;
            if findings.len() < MOST && (self.owners.is_application_class(class) || most) {
                let name = self.heap.classes.get(class).name.to_string();
                let shared = Shared { class: name, objects, biggest, holders };
                let (whole, target) = (self.whole(), Target::Class(class));
                findings.push(Finding { about: About::Shared(shared), bytes, whole, target });
            }
        }
        Ok(findings)
    }

    /// Classes of the application that hold objects of a class which stand below no other; and whether these hold
    /// most of them.
    fn holders_of(&self, class: ClassId) -> Result<(Vec<String>, bool), Cancelled> {
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        let mut of_application = 0;
        let mut asked = 0;
        for (at, object) in self.analyzed.dominator_children(None).enumerate() {
            if at.is_multiple_of(CHECKPOINT_EVERY) {
                self.task.checkpoint()?;
            }
            if self.heap.class_id(object) != class {
                continue;
            }
            asked += 1;
            if asked > SAMPLE {
                break;
            }
            let mut held = false;
            let retainers = self.analyzed.retainers(object).iter().take(RETAINERS);
            for from in retainers.filter_map(|&row| ObjectId::from_raw(row)) {
                let own = self.owners.is_application(self.heap, from).then_some(from);
                let holder = own.or_else(|| Some(self.owners.holder(self.heap, self.analyzed, from)?.0));
                held |= holder.is_some();
                if let Some(holder) = holder {
                    let class = self.heap.classes.of_object(holder).unwrap_or(self.heap.class_id(holder));
                    *names.entry(self.heap.classes.get(class).name.to_string()).or_default() += 1;
                }
            }
            of_application += u64::from(held);
        }
        let most = of_application * 2 > asked.min(SAMPLE);
        let mut names: Vec<(String, usize)> = names.into_iter().collect();
        names.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Ok((names.into_iter().take(NAMED).map(|(name, _)| name).collect(), most))
    }
}
