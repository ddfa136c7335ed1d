//! Charts of baseline and target side by side, to the same scale: selecting and zooming in one moves the other.

use eframe::egui::{self, Align2, Rect, Role, Ui, pos2, vec2};

use super::{Beside, Picture, Source};
use crate::ui::ViewContext;
use crate::ui::theme::{fonts, sizes, tokens};
use crate::ui::widgets::elided;
use crate::view::chart::Kind;
use heaplens_base::Bytes;

/// Height of the heading of a chart, in points.
const HEADING: f32 = 24.0;
/// Smallest share of the width that a chart has, however small its heap is.
const LEAST: f32 = 0.2;

impl<S: Source> Picture<S> {
    /// Draws the button that shows both charts, if the tab compares.
    pub(super) fn side_by_side_ui(&mut self, ui: &mut Ui, context: &ViewContext<'_>) {
        let Some(baseline) = self.source.of_baseline().filter(|_| context.dump.compared().is_some()) else {
            self.beside = None;
            return;
        };
        let is_on = self.beside.is_some();
        let button = ui.add(egui::Button::new("Side by side").selected(is_on));
        button.widget_info(|| egui::WidgetInfo::selected(Role::Button, true, is_on, "Side by side"));
        if button.on_hover_text("Show the chart of the baseline beside that of the target, to the same scale").clicked()
        {
            let both = || Box::new(Beside { picture: Self::new(baseline), seen: (Vec::new(), Vec::new()) });
            self.beside = (!is_on).then(both);
        }
    }

    /// Draws the chart of the baseline at the left, and both headings; returns the area of the target.
    pub(super) fn beside_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, kind: Kind, area: Rect) -> Rect {
        let colour = self.colour(context.dump);
        let Some(mut beside) = self.beside.take() else { return area };
        let Some(before) = context.comparing.map(|comparing| comparing.dump().path()) else { return area };
        if context.dump.compared().is_none() {
            return area;
        }
        self.zoom_together(&mut beside, context);
        let root = |picture: &Self| picture.trail.last().copied();
        let weights = [&beside.picture, self].map(|of| of.source.weight(context.dump, root(of)));
        let share = weights[0] as f32 / (weights[0] + weights[1]).max(1) as f32;
        // The centres of rings need no scale.
        let share = if kind == Kind::Sunburst { 0.5 } else { share.clamp(LEAST, 1.0 - LEAST) };
        let middle = (area.left() + area.width() * share).round();
        let sides = [area.with_max_x(middle), area.with_min_x(middle + 1.0)];
        let words = if context.is_after { ["Before removals", "After removals"] } else { ["Baseline", "Target"] };
        let names = [(words[0], before), (words[1], context.path)];
        for ((side, (of, path)), weight) in sides.iter().zip(names).zip(weights) {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            heading_ui(ui, *side, &format!("{of} · {} · {name}", Bytes(weight)));
        }
        let line = egui::Rangef::new(area.top(), area.bottom());
        ui.painter().vline(middle + 0.5, line, (1.0, tokens(ui).border));
        let [left, right] = sides.map(|side| side.with_min_y(side.top() + HEADING));
        beside.picture.colour = Some(colour);
        beside.picture.chart_ui(ui, context, kind, left);
        // Keys move the selection of both.
        self.has_keys |= std::mem::take(&mut beside.picture.has_keys);
        self.beside = Some(beside);
        right
    }

    /// Zooms one chart into the match of what the other was zoomed into.
    fn zoom_together(&mut self, beside: &mut Beside<S>, context: &ViewContext<'_>) {
        let dump = context.dump;
        let follow = |from: &Self| from.trail.iter().filter_map(|&item| from.source.matched(dump, item)).collect();
        if self.trail != beside.seen.0 {
            beside.picture.trail = follow(self);
        } else if beside.picture.trail != beside.seen.1 {
            self.trail = follow(&beside.picture);
        }
        beside.seen = (self.trail.clone(), beside.picture.trail.clone());
    }
}

/// Draws the heading of a chart.
fn heading_ui(ui: &Ui, side: Rect, text: &str) {
    let t = tokens(ui);
    let area = Rect::from_min_size(side.min + vec2(sizes::PAD, 0.0), vec2(side.width() - 2.0 * sizes::PAD, HEADING));
    let galley = elided(ui, text.to_owned(), fonts::small(), t.muted, area.width());
    let at = Align2::LEFT_CENTER.align_size_within_rect(galley.size(), area).min;
    ui.painter().galley(pos2(at.x, at.y), galley, t.muted);
}
