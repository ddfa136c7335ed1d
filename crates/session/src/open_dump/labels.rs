//! Labels, address-free names and owners of objects, each in a cache that reads in the background.

use super::{OpenDump, label_cache::LabelCache};
use crate::Jobs;
use heaplens_analysis::naming::Owner;
use heaplens_core::heap::ObjectId;

/// Labels, address-free names and owners of the objects on screen, read in the background.
#[derive(Default)]
pub struct Labels {
    short: LabelCache<Box<str>>,
    names: LabelCache<Box<str>>,
    owners: LabelCache<Owner>,
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
    }

    /// True while a job is running.
    pub fn is_running(&self) -> bool {
        self.short.is_running() || self.names.is_running() || self.owners.is_running()
    }
}
