//! Layout of the window: menus and tabs above, status bar below, the list of views at the left, and the current view
//! between the path pane and the inspector.

use eframe::egui;
use egui::{CentralPanel, Context, Frame, Key, Margin, Panel, Rect, Ui, vec2};

use super::App;
use super::session::open_tabs::OpenTabs;
use super::side_panes::{pane_ui, take_focus};
use crate::ui::shell::crumbs::Around;
use crate::ui::shell::palette::providers::PaletteContext as AroundPalette;
use crate::ui::shell::removals::RemovalsInfo;
use crate::ui::shell::view_list::ViewList;
use crate::ui::shell::{banner, crumbs, menu, status, tabs, view_list};
use crate::ui::tab::TabContext;
use crate::ui::theme::{sizes, tokens};
use crate::ui::view_request::ViewRequests;
use crate::ui::views;
use crate::ui::views::welcome::RecentFiles;
use crate::ui::{Command, Location, Pane, Target, Verb, View};
use crate::view::listing::ListedDump;
use heaplens_heap::Severity;
use heaplens_session::dump::State;
use heaplens_tables::export::printable::one_line;

/// Previous locations offered by the palette.
const SEEN: usize = 60;

impl App {
    /// Sets the window title to the current dump and its state, which taskbars and switchers show.
    pub(super) fn draw_title(&mut self, ctx: &Context) {
        let tab = self.tab_now();
        let page = self.navigation.pages.shown().map(|kind| self.navigation.pages.name(kind));
        let title = match tab.map(|tab| (one_line(&tab.name()), tab.dump.state())) {
            None if page.is_some() => format!("{} – heaplens", one_line(&page.unwrap_or_default())),
            None => "heaplens".to_owned(),
            Some((name, State::Ready)) => format!("{name} – heaplens"),
            Some((name, State::Opening)) => format!("Opening {name} – heaplens"),
            Some((name, State::Cancelled)) => format!("{name}, cancelled – heaplens"),
            Some((name, State::Failed(_))) => format!("Cannot open {name} – heaplens"),
        };
        self.session.set_title(ctx, title);
    }

    pub(super) fn draw(&mut self, ui: &mut Ui, requests: &ViewRequests, commands: &mut Vec<Command>) {
        let t = tokens(ui);
        let location = self.navigation.location();
        self.navigation.names_views = view_list::has_names(ui.ctx(), self.session.settings.names_views);
        let bar = |fill| Frame::NONE.fill(fill).inner_margin(Margin::symmetric(sizes::PAD as i8, 4));
        if self.session.system_menu.is_none() {
            Panel::top("menus").frame(bar(t.surface)).show_separator_line(false).show(ui, |ui| {
                menu::bar_ui(
                    ui,
                    &self.session.settings.recent,
                    &|verb| self.is_available(verb, &Target::Selection),
                    &|verb| self.is_set(verb),
                    commands,
                );
            });
        }
        let pages = self.navigation.pages.tabs();
        if !self.tabs.list().is_empty() || !pages.is_empty() {
            let frame = Frame::NONE.fill(t.surface).inner_margin(Margin { left: 8, right: 8, top: 0, bottom: 0 });
            Panel::top("tabs").frame(frame).show_separator_line(false).show(ui, |ui| {
                tabs::ui(ui, &pages, self.tabs.list(), location.map(|p| p.dump), commands);
            });
        }
        Panel::bottom("status").exact_size(28.0).frame(bar(t.panel)).show(ui, |ui| {
            let shared = self.session.sharing.status();
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                match self.navigation.pages.status() {
                    Some(status) => status::line_ui(ui, &status),
                    None => status::ui(ui, location.and_then(|p| self.tabs.get_mut(p.dump)), shared),
                }
            });
        });
        if let Some(tab) = location.and_then(|location| self.tabs.get(location.dump))
            && let Some(message) = &tab.banner
        {
            let frame = Frame::NONE.fill(t.raised).inner_margin(Margin::symmetric(sizes::PAD as i8, 2));
            Panel::top("banner").frame(frame).show_separator_line(false).show(ui, |ui| {
                banner::ui(ui, tab.key, message, commands);
            });
        }
        if let Some(tour) = self.tour_on_screen(location.map(|location| location.dump)) {
            let frame = Frame::NONE.fill(t.selected).inner_margin(Margin::symmetric(sizes::PAD as i8, 0));
            Panel::bottom("tour").frame(frame).show(ui, |ui| tour.ui(ui, commands));
        }
        let is_active = !self.is_covered();
        if self.navigation.pages.ui(ui, is_active, commands) {
            return self.over_ui(ui, location, commands);
        }
        match location {
            Some(location)
                if !self.navigation.keeps_opening_page
                    && self.tabs.get(location.dump).is_some_and(|t| t.open_dump().is_some()) =>
            {
                self.view_list_ui(ui, location, commands);
                self.open_ui(ui, location, requests, commands);
            }
            Some(location) if self.tabs.get(location.dump).is_some() => {
                if let Some(tab) = self.tabs.get_mut(location.dump) {
                    own_ui(ui, location, |ui| tab.opening_ui(ui, commands));
                }
            }
            _ => {
                let last = self.session.offered().map(OpenTabs::files).unwrap_or_default();
                let dropping = ui.input(|i| !i.raw.hovered_files.is_empty());
                let settings = &self.session.settings;
                let dumps = Some(&settings.recent_dumps).filter(|_| !self.options.redact);
                let recent = RecentFiles { files: &settings.recent, dumps };
                CentralPanel::default().frame(Frame::NONE.fill(t.surface)).show(ui, |ui| {
                    self.navigation.welcome.ui(ui, recent, (&last, dropping), &self.jobs, commands);
                });
            }
        }
        self.over_ui(ui, location, commands);
    }

    fn view_list_ui(&mut self, ui: &mut Ui, location: Location, commands: &mut Vec<Command>) {
        let dump = self.tabs.get(location.dump).and_then(|tab| tab.open_dump());
        let list = ViewList {
            now: location.view,
            dump: ListedDump {
                is_compared: self.is_available(Verb::Show(View::Growth), &Target::Selection),
                infers_roots: dump.is_some_and(|dump| dump.analysis.roots().are_inferred()),
            },
            warnings: dump.map_or(0, |dump| {
                let notes = dump.heap.notes.iter().chain(&*dump.open_warnings);
                notes.filter(|note| note.severity != Severity::Info).count()
            }),
            has_names: self.navigation.names_views,
            has_more: self.session.settings.more_views,
            usable: &|verb| self.is_available(verb, &Target::Selection),
        };
        list.ui(ui, commands);
    }

    /// Draws the view and its side panes.
    fn open_ui(&mut self, ui: &mut Ui, location: Location, requests: &ViewRequests, commands: &mut Vec<Command>) {
        let t = tokens(ui);
        let mut docks = self.session.settings.docks.in_view(location.view);
        let mut focus = self.navigation.focus;
        let beside = location.view.is_about_objects();
        let over = self.is_covered();
        let visited = self.navigation.visited(&self.tabs);
        if !beside || !docks.is_shown(focus) {
            focus = Pane::Main;
        }
        let Some(tab) = self.tabs.get_mut(location.dump) else { return };
        let removals = RemovalsInfo::of(tab);
        let before = tab.open_dump().cloned();
        let references = self.options.references_file.as_deref();
        let (marks, rules, queries) =
            (&self.session.settings.marks, &self.lists.verdicts.rules, &self.session.settings.queries);
        // What lies over the window has the keys: views act on those that they see.
        let held_back = over.then(|| ui.input_mut(|i| std::mem::take(&mut i.events)));
        let side_panes = &mut self.navigation.side_panes;
        let around = TabContext { jobs: &self.jobs, location, focus, marks, rules, queries, references };
        tab.context(around, requests, commands, |views, context| {
            let frame = Frame::NONE.fill(t.surface);
            let frame =
                if removals.as_ref().is_some_and(RemovalsInfo::is_after) { frame.fill(t.selected) } else { frame };
            Panel::top("place").frame(frame).show(ui, |ui| {
                let around = Around { visited: &visited, removals: removals.as_ref().zip(before.as_ref()) };
                crumbs::ui(ui, context, &around);
            });
            let content = views::pane_content(context);
            let mut shown_docks = side_panes.shown(ui.ctx(), docks, focus, (location.dump, location.view), content);
            let both_below = shown_docks.are_both_below();
            for pane in [Pane::Path, Pane::Inspector] {
                let is_shown = beside && shown_docks.of(pane).is_some_and(|dock| dock.shown);
                let Some(dock) = docks.of(pane).filter(|_| is_shown) else { continue };
                // Two panes below the view are side by side: stacked they would leave no room for the table.
                if both_below && pane == Pane::Path {
                    continue;
                }
                let mut first = None;
                let shown = pane_ui(ui, pane, dock, |ui| {
                    if both_below {
                        let frame = Frame::NONE.fill(t.panel);
                        let panel =
                            Panel::left("held by, below").resizable(true).default_size(ui.available_width() * 0.36);
                        let paths = |ui: &mut Ui| own_ui(ui, location, |ui| views.paths.ui(ui, context));
                        first = Some(panel.frame(frame).show(ui, paths).response.rect);
                    }
                    own_ui(ui, location, |ui| match pane {
                        Pane::Path => views.paths.ui(ui, context),
                        Pane::Inspector => views.inspector.ui(ui, context),
                        Pane::Main => {}
                    });
                });
                let beside = first.map_or(shown, |first| Rect::from_min_max(first.right_top(), shown.max));
                take_focus(ui, pane, beside, &mut focus);
                if let Some(first) = first {
                    take_focus(ui, Pane::Path, first, &mut focus);
                }
            }
            let main = CentralPanel::default().frame(Frame::NONE.fill(t.surface)).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                own_ui(ui, location, |ui| views.main_ui(ui, context));
            });
            take_focus(ui, Pane::Main, main.response.rect, &mut focus);
        });
        if let Some(events) = held_back {
            ui.input_mut(|i| i.events = events);
        }
        if focus != Pane::Main && !over {
            // Arrow keys that a focused pane ignores must not reach the view.
            ui.input_mut(|i| {
                for key in [Key::ArrowUp, Key::ArrowDown, Key::ArrowLeft, Key::ArrowRight, Key::Enter] {
                    i.consume_key(egui::Modifiers::NONE, key);
                }
            });
        }
        if self.navigation.focus != focus {
            ui.ctx().request_repaint();
        }
        self.navigation.focus = focus;
        self.session.settings.docks = docks.in_view(location.view);
    }

    /// Draws overlays: palette, help, dialogs, messages, drop hint.
    fn over_ui(&mut self, ui: &mut Ui, location: Option<Location>, commands: &mut Vec<Command>) {
        let ctx = ui.ctx().clone();
        let is_open = !self.tabs.list().is_empty() || !self.navigation.pages.open().is_empty();
        if is_open && ctx.input(|i| !i.raw.hovered_files.is_empty()) {
            let t = tokens(ui);
            let area = ctx.content_rect().shrink(6.0);
            let painter = ctx.layer_painter(egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop")));
            painter.rect_stroke(area, 10.0, (3.0, t.accent), egui::StrokeKind::Inside);
            let sign = Rect::from_center_size(area.center(), vec2(280.0, 48.0));
            painter.rect(sign, 8.0, t.raised, (1.0, t.accent), egui::StrokeKind::Inside);
            let text = "Drop to open in a new tab";
            let font = crate::ui::theme::fonts::medium();
            painter.text(sign.center(), egui::Align2::CENTER_CENTER, text, font, t.text);
        }
        self.output.exporting.ui(&ctx, commands);
        self.choose_form_ui(&ctx);
        self.navigation.help.ui(&ctx);
        self.session.files.prompts.ui(&ctx);
        self.lists.verdicts.ui(&ctx, self.tabs.list_mut(), commands);
        self.palette_ui(&ctx, location, commands);
    }

    fn palette_ui(&mut self, ctx: &egui::Context, location: Option<Location>, commands: &mut Vec<Command>) {
        if !self.navigation.palette.is_open() {
            return;
        }
        let mut palette = std::mem::take(&mut self.navigation.palette);
        let shown = location.map(|location| location.dump);
        let locations: Vec<Location> = self.navigation.history.seen().take(SEEN).collect();
        let around = AroundPalette {
            usable: &|verb: Verb| self.is_available(verb, &Target::Selection),
            dump: shown.and_then(|key| Some((key, self.tabs.get(key)?.open_dump()?))),
            tabs: self.tabs.list(),
            shown,
            selected: location.and_then(|location| location.object),
            recent: &self.session.settings.recent,
            locations: &locations,
            marks: &self.session.settings.marks,
            cuts: &self.session.settings.cuts,
            jobs: &self.jobs,
        };
        palette.ui(ctx, &around, commands);
        self.navigation.palette = palette;
    }
}

/// Draws a part of a tab whose widgets, such as scroll areas, have a state of their own in each tab and view.
fn own_ui(ui: &mut Ui, location: Location, add: impl FnOnce(&mut Ui)) {
    ui.push_id((location.dump, location.view.key()), add);
}
