//! Name of an object wherever it is mentioned: class name (package muted), label, id. A click goes to the object.

use std::sync::Arc;

use eframe::egui;
use egui::{Galley, Rect, Response, Role, Sense, Ui, Vec2, pos2};

use super::object_name::ObjectName;
use super::row_name::RowName;
use crate::ui::theme::{Tokens, tokens};

impl<'a> ObjectName<'a> {
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
