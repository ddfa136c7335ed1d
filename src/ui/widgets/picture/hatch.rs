//! Hatching: stripes over what is not there any more, so that nobody takes it
//! for a colour.

use eframe::egui;
use egui::epaint::Mesh;
use egui::{Color32, Pos2, Rect, Shape, pos2, vec2};

use super::area::{Arc, Area};

/// From one stripe to the next.
const APART: f32 = 7.0;
/// How wide a stripe is.
const WIDE: f32 = 1.4;

/// Adds the stripes of a cell to the mesh it is drawn with.
pub(super) fn add(mesh: &mut Mesh, area: &Area, color: Color32) {
    match area {
        Area::Hidden => {}
        Area::Rect(rect, _) => stripes(rect.shrink(0.5), APART, |from, to| line(mesh, from, to, color)),
        Area::Arc(arc) => spokes(mesh, arc, color),
    }
}

/// A small hatched square, for legends.
pub fn hatching(rect: Rect, color: Color32) -> Shape {
    let mut mesh = Mesh::default();
    stripes(rect, APART * 0.6, |from, to| line(&mut mesh, from, to, color));
    Shape::mesh(mesh)
}

/// Lines from lower left to upper right, cut at the edges.
fn stripes(rect: Rect, apart: f32, mut draw: impl FnMut(Pos2, Pos2)) {
    // On such a line x + y is the same everywhere; lines of all cells are one pattern.
    let (first, last) = (rect.left() + rect.top(), rect.right() + rect.bottom());
    let mut sum = (first / apart).ceil() * apart;
    while sum < last {
        let left = (sum - rect.bottom()).max(rect.left());
        let right = (sum - rect.top()).min(rect.right());
        if right > left {
            draw(pos2(left, sum - left), pos2(right, sum - right));
        }
        sum += apart;
    }
}

/// Lines from the inner edge of an arc to the outer, as far apart as stripes in the middle of it.
fn spokes(mesh: &mut Mesh, arc: &Arc, color: Color32) {
    let middle = f32::midpoint(arc.inner, arc.outer).max(1.0);
    let step = APART / middle;
    let mut angle = arc.from + step / 2.0;
    while angle < arc.to {
        line(mesh, arc.at(angle, arc.inner + 1.0), arc.at(angle, arc.outer - 1.0), color);
        angle += step;
    }
}

fn line(mesh: &mut Mesh, from: Pos2, to: Pos2, color: Color32) {
    let along = (to - from).normalized();
    let side = vec2(-along.y, along.x) * (WIDE / 2.0);
    let first = mesh.vertices.len() as u32;
    for corner in [from - side, from + side, to + side, to - side] {
        mesh.colored_vertex(corner, color);
    }
    mesh.add_triangle(first, first + 1, first + 2);
    mesh.add_triangle(first, first + 2, first + 3);
}
