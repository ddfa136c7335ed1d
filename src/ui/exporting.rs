//! Export of a table to a file: file dialog, progress and result.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};
use eframe::egui;
use egui::{Align2, Area, Context, Id, RichText, vec2};

use super::command::Command;
use super::export_content::ExportContent;
use super::file_dialog::{FileDialogs, Purpose, Question};
use super::shell::toasts::Toasts;
use super::theme::tokens;
use super::verb::Verb;
use heaplens_base::{Bytes, Count, Unit};
use heaplens_heap::Heap;
use heaplens_session::files::free_name;
use heaplens_session::output_file::{OutputFile, OutputKind};
use heaplens_session::{Jobs, OpenDump, Slot};
use heaplens_tables::{OutputForm, TableError};

/// Exports, one at a time.
pub struct Exporting {
    /// The selected file; `None` if the dialog was dismissed.
    picking: (Sender<Option<PathBuf>>, Receiver<Option<PathBuf>>),
    /// The export that waits for its file.
    pending: Option<(OpenDump, ExportContent)>,
    /// File for the next export without a dialog.
    target: Option<PathBuf>,
    writing: Slot<(PathBuf, u64)>,
    /// Heap of the running export.
    of: Option<Arc<Heap>>,
    /// The export was cancelled by a reload, not by the user.
    is_aborted: bool,
}

impl Default for Exporting {
    fn default() -> Self {
        Self {
            picking: crossbeam_channel::unbounded(),
            pending: None,
            target: None,
            writing: Slot::default(),
            of: None,
            is_aborted: false,
        }
    }
}

impl Exporting {
    /// Writes the next export to this file, without a dialog.
    pub fn write_to(&mut self, path: &Path) {
        self.target = Some(path.to_owned());
    }

    /// Starts an export; asks for the file on a separate thread.
    pub fn ask(&mut self, ctx: &Context, dialogs: FileDialogs, open_dump: OpenDump, what: ExportContent, title: &str) {
        if self.is_running() {
            return;
        }
        let dump = heaplens_session::files::file_name(&open_dump.opened.file);
        let dump = dump.trim_end_matches(".gz").trim_end_matches(".hprof");
        let stem = format!("{dump} {}", title.to_lowercase());
        let sender = self.picking.0.clone();
        let end = what.extension();
        let folder = open_dump.opened.file.parent().map(Path::to_owned).unwrap_or_default();
        let mut kinds: Vec<_> = what.forms().iter().map(|form| form.file_kind()).collect();
        let is_picture = kinds.is_empty();
        if is_picture {
            kinds.push(("Image", vec![end]));
        }
        self.pending = Some((open_dump, what));
        if let Some(path) = self.target.take() {
            // The channel is unbounded.
            let _sent = sender.send(Some(path));
            return ctx.request_repaint();
        }
        let title = if is_picture { "Save bitmap" } else { "Export table" };
        let is_asked = dialogs.ask_aside(
            move || Question { title, suggested: free_name(&folder, &stem, end), kinds, purpose: Purpose::Save },
            move |path| {
                // If the window was closed, the file is not needed.
                let _unwanted = sender.send(path);
            },
        );
        if !is_asked {
            self.pending = None;
        }
    }

    /// Drops the pending export of a dump and cancels a running one, because its answers are no longer valid.
    pub fn forget(&mut self, dump: &OpenDump) {
        if self.pending.as_ref().is_some_and(|(pending, _)| Arc::ptr_eq(&pending.heap, &dump.heap)) {
            // A new channel: the answer of the open dialog is discarded.
            (self.pending, self.picking) = (None, crossbeam_channel::unbounded());
        }
        if self.writing.is_running() && self.of.as_ref().is_some_and(|heap| Arc::ptr_eq(heap, &dump.heap)) {
            self.stop();
            self.is_aborted = true;
        }
    }

    /// Starts the export once a file is selected, and reports results.
    pub fn tick(&mut self, ctx: &Context, jobs: &Jobs, toasts: &mut Toasts) {
        let picked = self.picking.1.try_iter().last();
        // A dismissed dialog also ends the pending export.
        if let Some((path, pending)) = picked.and_then(|path| path.zip(self.pending.take())) {
            self.write(jobs, pending, path);
        }
        match self.writing.take_ended() {
            Some(Ok((path, bytes))) => {
                toasts.done(ctx, format!("Exported {} to {}", Bytes(bytes), path.display()));
            }
            Some(Err(error)) => toasts.warn(ctx, format!("Export failed: {error}")),
            None => {}
        }
        if std::mem::take(&mut self.is_aborted) {
            toasts.warn(ctx, "Export cancelled: the dump was reloaded with different settings".to_owned());
        }
    }

    fn write(&mut self, jobs: &Jobs, (dump, what): (OpenDump, ExportContent), path: PathBuf) {
        self.of = Some(dump.heap.clone());
        self.writing.ask(jobs, "export a table", move |task| {
            let form = OutputForm::of_file(&path, what.forms());
            let mut bytes = 0;
            let inputs = dump.files();
            let output = OutputFile::new(&path, OutputKind::Text, &inputs).with_values(!dump.facts.is_redacted());
            output.write(|out| -> Result<(), TableError> {
                let mut counted = CountingWriter { out, bytes: &mut bytes };
                let written = what.write(&dump, form, &mut counted, task);
                // If placeholders were written for unreadable data, the export fails.
                written.and_then(|()| dump.doubt().map_or(Ok(()), |why| Err(TableError::InvalidQuery(why))))
            })?;
            Ok((path, bytes))
        });
    }

    /// Cancels the export.
    pub fn stop(&mut self) {
        self.writing.cancel();
    }

    /// True while the file dialog is open or the export is running.
    pub fn is_running(&self) -> bool {
        self.pending.is_some() || self.writing.is_running()
    }

    /// Draws the progress above the status bar.
    pub fn ui(&self, ctx: &Context, commands: &mut Vec<Command>) {
        let Some(progress) = self.writing.progress() else { return };
        ctx.request_repaint_after(Duration::from_millis(100));
        let area = Area::new(Id::unique("exporting")).anchor(Align2::RIGHT_BOTTOM, vec2(-12.0, -40.0));
        area.order(egui::Order::Foreground).show(ctx, |ui| {
            let t = tokens(ui);
            let frame = egui::Frame::NONE.fill(t.raised).stroke((1.0, t.edge)).corner_radius(8.0);
            frame.inner_margin(egui::Margin::symmetric(14, 8)).show(ui, |ui| {
                ui.horizontal(|ui| {
                    let rows = Count(progress.done);
                    let text = match progress.unit {
                        _ if progress.step.is_empty() => "Exporting…".to_owned(),
                        Unit::Rows => format!("Exporting, {rows} of {} rows", Count(progress.total)),
                        Unit::Bytes | Unit::Objects | Unit::References => {
                            format!("Exporting: {}", progress.step.to_lowercase())
                        }
                    };
                    ui.label(RichText::new(text).color(t.text));
                    if ui.button("Cancel").on_hover_text(Verb::StopExport.entry().about).clicked() {
                        commands.push(Command::from(Verb::StopExport));
                    }
                });
            });
        });
    }
}

/// Writer that counts bytes.
struct CountingWriter<'a> {
    out: &'a mut dyn std::io::Write,
    bytes: &'a mut u64,
}

impl std::io::Write for CountingWriter<'_> {
    fn write(&mut self, buffer: &[u8]) -> std::io::Result<usize> {
        let written = self.out.write(buffer)?;
        *self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}
