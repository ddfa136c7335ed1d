//! Labels, address-free names, short names, steps from dominators and ages of objects, each in a cache that reads in the
//! background.

use std::hash::Hash;
use std::time::{Duration, Instant};

use super::OpenDump;
use crate::read_cache::ReadCache;
use crate::{JobError, Jobs};
use heaplens_analysis::clock::{AgeInterval, EntryAges};
use heaplens_analysis::dominator_tree::{GroupId, Source, group_owner};
use heaplens_analysis::preview::label_or_preview;
use heaplens_analysis::references::step;
use heaplens_analysis::structure::{Origin, ShortName};
use heaplens_base::Task;
use heaplens_heap::{Analysis, ClassKind, Heap, ObjectId};

/// Maximum number of cached answers; beyond it the cache is cleared.
const LIMIT: usize = 50_000;
/// Maximum duration of one batch, so that its results show early.
const BATCH: Duration = Duration::from_millis(150);

/// Any index of an array.
const ELEMENTS: &str = "[…]";

/// Answers by object; `None`: the object has none.
type ObjectCache<T> = ReadCache<ObjectId, Option<T>>;

/// What an object is in the source, which a row of the dominator tree leads with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lead<'a> {
    /// Its short name: at the top level, and below what does not hold it directly.
    ShortName(&'a ShortName),
    /// The field or index by which its immediate dominator holds it directly.
    Step(&'a str),
    /// Of several objects: the short name of their owner.
    Owner(&'a ShortName),
    /// Of several elements of an array: any index.
    Elements,
}

impl Lead<'_> {
    /// The text in a row.
    pub fn text(&self) -> String {
        match self {
            Self::ShortName(name) => name.to_string(),
            Self::Owner(name) => ShortName::clone(name).without_steps().to_string(),
            Self::Step(step) => (*step).to_owned(),
            Self::Elements => ELEMENTS.to_owned(),
        }
    }

    /// The text in tooltips, with the package.
    pub fn qualified_text(&self) -> String {
        match self {
            Self::ShortName(name) => name.qualified_text(),
            Self::Owner(name) => ShortName::clone(name).without_steps().qualified_text(),
            Self::Step(step) => (*step).to_owned(),
            Self::Elements => ELEMENTS.to_owned(),
        }
    }
}

/// Labels, address-free names, short names and ages of the objects on screen, read in the background.
#[derive(Default)]
pub struct Labels {
    short: ObjectCache<Box<str>>,
    names: ObjectCache<Box<str>>,
    short_names: ObjectCache<ShortName>,
    steps: ObjectCache<Box<str>>,
    group_owners: ReadCache<GroupId, Option<ShortName>>,
    ages: ObjectCache<AgeInterval>,
    entry_ages: ObjectCache<EntryAges>,
}

impl Labels {
    /// Label of an object, or its preview if it has no label, if it is known; requests it otherwise.
    pub fn of(&mut self, object: ObjectId) -> Option<&str> {
        self.short.of(object)?.as_deref()
    }

    /// Address-free name of an object, if it is known; requests it otherwise.
    pub fn name(&mut self, object: ObjectId) -> Option<&str> {
        self.name_if_any(object)?
    }

    /// Address-free name of an object, `Some(None)` if it has none; requests it if it is not known.
    pub fn name_if_any(&mut self, object: ObjectId) -> Option<Option<&str>> {
        Some(self.names.of(object)?.as_deref())
    }

    /// Short name of an object, `Some(None)` if nothing in the source names it; requests it if it is not known.
    pub fn short_name(&mut self, object: ObjectId) -> Option<Option<&ShortName>> {
        self.short_names.of(object).map(Option::as_ref)
    }

    /// What a row of an object in the dominator tree leads with; requests it if it is not known and `wants` it. `None` if
    /// it has nothing of the kind, such as an object that only the runtime holds.
    pub fn lead(&mut self, analysis: &Analysis, object: ObjectId, wants: bool) -> Option<Lead<'_>> {
        if analysis.immediate_dominator(object).is_none() {
            return self.member_name(object, wants).map(Lead::ShortName);
        }
        // Until it is known that the dominator does not hold the object directly, the row does not lead with another name.
        if !self.has_step(object, wants)? {
            return self.member_name(object, wants).map(Lead::ShortName);
        }
        self.steps.known(object)?.as_deref().map(Lead::Step)
    }

    /// True if its immediate dominator holds an object directly, once that is known.
    fn has_step(&mut self, object: ObjectId, wants: bool) -> Option<bool> {
        let step = if wants { self.steps.of(object) } else { self.steps.known(object) };
        step.map(Option::is_some)
    }

    /// What a row of siblings of a class leads with: of elements of an array, any index; below another object, the owner of
    /// its first object, which is that of all; at the top level, their owner if they have one. `None` if it is not known,
    /// which requests it if `wants` it, or if they have none.
    pub fn group_lead(&mut self, heap: &Heap, group: GroupId, wants: bool) -> Option<Lead<'_>> {
        let parent = match group.part.source {
            Source::Below(Some(parent)) => parent,
            Source::Chain(chain) | Source::Members(chain) => chain.head,
            Source::Below(None) | Source::Shared(_) => {
                let owners = &mut self.group_owners;
                let owner = if wants { owners.of(group) } else { owners.known(group) };
                return owner?.as_ref().map(Lead::Owner);
            }
        };
        let is_element = self.has_step(group.first, wants)? && heap.class(parent).kind == ClassKind::ObjectArray;
        if is_element { Some(Lead::Elements) } else { self.member_name(group.first, wants).map(Lead::Owner) }
    }

    /// Short name of an object that a member of the application or a library holds; requests it if it is not known and
    /// `wants` it. `None` of what is named itself, such as a class or a thread: its label says it.
    pub fn member_name(&mut self, object: ObjectId, wants: bool) -> Option<&ShortName> {
        let name = if wants { self.short_names.of(object) } else { self.short_names.known(object) };
        name?.as_ref().filter(|name| name.object != object && name.origin != Origin::Runtime)
    }

    /// Name of what owns an object, `Some(None)` if neither the application nor a library does.
    pub fn owner_name(&mut self, object: ObjectId) -> Option<Option<String>> {
        let name = self.short_name(object)?.cloned();
        Some(name.and_then(ShortName::owner).map(|owner| owner.to_string()))
    }

    /// Age of an object, `Some(None)` if the dump does not tell it; requests it if it was not measured.
    pub fn age(&mut self, object: ObjectId) -> Option<Option<AgeInterval>> {
        self.ages.of(object).copied()
    }

    /// When the entries of a structure were added, `Some(None)` if it has only a few; requests it if it was not measured.
    pub fn entry_ages(&mut self, structure: ObjectId) -> Option<Option<EntryAges>> {
        self.entry_ages.of(structure).copied()
    }

    /// Label or preview of an object, if it is known, without requesting it.
    pub fn known(&self, object: ObjectId) -> Option<&str> {
        self.short.known(object)?.as_deref()
    }

    /// Takes over results and requests missing data. Call once per frame.
    pub fn tick(&mut self, dump: &OpenDump, jobs: &Jobs) {
        tick(&mut self.short, (dump, jobs), "labels", |dump, object, task| {
            Ok(label_or_preview(dump.data(), object, task)?.map(String::into_boxed_str))
        });
        tick(&mut self.names, (dump, jobs), "names", |dump, object, task| {
            Ok(dump.namer(task)?.name(object, task)?.map(String::into_boxed_str))
        });
        tick(&mut self.short_names, (dump, jobs), "short names", |dump, object, task| {
            Ok(dump.namer(task)?.short_name(object, task)?)
        });
        tick(&mut self.steps, (dump, jobs), "steps from dominators", |dump, object, _| {
            let above = dump.analysis.immediate_dominator(object);
            Ok(above.and_then(|above| step(dump.data(), above, object)).map(String::into_boxed_str))
        });
        tick(&mut self.group_owners, (dump, jobs), "owners of groups", |dump, group: GroupId, task| {
            Ok(group_owner(dump.data(), group.part, task)?)
        });
        tick(&mut self.entry_ages, (dump, jobs), "ages of entries", |dump, object, task| {
            Ok(dump.ages(task)?.of_entries(dump.data(), object))
        });
        tick(&mut self.ages, (dump, jobs), "ages", |dump, object, task| Ok(dump.ages(task)?.shown(&dump.heap, object)));
    }

    /// True while a job is running.
    pub fn is_running(&self) -> bool {
        let is_naming = self.short.is_running() || self.names.is_running() || self.short_names.is_running();
        is_naming
            || self.steps.is_running()
            || self.group_owners.is_running()
            || self.ages.is_running()
            || self.entry_ages.is_running()
    }
}

/// Takes over answers, and starts a job that calls `read` for requested objects.
fn tick<K: Copy + Hash + Ord + Send + 'static, T: Send + 'static>(
    cache: &mut ReadCache<K, Option<T>>,
    (dump, jobs): (&OpenDump, &Jobs),
    what: &str,
    read: impl Fn(&OpenDump, K, &Task) -> Result<Option<T>, JobError> + Send + 'static,
) {
    let Some(requested) = cache.tick(LIMIT) else { return };
    let dump = dump.clone();
    cache.ask(jobs, what, move |task| {
        let begun = Instant::now();
        let mut labels = Vec::with_capacity(requested.len());
        for object in requested {
            task.checkpoint()?;
            labels.push((object, read(&dump, object, task)?));
            if begun.elapsed() > BATCH {
                // Remaining objects are requested again while they are on screen.
                break;
            }
        }
        Ok(labels)
    });
}
