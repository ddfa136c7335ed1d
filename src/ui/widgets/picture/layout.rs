//! Layout of a chart by its kind.

use std::f32::consts::TAU;

use eframe::egui;
use egui::{Pos2, Rect};

use super::area::{Area, Node};
use super::{icicle, sunburst, treemap};
use crate::view::chart::Kind;

/// Areas of all cells in a chart that fills `canvas`.
pub(super) fn lay_out(kind: Kind, nodes: &[Node], canvas: Rect) -> Vec<Area> {
    let mut areas = vec![Area::Hidden; nodes.len()];
    if canvas.width() < 8.0 || canvas.height() < 8.0 || nodes.first().is_none_or(|top| top.weight == 0) {
        return areas;
    }
    match kind {
        Kind::Treemap => treemap::lay_out(nodes, canvas, &mut areas),
        Kind::Icicle => icicle::lay_out(nodes, canvas, &mut areas),
        Kind::Sunburst => sunburst::lay_out(nodes, canvas, &mut areas),
    }
    areas
}

/// Maximum number of levels below the root in a chart of this size.
pub fn levels(kind: Kind, size: egui::Vec2) -> u32 {
    match kind {
        Kind::Treemap => treemap::LEVELS,
        Kind::Icicle => icicle::levels(size.y),
        Kind::Sunburst => sunburst::levels(Rect::from_min_size(Pos2::ZERO, size)),
    }
}

/// Minimum share of the whole that a chart of this size can show.
pub fn min_share(kind: Kind, size: egui::Vec2) -> f64 {
    let points = match kind {
        Kind::Treemap => size.x * size.y / 40.0,
        Kind::Icicle => size.x / 3.0,
        Kind::Sunburst => sunburst::radii(Rect::from_min_size(Pos2::ZERO, size)).0 * TAU / 3.0,
    };
    1.0 / f64::from(points.max(1.0))
}
