//! The window on the desktop: settings and session as they are stored, files, sharing, menus and title.

mod files;
pub(crate) mod open_tabs;
pub(crate) mod settings;
pub(crate) mod sharing;
pub(crate) mod system_menu;

use eframe::egui;
use egui::{Context, ThemePreference, ViewportCommand};

use self::files::Files;
use self::open_tabs::OpenTabs;
use self::settings::WindowSettings;
use self::sharing::Sharing;
use self::system_menu::SystemMenu;
use super::event::{Event, Owner};
use crate::ui::shell::toasts::Toasts;
use crate::ui::widgets::table::{Arrangements, arrangements, set_arrangements};
use crate::ui::widgets::units;
use heaplens_base::Bytes;
use heaplens_base::storage::Folder;
use heaplens_heap::ObjectId;
use heaplens_session::files::file_name;
use heaplens_session::marks::Mark;
use heaplens_session::{JobError, Jobs, OpenDump, OpenOptions, SavedSession, Slot};

/// The mark of an object before a change.
pub(super) struct EarlierMark {
    /// Identity and file of the dump, and id of the object.
    of: [String; 3],
    mark: Mark,
}

impl EarlierMark {
    /// True if both are marks of one object.
    pub(super) fn is_of_same_object(&self, other: &Self) -> bool {
        self.of == other.of
    }

    /// What differs from the mark after or before: the note or the star.
    pub(super) fn difference(&self, other: &Self) -> &'static str {
        if self.mark.note == other.mark.note { "star" } else { "note" }
    }
}

/// What is stored for the next window, and what connects the window with the desktop.
pub(super) struct Session {
    pub(super) files: Files,
    pub(super) settings: WindowSettings,
    /// Storage for settings and session; `None` if nothing is saved.
    store: Option<SavedSession>,
    /// Previous session, to be reopened.
    offered: Option<OpenTabs>,
    pub(super) sharing: Sharing,
    /// Deletion of stored analyses; result in bytes.
    deleting: Slot<u64>,
    /// Menus in the menu bar of the system; `None` if the window has its own.
    pub(super) system_menu: Option<SystemMenu>,
    /// Present window title.
    title: String,
}

impl Session {
    /// A session that is stored nowhere, with default settings.
    pub(super) fn new(ctx: &Context) -> Self {
        Self {
            files: Files::new(ctx),
            settings: WindowSettings::default(),
            store: None,
            offered: None,
            sharing: Sharing::default(),
            deleting: Slot::default(),
            system_menu: None,
            title: String::new(),
        }
    }

    /// Reads the stored settings and the previous session, and stores this one from now on. Recent files of this window
    /// stay the most recent.
    pub(super) fn restore(&mut self, ctx: &Context, mut store: SavedSession) {
        let stored = store.settings::<WindowSettings>();
        let opened = std::mem::replace(&mut self.settings, stored).recent;
        for path in opened.iter().rev() {
            self.settings.remember(path);
        }
        self.offered = OpenTabs::together(store.last());
        self.store = Some(store);
        ctx.set_theme(self.settings.theme);
        units::set_exact(ctx, self.settings.exact_sizes);
        set_arrangements(ctx, &self.settings.columns);
        ctx.set_zoom_factor(self.settings.zoom.clamp(0.5, 3.0));
    }

    /// True if the session is stored.
    pub(super) fn is_stored(&self) -> bool {
        self.store.is_some()
    }

    /// Stores settings and `open` tabs now; those of the previous session if nothing was opened. Returns an error once.
    pub(super) fn store(&mut self, open: Option<OpenTabs>) -> Option<String> {
        let open = open.unwrap_or_else(|| self.offered.clone().unwrap_or_default());
        let store = self.store.as_mut()?;
        store.keep_settings(&self.settings);
        store.keep_open(&open);
        store.trouble()
    }

    /// Previous session, if it can be reopened.
    pub(super) fn offered(&self) -> Option<&OpenTabs> {
        self.offered.as_ref().filter(|offered| !offered.is_empty())
    }

    /// Takes the previous session, to reopen or to dismiss it.
    pub(super) fn take_offered(&mut self) -> Option<OpenTabs> {
        self.offered.take()
    }

    /// Sets the theme.
    pub(super) fn set_theme(&mut self, ctx: &Context, theme: ThemePreference) {
        self.settings.theme = theme;
        ctx.set_theme(theme);
    }

    /// Shows exact or rounded sizes.
    pub(super) fn toggle_exact_sizes(&mut self, ctx: &Context) {
        self.settings.exact_sizes ^= true;
        units::set_exact(ctx, self.settings.exact_sizes);
    }

    /// Takes over the columns of tables as the user arranged them.
    pub(super) fn take_columns(&mut self, ctx: &Context) {
        let columns = arrangements(ctx);
        if *columns != self.settings.columns {
            self.settings.columns = Arrangements::clone(&columns);
        }
    }

    /// Changes the mark on an object of a dump; returns the mark before, if it is another one.
    pub(super) fn mark(
        &mut self,
        dump: &OpenDump,
        object: ObjectId,
        change: impl FnOnce(&mut Mark),
    ) -> Option<EarlierMark> {
        let (file, id) = (file_name(&dump.opened.file), dump.heap.id_text(object));
        let mut before = None;
        self.settings.marks.change(&dump.identity, &file, &id, |mark| {
            let was = mark.clone();
            change(mark);
            before = (*mark != was).then_some(was);
        });
        before.map(|mark| EarlierMark { of: [dump.identity.to_string(), file, id], mark })
    }

    /// Puts an earlier mark back; returns the present one.
    pub(super) fn put_mark(&mut self, earlier: &EarlierMark) -> EarlierMark {
        let [dump, file, id] = &earlier.of;
        let mut now = Mark::default();
        self.settings.marks.change(dump, file, id, |mark| now = std::mem::replace(mark, earlier.mark.clone()));
        EarlierMark { of: earlier.of.clone(), mark: now }
    }

    /// Deletes stored analyses, in the background: files of many gigabytes take the system a while to delete.
    pub(super) fn delete_stored(&mut self, options: &OpenOptions, jobs: &Jobs) {
        let folder = options.storage.folder.clone().or_else(Folder::of_platform);
        self.deleting.ask(jobs, "delete stored analyses", move |_| {
            let deleted = folder.map(|folder| folder.clear()).transpose();
            deleted.map(|bytes| bytes.unwrap_or(0)).map_err(|error| JobError::Failed(error.to_string()))
        });
    }

    /// Window title.
    pub(super) fn title(&self) -> &str {
        &self.title
    }

    /// Sets the window title, which taskbars and switchers show.
    pub(super) fn set_title(&mut self, ctx: &Context, title: String) {
        if self.title != title {
            ctx.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }
}

impl Owner for Session {
    fn poll(&mut self, ctx: &Context, _jobs: &Jobs, toasts: &mut Toasts) -> Vec<Event> {
        self.settings.zoom = ctx.zoom_factor();
        match self.deleting.take_ended() {
            Some(Ok(bytes)) => toasts.done(ctx, format!("Deleted {} of stored analyses", Bytes(bytes))),
            Some(Err(error)) => toasts.warn(ctx, format!("Cannot delete stored analyses: {error}")),
            None => {}
        }
        let mut events = self.files.poll(ctx);
        events.extend(self.system_menu.iter().flat_map(SystemMenu::chosen).map(Event::Chosen));
        events
    }
}
