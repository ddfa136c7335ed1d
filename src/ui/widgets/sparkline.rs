//! Sizes over time as a small line, and parts over time as small columns. The lower edge is 0 and the upper edge the
//! maximum, so heights are proportional to sizes.

use eframe::egui;
use egui::{Mesh, Painter, Pos2, Rect, Shape, Stroke, pos2};

use crate::ui::theme::Tokens;
use heaplens_base::Bytes;

/// Weight of the line colour in the fill below the line.
const TINT: f32 = 0.16;

/// Draws the line into `rect`, with dots at the indices `dots`. The colour depends on whether the last size is larger
/// or smaller than the first.
pub fn paint(painter: &Painter, rect: Rect, sizes: &[Bytes], dots: (usize, usize), tokens: &Tokens) {
    let max = sizes.iter().map(|size| size.0).max().unwrap_or(0);
    let (Some(first), Some(last)) = (sizes.first(), sizes.last()) else { return };
    let color = match last.cmp(first) {
        std::cmp::Ordering::Greater => tokens.grew,
        std::cmp::Ordering::Equal => tokens.muted,
        std::cmp::Ordering::Less => tokens.shrank,
    };
    painter.hline(rect.x_range(), rect.bottom(), (1.0, tokens.track));
    if max == 0 || sizes.len() < 2 {
        return;
    }
    let step = rect.width() / (sizes.len() - 1) as f32;
    let position = |(at, size): (usize, &Bytes)| -> Pos2 {
        pos2(rect.left() + step * at as f32, rect.bottom() - rect.height() * (size.0 as f64 / max as f64) as f32)
    };
    let points: Vec<Pos2> = sizes.iter().enumerate().map(position).collect();
    let mut area = Mesh::default();
    let fill = tokens.surface.lerp_to_gamma(color, TINT);
    for two in points.windows(2) {
        let base = area.vertices.len() as u32;
        for point in two {
            area.colored_vertex(*point, fill);
            area.colored_vertex(pos2(point.x, rect.bottom()), fill);
        }
        area.add_triangle(base, base + 1, base + 2);
        area.add_triangle(base + 1, base + 2, base + 3);
    }
    painter.add(Shape::mesh(area));
    painter.add(Shape::line(points.clone(), Stroke::new(1.5, color)));
    for at in [dots.0, dots.1] {
        if let Some(&point) = points.get(at) {
            painter.circle_filled(point, 2.5, color);
        }
    }
}

/// Draws parts of a whole into `rect`, a column each, from left to right.
pub fn paint_parts(painter: &Painter, rect: Rect, parts: &[f64], tokens: &Tokens) {
    painter.hline(rect.x_range(), rect.bottom(), (1.0, tokens.track));
    let most = parts.iter().copied().fold(0.0, f64::max);
    if most <= 0.0 {
        return;
    }
    let step = rect.width() / parts.len() as f32;
    for (at, &part) in parts.iter().enumerate().filter(|(_, part)| **part > 0.0) {
        let left = rect.left() + step * at as f32;
        // A small part is still a mark.
        let top = rect.bottom() - (rect.height() * (part / most) as f32).max(1.0);
        let column = Rect::from_x_y_ranges(left..=left + (step - 1.0).max(1.0), top..=rect.bottom());
        painter.rect_filled(column, 0.0, tokens.bar);
    }
}
