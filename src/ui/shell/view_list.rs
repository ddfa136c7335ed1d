//! The list of views at the left edge of the window: one group per question, with its views and their keys. Folded, it has
//! an icon for each group, whose menu lists the views.

use eframe::egui;
use egui::containers::menu::MenuButton;
use egui::{Align, Button, Frame, Layout, Margin, Panel, Rect, Response, Role, ScrollArea, Sense, Ui, vec2};

use crate::ui::theme::{Icon, fonts, icons, tokens};
use crate::ui::verb::keys_text;
use crate::ui::widgets::controls;
use crate::ui::widgets::table::elided;
use crate::ui::{Command, Verb, View};
use crate::view::ViewGroup;

/// Width in points, with names and folded.
const WIDTH: (f32, f32) = (188.0, 44.0);
/// Height of a view, and of the title of a group.
const ROW: f32 = 25.0;
const TITLE: f32 = 28.0;
/// Window width in points from which on names are shown, unless the user has chosen.
const WIDE: f32 = 1180.0;

/// True if names are shown: the choice of the user, otherwise by the width of the window.
pub fn has_names(ctx: &egui::Context, chosen: Option<bool>) -> bool {
    chosen.unwrap_or_else(|| ctx.content_rect().width() >= WIDE)
}

/// The list of views of an open dump.
pub struct ViewList<'a> {
    /// Current view.
    pub now: View,
    /// Number of parse warnings, without mere information.
    pub warnings: usize,
    /// True if names are shown.
    pub has_names: bool,
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
                        for group in ViewGroup::ALL {
                            let views: Vec<View> = self.views_of(group).collect();
                            match group.title() {
                                _ if views.is_empty() => {}
                                title if self.has_names => {
                                    title.into_iter().for_each(|title| title_ui(ui, group, title));
                                    views.into_iter().for_each(|view| self.view_ui(ui, view, commands));
                                }
                                title => self.folded_ui(ui, group, title, &views, commands),
                            }
                        }
                    });
                });
            });
        });
    }

    fn views_of(&self, group: ViewGroup) -> impl Iterator<Item = View> {
        View::ALL.into_iter().filter(move |&view| view.info().group == group && (self.usable)(Verb::Show(view)))
    }

    fn count(&self, view: View) -> Option<String> {
        (view == View::ParseWarnings && self.warnings > 0).then(|| self.warnings.to_string())
    }

    /// A view with its key; the current one is marked.
    fn view_ui(&self, ui: &mut Ui, view: View, commands: &mut Vec<Command>) {
        let t = tokens(ui);
        let is_now = view == self.now;
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
        response.widget_info(|| egui::WidgetInfo::selected(Role::Tab, true, is_now, view.name()));
        mark(ui, rect, is_now, &response);
        let key = Verb::Show(view).entry().key_label(ui.ctx());
        let key = ui.painter().layout_no_wrap(key.unwrap_or_default(), fonts::small(), t.faint);
        let end = rect.right() - 8.0 - key.size().x;
        let color = if is_now || response.hovered() { t.text } else { t.muted };
        let left = rect.left() + 28.0;
        let name = elided(ui, view.name().to_owned(), fonts::text(), color, end - left - 6.0);
        let top = |galley: &egui::Galley| rect.center().y - galley.size().y / 2.0;
        let (name_at, key_at) = (egui::pos2(left, top(&name)), egui::pos2(end, top(&key)));
        if let Some(count) = self.count(view) {
            let count = ui.painter().layout_no_wrap(count, fonts::small_medium(), t.warn);
            let at = egui::pos2(name_at.x + name.size().x + 8.0, top(&count));
            ui.painter().galley(at, count, t.warn);
        }
        ui.painter().galley(name_at, name, color);
        ui.painter().galley(key_at, key, t.faint);
        if response.clicked() {
            commands.push(Command::from(Verb::Show(view)));
        }
        response.on_hover_text(view.info().about);
    }

    /// The icon of a group. A group with a single view shows it at once, another one lists them.
    fn folded_ui(
        &self,
        ui: &mut Ui,
        group: ViewGroup,
        title: Option<&str>,
        views: &[View],
        commands: &mut Vec<Command>,
    ) {
        let is_now = views.contains(&self.now);
        let names: Vec<&str> = views.iter().map(|view| view.name()).collect();
        if let (None, [view]) = (title, views) {
            let (rect, response) = ui.allocate_exact_size(vec2(32.0, 32.0), Sense::click());
            response.widget_info(|| egui::WidgetInfo::selected(Role::Tab, true, is_now, view.name()));
            icon_ui(ui, group, rect, is_now, &response);
            if response.clicked() {
                commands.push(Command::from(Verb::Show(*view)));
            }
            response.on_hover_text(format!("{}{}", view.name(), keys_text(ui.ctx(), Verb::Show(*view))));
            return;
        }
        let title = title.unwrap_or_default();
        let button = Button::new("").frame(false).min_size(vec2(32.0, 32.0));
        let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
            controls::caption(ui, title);
            for &view in views {
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
        });
        response.widget_info(|| egui::WidgetInfo::selected(Role::Button, true, is_now, format!("Views: {title}")));
        icon_ui(ui, group, response.rect, is_now, &response);
        response.on_hover_text(format!("{title}: {}", names.join(", ")));
    }

    fn fold_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let (icon, what) =
            if self.has_names { (Icon::Back, "Fold to icons") } else { (Icon::Forward, "Show names of views") };
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

/// Title of a group, with its icon.
fn title_ui(ui: &mut Ui, group: ViewGroup, title: &str) {
    let t = tokens(ui);
    ui.add_space(6.0);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), TITLE), Sense::HOVER);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, title));
    let icon = Rect::from_min_size(rect.left_top() + vec2(5.0, 0.0), vec2(18.0, rect.height()));
    icons::paint(ui.painter(), icon_of(group), icon, 11.0, t.faint);
    let galley = ui.painter().layout_no_wrap(title.to_owned(), fonts::small_medium(), t.faint);
    let at = egui::pos2(rect.left() + 28.0, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, t.faint);
}

fn icon_ui(ui: &Ui, group: ViewGroup, rect: Rect, is_now: bool, response: &Response) {
    let t = tokens(ui);
    mark(ui, rect, is_now, response);
    let color = if is_now || response.hovered() { t.text } else { t.muted };
    icons::paint(ui.painter(), icon_of(group), rect, 14.0, color);
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

fn icon_of(group: ViewGroup) -> Icon {
    match group {
        ViewGroup::Start => Icon::Tiles,
        ViewGroup::Memory => Icon::Tree,
        ViewGroup::Leaks => Icon::Trend,
        ViewGroup::Waste => Icon::Bin,
        ViewGroup::Runtime => Icon::Pulse,
        ViewGroup::Notes => Icon::Note,
    }
}
