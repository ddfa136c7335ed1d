//! Actions on a finding of the overview: context menu, copying, and cutting the references it names.

use std::sync::Arc;

use eframe::egui::Response;

use super::OverviewPage;
use super::copied::{Copied, MenuLine};
use crate::ui::views::finding_menu::{FindingView, items};
use crate::ui::widgets::object_menu::{Item, items_ui};
use crate::ui::{Command, DumpKey, Verb, View, ViewContext};
use heaplens_analysis::LeakFinding;
use heaplens_analysis::leaks::all_cuts;
use heaplens_analysis::overview::Target;
use heaplens_heap::ObjectId;
use heaplens_tables::export::copy::ClipBody;
use heaplens_tables::story::Lead;
use heaplens_tables::{Question, clips};

impl OverviewPage {
    /// Draws the context menu of a line. The right click has moved the cursor to it.
    pub(super) fn menu_ui(&mut self, response: &Response, context: &mut ViewContext<'_>, line: MenuLine<'_>) {
        let (dump, heap) = (context.location.dump, context.dump.heap.clone());
        let mut chosen = None;
        response.context_menu(|ui| {
            let entries = match line.lead {
                Lead::Finding(finding) => items(dump, &heap, finding, FindingView::Overview),
                Lead::View(Target::Leak(object)) => of_leaking(dump, line, *object),
                _ => vec![copied(line)],
            };
            chosen = items_ui(ui, entries);
        });
        match (chosen, line.lead) {
            (Some(Verb::CutReference), Lead::Finding(finding)) => self.cut(context, finding),
            (Some(Verb::CopyPath), Lead::Finding(finding)) => copy_path(context, finding),
            _ => {}
        }
    }

    pub(super) fn copy_at_cursor(&self, context: &mut ViewContext<'_>) {
        match &self.at_cursor {
            Some(Copied::Finding(finding)) => copy(context, finding),
            Some(Copied::Text(text)) => context.push(Command::Copy(text.clone(), "the line".to_owned())),
            None => context.push(Command::Hint("Select a finding to copy it".to_owned())),
        }
    }

    /// Cuts all references that a finding names, once they are known.
    fn cut(&mut self, context: &ViewContext<'_>, finding: &Arc<LeakFinding>) {
        let (dump, finding) = (context.dump.clone(), Arc::clone(finding));
        self.cutting
            .ask(context.jobs, "references to cut", move |task| Ok(all_cuts(dump.namer(task)?, &finding, task)?));
    }

    /// Cuts the references once they are found.
    pub(super) fn take_cuts(&mut self, context: &mut ViewContext<'_>) {
        if let Some(cuts) = self.cutting.take_new() {
            context.push(if cuts.is_empty() {
                Command::Hint("No reference to cut: only GC roots hold the object".to_owned())
            } else {
                Command::Cut(context.location.dump, cuts)
            });
        }
    }
}

fn copied(line: MenuLine<'_>) -> Item {
    Item::new(Verb::CopyRows, Command::Copy(line.text.to_owned(), "the line".to_owned())).called(line.copy)
}

/// Menu entries of an Android leak.
fn of_leaking(dump: DumpKey, line: MenuLine<'_>, object: ObjectId) -> Vec<Item> {
    let about = |verb| Item::of_object(verb, dump, object);
    let verdict = line.about.cloned().map(|about| Command::SetVerdict(Box::new(about)));
    let mut entries = vec![
        about(Verb::Show(View::Leaks)).called("Show in Leaks"),
        about(Verb::ShowInTree),
        about(Verb::ObjectsOfClass),
        about(Verb::Incoming),
        about(Verb::Outgoing),
        about(Verb::Star).below_line(),
    ];
    entries.extend(verdict.map(|verdict| Item::new(Verb::Verdict, verdict)));
    entries.extend([copied(line).below_line(), about(Verb::CopyId), about(Verb::CopyLink)]);
    entries
}

/// Copies a finding in the format of Leaks.
fn copy(context: &mut ViewContext<'_>, finding: &Arc<LeakFinding>) {
    let finding = Arc::clone(finding);
    context.copy(move |dump, _| {
        let before = dump.compared().map(|(before, _)| &before.opened.file);
        let question = Question::new("leaks", &dump.opened).some("before", before);
        let command = question.option("filter", finding.fingerprint.clone());
        Ok(clips::clip(dump, "Leaks", command, clips::findings(dump, vec![LeakFinding::clone(&finding)])))
    });
}

fn copy_path(context: &mut ViewContext<'_>, finding: &LeakFinding) {
    let Some((path, point)) = finding.path.clone().zip(finding.point.clone()) else { return };
    context.copy(move |dump, _| {
        let command = Question::new("paths", &dump.opened).argument(point.id.clone());
        let title = format!("Path to {}", clips::name(dump, point.object));
        Ok(clips::clip(dump, &title, command, ClipBody::Path(path)))
    });
}
