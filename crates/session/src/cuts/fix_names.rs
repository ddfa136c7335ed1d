//! Names of the references of a fix: written from the removals of a dump, and looked up in one. Only for jobs, because they
//! are read from an index of the dump.

use super::fix::Fix;
use super::removal::RemovalList;
use super::restored::CutResolver;
use super::saved_cut::SavedCut;
use crate::OpenDump;
use crate::link::has_text;
use heaplens_analysis::Cut;
use heaplens_analysis::cuts::is_by_id;
use heaplens_analysis::naming::Unresolved;
use heaplens_base::{Cancelled, Task};

/// What a fix means in a dump.
#[derive(Debug, Clone, Default)]
pub struct ResolvedFix {
    /// Its name.
    pub name: String,
    /// Its removals that exist there.
    pub removals: Vec<SavedCut<Cut>>,
    /// Those that do not.
    pub missing: Vec<SavedCut>,
}

impl OpenDump {
    /// The list of removals as a fix. Names with texts of the program, such as the key of a map, become ids unless
    /// `with_texts`; they always do in a redacted dump.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub(super) fn fix(&self, list: &RemovalList, with_texts: bool, task: &Task) -> Result<Fix, Cancelled> {
        let mut removals = Vec::with_capacity(list.removals.len());
        for removal in &*list.removals {
            let name = self.stable_cut(&removal.cut, task)?;
            let is_hidden = has_text(&name) && !with_texts;
            let text = if is_hidden { removal.cut.text_with_ids(&self.heap) } else { name };
            removals.push(removal.saved().map(|_| text));
        }
        let dump = removals.iter().any(|removal| is_by_id(&removal.cut)).then(|| self.identity.to_string());
        let missing = list.missing.iter().filter(|removal| with_texts || !has_text(&removal.cut));
        removals.extend(missing.filter(|removal| !is_by_id(&removal.cut)).cloned());
        Ok(Fix { name: list.name.to_string(), dump, removals })
    }

    /// Looks up the references of a fix.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn resolve_fix(&self, fix: &Fix, resolve: CutResolver, task: &Task) -> Result<ResolvedFix, Cancelled> {
        let mut resolved = ResolvedFix { name: fix.name.clone(), ..ResolvedFix::default() };
        for removal in &fix.removals {
            if fix.is_id_of_other(&removal.cut, &self.identity) {
                resolved.missing.push(removal.clone());
                continue;
            }
            match resolve(&self.dump, &removal.cut, task) {
                Ok(cut) => resolved.removals.push(removal.clone().map(|_| cut)),
                Err(Unresolved::Cancelled) => return Err(Cancelled),
                Err(_) => resolved.missing.push(removal.clone()),
            }
        }
        Ok(resolved)
    }
}
