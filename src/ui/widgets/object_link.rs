//! Name of an object wherever it is mentioned: class name (package muted), label, id. A click goes to the object.

use std::sync::Arc;

use eframe::egui;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Color32, Galley, Rect, Response, Role, Sense, Ui, Vec2, pos2, vec2};

use super::fitting::{Beside, fitted_line_ui};
use crate::ui::theme::{Tokens, fonts, tokens};
use heaplens_base::invisible::visible_line;
use heaplens_heap::{Heap, ObjectId, split_class};
use heaplens_session::open_dump::labels::Labels;
use heaplens_tables::clips::object_name;
use heaplens_tables::export::printable::shortened;
use heaplens_tables::reports::elide::{self, UsualCut};

/// Number of characters from which both ends of a class name are shown; of a shorter one, the beginning says more.
const BOTH_ENDS: usize = 12;
/// Least number of characters of a class name.
const LEAST: usize = 6;
/// Maximum number of characters of a label.
const LABEL: usize = 200;
/// Share of the width that a long label may take from the class.
const LABEL_SHARE: f32 = 0.6;
/// Share of the width that what a row leads with may take from its object.
const LEAD_SHARE: f32 = 0.72;
/// Space before label and id, in points.
const GAP: f32 = 8.0;

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
            let line = shortened(label, LABEL);
            job.append(&line, GAP, text(fonts::text(), tokens.label));
        }
        if !self.id.is_empty() {
            job.append(self.id, GAP, text(fonts::mono(), tokens.faint));
        }
        job.wrap = TextWrapping::truncate_at_width(width);
        job.break_on_newline = false;
        job
    }

    /// Text layout in `width` points. If it does not fit, the package is omitted, then the id, unless another object beside
    /// it has the same name. Then the class gives way to the label, which tells objects of one class apart, and both are
    /// cut where they differ least from the names beside them. The flag is true if anything was omitted.
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
        let label = self.label.filter(|_| self.represented_class().is_none());
        let beside = Beside::with(ui, "objects", &self.without_id());
        let id = if beside.has_twin(&self.without_id()) { self.id } else { "" };
        let named = ObjectName { id, ..*self };
        if id.is_empty() && !laid_out(&named, ("", name)).elided {
            return (laid_out(&named, ("", name)), true);
        }
        let Some(label) = label.map(|label| shortened(label, LABEL)) else {
            let fits = |name: &str| !laid_out(&named, ("", name)).elided;
            return (laid_out(&named, ("", &fitting_class(ui, name, &fits))), true);
        };
        let width_of = |text: &str, font| ui.painter().layout_no_wrap(text.to_owned(), font, tokens.text).size().x;
        let of_id = if id.is_empty() { 0.0 } else { width_of(id, fonts::mono()) + GAP };
        let of_label = width_of(&label, fonts::text()).min(width * LABEL_SHARE) + GAP;
        let class_fits = |name: &str| width_of(name, fonts::medium()) <= width - of_label - of_id;
        let class = if class_fits(name) { name.to_owned() } else { fitting_class(ui, name, &class_fits) };
        let label_fits = |label: &str| !laid_out(&ObjectName { label: Some(label), ..named }, ("", &class)).elided;
        let label = Beside::with(ui, "labels", &label).shorten(&label, UsualCut::End, &label_fits);
        (laid_out(&ObjectName { label: Some(&label), ..named }, ("", &class)), true)
    }

    /// Class and label, by which two objects may have the same name.
    fn without_id(&self) -> String {
        object_name(self.class, self.label, "")
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

/// Draws what a row leads with before the name of its object, such as a field, at the left of `area`, which becomes the
/// space for the name; true if it is shortened. The object gives way first: class and label say less of where it is.
pub fn lead_ui(ui: &Ui, area: &mut Rect, lead: &str, color: Color32) -> bool {
    let most = Rect::from_min_size(area.min, vec2(area.width() * LEAD_SHARE, area.height()));
    let (galley, cut) = fitted_line_ui(ui, "leads", most, (lead, UsualCut::Middle), (fonts::medium(), color));
    area.min.x = (area.min.x + galley.size().x + GAP).min(area.max.x);
    cut
}

/// A class name without its package, shortened in its middle, or to its beginning if only a few characters fit.
fn fitting_class(ui: &Ui, name: &str, fits: &dyn Fn(&str) -> bool) -> String {
    let beside = Beside::with(ui, "classes", name);
    let both_ends = beside.shorten(name, UsualCut::Middle, fits);
    if both_ends.chars().count() >= BOTH_ENDS {
        return both_ends;
    }
    let begin = beside.shorten(name, UsualCut::End, fits);
    // Less would say nothing: the rest is cut at the edge.
    if begin.chars().count() > LEAST {
        begin
    } else {
        elide::middle(name, &|text| text.chars().count() <= LEAST).into_owned()
    }
}
