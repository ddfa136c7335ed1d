//! The questions of the start page, and the dumps that are chosen for one.

use std::path::PathBuf;

use eframe::egui::{self, Id, Rect, Role, Sense, Ui, vec2};

use crate::ui::View;
use crate::ui::theme::{fonts, sizes, tokens};
use crate::ui::widgets::{elided, line_ui};

/// Height of a question, space between two, and width of a page from which on two are side by side.
const HEIGHT: f32 = 50.0;
const SPACE: f32 = 8.0;
const TWO: f32 = 540.0;

/// A question that a person begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartQuestion {
    /// What fills the memory?
    Memory,
    /// What has grown?
    Growth,
    /// Why is this alive?
    Path,
    /// What does this thread hold?
    Thread,
    /// Is it the heap at all?
    Process,
    /// What do two programs have in common?
    Programs,
}

impl StartQuestion {
    /// All of them, in the order of the page.
    pub const ALL: [Self; 6] = [Self::Memory, Self::Growth, Self::Path, Self::Thread, Self::Process, Self::Programs];

    /// The question, and where its answer is.
    fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Memory => ("What fills the memory?", "Histogram: bytes by class, and their owners"),
            Self::Growth => ("What has grown?", "Two dumps of a program: owners and classes that grew"),
            Self::Path => ("Why is this alive?", "Dominator tree: paths to the GC roots of any object"),
            Self::Thread => ("What does this thread hold?", "Threads: stacks, and what their variables retain"),
            Self::Process => ("Is it the heap at all?", "Process: native memory, threads, what is unexplained"),
            Self::Programs => ("Compare two programs", "Two dumps of different programs, class by class"),
        }
    }

    /// The view with the answer about one dump; `None` if it takes two.
    pub fn view(self) -> Option<View> {
        match self {
            Self::Memory => Some(View::Histogram),
            Self::Path => Some(View::Dominators),
            Self::Thread => Some(View::Threads),
            Self::Process => Some(View::Process),
            Self::Growth | Self::Programs => None,
        }
    }
}

/// Dumps to open, and the question that they were chosen for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// The dumps.
    pub dumps: Vec<PathBuf>,
    /// The question, if one was selected.
    pub question: Option<StartQuestion>,
}

/// The selected question, and a dump that was chosen for it.
#[derive(Default)]
pub(super) struct Questions {
    selected: Option<StartQuestion>,
    first: Option<PathBuf>,
}

impl Questions {
    /// Takes dumps that were chosen; `None` while the question needs another one.
    pub(super) fn choose(&mut self, dumps: Vec<PathBuf>) -> Option<Start> {
        let Some(question) = self.selected.filter(|_| !dumps.is_empty()) else {
            return Some(Start { dumps, question: None });
        };
        let dumps: Vec<PathBuf> =
            self.first.take().into_iter().filter(|first| !dumps.contains(first)).chain(dumps.iter().cloned()).collect();
        if question.view().is_none() && dumps.len() < 2 {
            self.first = dumps.into_iter().next();
            return None;
        }
        self.selected = None;
        Some(Start { dumps, question: Some(question) })
    }

    /// Takes the question, for a dump that is taken of a process.
    pub(super) fn take(&mut self) -> Option<StartQuestion> {
        self.first = None;
        self.selected.take()
    }

    /// What to do next for the selected question.
    pub(super) fn hint(&self) -> Option<String> {
        let question = self.selected?;
        let name = |file: &PathBuf| heaplens_session::files::file_name(file);
        let (title, _) = question.texts();
        Some(match (question, &self.first) {
            (StartQuestion::Growth, None) => format!("{title} Choose the earlier dump"),
            (StartQuestion::Growth, Some(first)) => format!("{title} Choose the dump to compare with {}", name(first)),
            (StartQuestion::Programs, None) => "Choose the dump of the first program".to_owned(),
            (StartQuestion::Programs, Some(first)) => {
                format!("Choose the dump of the program to compare with {}", name(first))
            }
            _ => format!("{title} Choose a dump"),
        })
    }

    pub(super) fn ui(&mut self, ui: &mut Ui) {
        ui.spacing_mut().item_spacing.y = 0.0;
        let width = ui.available_width();
        let columns = if width >= TWO { 2 } else { 1 };
        let each = (width - SPACE * (columns - 1) as f32) / columns as f32;
        for row in StartQuestion::ALL.chunks(columns) {
            let (rect, _) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::HOVER);
            for (at, &question) in row.iter().enumerate() {
                let left = rect.left() + (each + SPACE) * at as f32;
                let area = Rect::from_min_size(egui::pos2(left, rect.top()), vec2(each, HEIGHT));
                self.question_ui(ui, area, question);
            }
            ui.add_space(SPACE);
        }
    }

    fn question_ui(&mut self, ui: &Ui, area: Rect, question: StartQuestion) {
        let t = tokens(ui);
        let (title, about) = question.texts();
        let response = ui.interact(area, Id::unique(("question of the start page", title)), Sense::click());
        let is_selected = self.selected == Some(question);
        response.widget_info(|| egui::WidgetInfo::selected(Role::Button, true, is_selected, title));
        let is_pointed = response.hovered() || response.has_focus();
        let fill = if is_selected {
            t.selected
        } else if is_pointed {
            t.hover
        } else {
            t.panel
        };
        let edge = if is_selected || response.has_focus() { t.accent } else { t.border };
        ui.painter().rect(area, f32::from(sizes::CORNER + 2), fill, (1.0, edge), egui::StrokeKind::Inside);
        let inner = area.shrink2(vec2(12.0, 6.0));
        let (upper, lower) = inner.split_top_bottom_at_fraction(0.52);
        line_ui(ui, upper, title.to_owned(), fonts::medium(), t.text);
        let about = elided(ui, about.to_owned(), fonts::small(), t.muted, inner.width());
        let at = egui::pos2(lower.left(), lower.center().y - about.size().y / 2.0);
        ui.painter().galley(at, about, t.muted);
        if response.hovered() {
            ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
        }
        if response.clicked() {
            // A second click is for no question.
            self.selected = (!is_selected).then_some(question);
            self.first = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_about_two_dumps_waits_for_the_second() {
        let files = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let mut questions = Questions::default();
        assert_eq!(questions.choose(files(&["a"])), Some(Start { dumps: files(&["a"]), question: None }));
        questions.selected = Some(StartQuestion::Growth);
        assert_eq!(questions.choose(files(&["a"])), None);
        // The same again is no second one.
        assert_eq!(questions.choose(files(&["a"])), None);
        let both = Start { dumps: files(&["a", "b"]), question: Some(StartQuestion::Growth) };
        assert_eq!(questions.choose(files(&["b"])), Some(both));
        assert_eq!(questions.choose(files(&["c"])), Some(Start { dumps: files(&["c"]), question: None }));
        questions.selected = Some(StartQuestion::Thread);
        let one = Start { dumps: files(&["c"]), question: Some(StartQuestion::Thread) };
        assert_eq!(questions.choose(files(&["c"])), Some(one));
    }
}
