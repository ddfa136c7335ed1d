//! Rows of bars: the whole on top, under each bar what is below it, as wide as
//! its part. What a bar has by itself is left free at its right.

use eframe::egui::Rect;

use super::area::{Area, Node, rect, split, weights_below};

/// A row.
pub(super) const ROW: f32 = 22.0;
/// Bars narrower than this are not drawn.
const NARROWEST: f64 = 0.75;

/// How many levels below the top fit into a height.
pub(super) fn levels(height: f32) -> u32 {
    ((height / ROW).floor() as u32).saturating_sub(1)
}

pub(super) fn lay_out(nodes: &[Node], room: Rect, areas: &mut [Area]) {
    let lowest = levels(room.height());
    let row = |depth: u32| f64::from(room.top()) + f64::from(depth) * f64::from(ROW);
    // In 64 bits: the edges of many narrow bars would not meet otherwise.
    let mut spans = vec![None; nodes.len()];
    spans[0] = Some((f64::from(room.left()), f64::from(room.right())));
    for (at, node) in nodes.iter().enumerate() {
        let Some((left, right)) = spans[at] else { continue };
        // What is below it stands below it, not in it.
        areas[at] = Area::Rect(rect(left, row(node.depth), right, row(node.depth + 1)), f32::INFINITY);
        if node.depth >= lowest {
            continue;
        }
        let parts = split(&weights_below(nodes, at), node.weight, left, right - left);
        for (below, (from, to)) in node.below.clone().zip(parts) {
            spans[below as usize] = (to - from >= NARROWEST).then_some((from, to));
        }
    }
}
