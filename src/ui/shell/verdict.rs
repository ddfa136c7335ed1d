//! Dialog for setting a verdict (expected or leaking, with a reason) on a finding, object, class or field.

use eframe::egui;
use egui::{Context, Frame, Key, Label, Modal, RichText, Role, TextEdit, Ui, WidgetInfo};

use crate::ui::Command;
use crate::ui::theme::{fonts, tokens};
use heaplens_analysis::leaks::{Group, pattern_of};
use heaplens_heap::ObjectId;
use heaplens_session::verdict_target::{VerdictKey, VerdictTarget};
use heaplens_session::{LeakRules, UserVerdict, VerdictTargets};

/// Width of the window in points, if the main window is wide enough.
const WIDTH: f32 = 560.0;
/// Margin inside the window, in points.
pub(super) const MARGIN: f32 = 16.0;

/// Dialog for one verdict.
pub struct Editor {
    subjects: Vec<VerdictTarget>,
    at: usize,
    expected: bool,
    reason: String,
    /// Pattern whose verdict was loaded into the fields.
    filled: Option<String>,
    /// Verdict requested by the caller.
    requested: Option<Group>,
    /// True in the first frame: focuses the reason.
    is_new: bool,
}

impl Editor {
    /// A dialog for these targets; `None` if there are none.
    pub fn new(about: VerdictTargets) -> Option<Self> {
        let VerdictTargets { subjects, group } = about;
        (!subjects.is_empty()).then(|| Self {
            subjects,
            at: 0,
            expected: group != Some(Group::Leak),
            reason: String::new(),
            filled: None,
            requested: group,
            is_new: true,
        })
    }

    /// Draws the dialog; false once it is closed. `name` returns the name of an object, once it is known.
    pub fn ui(
        &mut self,
        ctx: &Context,
        rules: &LeakRules,
        name: &mut dyn FnMut(ObjectId) -> Option<String>,
        commands: &mut Vec<Command>,
    ) -> bool {
        let patterns: Vec<Option<String>> = self
            .subjects
            .iter()
            .map(|subject| match &subject.by {
                VerdictKey::Pattern(pattern) => Some(pattern.clone()),
                VerdictKey::NameOf(object) => name(*object).map(|name| pattern_of(&name)),
            })
            .collect();
        // A target with the same pattern as one above it is hidden.
        let is_first = |at: usize| patterns[at].is_none() || !patterns[..at].contains(&patterns[at]);
        let shown: Vec<bool> = (0..patterns.len()).map(is_first).collect();
        let pattern = patterns.get(self.at).cloned().flatten();
        self.fill(pattern.as_deref(), rules);
        let mut is_open = true;
        let screen = ctx.content_rect().size();
        let frame = Frame::popup(&ctx.global_style()).inner_margin(MARGIN);
        let modal = Modal::new(egui::Id::unique("verdict")).frame(frame).show(ctx, |ui| {
            ui.set_width(WIDTH.min(screen.x - 60.0));
            let t = tokens(ui);
            ui.label(RichText::new("Set verdict").font(fonts::heading()).color(t.text));
            ui.add_space(2.0);
            self.subjects_ui(ui, &patterns, &shown);
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                ui.selectable_value(&mut self.expected, true, "Expected")
                    .on_hover_text("Intended memory use, not a leak");
                ui.selectable_value(&mut self.expected, false, "Leaking")
                    .on_hover_text("Should have been collected, or should be smaller");
            });
            let entered = self.reason_ui(ui);
            let about = "Applies to this dump, to later dumps and to findings that it explains; reports show it";
            ui.add(Label::new(RichText::new(about).font(fonts::small()).color(t.faint)).wrap());
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                let before = pattern.as_deref().and_then(|pattern| rules.of_pattern(pattern));
                let keep = ui.add_enabled(pattern.is_some(), egui::Button::new("Save")).on_hover_text("Enter");
                if let Some(pattern) = pattern.as_ref().filter(|_| keep.clicked() || entered) {
                    let group = if self.expected { Group::Expected } else { Group::Leak };
                    commands.push(judgement(pattern, Some(group), &self.reason));
                    is_open = false;
                }
                if ui.button("Cancel").on_hover_text("Esc").clicked() {
                    is_open = false;
                }
                if let Some(before) = before {
                    let about = format!("Delete your verdict on {}", before.pattern);
                    if ui.button("Delete").on_hover_text(about).clicked() {
                        commands.push(judgement(&before.pattern, None, ""));
                        is_open = false;
                    }
                }
            });
        });
        is_open && !modal.should_close()
    }

    /// Loads the verdict of the pattern into the fields, unless the user has typed something.
    fn fill(&mut self, pattern: Option<&str>, rules: &LeakRules) {
        let Some(pattern) = pattern.filter(|&pattern| self.filled.as_deref() != Some(pattern)) else { return };
        let saved = |pattern: &str| rules.of_pattern(pattern);
        let untouched = self.filled.as_deref().and_then(saved).map_or("", |before| &*before.reason) == self.reason;
        if untouched {
            let before = saved(pattern);
            self.reason = before.map(|before| before.reason.clone()).unwrap_or_default();
            // A verdict requested by the caller is not replaced by a saved one.
            if let Some(before) = before.filter(|_| self.requested.is_none() || self.filled.is_some()) {
                self.expected = before.group != Group::Leak;
            }
        }
        self.filled = Some(pattern.to_owned());
    }

    /// Draws the targets, one line each.
    fn subjects_ui(&mut self, ui: &mut Ui, patterns: &[Option<String>], shown: &[bool]) {
        let t = tokens(ui);
        for (at, (subject, pattern)) in self.subjects.iter().zip(patterns).enumerate() {
            if shown.get(at) == Some(&false) {
                continue;
            }
            let is_selected = at == self.at;
            let shown = pattern.as_deref().unwrap_or("…");
            let label = format!("{}: {shown}", subject.what);
            ui.horizontal(|ui| {
                let radio = ui.radio(is_selected, RichText::new(subject.what).color(t.muted));
                radio.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_selected, &label));
                let text = RichText::new(shown).font(fonts::mono()).color(if is_selected { t.text } else { t.muted });
                let label = ui.add(Label::new(text).sense(egui::Sense::click()).selectable(false).truncate());
                if radio.clicked() || label.on_hover_text(shown).clicked() {
                    self.at = at;
                }
            });
        }
    }

    /// Draws the field for the reason; true once Enter is pressed.
    fn reason_ui(&mut self, ui: &mut Ui) -> bool {
        let hint = RichText::new("Reason").color(tokens(ui).faint);
        let edit = TextEdit::singleline(&mut self.reason).id(egui::Id::unique("reason of a verdict"));
        let field = ui.add(edit.hint_text(hint).desired_width(f32::INFINITY));
        field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Reason of the verdict"));
        if std::mem::take(&mut self.is_new) {
            field.request_focus();
        }
        field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter))
    }
}

/// The command that saves a verdict, or deletes it if `group` is `None`.
pub fn judgement(pattern: &str, group: Option<Group>, reason: &str) -> Command {
    Command::AddVerdict(Box::new(UserVerdict { pattern: pattern.to_owned(), group, reason: reason.to_owned() }))
}
