//! Menus with examples, saved and recent queries.

use eframe::egui::{self, TextEdit, Ui};

use crate::ui::theme::sizes;
use crate::ui::{Command, ViewContext};
use heaplens_sql::gallery;

/// Longest text of an item, in characters.
const LONGEST: usize = 60;

/// The menus, and the name that is being written for a query.
#[derive(Default)]
pub(super) struct Library {
    /// Name for the query, while it is being saved.
    name: Option<String>,
    wants_focus: bool,
}

impl Library {
    /// Draws the menus; the query that was chosen.
    pub(super) fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, query: &str) -> Option<String> {
        let mut chosen = None;
        ui.menu_button("Examples", |ui| {
            for example in gallery(&context.dump.heap) {
                if ui.button(example.title).on_hover_text(example.query).clicked() {
                    chosen = Some(example.query.to_owned());
                }
            }
        });
        let mut forgotten = None;
        let (named, recent) = (context.queries.named(), context.queries.recent());
        ui.add_enabled_ui(!named.is_empty(), |ui| {
            ui.menu_button("Saved", |ui| {
                for saved in named {
                    ui.menu_button(&saved.name, |ui| {
                        if ui.button("Open query").on_hover_text(&saved.query).clicked() {
                            chosen = Some(saved.query.clone());
                        }
                        if ui.button("Delete query").clicked() {
                            forgotten = Some(saved.name.clone());
                        }
                    });
                }
            });
        });
        ui.add_enabled_ui(!recent.is_empty(), |ui| {
            ui.menu_button("Recent", |ui| {
                ui.set_max_height(sizes::HELP / 2.0);
                egui::ScrollArea::vertical().show(ui, |ui| {
                    for query in recent {
                        if ui.button(line(query)).on_hover_text(query).clicked() {
                            chosen = Some(query.clone());
                        }
                    }
                });
            });
        });
        if let Some(name) = forgotten {
            context.push(Command::ForgetQuery(name));
        }
        self.save_ui(ui, context, query);
        chosen
    }

    fn save_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, query: &str) {
        let can_save = !query.trim().is_empty();
        let Some(name) = &mut self.name else {
            if ui.add_enabled(can_save, egui::Button::new("Save…")).clicked() {
                (self.name, self.wants_focus) = (Some(String::new()), true);
            }
            return;
        };
        let edit = ui.add(TextEdit::singleline(name).hint_text("Name of the query").desired_width(150.0));
        edit.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Name of the query"));
        if std::mem::take(&mut self.wants_focus) {
            edit.request_focus();
        }
        let is_entered = edit.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
        let is_left = edit.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Escape));
        let name = name.trim().to_owned();
        let is_saved = ui.add_enabled(!name.is_empty() && can_save, egui::Button::new("Save query")).clicked();
        if (is_saved || is_entered) && !name.is_empty() && can_save {
            context.push(Command::SaveQuery(name, query.to_owned()));
            self.name = None;
        } else if is_left {
            self.name = None;
        }
    }
}

/// A query in one line.
fn line(query: &str) -> String {
    let words = query.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= LONGEST { words } else { words.chars().take(LONGEST).chain(['…']).collect() }
}
