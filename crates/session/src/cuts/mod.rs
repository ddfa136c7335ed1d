//! Removals of an opened dump: references that the user removes to see what would be freed. They add up until they are
//! undone; the dump itself does not change.
//!
//! [`Cuts`] is the list with its history and its effect, [`HeapAfter`] the heap without the removed references. A list is
//! kept with its dump as texts ([`SavedCuts`]), and resolved again when the dump is opened ([`RestoredCuts`]). With a name
//! it is a [`Fix`], which is saved to a file and applied to other dumps.

mod after;
mod fix;
mod fix_file;
mod fix_names;
mod history;
mod removal;
mod restored;
mod saved;
mod saved_cut;

pub use self::after::HeapAfter;
pub use self::fix::{Fix, without_texts};
pub use self::fix_file::{FIX_EXTENSION, LONGEST_NAME, name_for};
pub use self::fix_names::ResolvedFix;
pub use self::removal::Removal;
pub use self::restored::{CutResolver, RestoredCuts};
pub use self::saved::{KnownFix, SavedCuts, SavedList};
pub use self::saved_cut::SavedCut;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use self::history::History;
use self::removal::RemovalList;
use super::{jobs::Jobs, link::has_text, open_dump::OpenDump, slot::Slot};
use heaplens_analysis::Cut;
use heaplens_analysis::cuts::{CutEffect, frees_at_least, sizes};
use heaplens_base::invisible::one_line;
use heaplens_base::{Bytes, Cancelled, Count, Task};
use heaplens_heap::{Analysis, Heap, ObjectId};

/// Maximum number of characters of a name in the status.
const SHOWN: usize = 36;
/// Maximum number of superclasses whose fields are compared.
const SUPERCLASSES: usize = 64;
/// Maximum number of removals that are listed by name; of the others only the number is shown.
pub const NAMED: usize = 24;

/// Removals of one dump and their effect.
#[derive(Default)]
pub struct Cuts {
    history: History,
    /// Cuts of all removals, for lookups.
    is_made: HashSet<Cut>,
    /// Cuts of those that are on.
    active: Vec<Cut>,
    is_active: HashSet<Cut>,
    bound: Slot<(Vec<Cut>, Bytes)>,
    effect: Slot<NamedEffect>,
    /// Number of the effect: it changes whenever the freed objects change.
    version: u64,
    /// Names of all removals, as far as they are known.
    names: HashMap<Cut, String>,
    /// The removals as they are kept for other dumps, if they have a name.
    fix: Slot<Fix>,
}

/// An effect, and the names of the removals that are off.
struct NamedEffect {
    effect: CutEffect,
    off: Vec<(Cut, String)>,
}

impl Cuts {
    /// The removals, oldest first.
    pub fn all(&self) -> &[Removal] {
        &self.history.now().removals
    }

    /// Name of the fix that the removals form; empty if it has none.
    pub fn fix_name(&self) -> &str {
        &self.history.now().name
    }

    /// Names of the removals of an applied fix that do not exist in the dump, in one line each.
    pub fn missing(&self, dump: &OpenDump) -> Vec<String> {
        let is_redacted = dump.facts.is_redacted();
        let name = |name: &str| one_line(&if is_redacted { without_texts(name) } else { name.to_owned() });
        self.history.now().missing.iter().map(|removal| name(&removal.cut)).collect()
    }

    /// Cuts of the removals that are on, oldest first.
    pub fn active(&self) -> &[Cut] {
        &self.active
    }

    /// True if nothing is removed, not even switched off.
    pub fn is_empty(&self) -> bool {
        self.all().is_empty()
    }

    /// True while a job is running.
    pub fn is_running(&self) -> bool {
        self.effect.is_running() || self.bound.is_running() || self.fix.is_running()
    }

    /// Changes whenever the freed objects change.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Number of changes that were made, without undo and redo.
    pub fn changes(&self) -> u64 {
        self.history.changes()
    }

    /// True if there is a change to undo.
    pub fn can_undo(&self) -> bool {
        self.history.can_undo()
    }

    /// True if there is a change to redo.
    pub fn can_redo(&self) -> bool {
        self.history.can_redo()
    }

    /// Adds several cuts as one step; if all of them exist, removes them from the list.
    pub fn toggle_all(&mut self, cuts: Vec<Cut>, dump: &OpenDump, jobs: &Jobs) {
        let list = if self.has(&cuts) {
            let others = self.all().iter().filter(|removal| !cuts.contains(&removal.cut));
            others.cloned().collect()
        } else {
            added(self.all(), cuts.into_iter().map(SavedCut::of).collect())
        };
        self.put(list, dump, jobs);
    }

    /// Adds the removals of an earlier window, step by step, before those made since.
    pub fn restore(&mut self, restored: RestoredCuts, dump: &OpenDump, jobs: &Jobs) {
        let since = std::mem::take(self);
        let RestoredCuts { name, steps, missing_of_fix, .. } = restored;
        let own: Arc<str> = name.into();
        for step in steps {
            let removals = added(self.all(), step);
            if removals.is_empty() {
                continue;
            }
            self.history.put(RemovalList { name: own.clone(), removals, missing: missing_of_fix.clone().into() });
        }
        for step in since.steps() {
            let removals = added(self.all(), step.iter().map(Removal::saved).collect());
            self.history.put(RemovalList { removals, ..self.history.now().clone() });
        }
        let (now, later) = (self.history.now().clone(), since.history.now());
        if !later.removals.is_empty() {
            let name = if later.name.is_empty() { now.name } else { later.name.clone() };
            let missing = now.missing.iter().chain(&*later.missing).cloned().collect();
            self.history.put(RemovalList { name, missing, ..now });
        }
        self.changed(dump, jobs);
    }

    /// Adds the removals of a fix as one step. The list takes its name, unless it has one.
    pub fn apply(&mut self, fix: ResolvedFix, dump: &OpenDump, jobs: &Jobs) {
        let now = self.history.now().clone();
        let name = if now.name.is_empty() { fix.name.into() } else { now.name };
        let fresh = fix.missing.into_iter().filter(|removal| !now.missing.contains(removal));
        let missing = now.missing.iter().cloned().chain(fresh).collect();
        self.history.put(RemovalList { name, removals: added(&now.removals, fix.removals), missing });
        self.changed(dump, jobs);
    }

    /// Names the fix that the removals form.
    pub fn name_fix(&mut self, name: &str, dump: &OpenDump, jobs: &Jobs) {
        self.history.put(RemovalList { name: name.trim().into(), ..self.history.now().clone() });
        self.changed(dump, jobs);
    }

    /// What looks up the names of the references, for a file or for another dump.
    pub fn as_fix(&self, dump: &OpenDump) -> impl FnOnce(&Task) -> Result<Fix, Cancelled> + Send + 'static {
        let (list, dump) = (self.history.now().clone(), dump.clone());
        move |task| dump.fix(&list, true, task)
    }

    /// The removals for other dumps once their names are known, returned once. They have no texts of the program.
    pub fn take_fix(&mut self) -> Option<Fix> {
        self.fix.take_new()
    }

    /// Switches a removal of the list on or off.
    pub fn switch(&mut self, at: usize, is_on: bool, dump: &OpenDump, jobs: &Jobs) {
        self.change(at, |removal| removal.is_on = is_on, dump, jobs);
    }

    /// Writes the note of a removal of the list.
    pub fn note(&mut self, at: usize, note: String, dump: &OpenDump, jobs: &Jobs) {
        self.change(at, |removal| removal.note = note, dump, jobs);
    }

    fn change(&mut self, at: usize, change: impl FnOnce(&mut Removal), dump: &OpenDump, jobs: &Jobs) {
        let mut list = self.all().to_vec();
        if let Some(removal) = list.get_mut(at) {
            change(removal);
        }
        self.put(list.into(), dump, jobs);
    }

    /// Undoes the last change.
    pub fn undo(&mut self, dump: &OpenDump, jobs: &Jobs) {
        self.history.undo();
        self.changed(dump, jobs);
    }

    /// Redoes the change undone last.
    pub fn redo(&mut self, dump: &OpenDump, jobs: &Jobs) {
        self.history.redo();
        self.changed(dump, jobs);
    }

    /// Removes nothing any more, which can be undone.
    pub fn clear(&mut self, dump: &OpenDump, jobs: &Jobs) {
        self.put(Arc::default(), dump, jobs);
    }

    /// True if all of these cuts are in the list.
    pub fn has(&self, cuts: &[Cut]) -> bool {
        cuts.iter().all(|cut| self.is_made.contains(cut))
    }

    /// True if a removal that is on removes the reference between two objects; `name` is that of its field, if it is one.
    pub fn removes(&self, heap: &Heap, (from, to): (ObjectId, ObjectId), name: Option<&str>) -> bool {
        if self.active.is_empty() {
            return false;
        }
        let is_on = |cut: &Cut| self.is_active.contains(cut);
        let of_field = |name: &str| {
            let classes = std::iter::successors(Some(heap.class_id(from)), |&class| heap.classes.get(class).superclass);
            classes.take(SUPERCLASSES).any(|class| is_on(&Cut::Field { class, name: name.into() }))
        };
        // Other kinds of cuts are known once their effect is.
        self.effect().is_some_and(|effect| effect.excluded.excludes(from.raw(), to.raw()))
            || is_on(&Cut::Reference { from, to })
            || is_on(&Cut::Object(to))
            || is_on(&Cut::Class(heap.class_id(to)))
            || name.is_some_and(of_field)
    }

    /// True if the removals that are on free an object of the dump.
    pub fn frees(&self, analysis: &Analysis, object: ObjectId) -> bool {
        self.effect().is_some_and(|effect| effect.freed.contains(analysis, object))
    }

    /// Takes over finished results.
    pub fn poll(&mut self) {
        self.bound.poll();
        if self.effect.poll()
            && let Some(NamedEffect { effect, off }) = self.effect.get()
        {
            self.version += 1;
            self.names.extend(effect.cuts.iter().cloned().zip(effect.names.iter().cloned()));
            self.names.extend(off.iter().cloned());
        }
    }

    fn put(&mut self, removals: Arc<[Removal]>, dump: &OpenDump, jobs: &Jobs) {
        // An empty list has nothing to name.
        let now = if removals.is_empty() { RemovalList::default() } else { self.history.now().clone() };
        self.history.put(RemovalList { removals, ..now });
        self.changed(dump, jobs);
    }

    fn changed(&mut self, open_dump: &OpenDump, jobs: &Jobs) {
        self.version += 1;
        let list = &self.history.now().removals;
        self.is_made = list.iter().map(|removal| removal.cut.clone()).collect();
        self.active = list.iter().filter(|removal| removal.is_on).map(|removal| removal.cut.clone()).collect();
        self.is_active = self.active.iter().cloned().collect();
        if list.is_empty() {
            (self.bound, self.effect, self.fix) = Default::default();
            return;
        }
        if self.history.now().name.is_empty() {
            self.fix = Slot::default();
        } else {
            let (list, dump) = (self.history.now().clone(), open_dump.clone());
            self.fix.ask(jobs, "names of the fix", move |task| Ok(dump.fix(&list, false, task)?));
        }
        let off: Vec<Cut> = list.iter().filter(|removal| !removal.is_on).map(|removal| removal.cut.clone()).collect();
        let (cuts, dump) = (self.active.clone(), open_dump.clone());
        self.bound.ask(jobs, "what the removals free at least", move |_| {
            let bytes = frees_at_least(dump.data(), &cuts);
            Ok((cuts, bytes))
        });
        let (cuts, dump) = (self.active.clone(), open_dump.clone());
        self.effect.ask(jobs, "what the removals free", move |task: &Task| {
            let namer = dump.namer(task)?;
            let effect = CutEffect::of(namer, cuts, NAMED, task)?;
            let named = |cut: Cut| namer.cut_name(&cut, task).map(|name| (cut, name));
            Ok(NamedEffect { effect, off: off.into_iter().take(NAMED).map(named).collect::<Result<_, _>>()? })
        });
    }

    /// Effect of the removals that are on, once it is computed.
    pub fn effect(&self) -> Option<&CutEffect> {
        self.effect.get().map(|named| &named.effect).filter(|effect| effect.cuts == self.active)
    }

    /// Name of what a removal removes, if it is known.
    pub fn name(&self, removal: &Removal) -> Option<&str> {
        self.names.get(&removal.cut).map(String::as_str)
    }

    /// Text of each cut that is on for the command line: its name if that is known, else with ids.
    pub fn texts(&self, heap: &Heap) -> Vec<String> {
        let text = |cut: &Cut| self.names.get(cut).cloned().unwrap_or_else(|| cut.text_with_ids(heap));
        self.active.iter().map(text).collect()
    }

    /// The removals by step, oldest first, with ids: they are valid for this dump and contain no values.
    pub fn saved(&self, heap: &Heap) -> SavedList {
        let saved = |removal: &Removal| removal.saved().map(|cut| cut.text_with_ids(heap));
        let steps = self.steps().map(|step| step.iter().map(saved).collect()).collect();
        let missing = self.history.now().missing.iter().filter(|removal| !has_text(&removal.cut)).cloned().collect();
        SavedList { name: self.fix_name().to_owned(), steps, missing }
    }

    fn steps(&self) -> impl Iterator<Item = &[Removal]> {
        self.all().chunk_by(|one, next| one.step == next.step)
    }

    /// What the removals that are on free, or how far the search for it is, in one line.
    pub fn status(&self) -> String {
        let what = |name: Option<&String>| match (self.active.len(), name) {
            (1, Some(name)) => format!("Removed {}", ending(name)),
            (n, _) => removals(n),
        };
        if self.active.is_empty() {
            return format!("{} off", removals(self.all().len()));
        }
        if let Some(effect) = self.effect() {
            return format!("{}: {}", what(effect.names.first()), effect.what);
        }
        if let Some(error) = self.effect.error() {
            return format!("{}: {error}", what(None));
        }
        let bound = self.bound.get().filter(|(cuts, bytes)| *cuts == self.active && *bytes > Bytes(0));
        let at_least = bound.map(|(_, bytes)| format!("frees at least {bytes}, ")).unwrap_or_default();
        let progress = self.effect.progress().and_then(|progress| progress.percent());
        let percent = progress.map(|percent| format!(" {percent} %")).unwrap_or_default();
        format!("{}: {at_least}searching…{percent}", what(None))
    }

    /// `63.1 → 33.8 MB after 2 removals`, once the effect is known; `None` before, and if all are off.
    pub fn sum(&self) -> Option<String> {
        let effect = self.effect().filter(|_| !self.active.is_empty())?;
        let before = effect.what.of.shallow;
        let after = Bytes(before.0.saturating_sub(effect.what.freed.shallow.0));
        Some(format!("{} after {}", sizes(before, after), removals(self.active.len())))
    }
}

/// `2 removals`
pub fn removals(count: usize) -> String {
    Count(count as u64).of("removal", "removals")
}

/// A list with those of several cuts that it does not have, as one step.
fn added(list: &[Removal], cuts: Vec<SavedCut<Cut>>) -> Arc<[Removal]> {
    let step = list.last().map_or(0, |last| last.step + 1);
    let mut is_made: HashSet<Cut> = list.iter().map(|removal| removal.cut.clone()).collect();
    let fresh = cuts.into_iter().filter(|saved| is_made.insert(saved.cut.clone()));
    let fresh = fresh.map(|SavedCut { cut, is_off, note }| Removal { cut, is_on: !is_off, note, step });
    list.iter().cloned().chain(fresh).collect()
}

/// Last characters of a long name: its end identifies the reference.
fn ending(name: &str) -> String {
    let long = name.chars().count();
    if long <= SHOWN { name.to_owned() } else { format!("…{}", name.chars().skip(long - SHOWN).collect::<String>()) }
}
