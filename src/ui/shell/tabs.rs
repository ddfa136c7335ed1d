//! Tabs of the dumps, each with its state: progress, exact, incomplete, or failed.

use eframe::egui;
use egui::containers::menu::MenuButton;
use egui::{Button, Color32, Rect, Role, Sense, Ui, pos2, vec2};

use crate::ui::page_kind::{PageKind, PageTab};
use crate::ui::tab::Tab;
use crate::ui::theme::{Icon, Tokens, fonts, icons, tokens};
use crate::ui::verb::keys_text;
use crate::ui::widgets::controls;
use crate::ui::widgets::table::elided;
use crate::ui::{Command, DumpKey, Target, Verb};
use heaplens_session::dump::State;
use heaplens_tables::export::printable::one_line;
use heaplens_tables::reports::elide::Neighbours;

const HEIGHT: f32 = 34.0;
/// Width in points of the buttons right of the tabs.
const BUTTONS: f32 = 72.0;
/// Width of a tab at least, in points: in less no name can be told from another.
const LEAST: f32 = 176.0;
/// Maximum width of a tab with one dump, and with two, in points.
const WIDEST: (f32, f32) = (280.0, 420.0);

/// Draws the tabs: those of pages, and those of dumps. Where they do not fit they scroll, with the current one in view;
/// the buttons beside them stay in place.
pub fn ui(ui: &mut Ui, pages: &[PageTab], tabs: &[Tab], now: Option<DumpKey>, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.x = 2.0;
    let total_width = ui.available_width() - BUTTONS;
    let share = total_width / (tabs.len() + pages.len()).max(1) as f32;
    let names: Vec<String> = tabs.iter().map(Tab::file_name).collect();
    ui.horizontal(|ui| {
        let area = egui::ScrollArea::horizontal()
            .id_salt("tabs")
            .max_width(total_width)
            .scroll_bar_visibility(egui::scroll_area::ScrollBarVisibility::AlwaysHidden);
        area.show(ui, |ui| {
            ui.horizontal(|ui| {
                for page in pages {
                    page_ui(ui, page, commands);
                }
                for tab in tabs {
                    let most = if tab.comparing().is_some() { WIDEST.1 } else { WIDEST.0 };
                    tab_ui(ui, tab, (tabs, &names), now == Some(tab.key), share.clamp(LEAST, most), commands);
                }
            });
        });
        let about = format!("Open a heap dump{}", keys_text(ui.ctx(), Verb::Open));
        if controls::icon_button(ui, Icon::Plus, &about, true).clicked() {
            commands.push(Command::from(Verb::Open));
        }
        if tabs.len() + pages.len() > 1 {
            list_ui(ui, pages, tabs, now, commands);
        }
    });
}

/// The menu of all tabs, with their whole names.
fn list_ui(ui: &mut Ui, pages: &[PageTab], tabs: &[Tab], now: Option<DumpKey>, commands: &mut Vec<Command>) {
    let button = Button::new("").frame(false).min_size(vec2(28.0, 28.0));
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        let pages = pages.iter().map(|page| (&page.name, page.is_shown, Command::ShowPage(page.kind)));
        let shows_page = pages.clone().any(|(_, is_shown, _)| is_shown);
        for (name, is_shown, command) in pages {
            item_ui(ui, name, "", is_shown, command, commands);
        }
        for tab in tabs {
            let state = state_of(tab, tokens(ui)).0;
            let is_now = now == Some(tab.key) && !shows_page;
            item_ui(ui, &tab.name(), &state, is_now, Command::ShowTab(tab.key), commands);
        }
    });
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, true, "All tabs"));
    let color = if response.hovered() { tokens(ui).text } else { tokens(ui).muted };
    icons::paint(ui.painter(), Icon::Open, response.rect, 11.0, color);
    response.on_hover_text("All tabs, with their whole names");
}

fn item_ui(ui: &mut Ui, name: &str, state: &str, is_now: bool, command: Command, commands: &mut Vec<Command>) {
    if ui.add(Button::new(one_line(name)).shortcut_text(state).selected(is_now)).clicked() {
        commands.push(command);
        ui.close();
    }
}

/// Draws the tab of a page.
fn page_ui(ui: &mut Ui, page: &PageTab, commands: &mut Vec<Command>) {
    let t = tokens(ui);
    let drawn = DrawnTab {
        name: page.name.clone(),
        full_text: page.name.clone(),
        state: String::new(),
        color: t.accent,
        is_selected: page.is_shown,
        most: WIDEST.0,
    };
    let close = match page.kind {
        PageKind::Fleet => "Close the fleet",
        PageKind::Processes => "Close the processes",
    };
    let (response, is_closed) = drawn.ui(ui, &format!("{close}{}", keys_text(ui.ctx(), Verb::CloseTab)));
    response.widget_info(|| egui::WidgetInfo::selected(Role::Tab, true, page.is_shown, &drawn.name));
    if is_closed {
        commands.push(Command::Do(Verb::CloseTab, Target::Page(page.kind)));
    } else if response.clicked() {
        commands.push(Command::ShowPage(page.kind));
    }
}

/// State of a tab in a word, and its colour.
fn state_of(tab: &Tab, t: &Tokens) -> (String, Color32) {
    let (word, color) = match tab.dump.state() {
        State::Opening => match tab.dump.progress().percent() {
            Some(percent) => return (format!("{percent} %"), t.accent),
            None => ("opening", t.accent),
        },
        State::Ready => match tab.comparing() {
            None if tab.is_incomplete() => ("incomplete", t.warn),
            None => ("exact", t.good),
            Some(of) if of.is_running() => match of.progress().and_then(|progress| progress.percent()) {
                Some(percent) => return (format!("{percent} %"), t.accent),
                None => ("…", t.accent),
            },
            Some(of) if of.done().is_some() && tab.is_incomplete() => ("incomplete", t.warn),
            Some(of) if of.done().is_some() => ("compared", t.good),
            Some(_) => ("cancelled", t.warn),
        },
        State::Cancelled => ("cancelled", t.warn),
        State::Failed(_) => ("failed", t.error),
    };
    (word.to_owned(), color)
}

/// A tab as it is drawn.
struct DrawnTab {
    /// Name as drawn, and the whole of it.
    name: String,
    full_text: String,
    /// What is unusual about it; empty if nothing is.
    state: String,
    color: Color32,
    is_selected: bool,
    /// Maximum width, in points.
    most: f32,
}

impl DrawnTab {
    /// Width beside the name.
    fn fixed(&self, ui: &Ui) -> f32 {
        let state = ui.painter().layout_no_wrap(self.state.clone(), fonts::small(), self.color);
        26.0 + 8.0 + state.size().x + 30.0
    }

    /// Draws it; true if it is to be closed.
    fn ui(&self, ui: &mut Ui, close_hint: &str) -> (egui::Response, bool) {
        let t = tokens(ui);
        let (is_selected, fixed) = (self.is_selected, self.fixed(ui));
        let state_color = if is_selected { t.muted } else { t.faint };
        let state = ui.painter().layout_no_wrap(self.state.clone(), fonts::small(), state_color);
        let text_color = if is_selected { t.text } else { t.muted };
        let width = (self.most - fixed).max(30.0);
        let name = elided(ui, self.name.clone(), fonts::medium(), text_color, width);
        let (rect, response) = ui.allocate_exact_size(vec2(name.size().x + fixed, HEIGHT), Sense::click());
        let shown = response.id.with("shown");
        let was_selected = ui.data(|data| data.get_temp::<bool>(shown)).unwrap_or_default();
        if is_selected && !was_selected {
            ui.scroll_to_rect(rect, None);
        }
        ui.data_mut(|data| data.insert_temp(shown, is_selected));
        if is_selected {
            let corners = egui::CornerRadius { nw: 7, ne: 7, sw: 0, se: 0 };
            ui.painter().rect_filled(rect, corners, t.panel);
            let line = Rect::from_min_size(rect.min + vec2(8.0, 0.0), vec2(rect.width() - 16.0, 2.0));
            ui.painter().rect_filled(line, 1.0, t.accent);
        } else if response.hovered() {
            ui.painter().rect_filled(rect.shrink(2.0), 6.0, t.hover);
        }
        controls::focus_ring(ui, &response, rect.shrink(2.0));
        let y = rect.center().y;
        ui.painter().circle_filled(pos2(rect.left() + 15.0, y), 3.5, self.color);
        let x = rect.left() + 26.0;
        let end = x + name.size().x + 8.0;
        ui.painter().galley(pos2(x, y - name.size().y / 2.0), name, text_color);
        ui.painter().galley(pos2(end, y - state.size().y / 2.0 + 0.5), state, t.muted);
        let cross = Rect::from_center_size(pos2(rect.right() - 15.0, y), vec2(20.0, 20.0));
        let close = ui.interact(cross, response.id.with("close"), Sense::click());
        close.widget_info(|| egui::WidgetInfo::labeled(Role::Button, true, format!("Close {}", self.full_text)));
        if close.hovered() {
            ui.painter().rect_filled(cross, 5.0, t.border);
        }
        controls::focus_ring(ui, &close, cross);
        icons::paint(ui.painter(), Icon::Cross, cross, 8.0, if close.hovered() { t.text } else { t.faint });
        let is_closed = close.clicked() || response.middle_clicked();
        close.on_hover_text(close_hint);
        (response, is_closed)
    }
}

/// Draws the tab of a dump; `names` are the files of all tabs.
fn tab_ui(
    ui: &mut Ui,
    tab: &Tab,
    (tabs, names): (&[Tab], &[String]),
    is_selected: bool,
    most: f32,
    commands: &mut Vec<Command>,
) {
    let (state, color) = state_of(tab, tokens(ui));
    // A dump that is ready is the usual case: the mark says so.
    let is_ready = matches!(tab.dump.state(), State::Ready)
        && tab.comparing().is_none_or(|of| of.done().is_some())
        && !tab.is_incomplete();
    let unusual = if is_ready { String::new() } else { state.clone() };
    let mut drawn = DrawnTab { name: String::new(), full_text: tab.name(), state: unusual, color, is_selected, most };
    let width = (most - drawn.fixed(ui)).max(30.0);
    drawn.name = tab.fitting_name(Neighbours::new(names), &|name| {
        !elided(ui, name.to_owned(), fonts::medium(), color, width).elided
    });
    let (response, is_closed) = drawn.ui(ui, &format!("Close this dump{}", keys_text(ui.ctx(), Verb::CloseTab)));
    response
        .widget_info(|| egui::WidgetInfo::selected(Role::Tab, true, is_selected, format!("{}, {state}", tab.name())));
    if is_closed {
        commands.push(Command::Do(Verb::CloseTab, Target::Tab(tab.key)));
    } else if response.clicked() {
        commands.push(Command::ShowTab(tab.key));
    }
    response.context_menu(|ui| menu_ui(ui, tab, tabs, commands));
    let after = tab.dump.path().display();
    response.on_hover_text(match tab.comparing() {
        Some(comparing) => format!("Before: {}\nAfter: {after}", comparing.dump().path().display()),
        None => match tab.dump.facts().and_then(|facts| facts.mapped.as_ref()) {
            Some(mapped) => format!("{after}\n{}", mapped.summary()),
            None => after.to_string(),
        },
    });
}

/// Context menu of a tab: swap, compare with other dumps, close.
fn menu_ui(ui: &mut Ui, tab: &Tab, tabs: &[Tab], commands: &mut Vec<Command>) {
    let mut offers = Vec::new();
    if tab.comparing().is_some() {
        offers.push(("Swap before and after".to_owned(), Command::Do(Verb::Compare, Target::Tab(tab.key))));
    }
    for other in tabs.iter().filter(|other| other.can_be_compared_with(tab)) {
        offers.push((format!("Compare with {}", other.name()), Command::Compare(tab.key, other.key)));
    }
    offers.push(("Close".to_owned(), Command::Do(Verb::CloseTab, Target::Tab(tab.key))));
    for (name, command) in offers {
        if ui.button(name).clicked() {
            commands.push(command);
            ui.close();
        }
    }
}
