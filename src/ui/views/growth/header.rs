//! Total change in a sentence, and how the bytes of both heaps were matched.

use eframe::egui::{self, Frame, Margin, RichText, Role, Sense, Ui, WidgetInfo, vec2};

use crate::ui::theme::{Icon, fonts, icons, sizes, tokens};
use crate::ui::widgets::elided;
use crate::ui::{Command, Target, Verb, ViewContext};
use heaplens_analysis::diff::{Change, Growth, MatchExtent, MatchMethod};
use heaplens_base::{Bytes, Count, Share};
use heaplens_session::files::short_name;
use heaplens_session::open_dump::Baseline;
use heaplens_tables::export::diff::words;

/// Height of the headline, in points.
const HEIGHT: f32 = 40.0;

/// Draws the headline, and below it the details of the matching if expanded.
pub(super) fn ui(ui: &mut Ui, context: &mut ViewContext<'_>, baseline: &Baseline, shows_details: &mut bool) {
    let Some((_, comparison)) = context.dump.compared() else { return };
    let growth = &comparison.growth;
    let t = tokens(ui);
    let width = ui.available_width();
    let (rect, _) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::HOVER);
    let inner = rect.shrink2(vec2(sizes::PAD, 0.0));
    let layout = egui::Layout::right_to_left(egui::Align::Center);
    let mut swap = false;
    ui.scope_builder(egui::UiBuilder::new().max_rect(inner).layout(layout), |ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let keys = Verb::Compare.entry().keys.first().map(|keys| ui.ctx().format_shortcut(keys)).unwrap_or_default();
        if !context.is_after {
            swap = ui.button("Swap").on_hover_text(format!("Swap baseline and target ({keys})")).clicked();
        }
        matched_ui(ui, growth, shows_details);
        let area = ui.available_width();
        let before = short_name(&baseline.before.opened.file);
        let sentence = sentence(&growth.totals);
        let is_same = growth.totals.shallow().0 == 0 && growth.totals.objects().0 == 0;
        let more = match (is_same, context.is_after) {
            (true, _) => String::new(),
            (false, true) => "by the removals".to_owned(),
            (false, false) => format!("since the baseline ({before})"),
        };
        let sentence_and_more = format!("{sentence} {more}");
        let color = match growth.totals.shallow().0 {
            1.. => t.grew,
            0 => t.text,
            _ => t.shrank,
        };
        let first = elided(ui, sentence, fonts::heading(), color, area);
        let room = (area - first.size().x - 8.0).max(0.0);
        let laid_out = |text: &str| elided(ui, text.to_owned(), fonts::text(), t.muted, room);
        // What is cut would not name the baseline.
        let second = if laid_out(&more).elided { laid_out("") } else { laid_out(&more) };
        let response = ui.allocate_response(vec2(area, HEIGHT), Sense::HOVER);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &sentence_and_more));
        let at = response.rect;
        let position = |x: f32, galley: &egui::Galley| egui::pos2(x, at.center().y - galley.size().y / 2.0);
        let after = at.left() + first.size().x + 8.0;
        ui.painter().galley(position(at.left(), &first), first, color);
        if after + 24.0 < at.right() {
            let position = position(after, &second) + vec2(0.0, 1.0);
            ui.painter().galley(position, second, t.muted);
        }
        response.on_hover_text(exact(&growth.totals));
    });
    if *shows_details {
        details_ui(ui, growth);
    }
    if let Some(warning) = words::different_programs(&baseline.program) {
        warning_ui(ui, &warning);
    }
    if swap {
        context.push(Command::Do(Verb::Compare, Target::Tab(context.location.dump)));
    }
}

/// Draws a warning about the whole comparison.
fn warning_ui(ui: &mut Ui, warning: &str) {
    let t = tokens(ui);
    let margin = Margin { left: 12, right: 12, top: 0, bottom: 8 };
    Frame::NONE.inner_margin(margin).show(ui, |ui| {
        let frame = Frame::NONE.fill(t.panel).stroke((1.0, t.warn)).corner_radius(sizes::CORNER);
        frame.inner_margin(Margin::symmetric(12, 8)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.horizontal(|ui| {
                let (rect, _) = ui.allocate_exact_size(vec2(16.0, 18.0), Sense::HOVER);
                icons::paint(ui.painter(), Icon::Warning, rect, 12.0, t.warn);
                ui.add(egui::Label::new(RichText::new(warning).color(t.text)).wrap());
            });
        });
    });
}

/// `+23.1 MB, 412,000 objects more`
pub(super) fn sentence(totals: &Change) -> String {
    let (bytes, objects) = (totals.shallow(), totals.objects());
    if bytes.0 == 0 && objects.0 == 0 {
        let objects = Count(totals.after.objects).of("object", "objects");
        return format!("No change: {objects}, {}", totals.after.shallow);
    }
    let count = Count(objects.0.unsigned_abs()).of("object", "objects");
    match objects.0 {
        0 => format!("{bytes}, same number of objects"),
        1.. => format!("{bytes}, +{count}"),
        _ => format!("{bytes}, −{count}"),
    }
}

fn exact(totals: &Change) -> String {
    let line = |name, amount: &heaplens_analysis::diff::Amount| {
        format!("{name}: {}, {} bytes", Count(amount.objects).of("object", "objects"), amount.shallow.exact())
    };
    format!("{}\n{}", line("Before", &totals.before), line("After", &totals.after))
}

/// True if the baseline is the smaller heap, and the share of the smaller heap's bytes that were matched. Of the larger
/// heap, new objects have no match.
fn share(growth: &Growth) -> (bool, Share) {
    let Change { before, after } = growth.totals;
    let sum = |bytes: fn(&MatchExtent) -> u64| growth.by_how.iter().map(bytes).sum();
    let is_baseline = before.shallow <= after.shallow;
    let share = if is_baseline {
        Share { part: sum(|matched| matched.before_bytes), total: before.shallow.0 }
    } else {
        Share { part: sum(|matched| matched.after_bytes), total: after.shallow.0 }
    };
    (is_baseline, share)
}

fn matched_ui(ui: &mut Ui, growth: &Growth, shows_details: &mut bool) {
    let t = tokens(ui);
    let (is_baseline, share) = share(growth);
    let (heap, other) = if is_baseline { ("baseline", "target") } else { ("target", "baseline") };
    let text = format!("{share} of {heap} bytes matched");
    let galley = ui.painter().layout_no_wrap(text.clone(), fonts::text(), t.muted);
    let (rect, response) = ui.allocate_exact_size(galley.size() + vec2(18.0, 8.0), Sense::click());
    let color = if response.hovered() || response.has_focus() { t.text } else { t.muted };
    let icon = egui::Rect::from_min_size(rect.min, vec2(14.0, rect.height()));
    icons::paint(ui.painter(), if *shows_details { Icon::Open } else { Icon::Closed }, icon, 9.0, color);
    let at = egui::pos2(rect.left() + 18.0, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley_with_override_text_color(at, galley, color);
    crate::ui::widgets::controls::focus_ring(ui, &response, rect);
    let label = format!("{text}: {} details", if *shows_details { "hide" } else { "show" });
    response.widget_info(|| WidgetInfo::labeled(Role::DisclosureTriangle, true, &label));
    let response = response.on_hover_ui(|ui| {
        let about =
            format!("Share of the bytes of the {heap} in objects that were matched with an object of the {other}");
        ui.label(RichText::new(about).color(t.text));
        for line in lines(growth) {
            ui.label(RichText::new(format!("{}: {}", line.name, line.figures())).font(fonts::small()).color(t.muted));
        }
    });
    if response.clicked() {
        *shows_details = !*shows_details;
    }
}

/// A matching criterion, or a kind of unmatched objects.
struct Line {
    name: String,
    about: &'static str,
    matched: MatchExtent,
    total: u64,
}

impl Line {
    fn figures(&self) -> String {
        let MatchExtent { before_objects, before_bytes, after_objects, after_bytes } = self.matched;
        let share = Share { part: before_bytes + after_bytes, total: self.total };
        let count = before_objects.max(after_objects);
        format!("{}, {}, {share}", Count(count).of("object", "objects"), Bytes(before_bytes.max(after_bytes)))
    }
}

/// Bytes by matching criterion, then those in one heap only, then those that could not be matched.
fn lines(growth: &Growth) -> Vec<Line> {
    let total = growth.totals.before.shallow.0 + growth.totals.after.shallow.0;
    let line = |name: String, about, matched| Line { name, about, matched, total };
    let by_how = MatchMethod::ALL.iter().zip(&growth.by_how).filter(|(_, matched)| matched.after_objects > 0);
    let mut lines: Vec<Line> = by_how
        .map(|(method, &matched)| line(format!("By {}", method.words()), method.confidence().name(), matched))
        .collect();
    let MatchExtent { before_objects, before_bytes, after_objects, after_bytes } = growth.alone;
    let new = MatchExtent { after_objects, after_bytes, ..MatchExtent::default() };
    let removed = MatchExtent { before_objects, before_bytes, ..MatchExtent::default() };
    lines.push(line("New".to_owned(), "only in the target", new));
    lines.push(line("Removed".to_owned(), "only in the baseline", removed));
    if growth.unknown != MatchExtent::default() {
        lines.push(line("Ambiguous".to_owned(), "possibly in both heaps, could not be matched", growth.unknown));
    }
    lines
}

fn details_ui(ui: &mut Ui, growth: &Growth) {
    let t = tokens(ui);
    let frame = Frame::NONE.fill(t.panel).stroke((1.0, t.border)).corner_radius(sizes::CORNER);
    let margin = Margin { left: 12, right: 12, top: 0, bottom: 8 };
    Frame::NONE.inner_margin(margin).show(ui, |ui| {
        frame.inner_margin(Margin::symmetric(12, 8)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            egui::Grid::new("matching details").num_columns(3).spacing(vec2(18.0, 5.0)).show(ui, |ui| {
                for line in lines(growth) {
                    ui.label(RichText::new(&line.name).color(t.text));
                    ui.label(RichText::new(line.figures()).color(t.muted));
                    ui.label(RichText::new(line.about).color(t.faint));
                    ui.end_row();
                }
            });
        });
    });
}
