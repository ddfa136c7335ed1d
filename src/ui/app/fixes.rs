//! Fixes: removals with a name, which are saved to a file and applied to other dumps.

use std::path::{Path, PathBuf};

use eframe::egui::Context;

use super::App;
use crate::ui::DumpKey;
use crate::ui::shell::removals;
use crate::ui::tab::fix_jobs::{FixSource, SavedFix};
use heaplens_base::Count;
use heaplens_base::invisible::one_line;
use heaplens_session::cuts::{FIX_EXTENSION, ResolvedFix, removals as removals_text, without_texts};
use heaplens_session::files::{free_name, short_name};

/// Maximum number of missing references that a message names.
const NAMED: usize = 3;

impl App {
    /// Asks for the file to save the removals of the current dump to.
    pub(super) fn ask_fix_output(&mut self) {
        let Some(tab) = self.tab_now() else { return };
        let (key, path, name) = (tab.key, tab.dump.path().to_owned(), tab.cuts.fix_name().to_owned());
        self.session.files.ask_fix_output(key, move || {
            let stem = if name.is_empty() { format!("{} fix", short_name(&path)) } else { name };
            free_name(path.parent().unwrap_or(Path::new("")), &stem, FIX_EXTENSION)
        });
    }

    /// Offers the fixes of dumps; without any, asks for a file.
    pub(super) fn offer_fixes(&mut self) {
        let Some(tab) = self.tab_now() else { return };
        if tab.known_fixes(&self.session.settings.cuts).next().is_none() {
            self.ask_fix();
        } else {
            self.navigation.palette.open_with("Apply fix ");
        }
    }

    /// Asks for a file with a fix to apply to the current dump.
    pub(super) fn ask_fix(&mut self) {
        self.navigation.dump().into_iter().for_each(|dump| self.session.files.ask_fix(dump));
    }

    /// Saves the removals of a dump.
    pub(super) fn save_fix(&mut self, of: DumpKey, path: PathBuf) {
        let path = if path.extension().is_none() { path.with_extension(FIX_EXTENSION) } else { path };
        if let Some(tab) = self.tabs.get_mut(of) {
            tab.save_fix(path, &self.jobs);
        }
    }

    /// Applies a fix to a dump, as soon as its references are looked up.
    pub(super) fn apply_fix(&mut self, ctx: &Context, to: Option<DumpKey>, source: FixSource) {
        match to.and_then(|to| self.tabs.get_mut(to)).filter(|tab| tab.open_dump().is_some()) {
            Some(tab) => tab.look_up_fix(source, &self.jobs),
            None => self.toasts.hint(ctx, "Open a heap dump first, then apply the fix".to_owned()),
        }
    }

    /// Takes over fixes that were saved or looked up.
    pub(super) fn take_fixes(&mut self, ctx: &Context) {
        let keys: Vec<DumpKey> = self.tabs.list().iter().map(|tab| tab.key).collect();
        for key in keys {
            let Some(tab) = self.tabs.get_mut(key) else { continue };
            let (saved, looked_up) = (tab.take_saved_fix(), tab.take_looked_up_fix());
            match saved {
                Some(Ok(saved)) => self.report_saved_fix(ctx, key, &saved),
                Some(Err(why)) => self.toasts.warn(ctx, format!("Cannot save the fix: {why}")),
                None => {}
            }
            match looked_up {
                Some(Ok(fix)) => self.put_fix(ctx, key, fix),
                Some(Err(why)) => self.toasts.warn(ctx, format!("Cannot apply the fix: {}", one_line(&why))),
                None => {}
            }
        }
    }

    fn report_saved_fix(&mut self, ctx: &Context, of: DumpKey, saved: &SavedFix) {
        let SavedFix { name, removals, path } = saved;
        self.change_cuts(Some(of), |cuts, dump, jobs| {
            if cuts.fix_name().is_empty() && !cuts.is_empty() {
                cuts.name_fix(name, dump, jobs);
            }
        });
        let what = removals_text(*removals);
        self.toasts.done(ctx, format!("Saved fix \"{name}\" with {what} to {}", path.display()));
    }

    /// Adds the removals of a fix as one step. The list says which of its references do not exist.
    fn put_fix(&mut self, ctx: &Context, to: DumpKey, fix: ResolvedFix) {
        let (name, made, missing) = (fix.name.clone(), fix.removals.len(), fix.missing.len());
        let is_redacted = self.tabs.open_dump(to).is_some_and(|dump| dump.facts.is_redacted());
        let shown = |name: &str| one_line(&if is_redacted { without_texts(name) } else { name.to_owned() });
        if made == 0 {
            let names: Vec<String> = fix.missing.iter().take(NAMED).map(|removal| shown(&removal.cut)).collect();
            let more =
                if missing > NAMED { format!(" and {} more", Count((missing - NAMED) as u64)) } else { String::new() };
            let why = match missing {
                0 => "it has no removals".to_owned(),
                _ => format!("its references are not in this dump: {}{more}", names.join(", ")),
            };
            return self.toasts.warn(ctx, format!("Fix \"{name}\" is not applied: {why}"));
        }
        self.change_cuts(Some(to), |cuts, dump, jobs| cuts.apply(fix, dump, jobs));
        if missing == 0 {
            self.toasts.done(ctx, format!("Applied fix \"{name}\" with {}", removals_text(made)));
        } else if self.navigation.dump() == Some(to) {
            removals::open_list(ctx);
        }
    }
}
