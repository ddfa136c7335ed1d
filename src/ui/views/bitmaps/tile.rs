//! Drawing of a bitmap: its preview on a checkerboard, or the reason why there is none, and its details.

use std::sync::Arc;

use eframe::egui::{self, Color32, FontId, Galley, Pos2, Rect, Shape, Ui, Vec2, pos2, vec2};
use egui::epaint::{Mesh, Vertex};

use crate::ui::pictures::BitmapImage;
use crate::ui::theme::{Tokens, fonts, tokens};
use crate::ui::widgets::elided;
use heaplens_analysis::android::bitmaps::{Bitmap, DuplicateBitmaps};
use heaplens_base::Count;

/// Maximum number of characters of a name that are laid out.
const MOST: usize = 120;
/// Size of a square of the checkerboard, in points.
const SQUARE: f32 = 7.0;

/// Draws a preview as large as it fits, without tint.
pub(in crate::ui::views) fn picture_ui(ui: &Ui, area: Rect, bitmap: &Bitmap, shown: Option<&BitmapImage>) {
    let t = tokens(ui);
    match shown {
        Some(BitmapImage::Picture(texture, is_transparent)) => {
            let rect = fitting(area, texture.size_vec2());
            if *is_transparent {
                squares(ui, rect, t);
            }
            let uv = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
            ui.painter().image(texture.id(), rect, uv, Color32::WHITE);
            ui.painter().rect_stroke(rect, 0.0, (1.0, t.border), egui::StrokeKind::Outside);
        }
        Some(BitmapImage::Nothing(why)) => nothing_ui(ui, area, bitmap, why),
        None => {
            let rect = fitting(area, size_of(bitmap));
            ui.painter().rect_filled(rect, 2.0, t.track);
        }
    }
}

/// Rectangle of a preview centred in `outer`; very small images are enlarged.
fn fitting(outer: Rect, size: Vec2) -> Rect {
    let area = outer.size().max(vec2(1.0, 1.0));
    let scale = (area.x / size.x.max(1.0)).min(area.y / size.y.max(1.0)).min(4.0);
    let size = (size * scale).max(vec2(2.0, 2.0)).min(area);
    let min = (outer.center() - size / 2.0).round();
    Rect::from_min_size(min, size.round())
}

fn size_of(bitmap: &Bitmap) -> Vec2 {
    bitmap.size.map_or(vec2(4.0, 3.0), |(width, height)| vec2(width as f32, height as f32))
}

/// A checkerboard of two colours.
fn squares(ui: &Ui, rect: Rect, t: &Tokens) {
    ui.painter().rect_filled(rect, 0.0, t.raised);
    let mut mesh = Mesh::default();
    let (columns, rows) = ((rect.width() / SQUARE).ceil() as u32, (rect.height() / SQUARE).ceil() as u32);
    for row in 0..rows {
        for column in (row % 2..columns).step_by(2) {
            let min = rect.min + vec2(column as f32, row as f32) * SQUARE;
            quad(&mut mesh, Rect::from_min_max(min, (min + Vec2::splat(SQUARE)).min(rect.max)), t.track);
        }
    }
    ui.painter().add(Shape::mesh(mesh));
}

fn quad(mesh: &mut Mesh, rect: Rect, color: Color32) {
    let first = mesh.vertices.len() as u32;
    let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()];
    mesh.vertices.extend(corners.map(|pos| Vertex { pos, uv: egui::epaint::WHITE_UV, color }));
    mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
}

/// A frame in the shape of the bitmap, with the reason why it has no preview.
fn nothing_ui(ui: &Ui, area: Rect, bitmap: &Bitmap, why: &str) {
    let t = tokens(ui);
    let least = vec2(area.width().min(110.0), area.height().min(56.0));
    let rect = fitting(area, size_of(bitmap));
    let rect = Rect::from_center_size(area.center(), rect.size().max(least).min(area.size()));
    ui.painter().rect(rect, 3.0, t.panel, (1.0, t.border), egui::StrokeKind::Inside);
    if rect.width() < 60.0 {
        return;
    }
    let mut job = egui::text::LayoutJob::simple(why.to_owned(), fonts::small(), t.faint, rect.width() - 12.0);
    job.halign = egui::Align::Center;
    let galley = ui.painter().layout_job(job);
    let at = pos2(rect.center().x, rect.center().y - galley.size().y / 2.0);
    ui.painter().with_clip_rect(rect.intersect(ui.clip_rect())).galley(at, galley, t.faint);
}

/// Draws a badge on top of a preview; returns its right edge.
pub(super) fn badge(ui: &Ui, at: Pos2, text: &str, ink: Color32) -> f32 {
    let t = tokens(ui);
    let galley = elided(ui, text.to_owned(), fonts::small_medium(), ink, 150.0);
    let rect = Rect::from_min_size(at, galley.size() + vec2(12.0, 4.0));
    ui.painter().rect(rect, 8.0, t.raised, (1.0, ink.gamma_multiply(0.6)), egui::StrokeKind::Inside);
    ui.painter().galley(rect.center() - galley.size() / 2.0, galley, ink);
    rect.right()
}

/// `3 identical`, or `3 possibly identical` if the pixels are not recorded.
pub(super) fn alike_words(alike: &DuplicateBitmaps) -> String {
    let count = Count(alike.members.len() as u64);
    if alike.is_certain { format!("{count} identical") } else { format!("{count} possibly identical") }
}

/// Lays out a name in `width`, elided at the start: the end distinguishes it.
pub(super) fn end_of(ui: &Ui, name: &str, font: &FontId, ink: Color32, width: f32) -> Arc<Galley> {
    let lay_out = |text: String| ui.painter().layout_no_wrap(text, font.clone(), ink);
    // A name may be very long: only the last characters can be visible.
    let starts: Vec<usize> = name.char_indices().rev().take(MOST).map(|(at, _)| at).collect();
    if starts.len() < MOST {
        let galley = lay_out(name.to_owned());
        if galley.size().x <= width {
            return galley;
        }
    }
    let fits = |&start: &usize| lay_out(format!("…{}", &name[start..])).size().x <= width;
    let letters = starts.partition_point(fits);
    let start = letters.checked_sub(1).and_then(|last| starts.get(last)).copied();
    elided(ui, format!("…{}", start.map_or("", |start| &name[start..])), font.clone(), ink, width)
}

/// `96 × 96`
pub(in crate::ui::views) fn size_words(bitmap: &Bitmap) -> String {
    let size = |(width, height): (u32, u32)| format!("{} × {}", Count(width.into()), Count(height.into()));
    bitmap.size.map_or_else(|| "Dimensions not recorded".to_owned(), size)
}
