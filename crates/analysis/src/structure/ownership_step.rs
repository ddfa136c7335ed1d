//! What one step of the dominator tree says about the owner of the objects below it: whether a member of the source begins
//! there, such as `Order.name`, or whether the object above it and the one below have one owner.
//!
//! These are the rules of [`Namer::owner`](crate::naming::Namer::owner), step by step, so that the owners of all objects
//! are known after one pass down the tree.

use std::cmp::Reverse;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::constants::of_constant;
use super::growing::growing_collection;
use super::head::is_part;
use super::holder::{Leads, named_by};
use super::nearest::nearest_holder;
use super::script_holder::{leads_to_all, may_be_in_script};
use super::short_name::{Origin, ShortName};
use super::start::Named;
use super::{class_holder, thread_locals};
use crate::answers::DumpData;
use crate::naming::{Namer, is_lambda, short_class};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_graph::Bits;
use heaplens_heap::{ClassId, ClassKind, ObjectId, Role};

/// Maximum number of steps on the shortest path to an object that several hold, up to the member that names it.
const STEPS: usize = 64;
/// Name of a field that the file does not record.
const UNKNOWN: &str = "?";

/// Kind of an owner, the one that says most first: of several above an object, the nearest of the first kind names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum OwnerKind {
    /// A member of the application.
    Application,
    /// A member of a library.
    Library,
    /// A method with a local variable, a thread, or the constants of a class.
    Code,
}

/// An owner of objects, where its name begins.
#[derive(Clone, Debug)]
pub(crate) struct OwnerStart {
    pub(crate) name: ShortName,
    pub(crate) kind: OwnerKind,
    /// True if an owner of this kind farther up names the objects better.
    pub(crate) is_weak: bool,
    /// True if what is farther up does not matter.
    pub(crate) is_last: bool,
    /// The largest object that the member holds, of equals the first.
    pub(crate) object: ObjectId,
    /// Its retained size.
    pub(crate) retained: Bytes,
}

impl OwnerStart {
    /// Notes another object that the member holds.
    pub(crate) fn hold(&mut self, object: ObjectId, retained: Bytes) {
        if (retained, Reverse(object)) > (self.retained, Reverse(self.object)) {
            (self.object, self.retained) = (object, retained);
        }
    }

    /// Takes the name of another owner that is known by the same words, if it has no ordinal: classes of one name from
    /// several loaders have one owner.
    pub(crate) fn prefer(&mut self, name: ShortName) {
        let order = |name: &ShortName| (name.qualified.len(), name.qualified.clone());
        if order(&name) < order(&self.name) {
            self.name = name;
        }
    }
}

/// What a step says about the owner of the object below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnerStep {
    /// It is, or may be, this one: an index into [`OwnerSteps::starts`].
    Start(u32),
    /// It is that of the object above.
    Above,
    /// Nothing in the source names it, whatever is above.
    Nothing,
}

/// What is known of classes, for all steps.
pub(crate) struct OwnerRules<'a> {
    namer: Namer<'a>,
    /// By class, true if a name may begin at one of its instances.
    begins: Vec<bool>,
    /// Objects that the runtime holds whatever the program does.
    of_runtime: Arc<Bits>,
}

/// Steps of some objects of one heap, with the owners that begin there.
pub(crate) struct OwnerSteps<'a> {
    rules: &'a OwnerRules<'a>,
    /// Owners, each once.
    pub(crate) starts: Vec<OwnerStart>,
    /// By class, and whether the class itself has the member, then by member: what it begins.
    of_members: FxHashMap<(ClassId, bool), FxHashMap<String, OwnerStep>>,
    /// By text, for owners that are no members of classes.
    of_texts: FxHashMap<String, u32>,
}

impl<'a> OwnerRules<'a> {
    /// Rules for the classes of a heap.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub(crate) fn new(namer: Namer<'a>, task: &Task) -> Result<Self, Cancelled> {
        let DumpData { heap, contents, .. } = namer.dump;
        let index = namer.index;
        let begins = heap.classes.iter().map(|(class, row)| {
            let is_library = || index.is_library(class) && contents.role(class) != Role::Collection;
            let is_of_program = || index.is_application(class) || is_library() || is_lambda(&row.name);
            match heap.snapshot() {
                Some(_) => is_of_program() || index.is_engine(class) || may_be_in_script(&row.name),
                None => row.kind == ClassKind::Plain && is_of_program(),
            }
        });
        Ok(Self { namer, begins: begins.collect(), of_runtime: namer.runtime_objects(task)? })
    }

    fn begins(&self, class: ClassId) -> bool {
        self.begins.get(class.index()).copied().unwrap_or(false)
    }
}

impl<'a> OwnerSteps<'a> {
    /// No steps yet.
    pub(crate) fn new(rules: &'a OwnerRules<'a>) -> Self {
        Self { rules, starts: Vec::new(), of_members: FxHashMap::default(), of_texts: FxHashMap::default() }
    }

    /// The step down to an object from its immediate dominator, if it has one.
    pub(crate) fn step(
        &mut self,
        above: Option<ObjectId>,
        object: ObjectId,
        task: &Task,
    ) -> Result<OwnerStep, Cancelled> {
        let namer = self.rules.namer;
        let DumpData { heap, analysis, .. } = namer.dump;
        if let Some(class) = heap.classes.of_object(object) {
            return Ok(self.of_class_object(object, class));
        }
        if namer.index.is_thread(object) {
            return Ok(self.of_thread(object, object));
        }
        match above.filter(|above| analysis.retainers(object).binary_search(&above.raw()).is_ok()) {
            None => self.of_several(object, above, task),
            Some(above) if is_part(namer, object, above) => Ok(OwnerStep::Above),
            Some(above) => self.direct(above, object, task),
        }
    }

    /// The step from an object to another that it refers to.
    fn direct(&mut self, above: ObjectId, below: ObjectId, task: &Task) -> Result<OwnerStep, Cancelled> {
        let namer = self.rules.namer;
        let heap = namer.heap;
        if namer.index.is_thread(above) {
            return Ok(match namer.method_above(above, below).filter(|name| name.origin != Origin::Runtime) {
                Some(name) => self.start_by_text(name, OwnerKind::Code, below),
                None => self.of_thread(above, below),
            });
        }
        let of_class = heap.classes.of_object(above);
        let class = of_class.unwrap_or_else(|| heap.class_id(above));
        if of_class.is_none() && namer.index.is_thread_local_entry(class) {
            let name = thread_locals::of_entry(namer, above, task)?;
            let kind = name.as_ref().and_then(|name| kind_of(name.origin));
            return Ok(match (name, kind) {
                (Some(name), Some(kind)) => self.start_by_text(name, kind, below),
                _ => OwnerStep::Above,
            });
        }
        if let Some(name) = class_holder::of_variable(namer, above) {
            return Ok(match kind_of(name.origin) {
                Some(kind) => self.start_by_text(name, kind, below),
                None => OwnerStep::Nothing,
            });
        }
        if !self.rules.begins(class) {
            // What the runtime's own classes hold is held whatever the program does.
            return Ok(if of_class.is_some() { OwnerStep::Nothing } else { OwnerStep::Above });
        }
        if heap.snapshot().is_some() {
            let named = named_by(namer, above, below, Leads::Directly);
            return Ok(self.named(named, (above, below), None));
        }
        Ok(self.of_member((above, below), class, of_class.is_some()))
    }

    /// The step from an object with fields, or from a class, of the Java virtual machine.
    fn of_member(&mut self, (above, below): (ObjectId, ObjectId), class: ClassId, of_class: bool) -> OwnerStep {
        let namer = self.rules.namer;
        let of_lambda = !of_class && is_lambda(&namer.heap.classes.get(class).name);
        let member = if of_lambda { None } else { namer.member(above, below) }.unwrap_or_default();
        if let Some(&step) = self.of_members.get(&(class, of_class)).and_then(|members| members.get(&member)) {
            if let OwnerStep::Start(start) = step {
                self.held(start, below);
            }
            return step;
        }
        let is_unnamed = member.is_empty() || member == UNKNOWN || member.starts_with(['[', '<']);
        let step = if is_unnamed && !of_lambda {
            self.of_class(above, below, class)
        } else {
            self.named(named_by(namer, above, below, Leads::Directly), (above, below), Some(class))
        };
        self.of_members.entry((class, of_class)).or_default().insert(member, step);
        step
    }

    /// The owner of what a class or an object of a class holds where no field is known: constants, and the fields of
    /// formats without names.
    fn of_class(&mut self, above: ObjectId, below: ObjectId, class: ClassId) -> OwnerStep {
        let namer = self.rules.namer;
        let Some(kind) = kind_of(self.origin(class)) else { return OwnerStep::Above };
        if let Some(name) = of_constant(namer, below) {
            return self.start_by_text(name.without_steps(), OwnerKind::Code, below);
        }
        let heap = namer.heap;
        let texts = (short_class(heap, class), namer.index.class(heap, class));
        let name = ShortName::of_itself(above, texts, self.origin(class));
        self.start_by_text(name, kind, below)
    }

    fn origin(&self, class: ClassId) -> Origin {
        let index = self.rules.namer.index;
        match (index.is_application(class), index.is_library(class)) {
            (true, _) => Origin::Application,
            (false, true) => Origin::Library,
            (false, false) => Origin::Runtime,
        }
    }

    /// A class as the owner of its class object.
    fn of_class_object(&mut self, object: ObjectId, class: ClassId) -> OwnerStep {
        let origin = self.origin(class);
        let Some(kind) = kind_of(origin) else { return OwnerStep::Nothing };
        let heap = self.rules.namer.heap;
        let texts = (short_class(heap, class), self.rules.namer.index.class(heap, class));
        self.start_by_text(ShortName::of_itself(object, texts, origin), kind, object)
    }

    /// A thread as the owner of itself and of what it holds.
    fn of_thread(&mut self, thread: ObjectId, below: ObjectId) -> OwnerStep {
        let Some(name) = self.rules.namer.index.thread_name(thread) else { return OwnerStep::Above };
        let name = ShortName::of_itself(thread, (name.to_owned(), name.to_owned()), Origin::Runtime);
        self.start_by_text(name, OwnerKind::Code, below)
    }

    /// What a holder says, as a step.
    fn named(&mut self, named: Named, (above, below): (ObjectId, ObjectId), class: Option<ClassId>) -> OwnerStep {
        let is_class = self.rules.namer.heap.classes.of_object(above).is_some();
        match named {
            Named::Start(start) => match kind_of(start.name.origin) {
                None if start.is_last => OwnerStep::Nothing,
                None => OwnerStep::Above,
                Some(kind) if class.is_some() => {
                    OwnerStep::Start(self.push(start.name, kind, (start.is_weak, start.is_last), below))
                }
                Some(kind) => self.by_text(start.name, kind, (start.is_weak, start.is_last), below),
            },
            Named::Nothing if is_class => OwnerStep::Nothing,
            Named::Step(_) | Named::Entry | Named::Nothing => OwnerStep::Above,
            Named::End => OwnerStep::Nothing,
        }
    }

    /// The owner of an object that several hold, which `above` dominates: by the nearest member of the application along
    /// the shortest path.
    fn of_several(&mut self, object: ObjectId, above: Option<ObjectId>, task: &Task) -> Result<OwnerStep, Cancelled> {
        let namer = self.rules.namer;
        let (mut at, mut best) = (object, None);
        for _ in 0..STEPS {
            if self.rules.of_runtime.contains(at.raw()) {
                break;
            }
            if let Some(nearest) = nearest_holder(namer, at, task)?
                && nearest.origin == Origin::Application
                && nearest.from != object
                && namer.heap.class_id(nearest.from) != namer.heap.class_id(at)
            {
                return self.direct(nearest.from, at, task);
            }
            let Some(before) = namer.analysis.predecessor(namer.heap, at) else { break };
            if namer.index.is_thread(before)
                && let Some(collection) = growing_collection(namer, at)
            {
                at = collection;
                continue;
            }
            let is_link = namer.heap.class_id(before) == namer.heap.class_id(at);
            if Some(before) == above {
                return Ok(match (if is_link { OwnerStep::Above } else { self.direct(before, at, task)? }, best) {
                    (OwnerStep::Above, Some(best)) => OwnerStep::Start(best),
                    (step, _) => step,
                });
            }
            if leads_to_all(namer, before) {
                break;
            }
            if !is_link {
                match self.direct(before, at, task)? {
                    OwnerStep::Start(start) if self.kind(start) == Some(OwnerKind::Application) => {
                        return Ok(OwnerStep::Start(start));
                    }
                    OwnerStep::Start(start) => best = best.or(Some(start)),
                    OwnerStep::Above => {}
                    OwnerStep::Nothing => break,
                }
            }
            at = before;
        }
        Ok(match (best, above) {
            (Some(best), _) => OwnerStep::Start(best),
            (None, Some(_)) => OwnerStep::Above,
            (None, None) => OwnerStep::Nothing,
        })
    }

    fn kind(&self, start: u32) -> Option<OwnerKind> {
        self.starts.get(start as usize).map(|start| start.kind)
    }

    fn start_by_text(&mut self, name: ShortName, kind: OwnerKind, below: ObjectId) -> OwnerStep {
        self.by_text(name, kind, (false, true), below)
    }

    /// An owner that is known by its text.
    fn by_text(&mut self, name: ShortName, kind: OwnerKind, flags: (bool, bool), below: ObjectId) -> OwnerStep {
        let key = name.key();
        if let Some(&start) = self.of_texts.get(&key) {
            self.held(start, below);
            self.starts
                .get_mut(start as usize)
                .into_iter()
                .for_each(|start| start.prefer(name.clone().without_steps()));
            return OwnerStep::Start(start);
        }
        let start = self.push(name, kind, flags, below);
        self.of_texts.insert(key, start);
        OwnerStep::Start(start)
    }

    fn push(&mut self, name: ShortName, kind: OwnerKind, (is_weak, is_last): (bool, bool), object: ObjectId) -> u32 {
        let (start, retained) = (self.starts.len() as u32, self.rules.namer.analysis.retained(object));
        self.starts.push(OwnerStart { name: name.without_steps(), kind, is_weak, is_last, object, retained });
        start
    }

    /// Notes an object that a member holds.
    fn held(&mut self, start: u32, object: ObjectId) {
        let retained = self.rules.namer.analysis.retained(object);
        self.starts.get_mut(start as usize).into_iter().for_each(|start| start.hold(object, retained));
    }
}

/// Kind of an owner; `None` of members of the runtime, which owns nothing.
fn kind_of(origin: Origin) -> Option<OwnerKind> {
    match origin {
        Origin::Application => Some(OwnerKind::Application),
        Origin::Library => Some(OwnerKind::Library),
        Origin::Runtime => None,
    }
}
