//! Sunburst: the root as a disc in the centre, the children of an arc around it, over as much of the circle as their
//! share. The part of an arc without children stays free at its end.

use std::f64::consts::TAU;

use eframe::egui::Rect;

use super::area::{Arc, Area, Node, split, weights_below};

/// Minimum thickness of a ring, in points.
const MIN_RING: f32 = 26.0;
/// Maximum number of rings: more would be hard to follow inwards.
const MAX_RINGS: u32 = 7;
/// Minimum length of a drawn arc, in points.
const MIN_ARC: f64 = 1.0;

/// Radius of a chart of this size, and of its central disc.
pub(super) fn radii(canvas: Rect) -> (f32, f32) {
    let total = (canvas.width().min(canvas.height()) / 2.0 - 2.0).max(4.0);
    (total, (total * 0.2).clamp(30.0, 64.0).min(total / 2.0))
}

/// Number of rings that fit.
pub(super) fn levels(canvas: Rect) -> u32 {
    let (total, disc) = radii(canvas);
    (((total - disc) / MIN_RING).floor() as u32).clamp(1, MAX_RINGS)
}

pub(super) fn lay_out(nodes: &[Node], canvas: Rect, areas: &mut [Area]) {
    let deepest = nodes.iter().map(|node| node.depth).max().unwrap_or(0).max(1);
    let (total, disc) = radii(canvas);
    let levels = levels(canvas).min(deepest);
    // A few rings do not fill the chart: thicker rings would not make long texts more readable.
    let ring = ((total - disc) / levels as f32).min(130.0);
    let mut spans = vec![None; nodes.len()];
    spans[0] = Some((0.0, TAU));
    for (at, node) in nodes.iter().enumerate() {
        let Some((from, to)) = spans[at] else { continue };
        let (inner, outer) = match node.depth {
            0 => (0.0, disc),
            depth => (disc + ring * (depth - 1) as f32, disc + ring * depth as f32),
        };
        areas[at] = Area::Arc(Arc { centre: canvas.center(), inner, outer, from: from as f32, to: to as f32 });
        if node.depth >= levels {
            continue;
        }
        let parts = split(&weights_below(nodes, at), node.weight, from, to - from);
        for (below, (from, to)) in node.below.clone().zip(parts) {
            let is_seen = (to - from) * f64::from(outer + ring) >= MIN_ARC;
            spans[below as usize] = is_seen.then_some((from, to));
        }
    }
}
