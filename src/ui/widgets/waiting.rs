//! What stands where an answer is on its way, has failed, or is empty.

use eframe::egui;
use egui::{Align2, Rect, Ui, pos2};

use crate::task::Progress;
use crate::ui::theme::icons::{self, Icon};
use crate::ui::theme::{fonts, sizes, tokens};

/// A quiet line in the middle of the room that is left.
pub fn line_ui(ui: &mut Ui, text: &str) {
    let room = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(room);
    let tokens = tokens(ui);
    let width = (room.width() - 2.0 * sizes::PAD).max(40.0);
    let galley = ui.painter().layout(text.to_owned(), fonts::text(), tokens.faint, width);
    let at = room.min + egui::Vec2::splat(sizes::PAD);
    ui.painter().galley(at, galley, tokens.faint);
}

/// An empty page: a picture, what it says, what can be done.
pub fn empty_ui(ui: &Ui, room: Rect, icon: Icon, title: &str, hint: &str) {
    let tokens = tokens(ui);
    let centre = room.center() - egui::vec2(0.0, 30.0);
    let at = Rect::from_center_size(centre - egui::vec2(0.0, 34.0), egui::vec2(28.0, 28.0));
    icons::paint(ui.painter(), icon, at, 26.0, tokens.edge);
    ui.painter().text(centre, Align2::CENTER_CENTER, title, fonts::medium(), tokens.muted);
    let width = (room.width() - 40.0).clamp(60.0, 420.0);
    let mut job = egui::text::LayoutJob::simple(hint.to_owned(), fonts::text(), tokens.faint, width);
    job.halign = egui::Align::Center;
    let galley = ui.painter().layout_job(job);
    // Who hears the window is told it, too.
    let below = egui::vec2(galley.size().x, galley.size().y + 32.0);
    let told = Rect::from_center_size(centre + egui::vec2(0.0, below.y / 2.0 - 16.0), below).intersect(room);
    let response = ui.interact(told, egui::Id::unique(("empty page", title)), egui::Sense::HOVER);
    response.widget_info(|| {
        let text = if hint.is_empty() { title.to_owned() } else { format!("{title}: {hint}") };
        egui::WidgetInfo::labeled(egui::Role::Label, true, text)
    });
    ui.painter().galley(pos2(centre.x, centre.y + 16.0), galley, tokens.faint);
}

/// The same in all the room that is left; a pane that is empty is as wide as one that is not.
pub fn empty_pane_ui(ui: &mut Ui, icon: Icon, title: &str, hint: &str) {
    let room = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(room);
    empty_ui(ui, room, icon, title, hint);
}

/// A thin line that runs along the upper edge of `rect` while something is being
/// worked out; the answer before stays below it.
pub fn running_ui(ui: &Ui, rect: Rect) {
    let tokens = tokens(ui);
    let time = ui.input(|i| i.time);
    let part = (time * 0.8).fract() as f32;
    let width = rect.width() * 0.25;
    let x = rect.left() - width + part * (rect.width() + width);
    let line = Rect::from_min_size(pos2(x, rect.top()), egui::vec2(width, 2.0)).intersect(rect);
    ui.painter().rect_filled(line, 1.0, tokens.accent);
    ui.ctx().request_repaint_after(std::time::Duration::from_millis(40));
}

/// As [`running_ui`], but as far along the edge as the work is, where it knows.
pub fn progress_ui(ui: &Ui, rect: Rect, progress: Option<&Progress>) {
    let Some(progress) = progress.filter(|p| p.total > 0) else {
        running_ui(ui, rect);
        return;
    };
    let part = (progress.done as f64 / progress.total as f64).min(1.0) as f32;
    let line = Rect::from_min_size(rect.min, egui::vec2(rect.width() * part, 2.0));
    ui.painter().rect_filled(line, 1.0, tokens(ui).accent);
    ui.ctx().request_repaint_after(std::time::Duration::from_millis(40));
}
