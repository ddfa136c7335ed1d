//! First page: open a dump from a dialog, by path, by dropping it, or from the list of recent files.

use std::path::{Path, PathBuf};

use eframe::egui::{self, Align, Id, Layout, Rect, RichText, Sense, TextEdit, Ui, vec2};

use crate::ui::theme::{Icon, fonts, icons, sizes, tokens};
use crate::ui::widgets::{controls, line_ui};
use crate::ui::{Command, Verb};

/// Height of the line about the previous session, in points.
const LAST: f32 = 34.0;

/// The page.
#[derive(Default)]
pub struct Welcome {
    path: String,
}

impl Welcome {
    /// Draws the page; `last` contains the names of the dumps of the previous session, and `drops` is
    /// true while files are dragged over the window.
    pub fn ui(&mut self, ui: &mut Ui, recent: &[PathBuf], last: &[String], drops: bool, commands: &mut Vec<Command>) {
        let area = ui.available_rect_before_wrap();
        let width = 480.0_f32.min(area.width() - 48.0);
        let rows = recent.len().min(6);
        let height = 330.0
            + if rows > 0 { 44.0 + 34.0 * rows as f32 } else { 0.0 }
            + if last.is_empty() { 0.0 } else { 44.0 + LAST };
        let top = (area.center().y - height / 2.0 - 20.0).max(area.top() + 16.0);
        let rect = Rect::from_min_size(egui::pos2(area.center().x - width / 2.0, top), vec2(width, height));
        if drops {
            let t = tokens(ui);
            let inner = area.shrink(10.0);
            ui.painter().rect(inner, 12.0, t.selected, (2.0, t.accent), egui::StrokeKind::Inside);
        }
        ui.scope_builder(egui::UiBuilder::new().max_rect(rect), |ui| {
            self.card_ui(ui, recent, last, commands);
        });
    }

    fn card_ui(&mut self, ui: &mut Ui, recent: &[PathBuf], last: &[String], commands: &mut Vec<Command>) {
        let t = tokens(ui);
        let (mark, _) = ui.allocate_exact_size(vec2(52.0, 52.0), Sense::HOVER);
        icons::paint(ui.painter(), Icon::Lens, mark, 46.0, t.accent);
        ui.add_space(6.0);
        ui.label(RichText::new("heaplens").font(fonts::title()).color(t.text));
        ui.label(RichText::new("Open a heap dump to find out why memory is in use").color(t.muted));
        ui.add_space(18.0);
        ui.horizontal(|ui| {
            if controls::primary_button(ui, "Open a heap dump…").clicked() {
                commands.push(Command::from(Verb::Open));
            }
            ui.add_space(6.0);
            let take = egui::Button::new("Take dump of process…").min_size(vec2(0.0, 34.0));
            if ui.add(take).on_hover_text("List the processes of this machine").clicked() {
                commands.push(Command::from(Verb::TakeDump));
            }
        });
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            ui.label(RichText::new("or drop files anywhere in the window").color(t.faint));
        });
        ui.add_space(12.0);
        self.path_ui(ui, commands);
        ui.add_space(6.0);
        let formats = "HPROF (HotSpot, Android), Perfetto heap graphs, snapshots of V8, JavaScriptCore and ArkTS, IBM and OpenJ9 heap dumps, archives of them, stored analyses";
        ui.label(RichText::new(formats).font(fonts::small()).color(t.faint));
        if !last.is_empty() {
            ui.add_space(20.0);
            controls::caption(ui, "Previous session");
            last_ui(ui, last, commands);
        }
        if !recent.is_empty() {
            ui.add_space(20.0);
            controls::caption(ui, "Recent files");
            ui.spacing_mut().item_spacing.y = 2.0;
            for path in recent.iter().take(6) {
                if recent_ui(ui, path) {
                    commands.push(Command::Open(vec![path.clone()]));
                }
            }
        }
    }

    fn path_ui(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let t = tokens(ui);
        ui.horizontal(|ui| {
            let id = Id::unique("path of a dump");
            let edit = TextEdit::singleline(&mut self.path)
                .id(id)
                .hint_text(RichText::new("Path of a dump").color(t.faint))
                .margin(egui::Margin::symmetric(10, 6))
                .desired_width(ui.available_width() - 84.0);
            let response = ui.add(edit);
            ui.ctx().accesskit_node_builder(id, |node| node.set_label("Path of a dump"));
            let entered = response.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
            let path = self.path.trim();
            let button = egui::Button::new("Open").min_size(vec2(64.0, 30.0));
            let clicked = ui.add_enabled(!path.is_empty(), button).clicked();
            if (entered || clicked) && !path.is_empty() {
                commands.push(Command::Open(vec![PathBuf::from(path)]));
                self.path.clear();
            }
        });
    }
}

/// Draws the previous session: names of its dumps and a button to reopen them.
fn last_ui(ui: &mut Ui, last: &[String], commands: &mut Vec<Command>) {
    let t = tokens(ui);
    let size = vec2(ui.available_width(), LAST);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        let button = egui::Button::new("Reopen").min_size(vec2(64.0, 30.0));
        if ui.add(button).on_hover_text("Reopen all dumps of the previous session at their last position").clicked() {
            commands.push(Command::from(Verb::OpenLast));
        }
        ui.add_space(8.0);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let names = last.join(", ");
            ui.add(egui::Label::new(RichText::new(&names).color(t.text)).truncate()).on_hover_text(&names);
        });
    });
}

/// Draws a recent file; true if it was clicked.
fn recent_ui(ui: &mut Ui, path: &Path) -> bool {
    let t = tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 32.0), Sense::click());
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Open {}", path.display())));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect.expand2(vec2(8.0, 0.0)), f32::from(sizes::CORNER), t.hover);
    }
    let icon = Rect::from_min_size(rect.min, vec2(18.0, rect.height()));
    icons::paint(ui.painter(), Icon::File, icon, 12.0, t.muted);
    let area = Rect::from_min_size(rect.min + vec2(26.0, 0.0), vec2(rect.width() * 0.6, rect.height()));
    let left = area.left() + line_ui(ui, area, name, fonts::medium(), t.text).size().x + 10.0;
    let folder = path.parent().map(|p| p.display().to_string()).unwrap_or_default();
    let area = rect.with_min_x(left).with_max_x(rect.right().max(left)).translate(vec2(0.0, 0.5));
    line_ui(ui, area, folder, fonts::small(), t.faint);
    response.on_hover_text(path.display().to_string()).clicked()
}
