//! Texts in the cells of a chart, where they fit. Positions are computed with the layout, the texts in every frame,
//! because labels of objects arrive later than their cells.

use std::f32::consts::{PI, TAU};

use eframe::egui;
use egui::epaint::TextShape;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Color32, FontId, Galley, Pos2, Rect, Ui, pos2, vec2};

use super::area::{Area, Node};
use super::caption::Caption;
use super::treemap;
use crate::ui::theme::fonts;
use crate::ui::widgets::fitting::Beside;
use crate::view::chart::Kind;
use heaplens_base::invisible::visible_line;
use heaplens_tables::export::printable::shortened;
use heaplens_tables::reports::elide::UsualCut;

/// Maximum number of texts.
const MAX_TEXTS: usize = 260;
/// Minimum width of a text, in points: narrower ones would be mostly `…`.
const MIN_WIDTH: f32 = 34.0;
const LINE: f32 = 16.0;
/// Width that most names fit into.
const COMFORTABLE: f32 = 110.0;
/// Space between a text and the edge of its cell.
const PAD: f32 = 5.0;

/// Position of a text.
pub(super) struct Spot {
    /// Index of its cell.
    pub(super) cell: usize,
    position: Position,
}

enum Position {
    /// One line, left-aligned; the size at its right if it fits.
    Line(Rect),
    /// Name and size on two lines, from the upper left.
    Lines(Rect),
    /// Name and size on two lines, centred in a disc: centre and width.
    Disc(Pos2, f32),
    /// A rotated line: centre, angle and width.
    Turned(Pos2, f32, f32),
}

/// Positions of texts, largest cells first.
pub(super) fn spots(kind: Kind, nodes: &[Node], areas: &[Area]) -> Vec<Spot> {
    let position = |at: usize| match (&areas[at], kind) {
        (Area::Rect(..), Kind::Treemap) if at == 0 => None,
        (Area::Rect(rect, header), Kind::Treemap) => in_treemap(*rect, *header, nodes[at].below.is_empty()),
        (Area::Rect(rect, _), _) => fits(*rect).map(Position::Line),
        (Area::Arc(arc), _) if arc.inner <= 0.0 => Some(Position::Disc(arc.centre, arc.outer * 1.6)),
        (Area::Arc(arc), _) => {
            let (angle, radius) = (f32::midpoint(arc.from, arc.to), f32::midpoint(arc.inner, arc.outer));
            let (thick, half) = (arc.outer - arc.inner, (arc.to - arc.from) / 2.0);
            // A straight line is limited by its outer corners, which must stay in the ring, and its inner ones, which
            // must stay in the arc: along the middle of the ring if that is long enough, else near the inner edge, else
            // across the ring.
            let along = |near: f32| {
                let chord = 2.0 * ((arc.outer - 1.0).powi(2) - (near + LINE - 1.0).powi(2)).max(0.0).sqrt();
                let width = if half < PI / 2.0 { 2.0 * near * half.tan() } else { f32::INFINITY };
                (chord.min(width) - PAD, near + LINE / 2.0)
            };
            let centred = along(radius - LINE / 2.0);
            let (along, inside) = if centred.0 >= COMFORTABLE { centred } else { along(arc.inner + 1.0) };
            let across = if half * 2.0 * radius >= LINE { thick - 2.0 * PAD } else { 0.0 };
            let lower = (PI / 2.0..PI * 1.5).contains(&angle);
            if along >= MIN_WIDTH && along >= across {
                Some(Position::Turned(arc.at(angle, inside), if lower { angle + PI } else { angle }, along))
            } else if across >= MIN_WIDTH {
                let turn = if angle < PI { angle - PI / 2.0 } else { angle + PI / 2.0 };
                Some(Position::Turned(arc.at(angle, radius), turn.rem_euclid(TAU), across))
            } else {
                None
            }
        }
        (Area::Hidden, _) => None,
    };
    let mut spots: Vec<Spot> =
        (0..areas.len()).filter_map(|cell| Some(Spot { cell, position: position(cell)? })).collect();
    let weight = |spot: &Spot| nodes[spot.cell].weight;
    spots.sort_by(|a, b| weight(b).cmp(&weight(a)).then(a.cell.cmp(&b.cell)));
    spots.truncate(MAX_TEXTS);
    spots
}

fn fits(rect: Rect) -> Option<Rect> {
    let inside = rect.shrink2(vec2(PAD, 0.0));
    (inside.width() >= MIN_WIDTH && rect.height() >= LINE).then_some(inside)
}

fn in_treemap(rect: Rect, header: f32, is_leaf: bool) -> Option<Position> {
    if header >= treemap::HEADER {
        let line = Rect::from_min_size(rect.min, vec2(rect.width(), header));
        return fits(line).map(Position::Line);
    }
    let inside = fits(rect).filter(|_| is_leaf || header == 0.0)?;
    let inside = Rect::from_min_max(inside.min + vec2(0.0, 2.0), inside.max);
    (inside.height() >= LINE).then_some(Position::Lines(inside))
}

/// Draws the text at a position.
pub(super) fn paint(ui: &Ui, spot: &Spot, caption: &Caption, ink: Color32) {
    match spot.position {
        Position::Line(rect) => {
            let size = line(ui, &caption.size, "", fonts::small(), ink, rect.width());
            let name = name(ui, caption, ink, rect.width());
            let Some(name) = name else { return };
            let y = rect.center().y - name.size().y / 2.0;
            let left = name.size().x;
            if let Some(size) = size.filter(|size| left + 12.0 + size.size().x <= rect.width()) {
                let at = pos2(rect.right() - size.size().x, rect.center().y - size.size().y / 2.0);
                ui.painter().galley(at, size, ink);
            }
            ui.painter().galley(pos2(rect.left(), y), name, ink);
        }
        Position::Lines(rect) => {
            let Some(name) = name(ui, caption, ink, rect.width()) else { return };
            ui.painter().galley(rect.min, name, ink);
            if rect.height() >= 2.0 * LINE
                && let Some(size) = line(ui, &caption.size, "", fonts::small(), ink, rect.width())
            {
                ui.painter().galley(rect.min + vec2(0.0, LINE), size, ink);
            }
        }
        Position::Disc(centre, width) => {
            let galleys = [name(ui, caption, ink, width), line(ui, &caption.size, "", fonts::small(), ink, width)];
            for (n, galley) in galleys.into_iter().flatten().enumerate() {
                let at = pos2(centre.x - galley.size().x / 2.0, centre.y - LINE + LINE * n as f32);
                ui.painter().galley(at, galley, ink);
            }
        }
        Position::Turned(centre, angle, width) => {
            let Some(name) = name(ui, caption, ink, width) else { return };
            let half = egui::emath::Rot2::from_angle(angle) * (name.size() / 2.0);
            ui.painter().add(TextShape::new(centre - half, name, ink).with_angle(angle));
        }
    }
}

fn name(ui: &Ui, caption: &Caption, ink: Color32, width: f32) -> Option<std::sync::Arc<Galley>> {
    let name = format!("{}{}", caption.lead, caption.name);
    let font = fonts::small_medium();
    line(ui, &short_name(ui, &name, &font, ink, width), &caption.label, font, ink, width)
}

/// A single line with a secondary text; `None` if it is truncated to almost nothing.
fn line(ui: &Ui, text: &str, more: &str, font: FontId, ink: Color32, width: f32) -> Option<std::sync::Arc<Galley>> {
    let mut job = LayoutJob { break_on_newline: false, ..LayoutJob::default() };
    job.append(&visible_line(text), 0.0, TextFormat::simple(font, ink));
    if !more.is_empty() {
        let more = shortened(more, 60);
        job.append(&more, 6.0, TextFormat::simple(fonts::small(), ink));
    }
    job.wrap = TextWrapping::truncate_at_width(width);
    let galley = ui.painter().layout_job(job);
    (!galley.elided || galley.size().x >= 20.0).then_some(galley)
}

/// A name shortened where it is the same as the names of other cells, without what comes after it.
fn short_name(ui: &Ui, text: &str, font: &FontId, ink: Color32, width: f32) -> String {
    let laid_out = |text: &str| ui.painter().layout_no_wrap(visible_line(text).into_owned(), font.clone(), ink);
    let fits = |text: &str| laid_out(text).size().x <= width;
    // Of a few characters, the beginning says more.
    let default = if width < COMFORTABLE { UsualCut::End } else { UsualCut::Middle };
    if fits(text) { text.to_owned() } else { Beside::with(ui, "cells", text).shorten(text, default, &fits) }
}
