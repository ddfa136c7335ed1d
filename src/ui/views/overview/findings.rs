//! Findings of the overview: a sentence each, with bytes and evidence.

use eframe::egui::{self, Align2, Rect, RichText, Sense, Ui, pos2, vec2};

use super::finding_line::{Line, List};
use super::rows::Row;
use super::{CORNER, GAP, OverviewPage};
use crate::ui::ViewContext;
use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::{bar, waiting};
use heaplens_analysis::overview::Target;
use heaplens_base::Share;
use heaplens_tables::export::report::words;
use heaplens_tables::export::traces::headline;

/// Widths of the number before a finding and of the bytes after it, in points.
const BEFORE: f32 = 52.0;
const BEHIND: f32 = 108.0;

impl OverviewPage {
    /// Draws the Android leaks first, as they are the most likely reason to open the dump.
    pub(super) fn leaks_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let Some(report) = self.report.clone().filter(|_| !self.leaks.is_empty()) else { return };
        let t = tokens(ui);
        ui.label(RichText::new("Android leaks").font(fonts::heading()).color(t.text));
        ui.label(RichText::new(headline(&report)).font(fonts::small()).color(t.muted));
        ui.add_space(8.0);
        let leaks = std::mem::take(&mut self.leaks);
        for (number, leak) in (1..).zip(&leaks) {
            self.finding_ui(ui, context, (List::AndroidLeaks, number), leak);
            ui.add_space(8.0);
        }
        self.leaks = leaks;
        ui.add_space(GAP / 2.0);
    }

    pub(super) fn findings_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let t = tokens(ui);
        ui.horizontal(|ui| {
            ui.label(RichText::new("Findings").font(fonts::heading()).color(t.text));
            let order = "Ranked by size and likelihood of a leak. Sizes overlap and do not add up";
            ui.label(RichText::new(order).font(fonts::small()).color(t.faint));
        });
        ui.add_space(8.0);
        if self.findings.is_empty() {
            let is_searching =
                [self.holders.is_running(), self.closer.is_running(), self.wasted.is_running()].contains(&true);
            let words = match &self.loss {
                _ if is_searching => "Searching…",
                Some(_) => words::NOTHING_READ,
                None => words::NOTHING,
            };
            ui.add(egui::Label::new(RichText::new(words).color(t.muted)).wrap());
        }
        let findings = std::mem::take(&mut self.findings);
        for (number, finding) in (1..).zip(&findings) {
            self.finding_ui(ui, context, (List::Findings, number), finding);
            ui.add_space(8.0);
        }
        self.findings = findings;
        self.expected_ui(ui);
        if self.known.holders.is_none() || self.known.wasted.is_none() || self.known.closer.is_none() {
            self.missing_ui(ui);
        }
    }

    /// Draws the findings that the user marked as expected.
    fn expected_ui(&mut self, ui: &mut Ui) {
        let expected = self.known.holders.iter().flat_map(|holders| &holders.expected);
        let mut expected = expected.peekable();
        if expected.peek().is_none() {
            return;
        }
        let t = tokens(ui);
        let total = self.known.glance.totals.shallow;
        ui.label(RichText::new("Marked as expected").font(fonts::small()).color(t.faint));
        for row in expected {
            let (name, more) = (&row.name, &row.verdict.reason);
            let (bytes, target) = (Some(row.bytes), Target::Leaks);
            self.rows.row_ui(ui, &Row { name, is_class: false, more, bytes, total, target, mark: None });
        }
        ui.add_space(8.0);
    }

    fn finding_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, position: (List, usize), finding: &Line) {
        let (list, number) = position;
        let t = tokens(ui);
        let width = ui.available_width();
        let words = (width - BEFORE - BEHIND).max(80.0);
        let sentence = ui.painter().layout(finding.sentence.clone(), fonts::medium(), t.text, words);
        let why = ui.painter().layout(finding.why.clone(), fonts::small(), t.muted, words);
        let height = 11.0 + sentence.size().y + 3.0 + why.size().y + 9.0 + 5.0 + 11.0;
        let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::HOVER);
        let name = format!("{} {number}: {}", list.item(), finding.sentence);
        let (response, stands_out) = self.rows.add_row(ui, rect, &name, finding.target);
        if self.rows.was_at_cursor() {
            self.at_cursor = Some((list, number - 1));
        }
        self.menu_ui(&response, context, finding);
        let fill = if stands_out || response.hovered() { t.hover } else { t.panel };
        let edge = if stands_out { t.accent } else { t.border };
        ui.painter().rect(rect, f32::from(CORNER), fill, (1.0, edge), egui::StrokeKind::Inside);
        let badge = Rect::from_center_size(pos2(rect.left() + 26.0, rect.top() + 25.0), vec2(26.0, 26.0));
        ui.painter().rect_filled(badge, 8.0, t.selected);
        ui.painter().text(badge.center(), Align2::CENTER_CENTER, number, fonts::medium(), t.accent);
        let at = pos2(rect.left() + BEFORE, rect.top() + 11.0);
        let below = at + vec2(0.0, sentence.size().y + 3.0);
        let track =
            Rect::from_min_max(pos2(at.x, rect.bottom() - 16.0), pos2(rect.right() - 16.0, rect.bottom() - 11.0));
        ui.painter().galley(at, sentence, t.text);
        ui.painter().galley(below, why, t.muted);
        let share = Share::of(finding.bytes, finding.total);
        bar::paint(ui.painter(), track, share, t);
        let right = pos2(rect.right() - 16.0, rect.top() + 11.0);
        ui.painter().text(right, Align2::RIGHT_TOP, finding.bytes, fonts::heading(), t.text);
        let under = right + vec2(0.0, 22.0);
        ui.painter().text(under, Align2::RIGHT_TOP, share, fonts::small(), t.faint);
        response.on_hover_text_at_pointer(format!("{} bytes, {share}", finding.bytes.exact()));
    }

    /// Draws the progress of searches that are still running.
    fn missing_ui(&self, ui: &mut Ui) {
        let t = tokens(ui);
        let errors = [self.holders.error(), self.closer.error(), self.wasted.error()];
        let (words, progress) = if self.holders.is_running() {
            ("Searching for leaks…", self.holders.progress())
        } else if self.closer.is_running() {
            ("Analyzing packages, threads and class loaders…", self.closer.progress())
        } else if self.wasted.is_running() {
            ("Searching for duplicate strings and other waste…", self.wasted.progress())
        } else if let Some(why) = errors.into_iter().flatten().next() {
            ui.label(RichText::new(why).font(fonts::small()).color(t.error));
            return;
        } else {
            let hint = "Waste has not been searched for: it takes a while for a dump of this size (start it under Waste below)";
            ui.label(RichText::new(hint).font(fonts::small()).color(t.faint));
            return;
        };
        ui.label(RichText::new(words).font(fonts::small()).color(t.faint));
        let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), 4.0), Sense::HOVER);
        waiting::progress_ui(ui, line, progress.as_ref());
        ui.add_space(GAP / 2.0);
    }
}
