//! The biggest of many as parts of a ring, with a line for each beside it, and
//! one part for all the rest.

use std::f32::consts::TAU;

use eframe::egui;
use egui::{Align2, Id, Rect, Response, Role, Sense, Shape, Ui, pos2, vec2};

use super::area::{Arc, Area};
use super::mesh;
use crate::heap::ids::ObjectId;
use crate::ui::theme::tokens::{HUES, Hue};
use crate::ui::theme::{Tokens, fonts, sizes, tokens};
use crate::ui::widgets::table::elided;
use crate::units::{Bytes, Share};

/// The ring across.
const RING: f32 = 172.0;
/// Between the ring and the lines.
const GAP: f32 = 20.0;
/// In less room there are lines and no ring.
const NARROWEST: f32 = 400.0;

/// Draws the chart as wide as there is room; says what was clicked. `rows` come biggest first, the first
/// eight are shown; the rest of `total` is put together. `chosen` is marked.
pub fn ui(ui: &mut Ui, chosen: Option<ObjectId>, rows: &[(ObjectId, String, Bytes)], total: Bytes) -> Option<ObjectId> {
    let tokens = tokens(ui);
    let rows = &rows[..rows.len().min(HUES)];
    let shown: Bytes = rows.iter().map(|row| row.2).sum();
    let rest = Bytes(total.0.saturating_sub(shown.0));
    let lines = rows.len() + usize::from(rest.0 > 0);
    let has_ring = ui.available_width() >= NARROWEST;
    let height = (sizes::ROW * lines as f32).max(if has_ring { RING } else { 0.0 });
    let (room, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::HOVER);
    let left = if has_ring { room.left() + RING + GAP } else { room.left() };
    let top = room.center().y - sizes::ROW * lines as f32 / 2.0;
    let line = |n: usize| {
        let top = top + sizes::ROW * n as f32;
        Rect::from_min_max(pos2(left, top), pos2(room.right(), top + sizes::ROW))
    };
    let centre = pos2(room.left() + RING / 2.0, room.center().y);
    let arcs = ring(rows, total, centre);
    let pointer = ui.ctx().pointer_hover_pos().filter(|_| has_ring && ui.rect_contains_pointer(room));
    let pointed = pointer.and_then(|pos| arcs.iter().position(|arc| Area::Arc(*arc).contains(pos)));
    let mut clicked = None;
    let mut lit = pointed;
    for (n, (object, name, bytes)) in rows.iter().enumerate() {
        let response = ui.interact(line(n), Id::unique(("biggest objects", n)), Sense::click());
        let text = format!("{name}, {bytes}, {}", Share::of(*bytes, total));
        response.widget_info(|| egui::WidgetInfo::labeled(Role::Link, true, &text));
        if response.hovered() || response.has_focus() {
            lit = Some(n);
        }
        let is_lit = lit == Some(n) || chosen == Some(*object);
        line_ui(ui, line(n), tokens.hues[n], name, (*bytes, total), is_lit);
        if clicked_here(&response) {
            clicked = Some(*object);
        }
    }
    if rest.0 > 0 {
        line_ui(ui, line(rows.len()), tokens.rest, "All others", (rest, total), pointed == Some(rows.len()));
    }
    if has_ring {
        ring_ui(ui, &arcs, tokens, rows.len(), lit, (centre, total));
        let area = Rect::from_center_size(centre, vec2(RING, RING));
        let response = ui.interact(area, Id::unique("ring of the biggest objects"), Sense::CLICK);
        if let Some((object, ..)) = pointed.and_then(|n| rows.get(n)) {
            ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
            clicked = if response.clicked() { Some(*object) } else { clicked };
        }
    }
    clicked
}

fn clicked_here(response: &Response) -> bool {
    if response.hovered() {
        response.ctx.set_cursor_icon(egui::CursorIcon::PointingHand);
    }
    response.clicked()
}

/// The part of each row, and of the rest.
fn ring(rows: &[(ObjectId, String, Bytes)], total: Bytes, centre: egui::Pos2) -> Vec<Arc> {
    let whole = total.0.max(rows.iter().map(|row| row.2).sum::<Bytes>().0).max(1) as f64;
    let mut before = 0.0_f64;
    let mut part = |bytes: f64| {
        let from = before;
        before = (before + bytes).min(whole);
        let turn = |at: f64| (at / whole) as f32 * TAU;
        Arc { centre, inner: RING * 0.31, outer: RING / 2.0, from: turn(from), to: turn(before) }
    };
    let mut arcs: Vec<Arc> = rows.iter().map(|row| part(row.2.0 as f64)).collect();
    arcs.push(part(whole));
    arcs
}

fn ring_ui(
    ui: &Ui,
    arcs: &[Arc],
    tokens: &Tokens,
    rows: usize,
    lit: Option<usize>,
    (centre, total): (egui::Pos2, Bytes),
) {
    let painter = ui.painter();
    let hue = |n: usize| if n < rows { tokens.hues[n] } else { tokens.rest };
    let seen = arcs.iter().enumerate().filter(|(_, arc)| (arc.to - arc.from) * arc.outer > 0.3);
    let coloured: Vec<_> = seen.map(|(n, arc)| (*arc, hue(n).fill)).collect();
    painter.add(Shape::mesh(mesh::arcs(&coloured, ui.pixels_per_point())));
    if let Some(arc) = lit.and_then(|n| arcs.get(n)) {
        painter.add(Shape::closed_line(mesh::edge(&Area::Arc(*arc)), egui::Stroke::new(1.5, tokens.text)));
    }
    painter.text(centre - vec2(0.0, 8.0), Align2::CENTER_CENTER, total, fonts::heading(), tokens.text);
    painter.text(centre + vec2(0.0, 11.0), Align2::CENTER_CENTER, "reachable", fonts::small(), tokens.muted);
}

fn line_ui(ui: &Ui, line: Rect, hue: Hue, name: &str, (bytes, total): (Bytes, Bytes), is_lit: bool) {
    let t = tokens(ui);
    let painter = ui.painter();
    if is_lit {
        painter.rect_filled(line, 4.0, t.hover);
    }
    let middle = line.center().y;
    let mark = Rect::from_center_size(pos2(line.left() + 12.0, middle), vec2(10.0, 10.0));
    painter.rect_filled(mark, 2.0, hue.fill);
    let right = line.right() - 8.0;
    let share = Share::of(bytes, total).to_string();
    painter.text(pos2(right, middle), Align2::RIGHT_CENTER, share, fonts::small(), t.muted);
    painter.text(pos2(right - 58.0, middle), Align2::RIGHT_CENTER, bytes, fonts::text(), t.text);
    let left = line.left() + 26.0;
    let width = (right - 58.0 - 76.0 - left).max(20.0);
    let galley = elided(ui, name.to_owned(), fonts::text(), t.text, width);
    painter.galley(pos2(left, middle - galley.size().y / 2.0), galley, t.text);
}
