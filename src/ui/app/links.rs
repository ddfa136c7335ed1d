//! Links to a location: copied from the current location, and opened in the tab of their dump. Names are found in the
//! background.

use std::path::{Path, PathBuf};

use eframe::egui::Context;

use super::App;
use crate::ui::location::NamedLocation;
use crate::ui::tab::Tab;
use crate::ui::{DumpKey, Location, View};
use crate::view::Page;
use heaplens_base::Named;
use heaplens_heap::ObjectId;
use heaplens_session::dump::State;
use heaplens_session::files::file_name;
use heaplens_session::open_dump::is_same;
use heaplens_session::open_dump::link_target::{LinkSource, LinkTarget};
use heaplens_session::{Link, OpenDump};
use heaplens_tables::export::printable::one_line;

impl App {
    /// Copies a link to the current location: view, selected object or class, finding, cuts.
    pub(super) fn copy_link(&mut self) {
        let Some(location) = self.navigation.now() else { return };
        let leaks = self.tab_now().map(|tab| &tab.views.leaks).filter(|_| location.view == View::Leaks);
        let finding = leaks.and_then(|leaks| leaks.chosen()).map(|finding| finding.fingerprint.clone());
        let object = location.object.filter(|_| location.view.is_about_objects());
        self.start_copying(location, finding, object);
    }

    /// Copies a link to an object that a menu names: in the current view if it is selected there or the view can show
    /// it, else in the dominator tree.
    pub(super) fn copy_link_of(&mut self, object: ObjectId) {
        let Some(location) = self.navigation.now() else { return };
        if location.object == Some(object) && location.view.is_about_objects() {
            return self.copy_link();
        }
        let is_listed = matches!(location.view, View::Overview | View::Leaks | View::Objects | View::Route);
        let view = if location.view.is_about_objects() && !is_listed { location.view } else { View::Dominators };
        self.start_copying(Location { view, class: None, ..location }, None, Some(object));
    }

    /// Copies a link to a finding in Leaks; `object` is the one that its title names.
    pub(super) fn copy_link_of_finding(&mut self, object: Option<ObjectId>, fingerprint: String) {
        let Some(location) = self.navigation.now() else { return };
        self.start_copying(Location { view: View::Leaks, class: None, ..location }, Some(fingerprint), object);
    }

    fn start_copying(&mut self, location: Location, finding: Option<String>, object: Option<ObjectId>) {
        let Some(tab) = self.tabs.get(location.dump) else { return };
        let Some(dump) = tab.open_dump().cloned() else { return };
        let class = location.class.filter(|&class| object.is_none_or(|object| dump.heap.class_id(object) != class));
        let cuts = tab.cuts.all().to_vec();
        let source = LinkSource { view: location.view.info().argument, finding, object, class, cuts };
        let path = tab.dump.path().to_owned();
        self.output.links.copying.ask(&self.jobs, "link", move |task| Ok(dump.link(source, &path, task)?.to_string()));
    }

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
            return self.go_to(key, link);
        }
        if let Some(file) = link.local_file().map(Path::to_owned) {
            return self.open_for(&file, link);
        }
        // Which dump is being opened is known when it is open.
        if self.tabs.is_opening() {
            return self.output.links.waiting.push(link);
        }
        if let Some(key) = self.tab_now().filter(|tab| tab.open_dump().is_some()).map(|tab| tab.key) {
            return self.go_to(key, link);
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
            self.go_to(key, link);
        }
    }

    /// Shows the view of a link as soon as its dump is open and earlier links of the tab have arrived; then what the
    /// link names is searched for.
    fn go_to(&mut self, key: DumpKey, link: Link) {
        if self.output.links.push(key, link) {
            self.show_next(key);
        }
    }

    /// Shows the view of the next link of a tab as soon as its dump is open.
    fn show_next(&mut self, key: DumpKey) {
        let Some(link) = self.output.links.next_of(key) else { return };
        let view = link.view.as_deref().and_then(view_of);
        let awaited = NamedLocation { view, object: None, class: link.class.clone() };
        if let Some(tab) = self.tabs.get_mut(key) {
            tab.awaited = Some(awaited);
        }
    }

    /// Goes on with links whose dump is open now.
    pub(super) fn go_on_with_links(&mut self, ctx: &Context) {
        if !self.output.links.waiting.is_empty() && !self.tabs.is_opening() {
            for link in std::mem::take(&mut self.output.links.waiting) {
                self.follow(ctx, link);
            }
        }
        self.search_target();
        match self.output.links.target.take_ended() {
            Some(Ok((key, dump, link, target))) => self.arrive(ctx, (key, &dump), link, target),
            Some(Err(why)) => self.toasts.warn(ctx, format!("Cannot open the link: {why}")),
            None => {}
        }
        if !self.output.links.target.is_running()
            && let Some(key) = self.output.links.searching.take()
            && self.output.links.next_of(key).is_some()
        {
            self.show_next(key);
            ctx.request_repaint();
        }
    }

    /// Searches for what the next link names, once its dump is open and its view is shown.
    fn search_target(&mut self) {
        let is_ending = |tab: &Tab| matches!(tab.dump.state(), State::Failed(_) | State::Cancelled);
        let tab_of = |key: DumpKey| self.tabs.get(key).filter(|tab| !is_ending(tab));
        self.output.links.opening.retain(|(key, _)| tab_of(*key).is_some());
        let dump_of = |key: DumpKey| tab_of(key).filter(|tab| tab.awaited.is_none()).and_then(Tab::open_dump);
        let Some((key, link)) = self.output.links.take_ready(|key| dump_of(key).is_some()) else { return };
        let Some(dump) = dump_of(key).cloned() else { return };
        self.output.links.target.ask(&self.jobs, "place of a link", move |task| {
            let target = dump.link_target(&link, task)?;
            Ok((key, dump, link, target))
        });
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
                all.toggle_all(added, dump, jobs);
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
                Location { view, class, object, ..location }
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

/// View that a link names.
fn view_of(text: &str) -> Option<View> {
    if let Some(Page::View(view)) = Page::of_word(text) { Some(view) } else { None }
}
