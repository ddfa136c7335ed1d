//! The field for the path of a dump, with the files that begin as what is typed.

use std::fs;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use eframe::egui::{self, Id, Key, Modifiers, RichText, TextEdit, Ui, vec2};

use crate::ui::Command;
use crate::ui::theme::{fonts, tokens};
use heaplens_session::{Jobs, Slot};

/// Maximum number of files offered.
const OFFERED: usize = 6;

/// The field.
#[derive(Default)]
pub(super) struct PathField {
    text: String,
    /// Text for which files were looked for.
    asked: String,
    looking: Slot<Vec<String>>,
    offers: Vec<String>,
    /// True once it has had the keyboard focus: at the start it takes it, later only a click gives it.
    has_begun: bool,
}

impl PathField {
    /// Draws the field, the button beside it, and the files offered.
    pub(super) fn ui(&mut self, ui: &mut Ui, jobs: &Jobs, commands: &mut Vec<Command>) {
        self.look(jobs);
        let t = tokens(ui);
        ui.horizontal(|ui| {
            let id = Id::unique("path of a dump");
            let is_focused = ui.memory(|memory| memory.has_focus(id));
            // Tab completes while there is something to complete; else it goes on to the button.
            let completes = is_focused && self.offers.first().is_some_and(|offer| *offer != self.text);
            if completes && ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Tab)) {
                self.complete(ui, id);
            }
            let edit = TextEdit::singleline(&mut self.text)
                .id(id)
                .lock_focus(completes)
                .hint_text(RichText::new("Path of a dump or a folder").color(t.faint))
                .margin(egui::Margin::symmetric(10, 6))
                .desired_width(ui.available_width() - 72.0);
            let response = ui.add(edit);
            if !std::mem::replace(&mut self.has_begun, true) {
                response.request_focus();
            }
            ui.ctx().accesskit_node_builder(id, |node| node.set_label("Path of a dump"));
            let entered = response.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
            let path = self.text.trim();
            let button = egui::Button::new("Open").min_size(vec2(64.0, 30.0));
            let clicked = ui.add_enabled(!path.is_empty(), button).clicked();
            if (entered || clicked) && !path.is_empty() {
                commands.push(Command::Open(vec![PathBuf::from(path)]));
                self.text.clear();
            }
        });
        let mut chosen = None;
        for offer in self.offers.iter().filter(|offer| **offer != self.text) {
            let link = ui.link(RichText::new(offer).font(fonts::small()));
            if link.on_hover_text("Complete the path (Tab completes the first)").clicked() {
                chosen = Some(offer.clone());
            }
        }
        if let Some(chosen) = chosen {
            self.offers = vec![chosen];
            self.complete(ui, Id::unique("path of a dump"));
        }
    }

    /// Takes the first offer, with the cursor behind it.
    fn complete(&mut self, ui: &Ui, id: Id) {
        let Some(first) = self.offers.first() else { return };
        self.text.clone_from(first);
        if let Some(mut state) = egui::text_edit::TextEditState::load(ui.ctx(), id) {
            let end = egui::text::CCursor::new(self.text.chars().count());
            state.cursor.set_char_range(Some(egui::text::CCursorRange::one(end)));
            state.store(ui.ctx(), id);
        }
        ui.memory_mut(|memory| memory.request_focus(id));
    }

    /// Looks for files in the background: a folder may be on a slow disk.
    fn look(&mut self, jobs: &Jobs) {
        if let Some(Ok(offers)) = self.looking.take_ended() {
            self.offers = offers;
        }
        if self.asked == self.text {
            return;
        }
        self.asked.clone_from(&self.text);
        self.offers.clear();
        let typed = self.text.clone();
        if Path::new(&typed).components().next().is_some() {
            self.looking.ask(jobs, "complete a path", move |_| Ok(files_like(&typed)));
        }
    }
}

/// Paths of files and folders that begin as the typed text, by name; folders end with a separator.
fn files_like(typed: &str) -> Vec<String> {
    let cut = typed.rfind(['/', MAIN_SEPARATOR]).map_or(0, |at| at + 1);
    let (folder, begin) = typed.split_at(cut);
    let home = || std::env::home_dir().map(|home| format!("{}{MAIN_SEPARATOR}", home.display()));
    let read = if let Some(rest) = folder.strip_prefix("~/") { home().map(|home| home + rest) } else { None };
    let read = read.unwrap_or_else(|| if folder.is_empty() { ".".to_owned() } else { folder.to_owned() });
    let mut offers: Vec<String> = fs::read_dir(&read)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_meant = name.starts_with(begin) && (!name.starts_with('.') || begin.starts_with('.'));
            let end = if entry.path().is_dir() { MAIN_SEPARATOR.to_string() } else { String::new() };
            let shown = if folder.starts_with('~') { &read } else { folder };
            is_meant.then(|| format!("{shown}{name}{end}"))
        })
        .collect();
    offers.sort_unstable();
    offers.truncate(OFFERED);
    offers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_begin_as_the_text_are_offered() {
        let folder = std::env::temp_dir().join(format!("path-field-{}", std::process::id()));
        fs::create_dir_all(folder.join("app-dumps")).expect("a folder");
        for name in ["app.hprof", "other.hprof", ".app"] {
            fs::write(folder.join(name), b"").expect("a file");
        }
        let begin = format!("{}{MAIN_SEPARATOR}", folder.display());
        let all = [format!("{begin}app-dumps{MAIN_SEPARATOR}"), format!("{begin}app.hprof")];
        assert_eq!(files_like(&format!("{begin}app")), all);
        assert!(files_like(&format!("{begin}none")).is_empty());
        fs::remove_dir_all(&folder).expect("removed");
    }
}
