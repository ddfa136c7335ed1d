//! Icicle: rows of bars, the root on top, the children of a bar below it, as wide as their share. The part of a bar
//! without children stays free at the right.

use eframe::egui::Rect;

use super::area::{Area, Node, rect, split, weights_below};

/// Height of a row, in points.
pub(super) const ROW: f32 = 22.0;
/// Minimum width of a drawn bar, in points.
const MIN_BAR: f64 = 0.75;

/// Number of levels below the root that fit into a height.
pub(super) fn levels(height: f32) -> u32 {
    ((height / ROW).floor() as u32).saturating_sub(1)
}

pub(super) fn lay_out(nodes: &[Node], canvas: Rect, areas: &mut [Area]) {
    let lowest = levels(canvas.height());
    let row = |depth: u32| f64::from(canvas.top()) + f64::from(depth) * f64::from(ROW);
    // In 64 bits, or the edges of many narrow bars would not meet.
    let mut spans = vec![None; nodes.len()];
    spans[0] = Some((f64::from(canvas.left()), f64::from(canvas.right())));
    for (at, node) in nodes.iter().enumerate() {
        let Some((left, right)) = spans[at] else { continue };
        // Children are below the bar, not inside it.
        areas[at] = Area::Rect(rect(left, row(node.depth), right, row(node.depth + 1)), f32::INFINITY);
        if node.depth >= lowest {
            continue;
        }
        let parts = split(&weights_below(nodes, at), node.weight, left, right - left);
        for (below, (from, to)) in node.below.clone().zip(parts) {
            spans[below as usize] = (to - from >= MIN_BAR).then_some((from, to));
        }
    }
}
