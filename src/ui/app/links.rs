//! Opening links: in the tab of their dump, at what they name.

use std::path::{Path, PathBuf};

use eframe::egui::Context;

use super::App;
use crate::ui::tab::Tab;
use crate::ui::{DumpKey, Location, View};
use heaplens_session::cuts::{LONGEST_NAME, ResolvedFix, SavedCut};
use heaplens_session::files::file_name;
use heaplens_session::open_dump::is_same;
use heaplens_session::open_dump::link_target::LinkTarget;
use heaplens_session::{Link, OpenDump};
use heaplens_tables::export::printable::one_line;

impl App {
    /// Opens a link: in the tab of its dump, else its file if this machine has it, else in the current dump.
    pub(super) fn open_link(&mut self, ctx: &Context, text: &str) {
        match Link::parse(text) {
            Ok(link) => self.follow(ctx, link),
            Err(why) => self.toasts.warn(ctx, format!("Cannot open the link: {why}")),
        }
    }

    fn follow(&mut self, ctx: &Context, link: Link) {
        self.navigation.pages.hide();
        if let Some(key) = self.tab_of(&link) {
            self.navigation.show_tab(&self.tabs, key);
            return self.output.links.go_to(&mut self.tabs, key, link);
        }
        if let Some(file) = link.local_file().map(Path::to_owned) {
            return self.open_for(&file, link);
        }
        // Which dump is being opened is known when it is open.
        if self.tabs.is_opening() {
            return self.output.links.waiting.push(link);
        }
        if let Some(key) = self.tab_now().filter(|tab| tab.open_dump().is_some()).map(|tab| tab.key) {
            return self.output.links.go_to(&mut self.tabs, key, link);
        }
        let Some(name) = link.file_name() else {
            let hint = "Open a dump, then open the link again: it names neither an open dump nor a file".to_owned();
            return self.toasts.warn(ctx, hint);
        };
        let is_named = |path: &&PathBuf| file_name(path) == name && path.is_file();
        match self.session.settings.recent.iter().find(is_named).cloned() {
            Some(file) => self.open_for(&file, link),
            None => {
                let file = link.file.as_ref().map(|file| one_line(&file.display().to_string())).unwrap_or_default();
                let what = format!("{file} is not found. Open the dump, then open the link again");
                self.toasts.warn(ctx, format!("Cannot open the link: {what}"));
            }
        }
    }

    /// Tab with the dump of a link, preferably the current one.
    fn tab_of(&self, link: &Link) -> Option<DumpKey> {
        let identity = link.identity.as_deref()?;
        let is_it = |tab: &&Tab| tab.open_dump().is_some_and(|dump| *dump.identity == *identity);
        let alone = || self.tabs.single().find(is_it);
        let tab = self.tab_now().filter(is_it).or_else(alone).or_else(|| self.tabs.list().iter().find(is_it));
        tab.map(|tab| tab.key)
    }

    /// Opens a file, then its link.
    fn open_for(&mut self, file: &Path, link: Link) {
        self.open(file);
        if let Some(key) = self.navigation.dump() {
            self.output.links.go_to(&mut self.tabs, key, link);
        }
    }

    /// Goes on with links whose dump is open now.
    pub(super) fn go_on_with_links(&mut self, ctx: &Context) {
        if !self.output.links.waiting.is_empty() && !self.tabs.is_opening() {
            for link in std::mem::take(&mut self.output.links.waiting) {
                self.follow(ctx, link);
            }
        }
        self.output.links.search_target(&self.tabs, &self.jobs);
        match self.output.links.target.take_ended() {
            Some(Ok((key, dump, link, target))) => self.arrive(ctx, (key, &dump), link, target),
            Some(Err(why)) => self.toasts.warn(ctx, format!("Cannot open the link: {why}")),
            None => {}
        }
        if !self.output.links.target.is_running()
            && let Some(key) = self.output.links.searching.take()
            && self.output.links.next_of(key).is_some()
        {
            self.output.links.show_next(&mut self.tabs, key);
            ctx.request_repaint();
        }
    }

    /// Selects what a link names, and applies its cuts.
    fn arrive(&mut self, ctx: &Context, (key, dump): (DumpKey, &OpenDump), link: Link, target: LinkTarget) {
        let Some(tab) = self.tabs.get(key) else { return };
        // Reopened meanwhile: its rows are others now.
        if !tab.open_dump().is_some_and(|now| is_same(now, dump)) {
            return self.output.links.opening.insert(0, (key, link));
        }
        let name = tab.name();
        let LinkTarget { object, class, cuts, is_of_other, missing } = target;
        self.change_cuts(Some(key), |all, dump, jobs| {
            let added: Vec<_> = cuts.into_iter().filter(|cut| !all.has(std::slice::from_ref(cut))).collect();
            if !added.is_empty() {
                let name = link.fix.as_deref().map(one_line).unwrap_or_default().chars().take(LONGEST_NAME).collect();
                let removals = added.into_iter().map(SavedCut::of).collect();
                all.apply(ResolvedFix { name, removals, missing: Vec::new() }, dump, jobs);
            }
        });
        if let (Some(finding), Some(tab)) = (&link.finding, self.tabs.get_mut(key)) {
            tab.views.leaks.look_for_finding(finding.clone());
        }
        if object.is_some() || class.is_some() {
            self.navigation.history.correct_last_in(key, |location| {
                // The overview and the histogram have no selected object.
                let view = match object {
                    Some(_) if !location.view.is_about_objects() => View::Dominators,
                    _ => location.view,
                };
                Location { view, ..location.with(class, object) }
            });
        }
        if !missing.is_empty() {
            let missing = one_line(&missing.join("; "));
            self.toasts.warn(ctx, format!("Not everything that the link names is in {name}: {missing}"));
        }
        if is_of_other {
            let from = link.file_name().map(|from| format!(", {}", one_line(&from))).unwrap_or_default();
            self.toasts.hint(ctx, format!("The link was copied from another dump{from}; this is {name}"));
        }
    }
}
