//! Who holds much outside of the heap, above the findings, none of which has that memory.

use eframe::egui::{Button, Frame, Label, Margin, RichText, Sense, Ui, vec2};

use crate::ui::theme::{Icon, icons, sizes, tokens};
use crate::ui::{Command, Verb, View, ViewContext};
use heaplens_analysis::native_owners::NativeOwnersQuestion;
use heaplens_session::Slot;

/// Maximum number of lines.
const LINES: usize = 2;

/// What is known of it.
#[derive(Default)]
pub(super) struct Outside {
    requested: bool,
    lines: Slot<Vec<String>>,
}

impl Outside {
    /// Asks once.
    pub(super) fn ask(&mut self, context: &ViewContext<'_>) {
        if std::mem::replace(&mut self.requested, true) {
            return;
        }
        let dump = context.dump.clone();
        self.lines.ask(context.jobs, "memory outside the heap", move |task| {
            let owners = dump.answer(&NativeOwnersQuestion, task)?;
            let much = owners.iter().filter(|owner| owner.is_beside_findings(dump.analysis.shown.shallow));
            Ok(much.take(LINES).map(ToString::to_string).collect())
        });
    }

    pub(super) fn poll(&mut self) {
        self.lines.poll();
    }

    pub(super) fn is_running(&self) -> bool {
        self.lines.is_at_work()
    }

    /// Draws the lines, with a button to the process.
    pub(super) fn ui(&self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let Some(lines) = self.lines.get().filter(|lines| !lines.is_empty()) else { return };
        let t = tokens(ui);
        let margin = Margin { left: 12, right: 12, top: 0, bottom: 8 };
        Frame::NONE.inner_margin(margin).show(ui, |ui| {
            let frame = Frame::NONE.fill(t.panel).stroke((1.0, t.warn)).corner_radius(sizes::CORNER);
            frame.inner_margin(Margin::symmetric(12, 6)).show(ui, |ui| {
                ui.set_width(ui.available_width());
                for (at, line) in lines.iter().enumerate() {
                    ui.horizontal(|ui| {
                        let (rect, _) = ui.allocate_exact_size(vec2(16.0, 22.0), Sense::HOVER);
                        if at == 0 {
                            icons::paint(ui.painter(), Icon::Warning, rect, 12.0, t.warn);
                        }
                        let button = if at == 0 { 84.0 } else { 0.0 };
                        ui.scope(|ui| {
                            ui.set_max_width((ui.available_width() - button).max(80.0));
                            ui.add(Label::new(RichText::new(line).color(t.text)).truncate()).on_hover_text(line);
                        });
                        let about = "Show the memory of the process, the heap and what is outside of it";
                        if at == 0 && ui.add(Button::new("Process")).on_hover_text(about).clicked() {
                            context.push(Command::from(Verb::Show(View::Process)));
                        }
                    });
                }
            });
        });
    }
}
