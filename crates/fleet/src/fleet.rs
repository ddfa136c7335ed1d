//! Digests of many dumps, held together. Texts that are equal are held once.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::digest_file::{DigestFileError, DigestForm, read};
use super::record::{CLASS, DUMP, DigestRecord, FINDING, UNREADABLE};
use heaplens_base::{Cancelled, Task, Unit};

/// Files read before their records are added.
const AT_ONCE: usize = 256;

/// A fleet. Records of one kind are in the order of their files.
#[derive(Debug, Default)]
pub struct Fleet {
    /// A record for each dump.
    pub dumps: Vec<DigestRecord>,
    /// Records of findings.
    pub findings: Vec<DigestRecord>,
    /// Records of classes.
    pub classes: Vec<DigestRecord>,
    /// Files that could not be read, with the reason.
    pub failed: Vec<String>,
    /// Digests of dumps that were there more than once.
    pub repeated: u64,
    /// All texts.
    texts: FxHashSet<Arc<str>>,
    /// Ids of the dumps.
    ids: FxHashSet<Arc<str>>,
    /// Files of the dumps by their number, with the place of the record if the file could not be read.
    files: FxHashMap<u64, Option<usize>>,
}

impl Fleet {
    /// The digests in some files, and in folders with all folders below them.
    ///
    /// # Errors
    /// If the task is cancelled. Files that cannot be read are listed.
    pub fn read(paths: &[PathBuf], task: &Task) -> Result<Self, Cancelled> {
        let mut fleet = Self::default();
        let files = fleet.listed(paths);
        task.step("Reading digests", Unit::Rows, files.len() as u64);
        for (some, done) in files.chunks(AT_ONCE).zip((0..).step_by(AT_ONCE)) {
            task.checkpoint_at(done)?;
            let read_all = |path: &PathBuf| {
                let mut records = Vec::new();
                let ended = read(path, task, |record| records.push(record));
                (records, ended)
            };
            for (records, ended) in some.par_iter().map(read_all).collect::<Vec<_>>() {
                fleet.add(records);
                match ended {
                    Ok(()) => {}
                    Err(DigestFileError::Cancelled) => return Err(Cancelled),
                    Err(DigestFileError::File(why)) => fleet.failed.push(why),
                }
            }
        }
        Ok(fleet)
    }

    /// Files of digests, by name. No link to a folder is followed: it may lead back.
    fn listed(&mut self, paths: &[PathBuf]) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut folders: Vec<PathBuf> = Vec::new();
        for path in paths {
            if path.is_dir() { folders.push(path.clone()) } else { files.push(path.clone()) }
        }
        while let Some(folder) = folders.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    self.failed.push(format!("{}: {error}", folder.display()));
                    continue;
                }
            };
            for entry in entries.flatten() {
                let path = entry.path();
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(path),
                    Ok(_) if DigestForm::of(&path).is_some() => files.push(path),
                    _ => {}
                }
            }
        }
        files.sort_unstable();
        files
    }

    /// Adds the records of a file. Of digests of one dump the first counts, unless it could not be read: then a later one
    /// takes its place.
    pub fn add(&mut self, records: Vec<DigestRecord>) {
        let known = records.iter().filter(|record| record.record.as_deref() == Some(DUMP));
        let known = known.filter_map(|record| record.dump_id.clone()).filter(|id| self.ids.contains(id));
        let left_out: FxHashSet<Arc<str>> = known.collect();
        // Within a file, the records of a dump follow each other, unless a job sorted them: then none is there twice.
        let mut skipped: Option<Arc<str>> = None;
        for mut record in records {
            let Some(id) = record.dump_id.clone() else { continue };
            let is_dump = record.record.as_deref() == Some(DUMP);
            if left_out.contains(&id) || !is_dump && skipped.as_ref() == Some(&id) {
                self.repeated += u64::from(is_dump);
                continue;
            }
            self.intern(&mut record);
            match record.record.as_deref() {
                Some(DUMP) => skipped = (!self.add_dump(id.clone(), record)).then_some(id),
                Some(FINDING) => self.findings.push(record),
                Some(CLASS) => self.classes.push(record),
                _ => {}
            }
        }
    }

    /// Adds the record of a dump; false if its dump is there already.
    fn add_dump(&mut self, id: Arc<str>, record: DigestRecord) -> bool {
        let file = record.file_number();
        let is_readable = record.status.as_deref() != Some(UNREADABLE);
        let failed = self.files.get(&file).copied();
        let is_new = if is_readable { !self.ids.contains(&id) } else { failed.is_none() };
        self.repeated += u64::from(!is_new);
        if !is_new {
            return false;
        }
        match failed.flatten().and_then(|index| self.dumps.get_mut(index)) {
            Some(unreadable) => {
                *unreadable = record;
                self.repeated += 1;
            }
            None => self.dumps.push(record),
        }
        self.files.insert(file, (!is_readable).then(|| self.dumps.len() - 1));
        self.ids.insert(id);
        true
    }

    fn intern(&mut self, record: &mut DigestRecord) {
        for text in record.texts() {
            if let Some(known) = self.texts.get(text) {
                *text = Arc::clone(known);
            } else {
                self.texts.insert(Arc::clone(text));
            }
        }
    }

    /// True if it has no dump.
    pub fn is_empty(&self) -> bool {
        self.dumps.is_empty()
    }

    /// True if a path may be a fleet: a folder, or a file of digests.
    pub fn may_be(path: &Path) -> bool {
        path.is_dir() || DigestForm::of(path).is_some()
    }
}
