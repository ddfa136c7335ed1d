//! Applying and removing ProGuard or R8 mappings of an open dump. The current location stays.

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::Context;

use super::App;
use super::companion_files::MAPPINGS;
use super::pending::MappedDump;
use crate::ui::{Command, DumpKey};
use heaplens_dump::facts::Facts;
use heaplens_dump::mapping::MappingFile;
use heaplens_session::{JobError, OpenOptions};

impl App {
    /// Shows the file dialog for a mapping.
    pub(super) fn pick_mapping(&mut self) {
        self.pick_beside("Select a ProGuard or R8 mapping", ("Mappings", &MAPPINGS), Command::UseMapping);
    }

    /// Reads a mapping and applies it to the current dump.
    pub(super) fn use_mapping(&mut self, ctx: &Context, path: PathBuf) {
        if let Some(key) = self.key_of_names(ctx) {
            self.put_names(key, move || MappingFile::read(&path).map(Arc::new).map_err(JobError::Failed));
        }
    }

    fn put_names(
        &mut self,
        key: DumpKey,
        mapping: impl FnOnce() -> Result<Arc<MappingFile>, JobError> + Send + 'static,
    ) {
        let Some(of) = self.tab(key).and_then(|tab| tab.dump.facts().cloned()) else { return };
        self.mapping.ask(&self.jobs, "read the mapping", move |_| {
            let mapping = mapping()?;
            let renamed = of.renamed(&mapping);
            Ok(MappedDump { key, mapping, of, renamed })
        });
    }

    /// Removes the mapping of the current dump.
    pub(super) fn forget_mapping(&mut self, ctx: &Context) {
        let Some(key) = self.key_of_names(ctx) else { return };
        if let Some(facts) = self.tab(key).and_then(|tab| tab.dump.facts()).map(Facts::unmapped)
            && self.put_named(key, facts)
        {
            self.toasts.done(ctx, "Mapping removed".to_owned());
        }
    }

    /// Shows a dump with other names. Owner rules name classes: a dump opened by them is opened again.
    fn put_named(&mut self, key: DumpKey, facts: Facts) -> bool {
        let by_owners = self.tab(key).filter(|tab| tab.opened().owner_rules);
        let Some(options) = by_owners.map(|tab| self.options_of(tab)) else { return self.put_facts(key, facts) };
        let mappings = facts.mapped.iter().map(|mapped| mapped.file.clone()).collect();
        self.open_anew(key, OpenOptions { mappings, ..options });
        true
    }

    /// Current dump if a mapping can be applied to it; otherwise shows why not.
    fn key_of_names(&mut self, ctx: &Context) -> Option<DumpKey> {
        let tab = self.tab_now().filter(|tab| tab.open_dump().is_some());
        let why = match tab {
            None => "No dump is open: open the dump, then apply the mapping",
            Some(tab) if tab.comparing().is_some() => {
                "A mapping cannot be applied to a comparison: apply it to both dumps, then compare again"
            }
            Some(tab) => return Some(tab.key),
        };
        self.toasts.hint(ctx, why.to_owned());
        None
    }

    /// Applies the mapping that was read.
    pub(super) fn take_mapping(&mut self, ctx: &Context) {
        let MappedDump { key, mapping, of, renamed } = match self.mapping.take_ended() {
            Some(Ok(ended)) => ended,
            Some(Err(error)) => return self.toasts.warn(ctx, error),
            None => return,
        };
        let now = self.tab(key).and_then(|tab| tab.dump.facts());
        if now.is_some_and(|now| !now.is_same(&of)) {
            // The dump was redacted or reloaded, or its file vanished meanwhile: apply the mapping to its present state.
            self.put_names(key, move || Ok(mapping));
        } else if now.is_some() {
            let said = renamed.mapped.as_ref().map(|mapped| mapped.summary());
            if self.put_named(key, renamed) {
                self.toasts.done(ctx, said.unwrap_or_default());
            }
        }
    }
}
