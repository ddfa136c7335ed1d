//! Name of an object wherever it is mentioned: class name (package muted), label, id. A click goes to the object.

use std::sync::Arc;

use eframe::egui;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Galley, Rect, Response, Role, Sense, Ui, Vec2, pos2};

use crate::ui::theme::{Tokens, fonts, tokens};
use heaplens_core::heap::{Heap, ObjectId, split_class};
use heaplens_session::open_dump::labels::Labels;
use heaplens_tables::clips::object_name;

/// Name of an object.
#[derive(Debug, Clone, Copy)]
pub struct ObjectName<'a> {
    /// Its class.
    pub class: &'a str,
    /// Short label, such as the content of a string.
    pub label: Option<&'a str>,
    /// Id in the notation of the format; empty to omit it.
    pub id: &'a str,
}

impl ObjectName<'_> {
    /// Calls `with` with class, label and id of an object.
    pub fn with<R>(labels: &mut Labels, heap: &Heap, object: ObjectId, with: impl FnOnce(ObjectName<'_>) -> R) -> R {
        let id = heap.id_text(object);
        let class = &heap.class(object).name;
        with(ObjectName { class, label: labels.of(object), id: &id })
    }

    /// Class represented by a class object.
    fn represented_class(&self) -> Option<&str> {
        self.label.filter(|_| self.class == "java.lang.Class")
    }

    /// Plain text for tooltips, screen readers and the clipboard.
    pub fn plain(&self) -> String {
        object_name(self.class, self.label, self.id)
    }

    fn job(&self, tokens: &Tokens, package: bool, width: f32) -> LayoutJob {
        let mut job = LayoutJob::default();
        let text = |font, color| TextFormat { valign: egui::Align::Center, ..TextFormat::simple(font, color) };
        let (before, name) = split_class(self.represented_class().unwrap_or(self.class));
        if self.represented_class().is_some() {
            job.append("class ", 0.0, text(fonts::text(), tokens.label));
        }
        if package && !before.is_empty() {
            job.append(before, 0.0, text(fonts::text(), tokens.muted));
        }
        job.append(name, 0.0, text(fonts::medium(), tokens.text));
        if let Some(label) = self.label.filter(|_| self.represented_class().is_none()) {
            let line: String = label.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect();
            job.append(&line, 8.0, text(fonts::text(), tokens.label));
        }
        if !self.id.is_empty() {
            job.append(self.id, 8.0, text(fonts::mono(), tokens.faint));
        }
        job.wrap = TextWrapping::truncate_at_width(width);
        job.break_on_newline = false;
        job
    }

    /// Text layout in `width` points. If it does not fit, the package is omitted, then the id, then it is truncated
    /// with `…`. The flag is true if anything was omitted.
    pub fn galley(&self, ui: &Ui, tokens: &Tokens, width: f32) -> (Arc<Galley>, bool) {
        let whole = ui.painter().layout_job(self.job(tokens, true, width));
        if !whole.elided {
            return (whole, false);
        }
        let short = ui.painter().layout_job(self.job(tokens, false, width));
        if !short.elided {
            return (short, true);
        }
        (ui.painter().layout_job(ObjectName { id: "", ..*self }.job(tokens, false, width)), true)
    }

    /// Draws the name at the left of `rect`; true if anything was omitted.
    pub fn paint(&self, ui: &Ui, tokens: &Tokens, rect: Rect) -> bool {
        let (galley, cut) = self.galley(ui, tokens, rect.width());
        let y = rect.center().y - galley.size().y / 2.0;
        ui.painter().galley(pos2(rect.left(), y), galley, tokens.text);
        cut
    }

    /// Draws the name as a link in `rect`. `id_salt` distinguishes links to the same object.
    pub fn link_ui(&self, ui: &Ui, rect: Rect, id_salt: egui::Id) -> Response {
        let tokens = tokens(ui);
        let (galley, cut) = self.galley(ui, tokens, rect.width());
        let size = Vec2::new(galley.size().x, rect.height()).min(rect.size());
        let link = Rect::from_min_size(rect.min, size);
        let response = ui.interact(link, id_salt, Sense::CLICK);
        let y = rect.center().y - galley.size().y / 2.0;
        if response.hovered() {
            ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
            let y = y + galley.size().y;
            ui.painter().hline(link.x_range(), y, (1.0, tokens.accent));
        }
        ui.painter().galley(pos2(rect.left(), y), galley, tokens.text);
        response.widget_info(|| egui::WidgetInfo::labeled(Role::Link, true, self.plain()));
        if cut { response.on_hover_text(self.plain()) } else { response }
    }
}
