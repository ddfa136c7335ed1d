//! Short messages that go away by themselves.

use eframe::egui;
use egui::{Align2, Area, Context, Id, RichText, vec2};

use crate::ui::theme::icons::{self, Icon};
use crate::ui::theme::tokens;

const SECONDS: f64 = 2.6;

/// The message that is shown, if any.
#[derive(Default)]
pub struct Toasts {
    text: String,
    until: f64,
    good: bool,
}

impl Toasts {
    /// Shows a message; `good` if something was done.
    pub fn say(&mut self, ctx: &Context, text: String, good: bool) {
        self.until = ctx.input(|i| i.time) + SECONDS;
        self.text = text;
        self.good = good;
    }

    /// Draws the message.
    pub fn ui(&self, ctx: &Context) {
        let left = self.until - ctx.input(|i| i.time);
        if left <= 0.0 || self.text.is_empty() {
            return;
        }
        ctx.request_repaint_after(std::time::Duration::from_secs_f64(left.max(0.02)));
        let area = Area::new(Id::unique("toast")).anchor(Align2::CENTER_BOTTOM, vec2(0.0, -44.0));
        area.order(egui::Order::Tooltip).interactable(false).show(ctx, |ui| {
            let t = tokens(ui);
            let frame = egui::Frame::NONE.fill(t.raised).stroke((1.0, t.edge)).corner_radius(8.0);
            let shadow = egui::Shadow { offset: [0, 4], blur: 16, spread: 0, color: t.shadow };
            frame.shadow(shadow).inner_margin(egui::Margin::symmetric(14, 9)).show(ui, |ui| {
                ui.horizontal(|ui| {
                    let (icon, color) = if self.good { (Icon::Check, t.good) } else { (Icon::Warning, t.warn) };
                    let (rect, _) = ui.allocate_exact_size(vec2(16.0, 16.0), egui::Sense::HOVER);
                    icons::paint(ui.painter(), icon, rect, 12.0, color);
                    ui.label(RichText::new(&self.text).color(t.text));
                });
            });
        });
    }
}
