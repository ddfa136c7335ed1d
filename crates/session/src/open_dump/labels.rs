//! Labels, address-free names, short names, names of rows and ages of objects, each in a cache that reads in the
//! background.

use std::borrow::Cow;
use std::hash::Hash;
use std::time::{Duration, Instant};

use super::OpenDump;
use crate::read_cache::ReadCache;
use crate::{JobError, Jobs};
use heaplens_analysis::clock::{AgeInterval, EntryAges};
use heaplens_analysis::dominator_tree::{GroupId, Lead, lead_of_group, lead_of_object};
use heaplens_analysis::preview::label_or_preview;
use heaplens_analysis::structure::ShortName;
use heaplens_base::Task;
use heaplens_heap::{Analysis, ObjectId};

/// Maximum number of cached answers; beyond it the cache is cleared.
const LIMIT: usize = 50_000;
/// Maximum duration of one batch, so that its results show early.
const BATCH: Duration = Duration::from_millis(150);

/// Answers by object; `None`: the object has none.
type ObjectCache<T> = ReadCache<ObjectId, Option<T>>;

/// Labels, address-free names, short names and ages of the objects on screen, read in the background.
#[derive(Default)]
pub struct Labels {
    short: ObjectCache<Box<str>>,
    names: ObjectCache<Box<str>>,
    short_names: ObjectCache<ShortName>,
    leads: ObjectCache<Lead>,
    group_leads: ReadCache<GroupId, Option<Lead>>,
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
    pub fn lead(&mut self, analysis: &Analysis, object: ObjectId, wants: bool) -> Option<Cow<'_, Lead>> {
        // Owners of objects at the top level are on screen, too.
        if analysis.immediate_dominator(object).is_none() {
            return self.member_name(object, wants).map(|name| Cow::Owned(Lead::ShortName(name.clone())));
        }
        let lead = if wants { self.leads.of(object) } else { self.leads.known(object) };
        lead?.as_ref().map(Cow::Borrowed)
    }

    /// What a row of siblings of a class leads with. `None` if it is not known, which requests it if `wants` it, or if they
    /// have nothing of the kind.
    pub fn group_lead(&mut self, group: GroupId, wants: bool) -> Option<&Lead> {
        let leads = &mut self.group_leads;
        let lead = if wants { leads.of(group) } else { leads.known(group) };
        lead?.as_ref()
    }

    /// Short name of an object that a member of the application or a library holds; requests it if it is not known and
    /// `wants` it. `None` of what is named itself, such as a class or a thread: its label says it.
    pub fn member_name(&mut self, object: ObjectId, wants: bool) -> Option<&ShortName> {
        let name = if wants { self.short_names.of(object) } else { self.short_names.known(object) };
        name?.as_ref().filter(|name| name.is_of_member(object))
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
        tick(&mut self.leads, (dump, jobs), "names of rows", |dump, object, task| {
            Ok(lead_of_object(dump.data(), object, task)?)
        });
        tick(&mut self.group_leads, (dump, jobs), "names of groups", |dump, group: GroupId, task| {
            Ok(lead_of_group(dump.data(), group, task)?)
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
            || self.leads.is_running()
            || self.group_leads.is_running()
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
