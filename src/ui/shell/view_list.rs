//! The list of views at the left edge of the window: the questions that a dump is opened with, each with its key, and
//! the other views under *More*. Folded, it has an icon for each question, and a menu of the others.

use eframe::egui;
use egui::containers::menu::MenuButton;
use egui::{Align, Button, Frame, Layout, Margin, Panel, Rect, Response, Role, ScrollArea, Sense, Ui, pos2, vec2};

use crate::ui::theme::{Icon, fonts, icons, tokens};
use crate::ui::verb::keys_text;
use crate::ui::widgets::controls;
use crate::ui::widgets::table::elided;
use crate::ui::{Command, Verb, View};
use crate::view::ViewGroup;
use crate::view::listing::{ListedDump, Listing};

/// Width in points, with names and folded.
const WIDTH: (f32, f32) = (188.0, 44.0);
/// Height of a view, and of the title of a group.
const ROW: f32 = 27.0;
const TITLE: f32 = 24.0;
/// Width and height of the icon of a folded view.
const FOLDED: f32 = 32.0;
/// Window width in points from which on names are shown, unless the user has chosen.
const WIDE: f32 = 1180.0;
/// Name of the part with the other views.
const MORE: &str = "More views";

/// True if names are shown: the choice of the user, otherwise by the width of the window.
pub fn has_names(ctx: &egui::Context, chosen: Option<bool>) -> bool {
    chosen.unwrap_or_else(|| ctx.content_rect().width() >= WIDE)
}

/// The list of views of an open dump.
pub struct ViewList<'a> {
    /// Current view.
    pub now: View,
    /// What the list depends on.
    pub dump: ListedDump,
    /// Number of parse warnings, without mere information.
    pub warnings: usize,
    /// True if names are shown.
    pub has_names: bool,
    /// True if the other views are listed, too.
    pub has_more: bool,
    /// True for verbs that are enabled; other views are left out.
    pub usable: &'a dyn Fn(Verb) -> bool,
}

impl ViewList<'_> {
    /// Draws the list.
    pub fn ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let width = if self.has_names { WIDTH.0 } else { WIDTH.1 };
        let frame = Frame::NONE.fill(tokens(ui).panel).inner_margin(Margin::symmetric(6, 6));
        // Two panels: egui remembers the width of each.
        let panel = Panel::left(egui::Id::unique(("views", self.has_names))).resizable(false).exact_size(width);
        panel.frame(frame).show(ui, |ui| {
            ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
            ui.with_layout(Layout::bottom_up(Align::Min), |ui| {
                self.fold_ui(ui, commands);
                ui.add_space(4.0);
                ui.with_layout(Layout::top_down(Align::Min), |ui| {
                    ScrollArea::vertical().id_salt("views").show(ui, |ui| {
                        if self.has_names { self.names_ui(ui, commands) } else { self.icons_ui(ui, commands) }
                    });
                });
            });
        });
    }

    fn questions(&self) -> impl Iterator<Item = View> {
        self.dump.questions().filter(|&view| (self.usable)(Verb::Show(view)))
    }

    /// The other views of a group.
    fn more_of(&self, group: ViewGroup) -> impl Iterator<Item = View> {
        let of_group = View::ALL.into_iter().filter(move |&view| view.info().group == group);
        of_group.filter(|&view| self.dump.listing(view) == Listing::More && (self.usable)(Verb::Show(view)))
    }

    fn is_question(&self) -> bool {
        self.dump.listing(self.now) == Listing::Question
    }

    fn count(&self, view: View) -> Option<String> {
        (view == View::ParseWarnings && self.warnings > 0).then(|| self.warnings.to_string())
    }

    fn names_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        self.questions().for_each(|view| self.view_ui(ui, view, commands));
        ui.add_space(6.0);
        self.more_ui(ui, commands);
        if !self.has_more {
            // What one looks at, and what is wrong with the file, stand in the list in any case.
            let is_warned = self.warnings > 0;
            let shown = [(!self.is_question(), self.now), (is_warned, View::ParseWarnings)];
            let mut views: Vec<View> =
                shown.into_iter().filter_map(|(is_shown, view)| is_shown.then_some(view)).collect();
            views.dedup();
            views.into_iter().for_each(|view| self.view_ui(ui, view, commands));
            return;
        }
        let mut is_listed = self.is_question();
        for group in ViewGroup::ALL {
            let views: Vec<View> = self.more_of(group).collect();
            if let (Some(title), [_, ..]) = (group.title(), &views[..]) {
                title_ui(ui, title);
            }
            is_listed |= views.contains(&self.now);
            views.into_iter().for_each(|view| self.view_ui(ui, view, commands));
        }
        if !is_listed {
            self.view_ui(ui, self.now, commands);
        }
    }

    fn icons_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        self.questions().for_each(|view| self.icon_ui(ui, view, commands));
        ui.add_space(4.0);
        self.more_menu_ui(ui, commands);
    }

    /// A view with its key; the current one is marked.
    fn view_ui(&self, ui: &mut Ui, view: View, commands: &mut Vec<Command>) {
        let t = tokens(ui);
        let is_now = view == self.now;
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
        response.widget_info(|| egui::WidgetInfo::selected(Role::Tab, true, is_now, view.name()));
        mark(ui, rect, is_now, &response);
        let color = if is_now || response.hovered() { t.text } else { t.muted };
        if let Some(icon) = icon_of(view) {
            let area = Rect::from_min_size(rect.left_top() + vec2(7.0, 0.0), vec2(16.0, rect.height()));
            icons::paint(ui.painter(), icon, area, 12.0, if is_now { t.accent } else { t.faint });
        }
        let key = Verb::Show(view).entry().key_label(ui.ctx());
        let end = key.map_or(rect.right() - 8.0, |key| controls::key_cap(ui, rect, &key));
        let left = rect.left() + 32.0;
        let name = elided(ui, view.name().to_owned(), fonts::text(), color, end - left - 6.0);
        let top = |galley: &egui::Galley| rect.center().y - galley.size().y / 2.0;
        let name_at = pos2(left, top(&name));
        if let Some(count) = self.count(view) {
            let count = ui.painter().layout_no_wrap(count, fonts::small_medium(), t.warn);
            let at = pos2(name_at.x + name.size().x + 8.0, top(&count));
            ui.painter().galley(at, count, t.warn);
        }
        ui.painter().galley(name_at, name, color);
        if response.clicked() {
            commands.push(Command::from(Verb::Show(view)));
        }
        response.on_hover_text(view.info().about);
    }

    /// The row that shows and hides the other views.
    fn more_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let t = tokens(ui);
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
        response.widget_info(|| egui::WidgetInfo::selected(Role::Button, true, self.has_more, MORE));
        mark(ui, rect, false, &response);
        let color = if response.hovered() { t.text } else { t.muted };
        let icon = if self.has_more { Icon::Open } else { Icon::Closed };
        let area = Rect::from_min_size(rect.left_top() + vec2(7.0, 0.0), vec2(16.0, rect.height()));
        icons::paint(ui.painter(), icon, area, 11.0, t.faint);
        let name = ui.painter().layout_no_wrap("More".to_owned(), fonts::text(), color);
        ui.painter().galley(pos2(rect.left() + 32.0, rect.center().y - name.size().y / 2.0), name, color);
        if response.clicked() {
            commands.push(Command::from(Verb::MoreViews));
        }
        response.on_hover_text(Verb::MoreViews.entry().about);
    }

    /// The icon of a question.
    fn icon_ui(&self, ui: &mut Ui, view: View, commands: &mut Vec<Command>) {
        let is_now = view == self.now;
        let (rect, response) = ui.allocate_exact_size(vec2(FOLDED, FOLDED), Sense::click());
        response.widget_info(|| egui::WidgetInfo::selected(Role::Tab, true, is_now, view.name()));
        folded_ui(ui, icon_of(view).unwrap_or(Icon::More), rect, is_now, &response);
        if response.clicked() {
            commands.push(Command::from(Verb::Show(view)));
        }
        response.on_hover_text(format!("{}{}", view.name(), keys_text(ui.ctx(), Verb::Show(view))));
    }

    /// The other views as a menu.
    fn more_menu_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let button = Button::new("").frame(false).min_size(vec2(FOLDED, FOLDED));
        let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
            for group in ViewGroup::ALL {
                let views: Vec<View> = self.more_of(group).collect();
                if let (Some(title), [_, ..]) = (group.title(), &views[..]) {
                    controls::caption(ui, title);
                }
                for view in views {
                    self.item_ui(ui, view, commands);
                }
            }
        });
        response.widget_info(|| egui::WidgetInfo::selected(Role::Button, true, !self.is_question(), MORE));
        folded_ui(ui, Icon::More, response.rect, !self.is_question(), &response);
        response.on_hover_text(Verb::MoreViews.entry().about);
    }

    fn item_ui(&self, ui: &mut Ui, view: View, commands: &mut Vec<Command>) {
        let key = Verb::Show(view).entry().key_label(ui.ctx());
        let aside = self.count(view).into_iter().chain(key).collect::<Vec<_>>().join("   ");
        let item = Button::new(view.name()).shortcut_text(aside).selected(view == self.now);
        let item = ui.add(item).on_hover_text(view.info().about);
        item.widget_info(|| egui::WidgetInfo::selected(Role::Tab, true, view == self.now, view.name()));
        if item.clicked() {
            commands.push(Command::from(Verb::Show(view)));
            ui.close();
        }
    }

    fn fold_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let (icon, what) =
            if self.has_names { (Icon::Back, "Fold to icons") } else { (Icon::Forward, "Show view names") };
        let name = format!("{what}{}", keys_text(ui.ctx(), Verb::ViewList));
        let shown = ui.horizontal(|ui| {
            ui.add_space(2.0);
            controls::icon_button(ui, icon, &name, true)
        });
        if shown.inner.clicked() {
            commands.push(Command::from(Verb::ViewList));
        }
    }
}

/// Title of a group of other views.
fn title_ui(ui: &mut Ui, title: &str) {
    let t = tokens(ui);
    ui.add_space(4.0);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), TITLE), Sense::HOVER);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, title));
    let galley = ui.painter().layout_no_wrap(title.to_owned(), fonts::small_medium(), t.faint);
    ui.painter().galley(pos2(rect.left() + 32.0, rect.center().y - galley.size().y / 2.0), galley, t.faint);
}

fn folded_ui(ui: &Ui, icon: Icon, rect: Rect, is_now: bool, response: &Response) {
    let t = tokens(ui);
    mark(ui, rect, is_now, response);
    let color = if is_now || response.hovered() { t.text } else { t.muted };
    icons::paint(ui.painter(), icon, rect, 14.0, color);
}

/// Background of an entry under the pointer, and the mark of the current one.
fn mark(ui: &Ui, rect: Rect, is_now: bool, response: &Response) {
    controls::row_background(ui, rect, is_now, response.hovered());
    controls::focus_ring(ui, response, rect);
    if is_now {
        let line = Rect::from_center_size(rect.left_center() + vec2(1.5, 0.0), vec2(3.0, rect.height() - 10.0));
        ui.painter().rect_filled(line, 1.5, tokens(ui).accent);
    }
}

/// Icon of a view that can be a question; the others have none.
fn icon_of(view: View) -> Option<Icon> {
    Some(match view {
        View::Overview => Icon::Tiles,
        View::Leaks => Icon::Leak,
        View::Growth => Icon::Trend,
        View::Dominators => Icon::Tree,
        View::Histogram => Icon::Bars,
        View::Threads => Icon::Pulse,
        View::Detached => Icon::Detached,
        View::Waste => Icon::Bin,
        View::Strings => Icon::Quotes,
        View::Query => Icon::Prompt,
        _ => return None,
    })
}
