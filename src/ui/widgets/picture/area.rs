//! Layout of chart cells: pure computation of rectangles and arcs.

use std::f32::consts::TAU;
use std::ops::Range;

use eframe::egui;
use egui::{Pos2, Rect, Vec2, pos2, vec2};

/// Cell of a tree. Each cell comes after its parent, and the children of a cell are adjacent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Index of the parent; the root is its own parent.
    pub above: u32,
    /// Indices of the children.
    pub below: Range<u32>,
    /// Weight; the area is proportional to it.
    pub weight: u64,
    /// Levels below the root.
    pub depth: u32,
}

/// Area of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Area {
    /// Too small to draw.
    Hidden,
    /// A rectangle and the height of its header. Children are inside it below the header, or outside if the height is
    /// infinite.
    Rect(Rect, f32),
    /// A ring segment.
    Arc(Arc),
}

/// A ring segment. Angles are in radians, clockwise from the top.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Arc {
    /// Centre of the ring.
    pub centre: Pos2,
    /// Inner radius; 0 for a disc.
    pub inner: f32,
    /// Outer radius.
    pub outer: f32,
    /// Start angle.
    pub from: f32,
    /// End angle.
    pub to: f32,
}

impl Arc {
    /// Point at an angle and a distance from the centre.
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
    /// True if the cell is drawn.
    pub(super) fn is_seen(&self) -> bool {
        *self != Self::Hidden
    }

    /// True if the point is in the cell.
    pub(super) fn contains(&self, pos: Pos2) -> bool {
        match self {
            Self::Hidden => false,
            Self::Rect(rect, _) => rect.contains(pos),
            Self::Arc(arc) => arc.contains(pos),
        }
    }

    /// Bounding rectangle.
    pub(super) fn bounds(&self) -> Rect {
        match self {
            Self::Hidden => Rect::NOTHING,
            Self::Rect(rect, _) => *rect,
            Self::Arc(arc) => arc.bounds(),
        }
    }
}

/// The deepest cell at a point.
pub(super) fn hit(nodes: &[Node], areas: &[Area], pos: Pos2) -> Option<usize> {
    let mut answer = None;
    let mut among = 0..u32::from(!nodes.is_empty());
    // In a treemap children are inside their parent, in other charts outside.
    while let Some((at, node)) = among.find_map(|at| {
        let (at, node) = (at as usize, nodes.get(at as usize)?);
        covers(nodes, areas, at, pos).then_some((at, node))
    }) {
        if areas[at].contains(pos) {
            answer = Some(at);
        }
        among = node.below.clone();
    }
    answer
}

/// True if the point is in the cell or in the area of its descendants.
fn covers(nodes: &[Node], areas: &[Area], at: usize, pos: Pos2) -> bool {
    match areas.get(at) {
        Some(Area::Rect(rect, _)) if nodes[at].below.is_empty() => rect.contains(pos),
        Some(Area::Rect(rect, header)) if *header < rect.height() => rect.contains(pos),
        // The descendants of an icicle bar are below it.
        Some(Area::Rect(rect, _)) => rect.x_range().contains(pos.x) && pos.y >= rect.top(),
        Some(Area::Arc(arc)) => {
            let angle = (pos.x - arc.centre.x).atan2(arc.centre.y - pos.y).rem_euclid(TAU);
            (arc.from..arc.to).contains(&angle) && pos.distance(arc.centre) >= arc.inner
        }
        _ => false,
    }
}

/// Divides a length into adjacent parts proportional to weights. If `total` exceeds their sum, the rest stays free at
/// the end.
pub(super) fn split(weights: &[u64], total: u64, from: f64, length: f64) -> Vec<(f64, f64)> {
    let sum: f64 = weights.iter().map(|&weight| weight as f64).sum();
    let total = sum.max(total as f64).max(1.0);
    let mut before = 0.0;
    let part = |&weight: &u64| {
        let start = before;
        before += weight as f64;
        (from + length * (start / total), from + length * (before / total))
    };
    weights.iter().map(part).collect()
}

/// Weights of the children of a cell.
pub(super) fn weights_below(nodes: &[Node], at: usize) -> Vec<u64> {
    nodes[at].below.clone().filter_map(|n| nodes.get(n as usize)).map(|node| node.weight).collect()
}

/// A rectangle, computed in 64 bits and rounded once.
pub(super) fn rect(left: f64, top: f64, right: f64, bottom: f64) -> Rect {
    Rect::from_min_max(pos2(left as f32, top as f32), pos2(right as f32, bottom as f32))
}
