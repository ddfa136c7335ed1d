//! Saying of a finding that it is expected, or leaking, and why: one line that
//! opens where the finding is described.

use eframe::egui;
use egui::{Frame, Id, Key, Label, Margin, RichText, Role, TextEdit, Ui, WidgetInfo};

use crate::analysis::leaks::{Finding, Group};
use crate::session::verdicts::Said;
use crate::ui::command::Command;
use crate::ui::scene::Scene;
use crate::ui::theme::{fonts, sizes, tokens};

/// What is being said.
#[derive(Default)]
pub(super) struct Editor {
    /// Of which finding, by its fingerprint.
    of: Option<String>,
    expected: bool,
    reason: String,
    /// It was opened just now: what is typed is the reason.
    is_new: bool,
}

impl Editor {
    /// Lets something be said of a finding: what it is not yet, unless `group` says what.
    pub(super) fn open(&mut self, finding: &Finding, group: Option<Group>) {
        let expected = group.map_or(finding.group != Group::Expected, |group| group == Group::Expected);
        let before = finding.verdict.as_ref().filter(|verdict| verdict.is_of_user);
        let reason = before.map(|verdict| verdict.reason.clone()).unwrap_or_default();
        *self = Self { of: Some(finding.fingerprint.clone()), expected, reason, is_new: true };
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>, finding: &Finding) {
        if self.of.as_ref() != Some(&finding.fingerprint) {
            self.of = None;
            return;
        }
        let t = tokens(ui);
        let pattern = finding.pattern();
        let frame = Frame::NONE.fill(t.panel).stroke((1.0, t.edge)).corner_radius(sizes::CORNER);
        frame.inner_margin(Margin::symmetric(12, 8)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            let (mut keep, mut leave) = (false, false);
            ui.horizontal(|ui| {
                ui.selectable_value(&mut self.expected, true, "Expected");
                ui.selectable_value(&mut self.expected, false, "Leaking");
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    leave = ui.button("Cancel").on_hover_text("Esc").clicked();
                    keep = ui.button("Keep").on_hover_text("Enter").clicked();
                    let edit = TextEdit::singleline(&mut self.reason).id(Id::unique("reason of a verdict"));
                    let hint = RichText::new("Why?").color(t.faint);
                    let field = ui.add(edit.hint_text(hint).desired_width(ui.available_width()));
                    field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Reason of the verdict"));
                    if std::mem::take(&mut self.is_new) {
                        field.request_focus();
                    }
                    if field.lost_focus() {
                        keep |= ui.input(|i| i.key_pressed(Key::Enter));
                        leave |= ui.input(|i| i.key_pressed(Key::Escape));
                    }
                });
            });
            let about = format!("Of {pattern}, in this dump and in those to come; reports say it too");
            ui.add(Label::new(RichText::new(about).font(fonts::small()).color(t.faint)).wrap());
            if keep {
                let group = if self.expected { Group::Expected } else { Group::Leak };
                scene.push(judgement(&pattern, Some(group), &self.reason));
            }
            if keep || leave {
                self.of = None;
            }
        });
    }
}

/// The command that keeps it.
pub(super) fn judgement(pattern: &str, group: Option<Group>, reason: &str) -> Command {
    Command::Judge(Box::new(Said { pattern: pattern.to_owned(), group, reason: reason.to_owned() }))
}
