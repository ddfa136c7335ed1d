//! Hatching: stripes over cells of removed objects, recognizable without colours.

use eframe::egui;
use egui::epaint::Mesh;
use egui::{Color32, Pos2, Rect, Shape, pos2, vec2};

use super::area::{Arc, Area};

/// Distance between stripes, in points.
const SPACING: f32 = 7.0;
/// Width of a stripe, in points.
const STRIPE_WIDTH: f32 = 2.0;

/// Adds the stripes of a cell to the mesh of the chart.
pub(super) fn add(mesh: &mut Mesh, area: &Area, color: Color32) {
    match area {
        Area::Hidden => {}
        Area::Rect(rect, _) => stripes(rect.shrink(0.5), SPACING, |from, to| line(mesh, from, to, color)),
        Area::Arc(arc) => spokes(mesh, arc, color),
    }
}

/// A small hatched square for legends.
pub fn hatching(rect: Rect, color: Color32) -> Shape {
    let mut mesh = Mesh::default();
    stripes(rect, SPACING * 0.6, |from, to| line(&mut mesh, from, to, color));
    Shape::mesh(mesh)
}

/// Diagonal lines from lower left to upper right, clipped to the rectangle.
fn stripes(rect: Rect, spacing: f32, mut draw: impl FnMut(Pos2, Pos2)) {
    // On such a line x + y is constant, so the stripes of all cells form one pattern.
    let (first, last) = (rect.left() + rect.top(), rect.right() + rect.bottom());
    let mut sum = (first / spacing).ceil() * spacing;
    while sum < last {
        let left = (sum - rect.bottom()).max(rect.left());
        let right = (sum - rect.top()).min(rect.right());
        if right > left {
            draw(pos2(left, sum - left), pos2(right, sum - right));
        }
        sum += spacing;
    }
}

/// Radial lines of an arc; their distance at the middle radius is that of stripes.
fn spokes(mesh: &mut Mesh, arc: &Arc, color: Color32) {
    let middle = f32::midpoint(arc.inner, arc.outer).max(1.0);
    let step = SPACING / middle;
    let mut angle = arc.from + step / 2.0;
    while angle < arc.to {
        line(mesh, arc.at(angle, arc.inner + 1.0), arc.at(angle, arc.outer - 1.0), color);
        angle += step;
    }
}

fn line(mesh: &mut Mesh, from: Pos2, to: Pos2, color: Color32) {
    let along = (to - from).normalized();
    let side = vec2(-along.y, along.x) * (STRIPE_WIDTH / 2.0);
    let first = mesh.vertices.len() as u32;
    for corner in [from - side, from + side, to + side, to - side] {
        mesh.colored_vertex(corner, color);
    }
    mesh.add_triangle(first, first + 1, first + 2);
    mesh.add_triangle(first, first + 2, first + 3);
}
