//! Toolbar of a chart: zoom path and colouring.

use eframe::egui::{self, Id, Rect, Role, Sense, Ui, pos2, vec2};

use super::{ColourBy, Picture, Source};
use crate::ui::ViewContext;
use crate::ui::theme::{Icon, fonts, icons, tokens};
use crate::ui::widgets::picture::CaptionDetail;
use crate::ui::widgets::{elided, toolbar};

/// Maximum width of a step of the zoom path, in points.
const MAX_WIDTH: f32 = 150.0;
/// Gap between two steps, in points.
const GAP: f32 = 18.0;

impl<S: Source> Picture<S> {
    pub(super) fn tools_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        toolbar::tools(ui, |ui| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                self.colour_ui(ui, context);
                self.source.tools_ui(ui);
                self.side_by_side_ui(ui, context);
                let area = ui.available_rect_before_wrap();
                self.trail_ui(ui, context, area);
            });
        });
    }

    fn colour_ui(&mut self, ui: &mut Ui, context: &ViewContext<'_>) {
        let mut colour = self.colour(context.dump);
        let name = |by: ColourBy| format!("Colour by {}", by.name().to_lowercase());
        let combo = egui::ComboBox::from_id_salt(("colours", S::NAME)).selected_text(name(colour)).width(138.0);
        let label = name(colour);
        let shown = combo.show_ui(ui, |ui| {
            let offered: Vec<ColourBy> =
                S::COLOURS.iter().copied().filter(|&by| self.is_offered(by, context.dump)).collect();
            for by in offered {
                // Also the current colouring can be chosen: it then stays when more are known.
                if ui.selectable_value(&mut colour, by, name(by)).clicked() {
                    self.colour = Some(by);
                }
            }
        });
        shown.response.widget_info(|| egui::WidgetInfo::labeled(Role::ComboBox, true, &label));
        shown.response.on_hover_text("Property that the colours of the chart represent");
    }

    /// Draws the zoom path; in a narrow toolbar, its last steps.
    fn trail_ui(&mut self, ui: &Ui, context: &mut ViewContext<'_>, area: Rect) {
        let t = tokens(ui);
        let mut names = vec!["All".to_owned()];
        for &thing in &self.trail {
            let name = self.source.name(context, thing, CaptionDetail::Drawn);
            names.push(format!("{}{}", name.lead, name.name));
        }
        let last = names.len() - 1;
        let galleys: Vec<_> = names
            .iter()
            .enumerate()
            .map(|(n, name)| {
                let color = if n == last { t.text } else { t.muted };
                elided(ui, name.clone(), fonts::medium(), color, MAX_WIDTH)
            })
            .collect();
        // The first step and as many of the last as fit.
        let width = |n: usize| galleys[n].size().x + GAP;
        let (mut used, mut from) = (width(0) + GAP, galleys.len());
        while from > 1 && used + width(from - 1) <= area.width() {
            from -= 1;
            used += width(from);
        }
        let painter = ui.painter_at(area);
        let (mut left, middle) = (area.left(), area.center().y);
        let mut out_to = None;
        for (n, galley) in galleys.into_iter().enumerate().filter(|&(n, _)| n == 0 || n >= from) {
            if n > 0 {
                let between = Rect::from_center_size(pos2(left + 8.0, middle), vec2(8.0, 8.0));
                icons::paint(&painter, Icon::Closed, between, 8.0, t.faint);
                left += GAP;
            }
            if n > 0 && n == from && from > 1 {
                let dots = ui.painter().layout_no_wrap("…".to_owned(), fonts::medium(), t.faint);
                let wide = dots.size().x + GAP;
                painter.galley(pos2(left, middle - dots.size().y / 2.0), dots, t.faint);
                left += wide;
            }
            let rect = Rect::from_min_size(pos2(left, middle - 12.0), vec2(galley.size().x, 24.0));
            let is_last = n == last;
            let sense = if is_last { Sense::HOVER } else { Sense::click() };
            let response = ui.interact(rect, Id::unique((S::NAME, "trail", n)), sense);
            response.widget_info(|| {
                let name = if is_last { format!("Inside {}", names[n]) } else { format!("Zoom out to {}", names[n]) };
                egui::WidgetInfo::labeled(if is_last { Role::Label } else { Role::Link }, true, name)
            });
            let at = pos2(left, middle - galley.size().y / 2.0);
            left += galley.size().x;
            if !is_last && (response.hovered() || response.has_focus()) {
                ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
                painter.hline(rect.x_range(), at.y + galley.size().y, (1.0, t.accent));
            }
            painter.galley(at, galley, t.text);
            if response.clicked() {
                out_to = Some(n);
            }
        }
        if self.trail.is_empty() {
            let hint = "Double-click to zoom in, Backspace to zoom out";
            let wide = area.right() - left - 16.0;
            let galley = ui.painter().layout_no_wrap(hint.to_owned(), fonts::small(), t.faint);
            if galley.size().x <= wide {
                painter.galley(pos2(left + 14.0, middle - galley.size().y / 2.0 + 0.5), galley, t.faint);
            }
        }
        if let Some(n) = out_to {
            self.trail.truncate(n);
        }
    }
}
