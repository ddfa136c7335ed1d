//! Treemap: rectangles inside rectangles, as square as possible (Bruls, Huizing & van Wijk, "Squarified treemaps",
//! 2000). The part of a cell without children stays free at its end.

use eframe::egui::Rect;

use super::area::{Area, Node, rect, weights_below};

/// Height of the header of a cell, which contains its name, in points.
pub(super) const HEADER: f32 = 19.0;
/// Frame around the children of a cell, in points.
const FRAME: f32 = 2.0;
/// Minimum side of a cell whose children are drawn, in points.
const MIN_PARENT: f32 = 14.0;
/// Minimum width and height of a cell with a header, in points.
const HEADER_NEEDS: (f32, f32) = (52.0, 42.0);
/// Minimum side of a drawn cell, in points.
const MIN_CELL: f32 = 0.75;
/// Maximum number of levels below the root: deeper ones would be all frames.
pub(super) const LEVELS: u32 = 12;

pub(super) fn lay_out(nodes: &[Node], canvas: Rect, areas: &mut [Area]) {
    areas[0] = Area::Rect(canvas, 0.0);
    for at in 0..nodes.len() {
        let Area::Rect(total, _) = areas[at] else { continue };
        let Some((inside, header)) = inside(total, at == 0) else { continue };
        if nodes[at].below.is_empty() {
            continue;
        }
        areas[at] = Area::Rect(total, header);
        let mut weights = weights_below(nodes, at);
        let sum = weights.iter().fold(0_u64, |sum, &weight| sum.saturating_add(weight));
        weights.push(nodes[at].weight.saturating_sub(sum));
        for (below, cell) in nodes[at].below.clone().zip(squarify(&weights, inside)) {
            let is_seen = cell.width() >= MIN_CELL && cell.height() >= MIN_CELL;
            areas[below as usize] = if is_seen { Area::Rect(cell, 0.0) } else { Area::Hidden };
        }
    }
}

/// Area for the children of a cell, and the height of its header.
fn inside(total: Rect, is_top: bool) -> Option<(Rect, f32)> {
    if is_top {
        return Some((total, 0.0));
    }
    if total.width() < MIN_PARENT || total.height() < MIN_PARENT {
        return None;
    }
    let has_header = total.width() >= HEADER_NEEDS.0 && total.height() >= HEADER_NEEDS.1;
    let header = if has_header { HEADER } else { FRAME };
    let mut inside = total.shrink(FRAME);
    inside.min.y = total.top() + header;
    Some((inside, header))
}

/// A rectangle for each weight, with proportional areas, filling `canvas`. Weights should be in descending order.
pub(super) fn squarify(weights: &[u64], canvas: Rect) -> Vec<Rect> {
    let sum: f64 = weights.iter().map(|&weight| weight as f64).sum();
    let (mut left, mut top) = (f64::from(canvas.left()), f64::from(canvas.top()));
    let (right, bottom) = (f64::from(canvas.right()), f64::from(canvas.bottom()));
    if sum <= 0.0 || right <= left || bottom <= top {
        return vec![Rect::NOTHING; weights.len()];
    }
    let scale = (right - left) * (bottom - top) / sum;
    let areas: Vec<f64> = weights.iter().map(|&weight| weight as f64 * scale).collect();
    let mut cells = Vec::with_capacity(areas.len());
    let mut rest = &areas[..];
    while !rest.is_empty() {
        let (width, height) = ((right - left).max(0.0), (bottom - top).max(0.0));
        let side = width.min(height);
        let taken = row(rest, side);
        let (these, others) = rest.split_at(taken);
        let area: f64 = these.iter().sum();
        let last = others.iter().all(|&area| area <= 0.0);
        // A row fills the shorter side; the last one also takes the rounding error.
        let mut thickness = if side > 0.0 { area / side } else { 0.0 };
        if last {
            thickness = width.max(height);
        }
        let mut before = 0.0;
        for &one in these {
            let part = |share: f64| if area > 0.0 { side * share / area } else { 0.0 };
            let (from, to) = (part(before), part(before + one));
            cells.push(if width >= height {
                rect(left, top + from, (left + thickness).min(right), top + to)
            } else {
                rect(left + from, top, left + to, (top + thickness).min(bottom))
            });
            before += one;
        }
        if width >= height {
            left = (left + thickness).min(right);
        } else {
            top = (top + thickness).min(bottom);
        }
        rest = others;
    }
    cells
}

/// Number of areas in the best row along a side: one more would make its cells less square.
fn row(areas: &[f64], side: f64) -> usize {
    let (mut sum, mut least, mut most, mut best) = (0.0, f64::INFINITY, 0.0_f64, f64::INFINITY);
    for (n, &area) in areas.iter().enumerate() {
        sum += area;
        least = least.min(area);
        most = most.max(area);
        let square = side * side;
        let worst =
            if least > 0.0 { (square * most / (sum * sum)).max(sum * sum / (square * least)) } else { f64::INFINITY };
        if worst > best {
            return n.max(1);
        }
        best = worst;
    }
    areas.len()
}
