//! The text of a query: colours, suggestions while it is written, and the word that is wrong.

use std::ops::Range;

use eframe::egui;
use egui::text::{CCursor, LayoutJob, TextFormat, TextWrapping};
use egui::{Id, Key, Modifiers, Order, Stroke, TextBuffer, TextEdit, Ui, vec2};

use crate::ui::theme::{Tokens, fonts, sizes, tokens};
use crate::ui::widgets::text_selection;
use heaplens_sql::tokens::{TokenKind, tokens as words_of};
use heaplens_sql::{Completion, Completions};

/// Rows of the editor at least, and at most.
const FEWEST: usize = 4;
const MOST: usize = 14;
/// Width of the suggestions, in points.
const LIST: f32 = 420.0;
/// Keywords that are drawn as such.
const KEYWORDS: [&str; 37] = [
    "select",
    "from",
    "where",
    "group",
    "by",
    "order",
    "limit",
    "offset",
    "desc",
    "asc",
    "and",
    "or",
    "not",
    "in",
    "like",
    "glob",
    "between",
    "is",
    "null",
    "join",
    "left",
    "cross",
    "inner",
    "on",
    "using",
    "as",
    "distinct",
    "having",
    "with",
    "recursive",
    "union",
    "all",
    "except",
    "intersect",
    "case",
    "when",
    "instanceof",
];

/// The editor.
#[derive(Default)]
pub(super) struct Editor {
    pub(super) text: String,
    /// Suggestions on screen, the bytes they replace, and the chosen one.
    offered: Vec<Completion>,
    replaced: Range<usize>,
    chosen: usize,
    /// True if the user has moved in the list: then Enter accepts.
    has_moved: bool,
    /// True if the editor wants the keyboard.
    wants_focus: bool,
    /// True while the text is one that the user has not asked for: typing replaces it.
    is_example: bool,
}

/// What a key does while suggestions are on screen.
#[derive(Clone, Copy)]
enum ListKey {
    Up,
    Down,
    Accept,
    Close,
}

const LIST_KEYS: [(Key, ListKey); 5] = [
    (Key::ArrowUp, ListKey::Up),
    (Key::ArrowDown, ListKey::Down),
    (Key::Tab, ListKey::Accept),
    (Key::Enter, ListKey::Accept),
    (Key::Escape, ListKey::Close),
];

impl Editor {
    /// Replaces the text.
    pub(super) fn set(&mut self, text: String) {
        self.text = text;
        self.offered.clear();
        (self.wants_focus, self.is_example) = (true, false);
    }

    /// Replaces the text by one to begin with.
    pub(super) fn set_example(&mut self, text: String) {
        self.set(text);
        self.is_example = true;
    }

    /// Moves the keyboard focus to the text in the next frame.
    pub(super) fn focus(&mut self) {
        self.wants_focus = true;
    }

    /// Hides the suggestions.
    pub(super) fn close_list(&mut self) {
        self.offered.clear();
    }

    /// Draws the editor. `wrong` is the byte at which the wrong word begins.
    pub(super) fn ui(&mut self, ui: &mut Ui, id: Id, names: Option<&Completions>, wrong: Option<usize>) {
        let t = tokens(ui);
        self.handle_keys(ui, id);
        let rows = (self.text.lines().count() + usize::from(self.text.ends_with('\n'))).clamp(FEWEST, MOST);
        let mut layouter = |ui: &Ui, text: &dyn TextBuffer, width: f32| {
            let mut job = coloured(text.as_str(), t, wrong);
            job.wrap.max_width = width;
            ui.fonts_mut(|fonts| fonts.layout_job(job))
        };
        let frame = egui::Frame::NONE
            .fill(t.raised)
            .stroke(Stroke::new(1.0, t.border))
            .corner_radius(sizes::CORNER)
            .inner_margin(vec2(8.0, 6.0));
        let output = frame
            .show(ui, |ui| {
                TextEdit::multiline(&mut self.text)
                    .id(id)
                    .font(fonts::mono())
                    .frame(egui::Frame::NONE)
                    .hint_text("SELECT … FROM objects …")
                    .desired_rows(rows)
                    .desired_width(f32::INFINITY)
                    .lock_focus(true)
                    .layouter(&mut layouter)
                    .show(ui)
            })
            .inner;
        output.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::MultilineTextInput, true, "Query"));
        if std::mem::take(&mut self.wants_focus) {
            output.response.request_focus();
            if self.is_example {
                text_selection::select_all(ui, id, &self.text);
            }
        }
        let cursor = output.cursor_range.map(|range| range.primary.index.0);
        if output.response.changed() {
            self.is_example = false;
            self.offer(names, cursor.map_or(self.text.len(), |at| byte_of(&self.text, at)));
        }
        if !output.response.has_focus() {
            // A click on a suggestion comes first.
            if !ui.input(|i| i.pointer.any_down() || i.pointer.any_released()) {
                self.offered.clear();
            }
        }
        if self.offered.is_empty() {
            return;
        }
        let at = output.galley.pos_from_cursor(CCursor::new(cursor.unwrap_or_default()));
        let position = output.galley_pos + at.left_bottom().to_vec2() + vec2(0.0, 4.0);
        if let Some(accepted) = self.list_ui(ui, id, position) {
            self.accept(ui, id, accepted);
        }
    }

    /// Keys for the list of suggestions, before the text gets them.
    fn handle_keys(&mut self, ui: &Ui, id: Id) {
        if self.offered.is_empty() || ui.memory(|memory| memory.focused() != Some(id)) {
            return;
        }
        for (key, does) in LIST_KEYS {
            // Enter is a line break until the user has moved in the list.
            let is_for_list = !self.offered.is_empty() && (key != Key::Enter || self.has_moved);
            if !is_for_list || !ui.input_mut(|i| i.consume_key(Modifiers::NONE, key)) {
                continue;
            }
            let count = self.offered.len();
            match does {
                ListKey::Up => (self.chosen, self.has_moved) = ((self.chosen + count - 1) % count, true),
                ListKey::Down => (self.chosen, self.has_moved) = ((self.chosen + 1) % count, true),
                ListKey::Accept => self.accept(ui, id, self.chosen),
                ListKey::Close => self.offered.clear(),
            }
        }
    }

    /// Suggests names for the word before the cursor.
    fn offer(&mut self, names: Option<&Completions>, position: usize) {
        (self.chosen, self.has_moved) = (0, false);
        let offers = names.map(|names| names.at(&self.text, position));
        (self.offered, self.replaced) = offers.unwrap_or_default();
    }

    /// Replaces the word before the cursor by a suggestion.
    fn accept(&mut self, ui: &Ui, id: Id, nth: usize) {
        let Some(completion) = self.offered.get(nth) else { return };
        if self.text.get(self.replaced.clone()).is_none() {
            return self.offered.clear();
        }
        self.text.replace_range(self.replaced.clone(), &completion.text);
        let end = self.replaced.start + completion.text.len();
        let cursor = self.text[..end].chars().count();
        text_selection::select(ui, id, cursor..cursor);
        self.offered.clear();
        self.wants_focus = true;
    }

    /// Draws the suggestions; the one that was clicked.
    fn list_ui(&self, ui: &Ui, id: Id, position: egui::Pos2) -> Option<usize> {
        let t = tokens(ui);
        let area = egui::Area::new(id.with("suggestions")).order(Order::Foreground).fixed_pos(position).constrain(true);
        let shown = area.show(ui.ctx(), |ui| {
            egui::Frame::popup(ui.style())
                .show(ui, |ui| {
                    ui.spacing_mut().item_spacing.y = 0.0;
                    ui.set_width(LIST);
                    let mut clicked = None;
                    for (nth, completion) in self.offered.iter().enumerate() {
                        let mut job = LayoutJob::default();
                        job.append(&completion.text, 0.0, TextFormat::simple(fonts::mono(), t.text));
                        job.append(&completion.kind, 12.0, TextFormat::simple(fonts::small(), t.muted));
                        job.wrap = TextWrapping::truncate_at_width(LIST);
                        if ui.selectable_label(nth == self.chosen, job).clicked() {
                            clicked = Some(nth);
                        }
                    }
                    clicked
                })
                .inner
        });
        shown.inner
    }
}

/// Byte at which a character begins.
fn byte_of(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |(byte, _)| byte)
}

/// The text in colours; the wrong word is underlined.
fn coloured(text: &str, t: &Tokens, wrong: Option<usize>) -> LayoutJob {
    let mut job = LayoutJob::default();
    for token in words_of(text) {
        let word = token.text(text);
        let color = match token.kind {
            TokenKind::Text => t.good,
            TokenKind::Space => t.faint,
            TokenKind::QuotedName => t.field,
            TokenKind::Number => t.label,
            TokenKind::Word if KEYWORDS.contains(&&*word.to_lowercase()) => t.accent,
            TokenKind::Word | TokenKind::Symbol => t.text,
        };
        let mut format = TextFormat::simple(fonts::mono(), color);
        if wrong.is_some_and(|wrong| token.range.contains(&wrong)) && token.kind != TokenKind::Space {
            format.underline = Stroke::new(1.5, t.error);
        }
        job.append(word, 0.0, format);
    }
    job
}

/// The text as it is laid out, for tests of its parts.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme;

    #[test]
    fn the_wrong_word_is_underlined_and_no_text_is_lost() {
        let query = "SELECT nme FROM \"java.lang.Thread\" -- names";
        let job = coloured(query, theme::tokens::of(true), Some(7));
        assert_eq!(job.text, query);
        let underlined: Vec<&str> = job
            .sections
            .iter()
            .filter(|section| section.format.underline != Stroke::NONE)
            .map(|section| &job.text[section.byte_range.start.0..section.byte_range.end.0])
            .collect();
        assert_eq!(underlined, ["nme"]);
    }
}
