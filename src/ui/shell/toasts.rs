//! Short messages above the status bar. Confirmations and hints disappear after some seconds; warnings stay until they
//! are dismissed.

use eframe::egui;
use egui::{Align2, Area, Context, Id, RichText, ScrollArea, vec2};

use crate::ui::theme::{Icon, icons, tokens};
use crate::ui::verb::keys_text;
use crate::ui::widgets::controls;
use crate::ui::{Command, DumpKey, Verb};
use heaplens_base::Count;

/// Seconds for which a message about something done is shown.
const DONE_SECONDS: f64 = 2.6;
/// Minimum seconds for which a hint is shown, and seconds by character: it is a sentence.
const HINT_SECONDS: f64 = 6.0;
const SECONDS_BY_CHARACTER: f64 = 0.08;
/// Maximum number of warnings; the oldest is dropped.
const MAX_WARNINGS: usize = 20;
/// Maximum width of a message, and height at which warnings scroll, in points.
const WIDTH: f32 = 560.0;
const HEIGHT: f32 = 220.0;

/// A message that disappears by itself.
struct Brief {
    text: String,
    /// Time of egui at which it disappears, in seconds.
    until: f64,
    is_done: bool,
    /// Dump it is about: it disappears with the tab of that dump.
    about: Option<DumpKey>,
    /// True if what was done can be undone, for which it has a button.
    can_undo: bool,
}

/// A message that stays until it is dismissed.
struct Warning {
    text: String,
    /// Number of times it was shown since it was last dismissed.
    times: u64,
}

/// The messages on screen.
#[derive(Default)]
pub struct Toasts {
    brief: Option<Brief>,
    /// Oldest first.
    warnings: Vec<Warning>,
}

impl Toasts {
    /// Confirms that something was done.
    pub fn done(&mut self, ctx: &Context, text: String) {
        // What was done in part is explained in a sentence.
        let long = text.chars().count().saturating_sub(40) as f64 * SECONDS_BY_CHARACTER;
        self.show_briefly(ctx, text, DONE_SECONDS + long, true);
    }

    /// Confirms that something was done that can be undone.
    pub fn done_undoable(&mut self, ctx: &Context, text: String) {
        self.show_briefly(ctx, text, HINT_SECONDS, true);
        self.brief.iter_mut().for_each(|brief| brief.can_undo = true);
    }

    /// Shows a hint: why nothing happened, or what can be done next.
    pub fn hint(&mut self, ctx: &Context, text: String) {
        let seconds = HINT_SECONDS.max(text.chars().count() as f64 * SECONDS_BY_CHARACTER);
        self.show_briefly(ctx, text, seconds, false);
    }

    /// Shows a hint about the dump on screen, until another tab is shown.
    pub fn hint_about(&mut self, ctx: &Context, text: String, about: DumpKey) {
        self.hint(ctx, text);
        self.brief.iter_mut().for_each(|brief| brief.about = Some(about));
    }

    /// Shows an error or a warning. It stays until it is dismissed.
    pub fn warn(&mut self, ctx: &Context, text: String) {
        let before = self.warnings.iter().position(|warning| warning.text == text);
        let times = before.map_or(0, |at| self.warnings.remove(at).times) + 1;
        if self.warnings.len() == MAX_WARNINGS {
            self.warnings.remove(0);
        }
        self.warnings.push(Warning { text, times });
        ctx.request_repaint();
    }

    /// True if a warning is on screen.
    pub fn has_warnings(&self) -> bool {
        !self.warnings.is_empty()
    }

    /// Dismisses all warnings.
    pub fn dismiss(&mut self) {
        self.warnings.clear();
    }

    fn show_briefly(&mut self, ctx: &Context, text: String, seconds: f64, is_done: bool) {
        let until = ctx.input(|i| i.time) + seconds;
        self.brief = Some(Brief { text, until, is_done, about: None, can_undo: false });
    }

    /// Draws the messages: warnings, the newest last, and below them the brief one. `shown` is the dump on screen.
    pub fn ui(&mut self, ctx: &Context, shown: Option<DumpKey>, commands: &mut Vec<Command>) {
        let now = ctx.input(|i| i.time);
        self.brief = self.brief.take().filter(|brief| {
            brief.until > now && !brief.text.is_empty() && brief.about.is_none_or(|about| shown == Some(about))
        });
        if let Some(brief) = &self.brief {
            ctx.request_repaint_after(std::time::Duration::from_secs_f64((brief.until - now).max(0.02)));
        }
        if self.brief.is_none() && self.warnings.is_empty() {
            return;
        }
        let area = Area::new(Id::unique("messages")).anchor(Align2::CENTER_BOTTOM, vec2(0.0, -44.0));
        // A brief message lets clicks through to the table below it.
        let has_buttons = !self.warnings.is_empty() || self.brief.as_ref().is_some_and(|brief| brief.can_undo);
        let area = area.order(egui::Order::Tooltip).interactable(has_buttons);
        area.show(ctx, |ui| {
            let t = tokens(ui);
            let frame = egui::Frame::NONE.fill(t.raised).stroke((1.0, t.edge)).corner_radius(8.0);
            let shadow = egui::Shadow { offset: [0, 4], blur: 16, spread: 0, color: t.shadow };
            frame.shadow(shadow).inner_margin(egui::Margin::symmetric(14, 9)).show(ui, |ui| {
                ui.set_max_width(WIDTH.min(ctx.content_rect().width() - 60.0));
                self.warnings_ui(ui);
                if let Some(brief) = &self.brief {
                    ui.horizontal(|ui| {
                        let (icon, color) = if brief.is_done { (Icon::Check, t.good) } else { (Icon::Info, t.muted) };
                        mark_ui(ui, icon, color);
                        ui.add(egui::Label::new(RichText::new(&brief.text).color(t.text)).wrap());
                        let about = format!("Undo it{}", keys_text(ui.ctx(), Verb::Undo));
                        if brief.can_undo && ui.button("Undo").on_hover_text(about).clicked() {
                            commands.push(Command::from(Verb::Undo));
                        }
                    });
                }
            });
        });
    }

    fn warnings_ui(&mut self, ui: &mut egui::Ui) {
        let t = tokens(ui);
        let mut dismissed = None;
        ScrollArea::vertical().max_height(HEIGHT).stick_to_bottom(true).show(ui, |ui| {
            for (at, warning) in self.warnings.iter().enumerate() {
                let text = match warning.times {
                    1 => warning.text.clone(),
                    times => format!("{} ({} times)", warning.text, Count(times)),
                };
                ui.horizontal_top(|ui| {
                    mark_ui(ui, Icon::Warning, t.warn);
                    let width = ui.available_width() - 34.0;
                    ui.vertical(|ui| {
                        ui.set_width(width);
                        ui.add(egui::Label::new(RichText::new(text).color(t.text)).wrap());
                    });
                    if controls::icon_button(ui, Icon::Cross, "Dismiss this message", true).clicked() {
                        dismissed = Some(at);
                    }
                });
            }
        });
        if self.warnings.len() > 1 && ui.button("Dismiss all messages").clicked() {
            self.dismiss();
        } else if let Some(at) = dismissed {
            self.warnings.remove(at);
        }
    }
}

fn mark_ui(ui: &mut egui::Ui, icon: Icon, color: egui::Color32) {
    let (rect, _) = ui.allocate_exact_size(vec2(16.0, 20.0), egui::Sense::HOVER);
    icons::paint(ui.painter(), icon, rect, 12.0, color);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_stay_until_dismissed_and_are_not_repeated() {
        let ctx = Context::default();
        let mut toasts = Toasts::default();
        toasts.warn(&ctx, "disk full".to_owned());
        toasts.warn(&ctx, "no dialog".to_owned());
        toasts.warn(&ctx, "disk full".to_owned());
        toasts.done(&ctx, "Copied".to_owned());
        let shown: Vec<(&str, u64)> = toasts.warnings.iter().map(|w| (w.text.as_str(), w.times)).collect();
        assert_eq!(shown, [("no dialog", 1), ("disk full", 2)]);
        toasts.dismiss();
        assert!(!toasts.has_warnings() && toasts.brief.is_some());
    }

    #[test]
    fn a_flood_of_warnings_keeps_the_newest() {
        let ctx = Context::default();
        let mut toasts = Toasts::default();
        for n in 0..100 {
            toasts.warn(&ctx, format!("warning {n}"));
        }
        assert_eq!(toasts.warnings.len(), MAX_WARNINGS);
        assert_eq!(toasts.warnings.last().map(|w| w.text.as_str()), Some("warning 99"));
    }
}
