//! Placeholders for answers that are pending, failed or empty.

use eframe::egui;
use egui::{Align2, Rect, Ui, pos2};

use crate::ui::theme::{Icon, fonts, icons, sizes, tokens};
use heaplens_base::Progress;

/// A muted line at the top of the available space.
pub fn line_ui(ui: &mut Ui, text: &str) {
    let area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    let tokens = tokens(ui);
    let width = (area.width() - 2.0 * sizes::PAD).max(40.0);
    let galley = ui.painter().layout(text.to_owned(), fonts::text(), tokens.faint, width);
    ui.painter().galley(area.min + egui::Vec2::splat(sizes::PAD), galley, tokens.faint);
}

/// An empty page: icon, title and hint.
pub fn empty_ui(ui: &Ui, area: Rect, icon: Icon, title: &str, hint: &str) {
    let tokens = tokens(ui);
    let centre = area.center() - egui::vec2(0.0, 30.0);
    let at = Rect::from_center_size(centre - egui::vec2(0.0, 34.0), egui::vec2(28.0, 28.0));
    icons::paint(ui.painter(), icon, at, 26.0, tokens.edge);
    ui.painter().text(centre, Align2::CENTER_CENTER, title, fonts::medium(), tokens.muted);
    let width = (area.width() - 40.0).clamp(60.0, 420.0);
    let mut job = egui::text::LayoutJob::simple(hint.to_owned(), fonts::text(), tokens.faint, width);
    job.halign = egui::Align::Center;
    let galley = ui.painter().layout_job(job);
    // Text for screen readers.
    let below = egui::vec2(galley.size().x, galley.size().y + 32.0);
    let label = Rect::from_center_size(centre + egui::vec2(0.0, below.y / 2.0 - 16.0), below).intersect(area);
    let response = ui.interact(label, egui::Id::unique(("empty page", title)), egui::Sense::HOVER);
    response.widget_info(|| {
        let text = if hint.is_empty() { title.to_owned() } else { format!("{title}: {hint}") };
        egui::WidgetInfo::labeled(egui::Role::Label, true, text)
    });
    ui.painter().galley(pos2(centre.x, centre.y + 16.0), galley, tokens.faint);
}

/// The same in all the available space, so that an empty pane is as wide as any other.
pub fn empty_pane_ui(ui: &mut Ui, icon: Icon, title: &str, hint: &str) {
    let area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    empty_ui(ui, area, icon, title, hint);
}

/// A line of two points that moves along the upper edge of `rect` while a job is running; the previous result stays
/// visible below it.
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

/// Like [`running_ui`], but as long as the progress, if that is known.
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
