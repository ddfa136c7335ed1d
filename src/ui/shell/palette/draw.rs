//! How the palette looks: the field, groups of rows, the signs that narrow a search.

use std::sync::Arc;

use eframe::egui;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Align2, Area, Context, Galley, Id, Rect, RichText, Role, ScrollArea, Sense, TextEdit, Ui, pos2, vec2};

use super::offers::{Group, Kind, Offer, SIGNS};
use crate::ui::theme::icons::{self, Icon};
use crate::ui::theme::{Tokens, fonts, sizes, tokens};
use crate::ui::widgets::table::elided;
use crate::ui::widgets::{controls, waiting};
use crate::units::Count;

const WIDTH: f32 = 680.0;
/// Height of a row, and of a heading.
const ROW: f32 = 28.0;
const HEADING: f32 = 26.0;
/// Space left and right of the text in a row.
const PAD: f32 = 12.0;

/// What is to be drawn.
pub(super) struct PaletteStyle<'a> {
    pub(super) groups: &'a [Group],
    /// How many rows of each are shown.
    pub(super) shown: &'a [usize],
    pub(super) unfolded: &'a [Kind],
    /// The row under the cursor.
    pub(super) at: usize,
    /// It is to be brought into view.
    pub(super) scroll: bool,
    /// The field is to be typed into.
    pub(super) focus: bool,
    /// What was asked for last is not there yet.
    pub(super) searching: bool,
}

/// What the person did.
#[derive(Default)]
pub(super) struct PaletteResponse {
    pub(super) typed: bool,
    pub(super) chosen: Option<usize>,
    pub(super) sign: Option<&'static str>,
    pub(super) outside: bool,
}

pub(super) fn ui(ctx: &Context, text: &mut String, look: &PaletteStyle<'_>) -> PaletteResponse {
    let mut drawn = PaletteResponse::default();
    let room = ctx.content_rect();
    let width = WIDTH.min(room.width() - 40.0);
    let area =
        Area::new(Id::unique("palette")).anchor(Align2::CENTER_TOP, vec2(0.0, 64.0_f32.min(room.height() / 10.0)));
    let shown = area.order(egui::Order::Foreground).fade_in(false).show(ctx, |ui| {
        egui::Frame::popup(ui.style()).inner_margin(8.0).corner_radius(10.0).show(ui, |ui| {
            ui.set_width(width);
            ui.spacing_mut().item_spacing = vec2(4.0, 0.0);
            let field = field_ui(ui, text, look, &mut drawn);
            ui.add_space(4.0);
            let height = (room.height() - 230.0).clamp(120.0, 560.0);
            // The area remembers how high it was, and would not let more rows make it higher.
            let rows = ScrollArea::vertical()
                .max_height(height)
                .min_scrolled_height(height)
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    rows_ui(ui, look, field, &mut drawn);
                });
            ui.ctx().accesskit_node_builder(rows.id, |node| {
                node.set_role(Role::ListBox);
                node.set_label("Results");
            });
            ui.add_space(6.0);
            signs_ui(ui, &mut drawn);
        });
    });
    let pressed = ctx.input(|i| i.pointer.any_pressed());
    let at = ctx.input(|i| i.pointer.interact_pos());
    drawn.outside = pressed && at.is_some_and(|at| !shown.response.rect.contains(at));
    drawn
}

fn field_ui(ui: &mut Ui, text: &mut String, look: &PaletteStyle<'_>, drawn: &mut PaletteResponse) -> Id {
    let t = tokens(ui);
    let edit = TextEdit::singleline(text)
        .id(Id::unique("palette text"))
        .hint_text(RichText::new("Command, class, object id or string content").color(t.faint))
        .margin(egui::Margin { left: 34, right: 10, top: 9, bottom: 9 })
        // Tab goes from group to group.
        .lock_focus(true)
        .desired_width(f32::INFINITY);
    let response = ui.add(edit);
    let icon = Rect::from_min_size(response.rect.min, vec2(34.0, response.rect.height()));
    icons::paint(ui.painter(), Icon::Search, icon, 12.0, t.muted);
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_label("Command palette"));
    if look.focus {
        response.request_focus();
    }
    if look.searching {
        waiting::running_ui(
            ui,
            Rect::from_min_max(response.rect.left_bottom(), response.rect.right_bottom() + vec2(0.0, 2.0)),
        );
    }
    drawn.typed = response.changed();
    response.id
}

fn rows_ui(ui: &mut Ui, look: &PaletteStyle<'_>, field: Id, drawn: &mut PaletteResponse) {
    let mut row = 0;
    for (group, &shown) in look.groups.iter().zip(look.shown) {
        heading_ui(ui, group);
        for offer in group.offers.iter().take(shown) {
            let chosen = row == look.at;
            let response = offer_ui(ui, group.kind, offer, chosen);
            if chosen {
                ui.ctx().accesskit_node_builder(field, |node| node.set_active_descendant(response.id.accesskit_id()));
            }
            if chosen && look.scroll {
                response.scroll_to_me(None);
            }
            if response.clicked() {
                drawn.chosen = Some(row);
            }
            row += 1;
        }
        let rest = group.total.saturating_sub(shown as u64);
        if rest > 0 && look.unfolded.contains(&group.kind) {
            let text = format!("{} more: type more to narrow the list", Count(rest));
            line_ui(ui, &text, false, false);
        } else if rest > 0 {
            let chosen = row == look.at;
            let response = line_ui(ui, &format!("+ {} more", Count(rest)), chosen, true);
            if chosen && look.scroll {
                response.scroll_to_me(None);
            }
            if response.clicked() {
                drawn.chosen = Some(row);
            }
            row += 1;
        }
        if let Some(note) = &group.note {
            line_ui(ui, note, false, false);
        }
        ui.add_space(4.0);
    }
    if look.groups.is_empty() {
        let text = if look.searching { "Searching…" } else { "No matches" };
        line_ui(ui, text, false, false);
    }
}

/// What the rows below are, how many there are, and whether more are being looked for.
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

/// A line of words that can be chosen or not.
fn line_ui(ui: &mut Ui, text: &str, chosen: bool, enabled: bool) -> egui::Response {
    let t = tokens(ui);
    let sense = if enabled { Sense::CLICK } else { Sense::HOVER };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), sense);
    let role = if enabled { Role::ListBoxOption } else { Role::Label };
    response.widget_info(|| egui::WidgetInfo::selected(role, enabled, chosen, text));
    ground_ui(ui, rect, chosen, enabled && response.hovered());
    let color = if enabled { t.accent } else { t.faint };
    let galley = elided(ui, text.to_owned(), fonts::text(), color, rect.width() - 2.0 * PAD);
    ui.painter().galley(pos2(rect.left() + PAD, rect.center().y - galley.size().y / 2.0), galley, color);
    response
}

fn ground_ui(ui: &Ui, rect: Rect, chosen: bool, hovered: bool) {
    let t = tokens(ui);
    if chosen || hovered {
        ui.painter().rect_filled(rect, f32::from(sizes::CORNER), if chosen { t.selected } else { t.hover });
    }
}

fn offer_ui(ui: &mut Ui, kind: Kind, offer: &Offer, chosen: bool) -> egui::Response {
    let t = tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::CLICK);
    response.widget_info(|| {
        let parts = [kind.one(), &offer.title, &offer.aside, &offer.more];
        let name = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        egui::WidgetInfo::selected(Role::ListBoxOption, true, chosen, name)
    });
    ground_ui(ui, rect, chosen, response.hovered());
    let more = ui.painter().layout_no_wrap(offer.more.clone(), fonts::small(), t.muted);
    let right = rect.right() - PAD - more.size().x;
    ui.painter().galley(pos2(right, rect.center().y - more.size().y / 2.0), more, t.muted);
    let width = (right - rect.left() - 2.0 * PAD).max(40.0);
    let title = title(ui, t, offer, width);
    ui.painter().galley(pos2(rect.left() + PAD, rect.center().y - title.size().y / 2.0), title, t.text);
    response
}

/// The name, with the letters that were looked for, and what stands behind it.
fn title(ui: &Ui, t: &Tokens, offer: &Offer, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::default();
    let format = |font, color| TextFormat { valign: egui::Align::Center, ..TextFormat::simple(font, color) };
    // A line break in a text of the heap would tear the row apart.
    let plain = |text: &str| text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>();
    let quote = |job: &mut LayoutJob| {
        if offer.quoted {
            job.append("\"", 0.0, format(fonts::text(), t.faint));
        }
    };
    quote(&mut job);
    let usual = |at: usize| match (offer.quoted, at < offer.package) {
        (true, _) => format(fonts::text(), t.label),
        (false, true) => format(fonts::text(), t.muted),
        (false, false) => format(fonts::text(), t.text),
    };
    let found = |at: usize| TextFormat {
        underline: egui::Stroke::new(1.0, t.accent),
        ..format(if at < offer.package { fonts::text() } else { fonts::medium() }, t.accent)
    };
    let mut append = |from: usize, to: usize, is_found: bool| {
        // The package ends inside a part that was found, or one that was not.
        let middle = offer.package.clamp(from, to);
        for (from, to) in [(from, middle), (middle, to)] {
            let Some(text) = offer.title.get(from..to).filter(|text| !text.is_empty()) else { continue };
            job.append(&plain(text), 0.0, if is_found { found(from) } else { usual(from) });
        }
    };
    let mut at = 0;
    for part in &offer.found {
        append(at, part.start, false);
        append(part.start, part.end, true);
        at = part.end;
    }
    append(at, offer.title.len(), false);
    quote(&mut job);
    if !offer.aside.is_empty() {
        let font = if offer.aside.starts_with("0x") { fonts::mono() } else { fonts::small() };
        job.append(&plain(&offer.aside), 10.0, format(font, t.faint));
    }
    job.wrap = TextWrapping::truncate_at_width(width);
    job.break_on_newline = false;
    ui.painter().layout_job(job)
}

/// The signs that narrow a search, to be clicked or learned.
fn signs_ui(ui: &mut Ui, drawn: &mut PaletteResponse) {
    let t = tokens(ui);
    let line = ui.available_rect_before_wrap().intersect(Rect::everything_below(ui.cursor().top()));
    ui.painter().hline(line.x_range(), ui.cursor().top(), (1.0, t.border));
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        ui.add_space(PAD - 8.0);
        // A sign belongs to the word behind it, not to the one before.
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
