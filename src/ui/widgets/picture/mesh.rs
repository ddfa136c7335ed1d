//! Mesh of all cells of a chart, created with the layout and reused in every frame. Rectangles are tessellated by egui.
//! Arcs get their own antialiased edge of one pixel, because egui smooths only shapes that it tessellates itself.

use eframe::egui;
use egui::epaint::{CornerRadius, Mesh, RectShape, TessellationOptions, Tessellator};
use egui::{Color32, Rect, pos2};

use super::area::{Arc, Area};
use crate::view::chart::Kind;

/// Gap between two cells, in points.
const GAP: f32 = 1.0;
/// Approximate length of the segments of an arc, in points.
const STEP: f32 = 3.0;

/// Mesh of all areas in their colours, in the order of the cells.
pub(super) fn of(kind: Kind, areas: &[Area], fill: impl Fn(usize) -> Color32, pixels_per_point: f32) -> Mesh {
    let mut mesh = Mesh::default();
    let mut tessellator = Tessellator::new(pixels_per_point, TessellationOptions::default(), [1, 1], Vec::new());
    for (at, area) in areas.iter().enumerate() {
        match area {
            Area::Hidden => {}
            // The root of a treemap is covered by the other cells.
            Area::Rect(..) if at == 0 && kind == Kind::Treemap => {}
            Area::Rect(rect, _) => {
                let shape = RectShape::filled(shrunk(*rect), corner(*rect), fill(at));
                tessellator.tessellate_rect(&shape, &mut mesh);
            }
            Area::Arc(arc) => add_arc(&mut mesh, arc, fill(at), 1.0 / pixels_per_point),
        }
    }
    mesh
}

/// Adds the gap; narrow cells keep at least half of their width.
fn shrunk(rect: Rect) -> Rect {
    let gap = |length: f32| (GAP / 2.0).min(length / 4.0);
    rect.shrink2(egui::vec2(gap(rect.width()), gap(rect.height())))
}

fn corner(rect: Rect) -> CornerRadius {
    match rect.width().min(rect.height()) {
        ..6.0 => CornerRadius::ZERO,
        ..16.0 => CornerRadius::same(1),
        ..60.0 => CornerRadius::same(2),
        _ => CornerRadius::same(3),
    }
}

/// A grid of points along the arc; the edges fade out over one pixel.
fn add_arc(mesh: &mut Mesh, arc: &Arc, color: Color32, pixel: f32) {
    let total = arc.to - arc.from >= std::f32::consts::TAU - 1e-4;
    let max_inset = (arc.outer - arc.inner) / 4.0;
    let gap = (GAP / 2.0).min(max_inset);
    let (inner, outer) = (arc.inner + if arc.inner > 0.0 { gap } else { 0.0 }, arc.outer - gap);
    let fade = (pixel / 2.0).min(max_inset);
    let radii = if arc.inner > 0.0 {
        [(inner - fade, 0.0), (inner + fade, 1.0), (outer - fade, 1.0), (outer + fade, 0.0)]
    } else {
        [(0.0, 1.0), (outer / 2.0, 1.0), (outer - fade, 1.0), (outer + fade, 0.0)]
    };
    let steps = (((arc.to - arc.from) * arc.outer / STEP).ceil() as u32).clamp(2, 256);
    let middle = f32::midpoint(arc.from, arc.to);
    // Gaps of constant width, not of constant angle, so that the space between two arcs is even.
    let inside = |angle: f32, by: f32, radius: f32| {
        let by = by / radius.max(1.0);
        if angle < middle { (angle + by).min(middle) } else { (angle - by).max(middle) }
    };
    let mut columns: Vec<(f32, f32, f32)> = Vec::with_capacity(steps as usize + 3);
    let ends = if total { (0.0, 0.0) } else { (gap - fade, gap + fade) };
    if !total {
        columns.push((arc.from, ends.0, 0.0));
    }
    for step in 0..=steps {
        let angle = arc.from + (arc.to - arc.from) * step as f32 / steps as f32;
        let is_end = step == 0 || step == steps;
        columns.push((angle, if is_end { ends.1 } else { 0.0 }, 1.0));
    }
    if !total {
        columns.push((arc.to, ends.0, 0.0));
    }
    let first = mesh.vertices.len() as u32;
    for &(angle, by, solid) in &columns {
        for &(radius, full) in &radii {
            let radius = radius.max(0.0);
            mesh.colored_vertex(arc.at(inside(angle, by, radius), radius), color.gamma_multiply(solid * full));
        }
    }
    let rows = radii.len() as u32;
    for column in 0..columns.len() as u32 - 1 {
        for row in 0..rows - 1 {
            let corner = first + column * rows + row;
            mesh.add_triangle(corner, corner + 1, corner + rows);
            mesh.add_triangle(corner + 1, corner + rows, corner + rows + 1);
        }
    }
}

/// Outline of an area as a closed line.
pub(super) fn edge(area: &Area) -> Vec<egui::Pos2> {
    match area {
        Area::Hidden => Vec::new(),
        Area::Rect(rect, _) => {
            let rect = rect.shrink(1.0);
            vec![rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()]
        }
        Area::Arc(arc) => {
            let steps = (((arc.to - arc.from) * arc.outer / STEP).ceil() as u32).clamp(2, 256);
            let angle = |step: u32| arc.from + (arc.to - arc.from) * step as f32 / steps as f32;
            let out = (0..=steps).map(|step| arc.at(angle(step), arc.outer - 1.0));
            let back = (0..=steps).rev().map(|step| arc.at(angle(step), arc.inner + 1.0));
            if arc.inner > 0.0 { out.chain(back).collect() } else { out.collect() }
        }
    }
}

/// Centre of an area.
pub(super) fn middle(area: &Area) -> egui::Pos2 {
    match area {
        Area::Hidden => pos2(0.0, 0.0),
        Area::Rect(rect, _) => rect.center(),
        Area::Arc(arc) if arc.inner <= 0.0 => arc.centre,
        Area::Arc(arc) => arc.at(f32::midpoint(arc.from, arc.to), f32::midpoint(arc.inner, arc.outer)),
    }
}
