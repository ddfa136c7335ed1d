//! The page for the person on call at the top of the overview: its parts in their order, each sentence a row that leads on.
//! Parts that are not known yet have their room.

use std::sync::Arc;

use eframe::egui::{self, Align2, Color32, FontId, Galley, Rect, RichText, Sense, Ui, pos2, vec2};

use super::copied::{Copied, MenuLine};
use super::path_line::PathLine;
use super::{GAP, OverviewPage};
use crate::ui::ViewContext;
use crate::ui::theme::{Icon, fonts, icons, sizes, tokens};
use crate::ui::widgets::waiting;
use heaplens_analysis::overview::Target;
use heaplens_tables::story::{Claim, Lead, Story, StoryPart, StoryStep};

/// Width of the titles of parts beside their sentences, and of the page from which on they are beside.
const TITLES: f32 = 176.0;
const BESIDE: f32 = 760.0;
/// Longest line of a sentence: longer ones are hard to read.
const LINE: f32 = 860.0;
/// Space above and below a sentence, and between parts.
const SENTENCE: f32 = 4.0;
const PARTS: f32 = 9.0;
/// Room for the arrow of a sentence that leads on.
const ARROW: f32 = 22.0;
/// Width of the mark before a sentence.
const MARK: f32 = 14.0;
/// Parts that almost every page has, which have room before they are known, with their number of lines.
const EXPECTED: [(StoryPart, usize); 5] = [
    (StoryPart::Cause, 1),
    (StoryPart::Memory, 2),
    (StoryPart::Holders, 2),
    (StoryPart::Change, 1),
    (StoryPart::Unknown, 2),
];

/// How a sentence looks.
struct Look {
    font: FontId,
    color: Color32,
    /// Inset from the left, in points.
    inset: f32,
    mark: Option<Icon>,
}

impl OverviewPage {
    /// Draws the page as far as it is known.
    pub(super) fn story_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let story = std::mem::take(&mut self.steps.story);
        self.verdict_ui(ui, context, &story);
        for part in StoryPart::ALL.into_iter().filter(|&part| part != StoryPart::Verdict) {
            let claims = story.claims(part);
            if claims.is_empty() {
                self.pending_ui(ui, part);
            } else if part == StoryPart::Path {
                self.path_ui(ui, context, claims, &story.path);
            } else {
                self.part_ui(ui, context, part, claims);
            }
            if part == StoryPart::Memory && !claims.is_empty() {
                self.waste_ui(ui, context);
            }
        }
        self.steps.story = story;
        if let Some(why) = self.steps.error() {
            ui.add_space(PARTS);
            ui.add(egui::Label::new(RichText::new(why).color(tokens(ui).error)).wrap());
        }
        ui.add_space(GAP + PARTS);
    }

    /// Draws the page in a sentence, as its heading, and the size of the heap below.
    fn verdict_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, story: &Story) {
        let t = tokens(ui);
        let font = if ui.available_width() < BESIDE { fonts::heading() } else { fonts::title() };
        ui.add_space(6.0);
        if let Some(claim) = story.claims(StoryPart::Verdict).first() {
            let look = Look { font, color: t.text, inset: 0.0, mark: None };
            self.claim_ui(ui, context, (StoryPart::Verdict, claim), &look);
        } else {
            let words = if self.steps.error().is_some() { "" } else { "Searching for leaks…" };
            let galley = ui.painter().layout_no_wrap(words.to_owned(), font, t.faint);
            let size = vec2(ui.available_width(), galley.size().y + 2.0 * SENTENCE);
            let (rect, _) = ui.allocate_exact_size(size, Sense::HOVER);
            ui.painter().galley(rect.min + vec2(0.0, SENTENCE), galley, t.faint);
        }
        let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), 4.0), Sense::HOVER);
        if !self.steps.has(StoryStep::Removals) && self.steps.is_running() {
            waiting::progress_ui(ui, line, self.steps.progress().as_ref());
        }
        ui.add(egui::Label::new(RichText::new(&self.lead).color(t.muted)).wrap());
        ui.add_space(GAP);
    }

    fn part_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, part: StoryPart, claims: &[Claim]) {
        let t = tokens(ui);
        title_ui(ui, part);
        let mut last = &Lead::Nothing;
        for claim in claims {
            // What is known of a holder that was just told, such as one of its entries, comes below it.
            let is_below = part == StoryPart::Holders && claim.lead != Lead::Nothing && *last == claim.lead;
            last = &claim.lead;
            let is_holder = part == StoryPart::Holders && matches!(claim.lead, Lead::Finding(_)) && !is_below;
            let look = Look {
                font: if is_holder { fonts::medium() } else { fonts::text() },
                color: if is_below || part == StoryPart::Unknown { t.muted } else { t.text },
                inset: left(ui) + if is_below { MARK } else { 0.0 },
                mark: self.mark(part, (claim, claims)),
            };
            self.claim_ui(ui, context, (part, claim), &look);
        }
    }

    /// Draws the path of the first holder as a row.
    fn path_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, claims: &[Claim], steps: &[String]) {
        let (Some(claim), t) = (claims.first(), tokens(ui)) else { return };
        title_ui(ui, StoryPart::Path);
        let (width, inset) = (ui.available_width(), left(ui));
        let path = PathLine::new(ui, steps, (width - inset).max(120.0));
        let (rect, _) = ui.allocate_exact_size(vec2(width, path.height + 2.0 * SENTENCE), Sense::HOVER);
        let back = rect.with_min_x(rect.left() + inset).expand2(vec2(8.0, 2.0));
        let (response, stands_out) = self.row_of(ui, context, (StoryPart::Path, claim), back);
        if stands_out || response.hovered() {
            let fill = if stands_out { t.selected } else { t.hover };
            ui.painter().rect_filled(back, f32::from(sizes::CORNER), fill);
        }
        path.paint(ui, pos2(rect.left() + inset, rect.top() + SENTENCE));
    }

    /// Adds the row of a sentence, with its menu and what a copy of it is; true if it is highlighted.
    fn row_of(
        &mut self,
        ui: &Ui,
        context: &mut ViewContext<'_>,
        (part, claim): (StoryPart, &Claim),
        area: Rect,
    ) -> (egui::Response, bool) {
        let name = format!("{}: {}", part.title(), claim.text);
        let (response, stands_out) = self.rows.add_row(ui, area, &name, &claim.lead);
        let menu = MenuLine { lead: &claim.lead, text: &claim.text, copy: "Copy line", about: None };
        self.menu_ui(&response, context, menu);
        if self.rows.was_at_cursor() {
            self.at_cursor = Some(Copied::of(&claim.lead, format!("{}\n", claim.text)));
        }
        (response, stands_out)
    }

    fn claim_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, line: (StoryPart, &Claim), look: &Look) {
        let ((part, claim), t) = (line, tokens(ui));
        let width = ui.available_width();
        let before = look.inset + if look.mark.is_some() { MARK + 6.0 } else { 0.0 };
        let longest = if part == StoryPart::Verdict { width } else { LINE.max(width * 0.6) };
        let room = (width - before - ARROW).clamp(120.0, longest.max(120.0));
        let text = ui.painter().layout(claim.text.clone(), look.font.clone(), look.color, room);
        let (rect, _) = ui.allocate_exact_size(vec2(width, text.size().y + 2.0 * SENTENCE), Sense::HOVER);
        let back = rect.with_min_x(rect.left() + look.inset).expand2(vec2(8.0, 0.0));
        let (response, stands_out) = self.row_of(ui, context, line, back);
        let leads_on = claim.lead != Lead::Nothing;
        if stands_out || response.hovered() && leads_on {
            let fill = if stands_out { t.selected } else { t.hover };
            ui.painter().rect_filled(back, f32::from(sizes::CORNER), fill);
        }
        let at = pos2(rect.left() + before, rect.top() + SENTENCE);
        if let Some(icon) = look.mark {
            let area = Rect::from_min_size(pos2(rect.left() + look.inset, at.y), vec2(MARK, 18.0));
            icons::paint(ui.painter(), icon, area, MARK, t.warn);
        }
        if leads_on {
            arrow(ui, &text, at, if stands_out || response.hovered() { t.accent } else { t.faint });
        }
        ui.painter().galley(at, text, look.color);
    }

    /// The mark before a sentence that tells of an error, or of data that is missing.
    fn mark(&self, part: StoryPart, (claim, claims): (&Claim, &[Claim])) -> Option<Icon> {
        let is_first = claims.first().is_some_and(|first| std::ptr::eq(first, claim));
        let is_error = part == StoryPart::Cause && is_first && !self.known.glance.out_of_memory.is_empty();
        (is_error || claim.lead == Lead::View(Target::ParseWarnings)).then_some(Icon::Warning)
    }

    /// Draws the room of a part that is not known yet.
    fn pending_ui(&self, ui: &mut Ui, part: StoryPart) {
        let step = StoryStep::ALL.into_iter().find(|step| step.parts().contains(&part));
        let expected = EXPECTED.iter().find(|(expected, _)| *expected == part);
        let (Some((_, lines)), false) = (expected, step.is_none_or(|step| self.steps.has(step))) else { return };
        if self.steps.error().is_some() {
            return;
        }
        title_ui(ui, part);
        let height = ui.text_style_height(&egui::TextStyle::Body) + 2.0 * SENTENCE;
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height * *lines as f32), Sense::HOVER);
        let at = rect.min + vec2(left(ui), SENTENCE);
        ui.painter().text(at, Align2::LEFT_TOP, "…", fonts::text(), tokens(ui).faint);
    }

    /// Draws a line in place of waste that is not known.
    fn waste_ui(&mut self, ui: &mut Ui, context: &ViewContext<'_>) {
        if self.known.wasted.is_some() || self.steps.error().is_some() {
            return;
        }
        let t = tokens(ui);
        let is_searching = self.steps.is_running();
        ui.horizontal(|ui| {
            ui.add_space(left(ui));
            if is_searching {
                ui.label(RichText::new("Searching for waste…").color(t.faint));
                if self.steps.has(StoryStep::Removals) && ui.small_button("Stop").clicked() {
                    self.steps.stop();
                }
            } else {
                let hint = "Reads the contents of every object, which takes a while for a dump of this size";
                let button = ui.button("Search for duplicate strings and other waste…").on_hover_text(hint);
                if button.clicked() {
                    self.steps.search_waste(context.dump, context.jobs);
                }
            }
        });
    }
}

/// Draws the title of a part: beside its first sentence, or above it in a narrow page.
fn title_ui(ui: &mut Ui, part: StoryPart) {
    let t = tokens(ui);
    ui.add_space(PARTS);
    let title = ui.painter().layout_no_wrap(part.title().to_owned(), fonts::small_medium(), t.muted);
    let at = ui.cursor().min;
    if left(ui) > 0.0 {
        // The smaller text is on the line of the larger.
        ui.painter().galley(at + vec2(0.0, SENTENCE + 1.5), title, t.muted);
    } else {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), title.size().y + 2.0), Sense::HOVER);
        ui.painter().galley(rect.min, title, t.muted);
    }
}

/// Room for titles beside the sentences.
fn left(ui: &Ui) -> f32 {
    if ui.max_rect().width() >= BESIDE { TITLES } else { 0.0 }
}

/// Draws the arrow behind the last line of a sentence.
fn arrow(ui: &Ui, text: &Arc<Galley>, at: egui::Pos2, color: Color32) {
    let Some(last) = text.rows.last() else { return };
    let end = at + last.rect_without_leading_space().right_bottom().to_vec2();
    let area = Rect::from_min_size(pos2(end.x + 4.0, end.y - last.height()), vec2(14.0, last.height()));
    icons::paint(ui.painter(), Icon::Closed, area, 9.0, color);
}
