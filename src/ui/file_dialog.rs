//! File dialogs: the dialog of the desktop, or a text field in the window on desktops without one. The dialog runs on
//! its own thread or in a job, so the window never waits.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use eframe::egui;
use egui::{Context, Id, Key, Label, Modal, RichText, TextEdit, Ui};

use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::controls;
use crate::ui::widgets::text_selection;

/// A dialog that returns sooner was never on screen.
const MIN_DIALOG_TIME: Duration = Duration::from_millis(300);
/// Width of the window with the field, in points, if the main window is wide enough.
const WIDTH: f32 = 560.0;

/// What is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A file to read.
    Open,
    /// A file or a folder to read. Dialogs of desktops offer files only.
    OpenAny,
    /// A file to write.
    Save,
    /// A folder for files.
    Folder,
}

/// Description of a file or folder to select.
#[derive(Debug, Clone)]
pub struct Question {
    /// Title of the dialog: `Open heap dump`.
    pub title: &'static str,
    /// Suggested file: empty, a name, or a path.
    pub suggested: PathBuf,
    /// Names of file types and their extensions, the default first.
    pub kinds: Vec<(&'static str, Vec<&'static str>)>,
    /// What it is for.
    pub purpose: Purpose,
}

/// A question for the window, and the channel for its answer.
struct Prompt {
    question: Question,
    text: String,
    /// Reason why the last path was rejected.
    error: Option<String>,
    answer: Sender<Option<PathBuf>>,
    /// Focus the field in the next frame.
    focus: bool,
}

/// Handle for asking from any thread but that of the window.
#[derive(Clone)]
pub struct FileDialogs {
    prompts: Sender<Prompt>,
    ctx: Context,
}

/// Questions for the text field in the window.
pub struct FilePrompts {
    handle: FileDialogs,
    coming: Receiver<Prompt>,
    shown: Option<Prompt>,
}

impl FileDialogs {
    /// Asks for a file and waits for the answer; `None` if the question was dismissed or the window was closed.
    pub fn ask(&self, question: &Question) -> Option<PathBuf> {
        let began = Instant::now();
        let picked = show_dialog(question);
        if picked.is_some() || began.elapsed() > MIN_DIALOG_TIME {
            return picked;
        }
        let (mut text, mut error) = (question.suggested.display().to_string(), None);
        let mut refused: Option<PathBuf> = None;
        loop {
            let (answer, answered) = crossbeam_channel::bounded(1);
            let prompt = Prompt { question: question.clone(), text, error, answer, focus: true };
            self.prompts.send(prompt).ok()?;
            self.ctx.request_repaint();
            let path = answered.recv().ok()??;
            // Entering the same path a second time confirms that an existing file is replaced.
            let is_confirmed = refused.as_ref() == Some(&path) && path.is_file();
            let Some(why) = refusal(question.purpose, &path).filter(|_| !is_confirmed) else { return Some(path) };
            text = path.display().to_string();
            (error, refused) = (Some(why), Some(path));
        }
    }

    /// Asks on a separate thread, which passes the answer to `take` and wakes the window. False if no thread could be
    /// started: then `take` is never called.
    pub fn ask_aside(
        self,
        question: impl FnOnce() -> Question + Send + 'static,
        take: impl FnOnce(Option<PathBuf>) + Send + 'static,
    ) -> bool {
        let started = heaplens_base::threads::start("file dialog", move || {
            take(self.ask(&question()));
            self.ctx.request_repaint();
        });
        started.is_ok()
    }
}

/// The reason why a path is not accepted as it is; `None` if it is.
fn refusal(purpose: Purpose, path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let why = match purpose {
        Purpose::Folder | Purpose::OpenAny if path.is_dir() => return None,
        Purpose::Folder => "There is no such folder",
        _ if path.is_dir() => "This is a folder. Type the path of a file",
        Purpose::Open if !path.exists() => "There is no such file",
        Purpose::OpenAny if !path.exists() => "There is no such file or folder",
        Purpose::Save if folder.is_some_and(|folder| !folder.is_dir()) => "There is no such folder",
        Purpose::Save if path.exists() => "This file exists. Press Enter again to replace it",
        _ => return None,
    };
    Some(why.to_owned())
}

/// The dialog of the desktop; returns `None` at once if there is none.
fn show_dialog(question: &Question) -> Option<PathBuf> {
    let mut dialog = rfd::FileDialog::new().set_title(question.title);
    for (name, endings) in &question.kinds {
        dialog = dialog.add_filter(*name, endings);
    }
    match question.purpose {
        Purpose::Open | Purpose::OpenAny => dialog.add_filter("All files", &["*"]).pick_file(),
        Purpose::Save => {
            let name = question.suggested.file_name().unwrap_or_default();
            dialog.set_file_name(name.to_string_lossy()).save_file()
        }
        Purpose::Folder if question.suggested.as_os_str().is_empty() => dialog.pick_folder(),
        Purpose::Folder => dialog.set_directory(&question.suggested).pick_folder(),
    }
}

impl FilePrompts {
    /// Prompts for the window of `ctx`.
    pub fn new(ctx: &Context) -> Self {
        let (prompts, coming) = crossbeam_channel::unbounded();
        Self { handle: FileDialogs { prompts, ctx: ctx.clone() }, coming, shown: None }
    }

    /// Handle for threads and jobs.
    pub fn handle(&self) -> FileDialogs {
        self.handle.clone()
    }

    /// True while the field is open.
    pub fn is_open(&self) -> bool {
        self.shown.is_some()
    }

    /// Draws the open question. Later questions wait.
    pub fn ui(&mut self, ctx: &Context) {
        if self.shown.is_none() {
            self.shown = self.coming.try_recv().ok();
        }
        let Some(prompt) = &mut self.shown else { return };
        let width = WIDTH.min(ctx.content_rect().width() - 60.0);
        let modal = Modal::new(Id::unique("path of a file")).show(ctx, |ui| {
            ui.set_width(width);
            prompt.ui(ui)
        });
        let answer = match modal.inner {
            _ if modal.should_close() => None,
            Answer::Pending => return,
            Answer::Dismissed => None,
            Answer::Path(path) => Some(path),
        };
        // The asking thread may have ended; then the answer is not needed.
        let _unwanted = prompt.answer.send(answer);
        self.shown = None;
    }
}

/// User input on the field in this frame.
enum Answer {
    /// Nothing yet.
    Pending,
    /// The question was dismissed.
    Dismissed,
    /// A path was entered.
    Path(PathBuf),
}

impl Prompt {
    /// Draws the field.
    fn ui(&mut self, ui: &mut Ui) -> Answer {
        let t = tokens(ui);
        ui.label(RichText::new(self.question.title).font(fonts::heading()).color(t.text));
        ui.add_space(2.0);
        let about = "This desktop has no file dialog. Type or paste the path";
        ui.add(Label::new(RichText::new(about).color(t.muted)).wrap());
        ui.add_space(4.0);
        let id = Id::unique("field for a path");
        let label = match self.question.purpose {
            Purpose::Folder => "Path of the folder",
            Purpose::OpenAny => "Path of the file or folder",
            Purpose::Open | Purpose::Save => "Path of the file",
        };
        let edit = TextEdit::singleline(&mut self.text).id(id).desired_width(f32::INFINITY);
        let response = ui.add(edit.margin(egui::Margin::symmetric(10, 6)));
        ui.ctx().accesskit_node_builder(id, |node| node.set_label(label));
        if std::mem::take(&mut self.focus) {
            response.request_focus();
            // Typing replaces the path of a folder; that of a refused file, and a suggested name, are corrected.
            if self.question.purpose == Purpose::Folder && self.error.is_none() {
                text_selection::select_all(ui, id, &self.text);
            }
        }
        let entered = response.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
        if let Some(error) = &self.error {
            ui.add(Label::new(RichText::new(error).color(t.warn)).wrap());
        }
        ui.add_space(6.0);
        let path = self.text.trim();
        let done = ui.horizontal(|ui| {
            let name = match self.question.purpose {
                Purpose::Open | Purpose::OpenAny => "Open",
                Purpose::Save => "Save",
                Purpose::Folder => "Choose",
            };
            let clicked = controls::primary_button(ui, name).clicked();
            if ui.button("Cancel").on_hover_text("Esc").clicked() {
                return Answer::Dismissed;
            }
            if (clicked || entered) && !path.is_empty() { Answer::Path(PathBuf::from(path)) } else { Answer::Pending }
        });
        done.inner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_refused_with_its_reason() {
        let folder = std::env::temp_dir();
        let missing = folder.join("heaplens-no-such-folder").join("x.csv");
        assert!(refusal(Purpose::Open, &folder).is_some_and(|why| why.contains("folder")));
        assert!(refusal(Purpose::Open, &missing).is_some_and(|why| why.contains("no such file")));
        assert!(refusal(Purpose::Save, &missing).is_some_and(|why| why.contains("no such folder")));
        assert!(refusal(Purpose::Folder, &missing).is_some_and(|why| why.contains("no such folder")));
        assert_eq!([Purpose::Folder, Purpose::OpenAny].map(|purpose| refusal(purpose, &folder)), [None, None]);
        assert!(refusal(Purpose::OpenAny, &missing).is_some_and(|why| why.contains("no such file")));
        assert_eq!(refusal(Purpose::Save, &folder.join("heaplens-no-such-file.csv")), None);
        assert_eq!(refusal(Purpose::Save, Path::new("heaplens-no-such-file.csv")), None);
    }
}
