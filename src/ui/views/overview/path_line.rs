//! The path of the first holder: its steps in boxes, with arrows between them, in as many lines as it takes.

use std::sync::Arc;

use eframe::egui::{Galley, Pos2, Rect, Ui, Vec2, pos2, vec2};

use crate::ui::theme::{Icon, fonts, icons, sizes, tokens};
use crate::ui::widgets::elided;

/// Space around the text of a step, between two steps, and between two lines.
const INSIDE: Vec2 = vec2(7.0, 3.0);
const BETWEEN: f32 = 18.0;
const LINES: f32 = 6.0;

/// Where the steps are, relative to the first.
pub(super) struct PathLine {
    steps: Vec<(Arc<Galley>, Rect)>,
    pub(super) height: f32,
}

impl PathLine {
    /// Lays the steps out in lines of a width.
    pub(super) fn new(ui: &Ui, steps: &[String], width: f32) -> Self {
        let (mut at, mut height, color) = (Pos2::ZERO, 0.0_f32, tokens(ui).text);
        let mut laid_out = Vec::with_capacity(steps.len());
        for step in steps {
            let galley = elided(ui, step.clone(), fonts::text(), color, width - 2.0 * INSIDE.x);
            let size = galley.size() + 2.0 * INSIDE;
            if at.x > 0.0 && at.x + size.x > width {
                at = pos2(0.0, height + LINES);
            }
            laid_out.push((galley, Rect::from_min_size(at, size)));
            at.x += size.x + BETWEEN;
            height = height.max(at.y + size.y);
        }
        Self { steps: laid_out, height }
    }

    /// Draws the steps. The first is the GC root, the last the holder.
    pub(super) fn paint(&self, ui: &Ui, origin: Pos2) {
        let t = tokens(ui);
        for (number, (galley, area)) in self.steps.iter().enumerate() {
            let area = area.translate(origin.to_vec2());
            let color = if number == 0 { t.root } else { t.text };
            ui.painter().rect(
                area,
                f32::from(sizes::CORNER),
                t.panel,
                (1.0, t.border),
                eframe::egui::StrokeKind::Inside,
            );
            ui.painter().galley_with_override_text_color(area.min + INSIDE, galley.clone(), color);
            if number + 1 < self.steps.len() {
                let arrow = Rect::from_min_size(area.right_top(), vec2(BETWEEN, area.height()));
                icons::paint(ui.painter(), Icon::Closed, arrow, 9.0, t.faint);
            }
        }
    }
}
