//! Digests of many dumps, held together. Texts that are equal are held once.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::digest_file::{DigestFileError, DigestForm, read};
use super::record::{CLASS, DUMP, DigestRecord, FINDING};
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
    /// Dumps that were there more than once: the first digest counts.
    pub repeated: u64,
    known: FxHashSet<Arc<str>>,
    seen: BTreeSet<Arc<str>>,
}

impl Fleet {
    /// The digests in some files, and in folders with all folders below them.
    ///
    /// # Errors
    /// If the task is cancelled. Files that cannot be read are listed.
    pub fn read(paths: &[PathBuf], task: &Task) -> Result<Self, Cancelled> {
        let mut fleet = Self::default();
        let files = fleet.files(paths);
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
    fn files(&mut self, paths: &[PathBuf]) -> Vec<PathBuf> {
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

    /// Adds records. Those of a dump that is there already are left out: a job that was repeated wrote them twice.
    pub fn add(&mut self, records: Vec<DigestRecord>) {
        let new: BTreeSet<Arc<str>> = records
            .iter()
            .filter(|record| record.record.as_deref() == Some(DUMP))
            .filter_map(|record| record.dump.clone())
            .collect();
        let (repeated, new): (BTreeSet<Arc<str>>, BTreeSet<Arc<str>>) =
            new.into_iter().partition(|dump| self.seen.contains(dump));
        self.repeated += repeated.len() as u64;
        self.seen.extend(new);
        for mut record in
            records.into_iter().filter(|record| !record.dump.as_ref().is_none_or(|dump| repeated.contains(dump)))
        {
            self.intern(&mut record);
            match record.record.as_deref() {
                Some(DUMP) => self.dumps.push(record),
                Some(FINDING) => self.findings.push(record),
                Some(CLASS) => self.classes.push(record),
                _ => {}
            }
        }
    }

    fn intern(&mut self, record: &mut DigestRecord) {
        for text in record.texts() {
            if let Some(known) = self.known.get(text) {
                *text = Arc::clone(known);
            } else {
                self.known.insert(Arc::clone(text));
            }
        }
    }

    /// True if it has no dump.
    pub fn is_empty(&self) -> bool {
        self.dumps.is_empty()
    }

    /// True if a path is a folder, or a file of digests.
    pub fn is_one(path: &Path) -> bool {
        path.is_dir() || DigestForm::of(path).is_some()
    }
}
