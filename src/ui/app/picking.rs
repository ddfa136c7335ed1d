//! Files that are dropped on the window, selected in a dialog, or handed over by another process.

use std::path::{Path, PathBuf};

use eframe::egui;
use egui::{Context, ViewportCommand};

use super::App;
use super::companion_files::command_for;
use super::pending::FileSelection;
use crate::ui::Command;
use crate::ui::file_dialog::{Purpose, Question};
use heaplens_heap::format::FILE_EXTENSIONS;

impl App {
    /// Asks for heap dumps to open.
    pub(super) fn pick(&mut self) {
        let kinds = vec![("Heap dumps", FILE_EXTENSIONS.to_vec())];
        let question = Question { title: "Open heap dump", suggested: PathBuf::new(), kinds, purpose: Purpose::Open };
        self.pick_file(question, |path| FileSelection {
            paths: path.into_iter().collect(),
            ..FileSelection::default()
        });
    }

    /// Asks for a file of digests, whose folder is opened.
    pub(super) fn pick_fleet(&mut self) {
        let kinds = vec![("Digests", vec!["parquet", "jsonl"])];
        let question = Question { title: "Open fleet", suggested: PathBuf::new(), kinds, purpose: Purpose::Open };
        self.pick_file(question, |path| FileSelection {
            paths: path.iter().filter_map(|path| path.parent()).map(Path::to_owned).collect(),
            ..FileSelection::default()
        });
    }

    /// Asks for a file to read, one question at a time; the answer arrives in [`App::take_files`].
    pub(super) fn pick_file(
        &mut self,
        question: Question,
        picked: impl FnOnce(Option<PathBuf>) -> FileSelection + Send + 'static,
    ) {
        if std::mem::replace(&mut self.dialog_open, true) {
            return;
        }
        let (dialogs, sender) = (self.file_prompts.handle(), self.picking.0.clone());
        self.dialog_open = dialogs.ask_aside(
            || question,
            move |path| {
                // The window may be closed; then the receiver is gone.
                let _unwanted = sender.send(picked(path));
            },
        );
    }

    /// Handles dropped files and results of file dialogs.
    pub(super) fn take_files(&mut self, ctx: &Context, commands: &mut Vec<Command>) {
        let dropped: Vec<PathBuf> = ctx.input(|i| i.raw.dropped_files.iter().map(|f| f.path().to_owned()).collect());
        let dropped = dropped.into_iter().filter(|path| !path.as_os_str().is_empty());
        let (about, dumps): (Vec<PathBuf>, Vec<PathBuf>) = dropped.partition(|path| command_for(path).is_some());
        commands.extend(opening(dumps));
        commands.extend(about.iter().filter_map(|path| command_for(path)));
        let picked: Vec<FileSelection> = self.picking.1.try_iter().collect();
        for FileSelection { paths, links, from_outside, command } in picked {
            if from_outside {
                // Where the system does not allow a window to raise itself, it requests attention.
                ctx.send_viewport_cmd(ViewportCommand::Minimized(false));
                ctx.send_viewport_cmd(ViewportCommand::Focus);
                ctx.send_viewport_cmd(ViewportCommand::RequestUserAttention(egui::UserAttentionType::Informational));
            } else {
                self.dialog_open = false;
            }
            // Another dump may have become current while the dialog was open.
            if let Some((about, command)) = command.filter(|(about, _)| self.tab(*about).is_some()) {
                commands.extend([Command::ShowTab(about), command]);
            }
            commands.extend(opening(paths));
            commands.extend(links.into_iter().map(Command::OpenLink));
        }
    }
}

/// Command that opens `paths`; none without paths.
fn opening(paths: Vec<PathBuf>) -> Option<Command> {
    (!paths.is_empty()).then_some(Command::Open(paths))
}
