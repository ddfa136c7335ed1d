//! Labels, address-free names, owners and ages of objects, each in a cache that reads in the background.

use super::{OpenDump, label_cache::LabelCache};
use crate::Jobs;
use heaplens_analysis::clock::{AgeInterval, EntryAges};
use heaplens_analysis::naming::Owner;
use heaplens_heap::ObjectId;

/// Labels, address-free names, owners and ages of the objects on screen, read in the background.
#[derive(Default)]
pub struct Labels {
    short: LabelCache<Box<str>>,
    names: LabelCache<Box<str>>,
    owners: LabelCache<Owner>,
    ages: LabelCache<AgeInterval>,
    entry_ages: LabelCache<EntryAges>,
}

impl Labels {
    /// Label of an object, if it is known; requests it otherwise.
    pub fn of(&mut self, object: ObjectId) -> Option<&str> {
        self.short.of(object)?.map(|text| &**text)
    }

    /// Address-free name of an object, if it is known; requests it otherwise.
    pub fn name(&mut self, object: ObjectId) -> Option<&str> {
        self.name_if_any(object)?
    }

    /// Address-free name of an object, `Some(None)` if it has none; requests it if it is not known.
    pub fn name_if_any(&mut self, object: ObjectId) -> Option<Option<&str>> {
        Some(self.names.of(object)?.map(|text| &**text))
    }

    /// Owner of an object, `Some(None)` if it has none; requests it if it is not known.
    pub fn owner(&mut self, object: ObjectId) -> Option<Option<&Owner>> {
        self.owners.of(object)
    }

    /// Age of an object, `Some(None)` if the dump does not tell it; requests it if it was not measured.
    pub fn age(&mut self, object: ObjectId) -> Option<Option<AgeInterval>> {
        Some(self.ages.of(object)?.copied())
    }

    /// When the entries of a structure were added, `Some(None)` if it has only a few; requests it if it was not measured.
    pub fn entry_ages(&mut self, structure: ObjectId) -> Option<Option<EntryAges>> {
        Some(self.entry_ages.of(structure)?.copied())
    }

    /// Label of an object, if it is known, without requesting it.
    pub fn known(&self, object: ObjectId) -> Option<&str> {
        self.short.known(object).map(|text| &**text)
    }

    /// Takes over results and requests missing data. Call once per frame.
    pub fn tick(&mut self, dump: &OpenDump, jobs: &Jobs) {
        self.short.tick(dump, jobs, "labels", |dump, object, _| {
            Ok(dump.contents.label(&dump.heap, object).map(String::into_boxed_str))
        });
        self.names.tick(dump, jobs, "names", |dump, object, task| {
            Ok(dump.namer(task)?.name(object, task)?.map(String::into_boxed_str))
        });
        self.owners.tick(dump, jobs, "owners", |dump, object, task| Ok(dump.namer(task)?.owner(object, task)?));
        self.entry_ages.tick(dump, jobs, "ages of entries", |dump, object, task| {
            Ok(dump.ages(task)?.of_entries(&dump.heap, &dump.analysis, object))
        });
        self.ages.tick(dump, jobs, "ages", |dump, object, task| Ok(dump.ages(task)?.shown(&dump.heap, object)));
    }

    /// True while a job is running.
    pub fn is_running(&self) -> bool {
        let is_naming = self.short.is_running() || self.names.is_running() || self.owners.is_running();
        is_naming || self.ages.is_running() || self.entry_ages.is_running()
    }
}
