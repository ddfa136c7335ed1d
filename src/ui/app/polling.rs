//! What one frame takes over before it draws: finished work of the owners, and what needs two of them.

use eframe::egui::Context;

use super::App;
use super::event::{Event, Owner};
use crate::ui::clipboard::Content;
use crate::ui::tab::Tab;
use crate::ui::{Command, Target, Verb};
use heaplens_session::files::file_name;
use heaplens_session::recent_dumps::RecentDump;

impl App {
    /// Takes over finished work. Commands that follow from it are appended to `commands`.
    pub(super) fn poll(&mut self, ctx: &Context, commands: &mut Vec<Command>) {
        let owners: [&mut dyn Owner; 4] = [&mut self.output, &mut self.tabs, &mut self.lists, &mut self.session];
        let events: Vec<Event> =
            owners.into_iter().flat_map(|owner| owner.poll(ctx, &self.jobs, &mut self.toasts)).collect();
        let opened =
            events.iter().rev().find_map(|event| if let Event::Opened(key) = event { Some(*key) } else { None });
        events.into_iter().for_each(|event| self.handle(ctx, event, commands));
        self.compare_pending(ctx);
        opened.into_iter().for_each(|opened| self.search_hint(opened));
        self.take_hint(ctx);
        self.arrive_at_awaited();
        self.go_on_with_links(ctx);
        self.name_marks();
        self.keep_recent(ctx);
        self.session.sharing.share(self.tabs.list());
    }

    fn handle(&mut self, ctx: &Context, event: Event, commands: &mut Vec<Command>) {
        match event {
            Event::Opened(key) => {
                // A file that cannot be opened is not offered again.
                let path = self.tabs.get(key).map(|tab| tab.dump.path());
                path.into_iter().for_each(|path| self.session.settings.remember(path));
            }
            Event::CutsAwaited(key) => {
                let identity = self.tabs.open_dump(key).map(|dump| dump.identity.clone());
                let own = self.tabs.get_mut(key).and_then(|tab| tab.own_cuts.take());
                let list = own.or_else(|| identity.map(|identity| self.session.settings.cuts.of(&identity)));
                self.tabs.restore_cuts(key, list.unwrap_or_default(), &self.jobs);
            }
            // Cuts made meanwhile are kept too.
            Event::CutsRestored(key) => self.keep_cuts(key),
            Event::FixNamed(key, fix) => {
                if let Some(dump) = self.tabs.open_dump(key) {
                    self.session.settings.cuts.put_names(&dump.identity, file_name(&dump.opened.file), *fix);
                }
            }
            Event::Damaged(key) => self.reopen_damaged(ctx, key),
            Event::Lost(key, why) => self.go_on_without_file(ctx, key, &why),
            Event::ComparisonOver(key, why) => self.close_comparison(ctx, key, why),
            Event::FileChanged(path, change) => self.take_change(ctx, &path, change),
            Event::Named(Some(name)) => self.put_on_clipboard(ctx, Content::Text(name), "the name".to_owned()),
            Event::Named(None) => {
                self.toasts.hint(ctx, "This object has no name that is stable across dumps".to_owned());
            }
            Event::Mapped(mapped) => self.put_mapped(ctx, *mapped),
            Event::Recorded(recorded) => self.put_recorded(ctx, *recorded),
            Event::Reported(reported) => self.put_reported(ctx, *reported),
            Event::RuntimeClasses(list) => {
                self.tabs.set_runtime_classes(&list);
                self.options.runtime_classes = list;
            }
            Event::Chosen(verb) => commands.extend(self.is_in_menu(verb).then(|| Command::from(verb))),
            Event::Run(command) => commands.push(command),
            // Another dump may have become current while the dialog was open.
            Event::RunIn(key, command) if self.tabs.get(key).is_some() => {
                commands.extend([Command::ShowTab(key), command]);
            }
            Event::RunIn(..) => {}
        }
    }

    /// True if an action in the menu bar of the system is enabled: its shortcuts work only while those of the window do.
    pub(super) fn is_in_menu(&self, verb: Verb) -> bool {
        self.is_available(verb, &Target::Selection) && !self.is_covered()
    }

    /// Stores what the list of recent files says of dumps whose findings are known.
    fn keep_recent(&mut self, ctx: &Context) {
        let mut has_new = false;
        for tab in self.tabs.list_mut().iter_mut().filter(|tab| tab.comparing().is_none()) {
            let Some(verdict) = tab.views.overview.take_verdict() else { continue };
            let Some(dump) = tab.open_dump() else { continue };
            let origin = &dump.heap.origin;
            let is_shown = !dump.facts.is_redacted();
            has_new = true;
            self.session.settings.recent_dumps.put(RecentDump {
                dump: tab.dump.path().to_owned(),
                taken_at_millis: origin.taken_at_millis,
                file_bytes: origin.file_size.disk,
                program: verdict.program.filter(|_| is_shown),
                finding: Some(verdict.text).filter(|_| is_shown),
            });
        }
        // No action of the user follows that would store it.
        if has_new {
            self.keep_all(ctx, true);
        }
    }

    /// Stores the names of marked objects once they are known, so that other dumps can find them.
    fn name_marks(&mut self) {
        let Some(tab) = self.navigation.dump().and_then(|key| self.tabs.get_mut(key)) else { return };
        let Some(dump) = tab.open_dump().cloned() else { return };
        let marks = &mut self.session.settings.marks;
        marks.put_names(&dump.identity, &dump.heap, |object| tab.object_name(object).map(str::to_owned));
    }

    /// Selects the next or previous object of the class once it is found, if its origin is still selected.
    pub(super) fn take_step(&mut self, commands: &mut Vec<Command>) {
        let Some(location) = self.navigation.location() else { return };
        let step = self.tabs.get_mut(location.dump).and_then(Tab::take_step);
        if let Some((_, object)) = step.filter(|(from, _)| Some(*from) == location.object) {
            commands.push(match object {
                Some(object) => Command::select(location.dump, object),
                None => Command::Hint("No further object of this class".to_owned()),
            });
        }
    }
}
