//! Drawing of the palette: text field, groups of rows, prefixes that narrow a search.

use std::sync::Arc;

use eframe::egui;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Align2, Area, Context, Galley, Id, Rect, RichText, Role, ScrollArea, Sense, TextEdit, Ui, pos2, vec2};

use super::offers::{Group, Kind, Offer, SIGNS};
use crate::ui::theme::{Icon, Tokens, fonts, icons, tokens};
use crate::ui::widgets::{controls, table, waiting};
use heaplens_base::Count;
use heaplens_tables::export::printable::one_line;

const WIDTH: f32 = 680.0;
/// Height of a row and of a heading.
const ROW: f32 = 28.0;
const HEADING: f32 = 26.0;
/// Space left and right of the text in a row.
const PAD: f32 = 12.0;

/// Data to draw.
pub(super) struct PaletteStyle<'a> {
    pub(super) groups: &'a [Group],
    /// Number of visible rows of each group.
    pub(super) shown: &'a [usize],
    pub(super) expanded: &'a [Kind],
    /// Index of the row with the cursor.
    pub(super) at: usize,
    /// Scroll to that row.
    pub(super) scroll: bool,
    /// Focus the text field.
    pub(super) focus: bool,
    /// True while a search is running.
    pub(super) searching: bool,
}

/// User input in this frame.
#[derive(Default)]
pub(super) struct PaletteResponse {
    pub(super) typed: bool,
    pub(super) selected: Option<usize>,
    pub(super) sign: Option<&'static str>,
    pub(super) outside: bool,
}

pub(super) fn ui(ctx: &Context, text: &mut String, style: &PaletteStyle<'_>) -> PaletteResponse {
    let mut drawn = PaletteResponse::default();
    let screen = ctx.content_rect();
    let width = WIDTH.min(screen.width() - 40.0);
    let area =
        Area::new(Id::unique("palette")).anchor(Align2::CENTER_TOP, vec2(0.0, 64.0_f32.min(screen.height() / 10.0)));
    let shown = area.order(egui::Order::Foreground).fade_in(false).show(ctx, |ui| {
        egui::Frame::popup(ui.style()).inner_margin(8.0).corner_radius(10.0).show(ui, |ui| {
            ui.set_width(width);
            ui.spacing_mut().item_spacing = vec2(4.0, 0.0);
            let field = field_ui(ui, text, style, &mut drawn);
            ui.add_space(4.0);
            let height = (screen.height() - 230.0).clamp(120.0, 560.0);
            // The area remembers its height, which would otherwise limit the height for more rows.
            let rows = ScrollArea::vertical()
                .max_height(height)
                .min_scrolled_height(height)
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    rows_ui(ui, style, field, &mut drawn);
                });
            ui.ctx().accesskit_node_builder(rows.id, |node| {
                node.set_role(Role::ListBox);
                node.set_label("Results");
            });
            ui.add_space(6.0);
            signs_ui(ui, &mut drawn);
        });
    });
    let pressed = ctx.input(|i| i.pointer.interact_pos().filter(|_| i.pointer.any_pressed()));
    drawn.outside = pressed.is_some_and(|at| !shown.response.rect.contains(at));
    drawn
}

fn field_ui(ui: &mut Ui, text: &mut String, style: &PaletteStyle<'_>, drawn: &mut PaletteResponse) -> Id {
    let t = tokens(ui);
    let edit = TextEdit::singleline(text)
        .id(Id::unique("palette text"))
        .hint_text(RichText::new("Command, class, field, object id or string content").color(t.faint))
        .margin(egui::Margin { left: 34, right: 10, top: 9, bottom: 9 })
        // Tab moves between groups.
        .lock_focus(true)
        .desired_width(f32::INFINITY);
    let response = ui.add(edit);
    let icon = Rect::from_min_size(response.rect.min, vec2(34.0, response.rect.height()));
    icons::paint(ui.painter(), Icon::Search, icon, 12.0, t.muted);
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_label("Command palette"));
    if style.focus {
        response.request_focus();
    }
    if style.searching {
        waiting::running_ui(
            ui,
            Rect::from_min_max(response.rect.left_bottom(), response.rect.right_bottom() + vec2(0.0, 2.0)),
        );
    }
    drawn.typed = response.changed();
    response.id
}

fn rows_ui(ui: &mut Ui, style: &PaletteStyle<'_>, field: Id, drawn: &mut PaletteResponse) {
    let mut row = 0;
    let mut finish = |response: &egui::Response, row: usize| {
        if style.scroll && row == style.at {
            response.scroll_to_me(None);
        }
        drawn.selected = drawn.selected.or(response.clicked().then_some(row));
    };
    for (group, &shown) in style.groups.iter().zip(style.shown) {
        heading_ui(ui, group);
        for offer in group.offers.iter().take(shown) {
            let selected = row == style.at;
            let response = offer_ui(ui, group.kind, offer, selected);
            if selected {
                ui.ctx().accesskit_node_builder(field, |node| node.set_active_descendant(response.id.accesskit_id()));
            }
            finish(&response, row);
            row += 1;
        }
        let rest = group.total.saturating_sub(shown as u64);
        if rest > 0 && style.expanded.contains(&group.kind) {
            let text = format!("{} more: type more to narrow the list", Count(rest));
            line_ui(ui, &text, false, false);
        } else if rest > 0 {
            let selected = row == style.at;
            finish(&line_ui(ui, &format!("+ {} more", Count(rest)), selected, true), row);
            row += 1;
        }
        if let Some(note) = &group.note {
            line_ui(ui, note, false, false);
        }
        ui.add_space(4.0);
    }
    if style.groups.is_empty() {
        let text = if style.searching { "Searching…" } else { "No matches" };
        line_ui(ui, text, false, false);
    }
}

/// Heading of a group, with the number of results and the progress of its search.
fn heading_ui(ui: &mut Ui, group: &Group) {
    let t = tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEADING), Sense::HOVER);
    let many = group.total as usize > group.offers.len().min(1) && group.kind != Kind::Recent;
    let count = if many { format!("  {}", Count(group.total)) } else { String::new() };
    let mut searching = String::new();
    if let Some(progress) = &group.running {
        let percent = (progress.done * 100).checked_div(progress.total).unwrap_or(0).min(100);
        searching = format!("  ·  searching, {percent} %");
        let line = Rect::from_min_max(pos2(rect.left() + PAD, rect.bottom() - 3.0), rect.max - vec2(PAD, 1.0));
        waiting::progress_ui(ui, line, Some(progress));
    }
    let text = format!("{}{count}{searching}", group.kind.heading());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Heading, true, &text));
    let at = pos2(rect.left() + PAD, rect.center().y + 1.0);
    ui.painter().text(at, Align2::LEFT_CENTER, text, fonts::small_medium(), t.faint);
}

/// A line of text, which can be selected if `enabled`.
fn line_ui(ui: &mut Ui, text: &str, selected: bool, enabled: bool) -> egui::Response {
    let t = tokens(ui);
    let sense = if enabled { Sense::CLICK } else { Sense::HOVER };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), sense);
    let role = if enabled { Role::ListBoxOption } else { Role::Label };
    response.widget_info(|| egui::WidgetInfo::selected(role, enabled, selected, text));
    controls::row_background(ui, rect, selected, enabled && response.hovered());
    let color = if enabled { t.accent } else { t.faint };
    table::line_ui(ui, rect.shrink2(vec2(PAD, 0.0)), text, fonts::text(), color);
    response
}

fn offer_ui(ui: &mut Ui, kind: Kind, offer: &Offer, selected: bool) -> egui::Response {
    let t = tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::CLICK);
    response.widget_info(|| {
        let parts = [kind.one(), &offer.title, &offer.aside, &offer.more];
        let name = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        egui::WidgetInfo::selected(Role::ListBoxOption, true, selected, name)
    });
    controls::row_background(ui, rect, selected, response.hovered());
    let more = ui.painter().layout_no_wrap(offer.more.clone(), fonts::small(), t.muted);
    let right = rect.right() - PAD - more.size().x;
    ui.painter().galley(pos2(right, rect.center().y - more.size().y / 2.0), more, t.muted);
    let width = (right - rect.left() - 2.0 * PAD).max(40.0);
    let title = title(ui, t, (kind, offer), width);
    ui.painter().galley(pos2(rect.left() + PAD, rect.center().y - title.size().y / 2.0), title, t.text);
    response
}

/// Title with the matched letters highlighted, followed by the secondary text. If it does not fit, the package is left
/// out, which other results have too, then the secondary text; that of a command begins with what tells most.
fn title(ui: &Ui, t: &Tokens, (kind, offer): (Kind, &Offer), width: f32) -> Arc<Galley> {
    let laid_out = |begin, aside| ui.painter().layout_job(title_job(t, offer, (begin, aside), width));
    for (begin, aside) in [(0, &*offer.aside), (offer.package, &offer.aside)] {
        let galley = laid_out(begin, aside);
        if !galley.elided {
            return galley;
        }
    }
    let alone = laid_out(offer.package, "");
    if kind == Kind::Commands && !alone.elided { laid_out(offer.package, &offer.aside) } else { alone }
}

/// The title from `begin` on, and the secondary text.
fn title_job(t: &Tokens, offer: &Offer, (begin, aside): (usize, &str), width: f32) -> LayoutJob {
    let mut job = LayoutJob::default();
    let format = |font, color| TextFormat { valign: egui::Align::Center, ..TextFormat::simple(font, color) };
    // A line break in a text would split the row.
    let plain = one_line;
    let quote = |job: &mut LayoutJob| {
        if offer.quoted {
            job.append("\"", 0.0, format(fonts::text(), t.faint));
        }
    };
    quote(&mut job);
    let normal = |at: usize| match (offer.quoted, at < offer.package) {
        (true, _) => format(fonts::text(), t.label),
        (false, true) => format(fonts::text(), t.muted),
        (false, false) => format(fonts::text(), t.text),
    };
    let highlighted = |at: usize| TextFormat {
        underline: egui::Stroke::new(1.0, t.accent),
        ..format(if at < offer.package { fonts::text() } else { fonts::medium() }, t.accent)
    };
    let mut append = |from: usize, to: usize, is_found: bool| {
        // The end of the package may be inside a matched part or between two.
        let middle = offer.package.clamp(from, to);
        for (from, to) in [(from, middle), (middle, to)] {
            let Some(text) = offer.title.get(from.max(begin)..to).filter(|text| !text.is_empty()) else { continue };
            job.append(&plain(text), 0.0, if is_found { highlighted(from) } else { normal(from) });
        }
    };
    let mut at = 0;
    for part in &offer.matched_parts {
        append(at, part.start, false);
        append(part.start, part.end, true);
        at = part.end;
    }
    append(at, offer.title.len(), false);
    quote(&mut job);
    if !aside.is_empty() {
        let font = if aside.starts_with("0x") { fonts::mono() } else { fonts::small() };
        job.append(&plain(aside), 10.0, format(font, t.faint));
    }
    job.wrap = TextWrapping::truncate_at_width(width);
    job.break_on_newline = false;
    job
}

/// The prefixes that narrow a search, as buttons.
fn signs_ui(ui: &mut Ui, drawn: &mut PaletteResponse) {
    let t = tokens(ui);
    let line = ui.available_rect_before_wrap().intersect(Rect::everything_below(ui.cursor().top()));
    ui.painter().hline(line.x_range(), ui.cursor().top(), (1.0, t.border));
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        ui.add_space(PAD - 8.0);
        // A prefix belongs to the word after it.
        ui.spacing_mut().item_spacing.x = 16.0;
        for (sign, kind) in SIGNS {
            let mut job = LayoutJob::default();
            job.append(sign, 0.0, TextFormat::simple(fonts::mono(), t.accent));
            job.append(&kind.heading().to_lowercase(), 5.0, TextFormat::simple(fonts::small(), t.faint));
            let button = egui::Button::new(job).frame(false);
            let response = ui.add(button);
            response.widget_info(|| {
                egui::WidgetInfo::labeled(Role::Button, true, format!("Only {}: {sign}", kind.heading().to_lowercase()))
            });
            if response.clicked() {
                drawn.sign = Some(sign);
            }
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_space(PAD - 4.0);
            controls::caption(ui, "Tab: next group  ·  Enter: go  ·  Esc: close");
        });
    });
}
