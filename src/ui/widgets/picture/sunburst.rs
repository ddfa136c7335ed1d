//! Rings: the whole as a disc in the middle, around each arc what is below it,
//! over as much of the circle as its part. What an arc has by itself is left
//! free at its end.

use std::f64::consts::TAU;

use eframe::egui::Rect;

use super::area::{Arc, Area, Node, split, weights_below};

/// The thinnest ring.
const THINNEST: f32 = 26.0;
/// Rings at most: farther out nobody could follow them inwards.
const MOST: u32 = 7;
/// Arcs shorter than this are not drawn.
const SHORTEST: f64 = 1.0;

/// From the middle to the edge of a picture of this size, and to that of the disc.
pub(super) fn radii(room: Rect) -> (f32, f32) {
    let whole = (room.width().min(room.height()) / 2.0 - 2.0).max(4.0);
    (whole, (whole * 0.2).clamp(30.0, 64.0).min(whole / 2.0))
}

/// How many rings fit.
pub(super) fn levels(room: Rect) -> u32 {
    let (whole, disc) = radii(room);
    (((whole - disc) / THINNEST).floor() as u32).clamp(1, MOST)
}

pub(super) fn lay_out(nodes: &[Node], room: Rect, areas: &mut [Area]) {
    let deepest = nodes.iter().map(|node| node.depth).max().unwrap_or(0).max(1);
    let (whole, disc) = radii(room);
    let levels = levels(room).min(deepest);
    // Few rings are not made as thick as the picture has room for: long texts would not read better.
    let ring = ((whole - disc) / levels as f32).min(130.0);
    let mut spans = vec![None; nodes.len()];
    spans[0] = Some((0.0, TAU));
    for (at, node) in nodes.iter().enumerate() {
        let Some((from, to)) = spans[at] else { continue };
        let (inner, outer) = match node.depth {
            0 => (0.0, disc),
            depth => (disc + ring * (depth - 1) as f32, disc + ring * depth as f32),
        };
        areas[at] = Area::Arc(Arc { centre: room.center(), inner, outer, from: from as f32, to: to as f32 });
        if node.depth >= levels {
            continue;
        }
        let parts = split(&weights_below(nodes, at), node.weight, from, to - from);
        for (below, (from, to)) in node.below.clone().zip(parts) {
            let is_seen = (to - from) * f64::from(outer + ring) >= SHORTEST;
            spans[below as usize] = is_seen.then_some((from, to));
        }
    }
}
