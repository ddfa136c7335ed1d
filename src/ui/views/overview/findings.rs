//! Findings below the page: leaks of Android and what the page does not tell, a sentence each with bytes and evidence.

use eframe::egui::{self, Align2, Rect, RichText, Sense, Ui, pos2, vec2};

use super::copied::{Copied, MenuLine};
use super::finding_line::{Line, List};
use super::rows::Row;
use super::{CORNER, GAP, OverviewPage};
use crate::ui::ViewContext;
use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::bar;
use heaplens_analysis::overview::Target;
use heaplens_base::Share;

/// Widths of the number before a finding and of the bytes after it, in points.
const BEFORE: f32 = 52.0;
const BEHIND: f32 = 108.0;

impl OverviewPage {
    /// Draws the Android leaks with the reason of each.
    pub(super) fn leaks_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        if self.leaks.is_empty() {
            return;
        }
        ui.label(RichText::new("Android leaks").font(fonts::heading()).color(tokens(ui).text));
        ui.add_space(8.0);
        let leaks = std::mem::take(&mut self.leaks);
        for (number, leak) in (1..).zip(&leaks) {
            self.finding_ui(ui, context, (List::AndroidLeaks, number), leak);
            ui.add_space(8.0);
        }
        self.leaks = leaks;
        ui.add_space(GAP / 2.0);
    }

    /// Draws findings that the page does not tell.
    pub(super) fn others_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        if !self.others.is_empty() {
            let t = tokens(ui);
            ui.horizontal(|ui| {
                ui.label(RichText::new("Other findings").font(fonts::heading()).color(t.text));
                let order = "Ranked by size and likelihood of a leak. Sizes overlap and do not add up";
                ui.add(egui::Label::new(RichText::new(order).font(fonts::small()).color(t.faint)).truncate());
            });
            ui.add_space(8.0);
        }
        let findings = std::mem::take(&mut self.others);
        for (number, finding) in (1..).zip(&findings) {
            self.finding_ui(ui, context, (List::Others, number), finding);
            ui.add_space(8.0);
        }
        self.others = findings;
        self.expected_ui(ui);
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
        let (response, stands_out) = self.rows.add_row(ui, rect, &name, &finding.lead);
        let text = finding.copied_text();
        let about = finding.about.as_ref();
        self.menu_ui(&response, context, MenuLine { lead: &finding.lead, text: &text, copy: "Copy finding", about });
        if self.rows.was_at_cursor() {
            self.at_cursor = Some(Copied::of(&finding.lead, text));
        }
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
}
