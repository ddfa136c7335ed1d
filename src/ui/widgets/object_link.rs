//! Name of an object wherever it is mentioned: class name (package muted), label, id. A click goes to the object.

use std::sync::Arc;

use eframe::egui;
use egui::{Galley, Rect, Response, Role, Sense, Ui, Vec2, pos2};

use super::row_name::RowName;
use crate::ui::theme::{Tokens, tokens};
use heaplens_heap::{Heap, ObjectId, split_class};
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

impl<'a> ObjectName<'a> {
    /// Calls `with` with class, label and id of an object.
    pub fn with<R>(labels: &mut Labels, heap: &Heap, object: ObjectId, with: impl FnOnce(ObjectName<'_>) -> R) -> R {
        let id = heap.id_text(object);
        let class = &heap.class(object).name;
        with(ObjectName { class, label: labels.of(object), id: &id })
    }

    /// Class represented by a class object.
    pub(super) fn represented_class(&self) -> Option<&'a str> {
        self.label.filter(|_| self.class == "java.lang.Class")
    }

    /// Label of what is no class object.
    pub(super) fn own_label(&self) -> Option<&'a str> {
        self.label.filter(|_| self.represented_class().is_none())
    }

    /// Plain text for tooltips, screen readers and the clipboard.
    pub fn plain(&self) -> String {
        object_name(self.class, self.label, self.id)
    }

    /// Package and simple name of the class, or of the class that a class object represents.
    pub(super) fn parts(&self) -> (&'a str, &'a str) {
        split_class(self.represented_class().unwrap_or(self.class))
    }

    /// The name in a row that leads with `lead`, such as a field.
    pub fn after(self, lead: &'a str) -> RowName<'a> {
        RowName { lead, name: self, is_value: false }
    }

    /// The name as the value of a row that another column names, such as a field.
    pub fn as_value(self) -> RowName<'a> {
        RowName { is_value: true, ..self.after("") }
    }

    /// Text layout in `width` points; the flag is true if anything was omitted.
    pub fn galley(&self, ui: &Ui, tokens: &Tokens, width: f32) -> (Arc<Galley>, bool) {
        self.after("").galley(ui, tokens, width)
    }

    /// Draws the name at the left of `rect`; true if anything was omitted.
    pub fn paint(&self, ui: &Ui, tokens: &Tokens, rect: Rect) -> bool {
        self.after("").paint(ui, tokens, rect)
    }

    /// Draws the name as a link in `rect`. `id_salt` distinguishes links to the same object.
    pub fn link_ui(&self, ui: &Ui, rect: Rect, id_salt: egui::Id) -> Response {
        self.after("").link_ui(ui, rect, id_salt)
    }
}

impl RowName<'_> {
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
