//! Execution of commands about rows of a dump, which need that dump to be open.

use eframe::egui::Context;

use super::App;
use crate::ui::export_content::ExportContent;
use crate::ui::tab::Tab;
use crate::ui::{Command, DumpKey, Location, RowCommand, View};
use heaplens_heap::ObjectId;
use heaplens_session::OpenDump;

impl App {
    /// Dump of the current location.
    pub(super) fn dump_now(&self) -> Option<DumpKey> {
        self.location().map(|location| location.dump)
    }

    /// Executes a command about rows of the current dump.
    pub(super) fn apply_here(&mut self, ctx: &Context, command: RowCommand) {
        if let Some(dump) = self.dump_now() {
            self.apply(ctx, Command::InDump(dump, command));
        }
    }

    /// Executes a command about rows of the dump `of`. If another dump is current by now (e.g. after the key for the
    /// next tab in the same frame), only commands that show nothing are executed.
    pub(super) fn apply_in(&mut self, ctx: &Context, of: DumpKey, command: RowCommand) {
        // The dump may be closed or reloading: then row numbers are invalid.
        let Some(dump) = self.tab(of).and_then(Tab::open_dump).cloned() else { return };
        let at = |object: ObjectId, location: Location| {
            let class = Some(dump.heap.class_id(object));
            Location { object: Some(object), class, ..location }
        };
        match command {
            RowCommand::WriteNote(object, note) => self.mark(of, object, |mark| mark.note = note),
            RowCommand::Cut(cut) => self.change_cuts(Some(of), |cuts, dump, jobs| cuts.toggle(cut, dump, jobs)),
            RowCommand::CutTogether(cuts) => {
                self.change_cuts(Some(of), |all, dump, jobs| all.toggle_all(cuts, dump, jobs));
            }
            RowCommand::InitialSelection(object) => self.history.correct_last_in(of, |location| at(object, location)),
            // The view has moved its cursor already and reports it once.
            RowCommand::MoveCursor(object) if self.dump_now() != Some(of) => {
                self.history.correct_last_in(of, |location| at(object, location));
            }
            _ if self.dump_now() != Some(of) => {}
            RowCommand::Select(object) => self.go(|location| {
                let there = at(object, location);
                // The list of a class can only show its own objects.
                let stays = location.view != View::Objects || location.class == there.class;
                let view = if location.view.is_about_objects() && stays { location.view } else { View::Dominators };
                Location { view, ..there }
            }),
            RowCommand::MoveCursor(object) => self.pass(|location| at(object, location)),
            RowCommand::MoveCursorToGroup(class) => {
                self.pass(|location| Location { object: None, class: class.or(location.class), ..location });
            }
            RowCommand::SelectClass(class) => {
                self.go(|location| Location { class: Some(class), object: None, ..location })
            }
            RowCommand::MoveCursorToClass(class) => {
                self.pass(|location| Location { class: Some(class), object: None, ..location });
            }
            RowCommand::ObjectsOf(class) => {
                self.objects_as_seen();
                self.go(|location| {
                    let object =
                        location.object.filter(|_| location.class == Some(class) && location.view.is_about_objects());
                    Location { view: View::Objects, class: Some(class), object, ..location }
                });
            }
            RowCommand::About(object, verb) => self.apply_about(ctx, object, verb),
            RowCommand::AboutClass(class, verb) => self.apply_about_class(ctx, class, verb),
            RowCommand::ShowLeak(object) => self.show_leak(Some(object), None),
            RowCommand::ShowFinding(object, fingerprint) => self.show_leak(object, Some(fingerprint)),
            RowCommand::LinkFinding(object, fingerprint) => self.copy_link_of_finding(object, fingerprint),
            RowCommand::Reveal(object) => {
                self.go(|location| Location { view: View::Dominators, ..at(object, location) })
            }
            RowCommand::RevealBefore(object) => self.show_before(View::Dominators, Some(object), None),
            RowCommand::ObjectsBefore(class) => self.show_before(View::Objects, None, Some(class)),
            RowCommand::Query(query) => {
                if let Some(tab) = self.tab_mut(of) {
                    tab.views.query.show(query);
                }
                self.go(|location| Location { view: View::Query, ..location });
            }
            RowCommand::Export(query, title) => self.export(ctx, dump, ExportContent::Rows(*query), &title),
            RowCommand::ExportAnswer(answer) => self.export(ctx, dump, ExportContent::Answer(answer), "Answer"),
            RowCommand::ExportFindings(findings) => {
                self.export(ctx, dump, ExportContent::Findings(findings), "Leaks");
            }
            RowCommand::ExportBitmap(bitmap) => {
                let title = format!("bitmap {}", dump.heap.id_text(bitmap.object));
                self.export(ctx, dump, ExportContent::Picture(bitmap), &title);
            }
        }
    }

    /// Moves the cursor to a location: cursor movements in a row are one entry of the history.
    fn pass(&mut self, change: impl FnOnce(Location) -> Location) {
        if let Some(location) = self.location() {
            self.history.pass(change(location));
        }
    }

    /// Asks for a file and exports to it.
    fn export(&mut self, ctx: &Context, dump: OpenDump, content: ExportContent, title: &str) {
        self.exporting.ask(ctx, self.file_prompts.handle(), dump, content, title);
    }

    /// Filters the list of objects by the Android heap that the histogram shows.
    fn objects_as_seen(&mut self) {
        let Some(location) = self.location().filter(|location| location.view != View::Objects) else { return };
        if let Some(tab) = self.tab_mut(location.dump) {
            tab.views.filter_objects_like_histogram(location.view == View::Histogram);
        }
    }
}
