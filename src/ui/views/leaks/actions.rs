//! Actions on the list: select, collapse, copy, export.

use std::sync::Arc;

use eframe::egui::{Key, Modifiers, Ui};

use super::Leaks;
use super::detail::show;
use crate::ui::export_content::{ExportContent, Findings};
use crate::ui::widgets::TableOutput;
use crate::ui::{SelectedBy, ViewContext};
use heaplens_analysis::android::shark::Leak;
use heaplens_analysis::leaks::words;
use heaplens_analysis::{LeakFinding, TextFilter};
use heaplens_session::OpenDump;
use heaplens_session::files::file_name;
use heaplens_tables::export::copy::traces::{TracePart, complete_report, copied};
use heaplens_tables::export::copy::{Clip, ClipBody};
use heaplens_tables::export::leaks::Counts;
use heaplens_tables::leak_list::filter::{NUMBERS, finding_passes, keep};
use heaplens_tables::leak_list::groups::GroupHead;
use heaplens_tables::leak_list::lines::LeakLine;
use heaplens_tables::{Question, RowTarget, TableContext, clips};

impl Leaks {
    /// Right expands a group, left collapses it, or the group of the row.
    pub(super) fn fold_keys(&mut self, ui: &Ui, active: bool) {
        let Some(row) = self.table.cursor().filter(|_| active) else { return };
        let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        let (right, left) = (pressed(Key::ArrowRight), pressed(Key::ArrowLeft));
        match self.lines.get(row as usize).copied() {
            Some(LeakLine::Head(head)) if right && self.folded.0.contains(&head) => self.turn(head),
            Some(LeakLine::Head(head)) if left && !self.folded.0.contains(&head) => self.turn(head),
            Some(LeakLine::Head(_)) | None => {}
            Some(line) if left => {
                let head = self.head_of(line).map(LeakLine::Head);
                let head = self.lines.iter().position(|&line| Some(line) == head);
                head.into_iter().for_each(|head| self.table.select_and_show(head as u64));
            }
            Some(_) => {}
        }
    }

    /// Collapses or expands a group; the cursor stays on its heading.
    fn turn(&mut self, head: GroupHead) {
        let folded = self.folded.0.len();
        self.folded.0.retain(|&other| other != head);
        if self.folded.0.len() == folded {
            self.folded.0.push(head);
        }
        self.line_up();
        let head = self.lines.iter().position(|&line| line == LeakLine::Head(head));
        self.table.select(head.map(|head| head as u64));
    }

    pub(super) fn handle(&mut self, context: &mut ViewContext<'_>, output: &TableOutput) {
        let line = |row: Option<u64>| self.lines.get(row? as usize).copied();
        let (clicked, moved, activated) = (line(output.clicked), line(output.moved), line(output.activated));
        let toggled = line(output.toggled);
        let is_row = |line: &LeakLine| !matches!(line, LeakLine::Head(_));
        if let Some(line) = clicked.or(moved).filter(is_row) {
            (self.chosen, self.is_picked, self.wanted) = (Some(line), true, None);
            let by = if clicked.is_some() { SelectedBy::Click } else { SelectedBy::Cursor };
            // Waste is spread over the heap, so the panes have no object to show.
            context.select_target(self.object_of(line).map_or(RowTarget::None, RowTarget::Object), by);
        }
        match (clicked, activated) {
            (Some(LeakLine::Head(head)), _) | (None, Some(LeakLine::Head(head))) => self.turn(head),
            (_, Some(LeakLine::Finding(at))) => {
                self.findings.findings.get(at).into_iter().for_each(|finding| show(context, finding));
            }
            (_, Some(line)) => {
                self.object_of(line).into_iter().for_each(|object| context.open(RowTarget::Object(object)));
            }
            _ => {}
        }
        if let Some(LeakLine::Head(head)) = toggled {
            self.turn(head);
        }
        if context.copies_rows() {
            self.copy(context);
        }
        if context.exports() {
            let filter = self.filter.checked(&NUMBERS);
            let passing = self.findings.findings.iter().filter(|finding| finding_passes(finding, &filter));
            let report = self.traces.report();
            let findings = Findings {
                findings: passing.cloned().collect(),
                nothing: words::none_of(self.findings.findings.len()),
                counts: Counts::of(&self.findings.findings, report.map(|report| &**report)),
                report: report.map(|report| {
                    let mut report = (**report).clone();
                    keep(&mut report, &filter);
                    report
                }),
            };
            context.export(ExportContent::Findings(Arc::new(findings)), "Leaks");
        }
    }

    /// Copies the selected leaks or findings.
    fn copy(&self, context: &mut ViewContext<'_>) {
        let rows = self.table.selection().unwrap_or(0..=0);
        let selected = rows.filter_map(|row| self.lines.get(row as usize).copied());
        let mut lines: Vec<LeakLine> = selected.filter(|line| !matches!(line, LeakLine::Head(_))).collect();
        if lines.is_empty() {
            lines.extend(self.chosen);
        }
        let parts: Vec<TracePart> = lines.iter().filter_map(|&line| self.trace_part(line)).collect();
        if !parts.is_empty() {
            let one = if let ([TracePart::Leak(leak, _)], [_]) = (&*parts, &*lines) { Some(leak) } else { None };
            let filter = one.map(|leak| leak.fingerprint.clone());
            let bytes = self.traces.report().map_or_else(Default::default, |report| report.metadata.bytes);
            context.copy(move |dump, _| Ok(clip(dump, filter, copied(TableContext::of(dump), bytes, &parts))));
            return;
        }
        let finding =
            |line| if let LeakLine::Finding(at) = line { self.findings.findings.get(at).cloned() } else { None };
        let copied: Vec<LeakFinding> = lines.into_iter().filter_map(finding).collect();
        let filter = if let [one] = copied.as_slice() { Some(filter_of(one, &self.findings.findings)) } else { None };
        context.copy(move |dump, _| Ok(clip(dump, filter, clips::findings(dump, copied))));
    }

    fn trace_part(&self, line: LeakLine) -> Option<TracePart> {
        match line {
            LeakLine::Leak(at) => Some(TracePart::Leak(self.traces.leak(at)?.clone(), self.traces.shown(at))),
            LeakLine::Lost(at) => Some(TracePart::Unreachable(self.traces.unreachable(at)?.clone())),
            LeakLine::Head(_) | LeakLine::Finding(_) => None,
        }
    }

    /// Copies LeakCanary's report once it is computed.
    pub fn copy_report(&mut self) {
        self.is_report_wanted = true;
    }

    pub(super) fn copy_wanted_report(&mut self, context: &mut ViewContext<'_>) {
        if !self.is_report_wanted {
            return;
        }
        self.traces.ask(context.dump, context.jobs, context.references);
        self.is_report_wanted = self.traces.is_running();
        let Some(report) = self.traces.report().cloned() else { return };
        self.is_report_wanted = false;
        context.copy(move |dump, _| {
            let name = file_name(&dump.opened.file);
            let command = Question::new("leaks", &dump.opened).option("form", "leakcanary");
            Ok(clips::clip(dump, "Leaks", command, complete_report(TableContext::of(dump), &report, &name)))
        });
    }

    /// True if an Android leak is selected.
    pub fn has_trace(&self) -> bool {
        self.chosen_leak().is_some_and(|leak: &Leak| !leak.traces.is_empty())
    }
}

fn clip(dump: &OpenDump, filter: Option<String>, body: ClipBody) -> Clip {
    let before = dump.compared().map(|(before, _)| &before.opened.file);
    let command = Question::new("leaks", &dump.opened).some("before", before).some("filter", filter);
    clips::clip(dump, "Leaks", command, body)
}

/// A filter that matches only this finding: its name if that is unique among the findings, else its fingerprint.
fn filter_of(finding: &LeakFinding, all: &[LeakFinding]) -> String {
    let by_name = TextFilter::parse(&finding.name).ok().filter(|_| !finding.name.is_empty());
    let passing = by_name.map(|filter| all.iter().filter(|finding| finding.passes(&filter)).count());
    if passing == Some(1) { finding.name.clone() } else { finding.fingerprint.clone() }
}
