//! Name of an object wherever it is mentioned: class name (package muted), label, id. A click goes to the object.

use std::sync::Arc;

use eframe::egui;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Galley, Rect, Response, Role, Sense, Ui, Vec2, pos2};

use crate::ui::theme::{Tokens, fonts, tokens};
use heaplens_base::invisible::visible_line;
use heaplens_heap::{Heap, ObjectId, split_class};
use heaplens_session::open_dump::labels::Labels;
use heaplens_tables::clips::object_name;
use heaplens_tables::export::printable::shortened;
use heaplens_tables::reports::elide;

/// Number of characters from which both ends of a class name are shown; of a shorter one, the beginning says more.
const BOTH_ENDS: usize = 12;

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

    /// Package and simple name of the class, or of the class that a class object represents.
    fn parts(&self) -> (&str, &str) {
        split_class(self.represented_class().unwrap_or(self.class))
    }

    fn job(&self, tokens: &Tokens, (before, name): (&str, &str), width: f32) -> LayoutJob {
        let mut job = LayoutJob::default();
        let text = |font, color| TextFormat { valign: egui::Align::Center, ..TextFormat::simple(font, color) };
        if self.represented_class().is_some() {
            job.append("class ", 0.0, text(fonts::text(), tokens.label));
        }
        if !before.is_empty() {
            job.append(&visible_line(before), 0.0, text(fonts::text(), tokens.muted));
        }
        job.append(&visible_line(name), 0.0, text(fonts::medium(), tokens.text));
        if let Some(label) = self.label.filter(|_| self.represented_class().is_none()) {
            let line = shortened(label, 200);
            job.append(&line, 8.0, text(fonts::text(), tokens.label));
        }
        if !self.id.is_empty() {
            job.append(self.id, 8.0, text(fonts::mono(), tokens.faint));
        }
        job.wrap = TextWrapping::truncate_at_width(width);
        job.break_on_newline = false;
        job
    }

    /// Text layout in `width` points. If it does not fit, the package is omitted, then the id, then the label is
    /// truncated with `…`, then the middle of the class name. The flag is true if anything was omitted.
    pub fn galley(&self, ui: &Ui, tokens: &Tokens, width: f32) -> (Arc<Galley>, bool) {
        let (package, name) = self.parts();
        let laid_out = |of: &ObjectName<'_>, parts: (&str, &str)| ui.painter().layout_job(of.job(tokens, parts, width));
        let total = laid_out(self, (package, name));
        if !total.elided {
            return (total, false);
        }
        let short = laid_out(self, ("", name));
        if !short.elided {
            return (short, true);
        }
        let without_label =
            ObjectName { label: self.label.filter(|_| self.represented_class().is_some()), id: "", ..*self };
        if !laid_out(&without_label, ("", name)).elided {
            return (laid_out(&ObjectName { id: "", ..*self }, ("", name)), true);
        }
        let middle = elide::middle(name, &|name| !laid_out(&without_label, ("", name)).elided);
        let name = if middle.chars().count() < BOTH_ENDS { name } else { &middle };
        (laid_out(&without_label, ("", name)), true)
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
