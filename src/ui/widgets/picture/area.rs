//! Where the cells of a picture are: rectangles or arcs, by pure arithmetic.

use std::f32::consts::TAU;
use std::ops::Range;

use eframe::egui;
use egui::{Pos2, Rect, Vec2, pos2, vec2};

use super::{icicle, sunburst, treemap};

/// A cell of a tree that is laid out. Cells stand behind the one above them, and those below one together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The cell above; the first is above itself.
    pub above: u32,
    /// The cells below.
    pub below: Range<u32>,
    /// What its area is proportional to.
    pub weight: u64,
    /// Levels from the top.
    pub depth: u32,
}

/// How a tree is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Kind {
    /// Rectangles inside rectangles.
    Treemap,
    /// Rows of bars, each below what holds it: a flame graph upside down.
    Icicle,
    /// Rings around the whole.
    Sunburst,
}

/// Where a cell is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Area {
    /// Too small to be seen.
    Hidden,
    /// A rectangle; what is below it lies in it under a header so high, or outside where that is infinite.
    Rect(Rect, f32),
    /// A part of a ring.
    Arc(Arc),
}

/// A part of a ring. Angles go clockwise from the top.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Arc {
    /// The middle of the ring.
    pub centre: Pos2,
    /// From the middle to the inner edge; 0 for a disc.
    pub inner: f32,
    /// From the middle to the outer edge.
    pub outer: f32,
    /// Where it begins.
    pub from: f32,
    /// Where it ends.
    pub to: f32,
}

impl Arc {
    /// The point at an angle and a distance from the middle.
    pub(super) fn at(&self, angle: f32, radius: f32) -> Pos2 {
        let (sin, cos) = angle.sin_cos();
        self.centre + vec2(sin, -cos) * radius
    }

    fn contains(&self, pos: Pos2) -> bool {
        let Vec2 { x, y } = pos - self.centre;
        let radius = x.hypot(y);
        let angle = x.atan2(-y).rem_euclid(TAU);
        (self.inner..self.outer).contains(&radius) && (self.from..self.to).contains(&angle)
    }

    fn bounds(&self) -> Rect {
        let mut points = vec![];
        for radius in [self.inner, self.outer] {
            points.extend([self.from, self.to].map(|angle| self.at(angle, radius)));
        }
        let sides = (1..4_u8).map(|n| f32::from(n) * TAU / 4.0).chain([0.0]);
        points.extend(sides.filter(|a| (self.from..=self.to).contains(a)).map(|a| self.at(a, self.outer)));
        Rect::from_points(&points)
    }
}

impl Area {
    /// Whether anything of it is seen.
    pub(super) fn is_seen(&self) -> bool {
        *self != Self::Hidden
    }

    /// Whether a point is in it.
    pub(super) fn contains(&self, pos: Pos2) -> bool {
        match self {
            Self::Hidden => false,
            Self::Rect(rect, _) => rect.contains(pos),
            Self::Arc(arc) => arc.contains(pos),
        }
    }

    /// The smallest rectangle around it.
    pub(super) fn bounds(&self) -> Rect {
        match self {
            Self::Hidden => Rect::NOTHING,
            Self::Rect(rect, _) => *rect,
            Self::Arc(arc) => arc.bounds(),
        }
    }
}

/// The area of every cell in a picture that fills `room`.
pub(super) fn lay_out(kind: Kind, nodes: &[Node], room: Rect) -> Vec<Area> {
    let mut areas = vec![Area::Hidden; nodes.len()];
    if room.width() < 8.0 || room.height() < 8.0 || nodes.first().is_none_or(|top| top.weight == 0) {
        return areas;
    }
    match kind {
        Kind::Treemap => treemap::lay_out(nodes, room, &mut areas),
        Kind::Icicle => icicle::lay_out(nodes, room, &mut areas),
        Kind::Sunburst => sunburst::lay_out(nodes, room, &mut areas),
    }
    areas
}

/// The lowest cell at a point.
pub(super) fn hit(nodes: &[Node], areas: &[Area], pos: Pos2) -> Option<usize> {
    let mut found = None;
    let mut among = 0..u32::from(!nodes.is_empty());
    // In a treemap cells lie inside the one above them, elsewhere beside it.
    while let Some((at, node)) = among.find_map(|at| {
        let (at, node) = (at as usize, nodes.get(at as usize)?);
        covers(nodes, areas, at, pos).then_some((at, node))
    }) {
        if areas[at].contains(pos) {
            found = Some(at);
        }
        among = node.below.clone();
    }
    found
}

/// Whether the point is in the cell, or in the room that those below it have.
fn covers(nodes: &[Node], areas: &[Area], at: usize, pos: Pos2) -> bool {
    match areas.get(at) {
        Some(Area::Rect(rect, _)) if nodes[at].below.is_empty() => rect.contains(pos),
        Some(Area::Rect(rect, header)) if *header < rect.height() => rect.contains(pos),
        // A row of an icicle: what is below it stands below it.
        Some(Area::Rect(rect, _)) => rect.x_range().contains(pos.x) && pos.y >= rect.top(),
        Some(Area::Arc(arc)) => {
            let angle = (pos.x - arc.centre.x).atan2(arc.centre.y - pos.y).rem_euclid(TAU);
            (arc.from..arc.to).contains(&angle) && pos.distance(arc.centre) >= arc.inner
        }
        _ => false,
    }
}

/// Parts of a length that are proportional to weights, one behind the other. What `whole` has beyond
/// their sum is left free at the end.
pub(super) fn split(weights: &[u64], whole: u64, from: f64, length: f64) -> Vec<(f64, f64)> {
    let sum: f64 = weights.iter().map(|&weight| weight as f64).sum();
    let whole = sum.max(whole as f64).max(1.0);
    let mut before = 0.0;
    let part = |&weight: &u64| {
        let start = before;
        before += weight as f64;
        (from + length * (start / whole), from + length * (before / whole))
    };
    weights.iter().map(part).collect()
}

/// The weights of the cells below one.
pub(super) fn weights_below(nodes: &[Node], at: usize) -> Vec<u64> {
    nodes[at].below.clone().filter_map(|n| nodes.get(n as usize)).map(|node| node.weight).collect()
}

/// A rectangle whose edges lie between pixels of one point.
pub(super) fn rect(left: f64, top: f64, right: f64, bottom: f64) -> Rect {
    Rect::from_min_max(pos2(left as f32, top as f32), pos2(right as f32, bottom as f32))
}
