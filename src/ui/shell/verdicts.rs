//! Dialog with all verdicts of the user, to review, change and delete them.

use std::path::Path;

use eframe::egui;
use egui::{Context, Frame, Label, Modal, RichText, Role, ScrollArea, Ui, WidgetInfo};

use super::verdict::{MARGIN, judgement};
use crate::ui::theme::{Icon, fonts, tokens};
use crate::ui::widgets::{controls, verdict_mark};
use crate::ui::{Command, Verb};
use heaplens_analysis::leaks::rules::Verdict;
use heaplens_session::verdict_target::{VerdictKey, VerdictTarget};
use heaplens_session::{LeakRules, VerdictTargets};

/// Width of the window in points, if the main window is wide enough.
const WIDTH: f32 = 720.0;
/// Width of the buttons of a row.
const BUTTONS: f32 = 160.0;

/// Draws the dialog; false once it is closed.
pub fn ui(ctx: &Context, rules: &LeakRules, file: Option<&Path>, commands: &mut Vec<Command>) -> bool {
    let screen = ctx.content_rect().size();
    let mut is_open = true;
    let frame = Frame::popup(&ctx.global_style()).inner_margin(MARGIN);
    let modal = Modal::new(egui::Id::unique("verdicts")).frame(frame).show(ctx, |ui| {
        let t = tokens(ui);
        ui.set_width(WIDTH.min(screen.x - 60.0));
        ui.horizontal(|ui| {
            ui.label(RichText::new("Verdicts").font(fonts::heading()).color(t.text));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if controls::icon_button(ui, Icon::Cross, "Close the list of verdicts", true).clicked() {
                    ui.close();
                }
            });
        });
        ui.add_space(4.0);
        if rules.of_user().next().is_none() {
            let hint = "No verdicts yet: press V on a finding, an object or a class to mark it as expected or leaking";
            ui.add(Label::new(RichText::new(hint).color(t.muted)).wrap());
        }
        ScrollArea::vertical().max_height(screen.y - 200.0).auto_shrink([false, true]).show(ui, |ui| {
            let height = 44.0;
            // The verdict with the highest precedence comes first.
            ui.spacing_mut().item_spacing.y = 0.0;
            for verdict in rules.of_user() {
                let (rect, _) = ui.allocate_exact_size(egui::vec2(ui.available_width(), height), egui::Sense::HOVER);
                if ui.is_rect_visible(rect) {
                    ui.scope_builder(egui::UiBuilder::new().max_rect(rect), |ui| {
                        is_open &= row_ui(ui, verdict, commands);
                    });
                    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, (1.0, t.border));
                }
            }
        });
        ui.add_space(6.0);
        let location = match file {
            Some(file) => format!("Saved in {}, a text file that you can edit and share", file.display()),
            None => "Not saved: lost when this window is closed".to_owned(),
        };
        let rule = "If several match, the first one applies";
        ui.add(Label::new(RichText::new(format!("{location}. {rule}")).font(fonts::small()).color(t.faint)).wrap());
    });
    is_open && !modal.should_close()
}

/// Draws one verdict; false if another dialog opens to change it.
fn row_ui(ui: &mut Ui, verdict: &Verdict, commands: &mut Vec<Command>) -> bool {
    let t = tokens(ui);
    let mut stays = true;
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let (word, color) = verdict_mark::word(verdict.group, t);
        controls::pill(ui, word, color, &verdict_mark::sentence(verdict, t));
        let words = (ui.available_width() - BUTTONS).max(80.0);
        ui.allocate_ui_with_layout(egui::vec2(words, 40.0), egui::Layout::top_down(egui::Align::Min), |ui| {
            ui.set_width(words);
            ui.spacing_mut().item_spacing.y = 1.0;
            ui.add_space(4.0);
            let pattern = RichText::new(&verdict.pattern).font(fonts::mono()).color(t.text);
            let label = format!("{word}: {} {}", verdict.pattern, verdict.reason);
            let shown = ui.add(Label::new(pattern).truncate());
            shown.widget_info(|| WidgetInfo::labeled(Role::Label, true, label.trim()));
            let reason = if verdict.reason.is_empty() { "No reason given" } else { &verdict.reason };
            ui.add(Label::new(RichText::new(reason).font(fonts::small()).color(t.muted)).truncate());
        });
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let about = format!("Delete your verdict on {}", verdict.pattern);
            let back = ui.button("Delete");
            back.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Delete {}", verdict.pattern)));
            if back.on_hover_text(about).clicked() {
                commands.push(judgement(&verdict.pattern, None, ""));
            }
            if ui.button("Change…").on_hover_text(Verb::Verdict.entry().about).clicked() {
                let by = VerdictKey::Pattern(verdict.pattern.clone());
                let subjects = vec![VerdictTarget { what: "Rule", by }];
                commands.push(Command::SetVerdict(Box::new(VerdictTargets { subjects, group: None })));
                stays = false;
            }
        });
    });
    stays
}
