//! Software renderer for egui's triangles: images without a display or a graphics driver, for `--screenshot` and for
//! the tests.
//!
//! It follows the rules of a graphics card: vertices on a grid of 1/256 pixel, the top-left rule (a pixel on a shared
//! edge belongs to exactly one of the two triangles), bilinear textures, and blending of premultiplied colours in gamma
//! space, as in egui.

use std::collections::HashMap;

use eframe::egui;
use egui::epaint::{ClippedPrimitive, ImageData, Mesh, Primitive, Vertex};
use egui::{Color32, Rect, TextureId, TexturesDelta};
use image::{Rgba, RgbaImage};

struct Texture {
    size: [usize; 2],
    pixels: Vec<Color32>,
}

/// Textures of a context, and the renderer that uses them.
#[derive(Default)]
pub struct SoftwareRenderer {
    textures: HashMap<TextureId, Texture>,
}

impl SoftwareRenderer {
    /// Adds new textures, updates changed ones and removes freed ones.
    pub fn apply(&mut self, delta: &mut TexturesDelta) {
        let mut set: Vec<_> = delta.set.drain().collect();
        set.sort_unstable_by_key(|&(id, _)| id);
        for (id, deltas) in set {
            for change in deltas {
                let ImageData::Color(image) = &change.image;
                match change.pos {
                    None => {
                        self.textures.insert(id, Texture { size: image.size, pixels: image.pixels.clone() });
                    }
                    Some([x, y]) => {
                        let Some(texture) = self.textures.get_mut(&id) else { continue };
                        for (row, line) in image.pixels.chunks(image.size[0].max(1)).enumerate() {
                            let at = (y + row) * texture.size[0] + x;
                            if let Some(target) = texture.pixels.get_mut(at..at + line.len()) {
                                target.copy_from_slice(line);
                            }
                        }
                    }
                }
            }
        }
        self.textures.retain(|id, _| !delta.free.contains(id));
        delta.free.clear();
    }

    /// Draws shapes into an image of `size` pixels, on `background`.
    pub fn render(&self, shapes: &[ClippedPrimitive], size: [usize; 2], scale: f32, background: Color32) -> RgbaImage {
        let mut canvas = Canvas { size, pixels: vec![background; size[0] * size[1]] };
        for shape in shapes {
            if let Primitive::Mesh(mesh) = &shape.primitive
                && let Some(texture) = self.textures.get(&mesh.texture_id)
            {
                canvas.mesh(mesh, texture, shape.clip_rect, scale);
            }
        }
        RgbaImage::from_fn(size[0] as u32, size[1] as u32, |x, y| {
            let c = canvas.pixels[y as usize * size[0] + x as usize];
            Rgba([c.r(), c.g(), c.b(), 255])
        })
    }
}

struct Canvas {
    size: [usize; 2],
    pixels: Vec<Color32>,
}

/// A vertex on the grid of the rasterizer.
#[derive(Clone, Copy)]
struct Corner {
    x: i64,
    y: i64,
    uv: [f32; 2],
    color: [f32; 4],
}

/// Grid steps per pixel.
const GRID: i64 = 256;

impl Canvas {
    fn mesh(&mut self, mesh: &Mesh, texture: &Texture, clip: Rect, scale: f32) {
        let edge = |v: f32, most: usize| ((v * scale).round().max(0.0) as usize).min(most);
        let (x0, x1) = (edge(clip.min.x, self.size[0]), edge(clip.max.x, self.size[0]));
        let (y0, y1) = (edge(clip.min.y, self.size[1]), edge(clip.max.y, self.size[1]));
        let corner = |v: &Vertex| Corner {
            x: (v.pos.x * scale * GRID as f32).round() as i64,
            y: (v.pos.y * scale * GRID as f32).round() as i64,
            uv: [v.uv.x, v.uv.y],
            color: v.color.to_array().map(f32::from),
        };
        for triangle in mesh.indices.chunks_exact(3) {
            let corners = [triangle[0], triangle[1], triangle[2]].map(|i| mesh.vertices.get(i as usize).map(corner));
            if let [Some(a), Some(b), Some(c)] = corners {
                self.triangle([a, b, c], texture, [x0, x1, y0, y1]);
            }
        }
    }

    fn triangle(&mut self, [a, mut b, mut c]: [Corner; 3], texture: &Texture, [x0, x1, y0, y1]: [usize; 4]) {
        let cross = |a: Corner, b: Corner, x: i64, y: i64| (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
        let mut area = cross(a, b, c.x, c.y);
        if area == 0 {
            return;
        }
        if area < 0 {
            std::mem::swap(&mut b, &mut c);
            area = -area;
        }
        // Pixels on a top or left edge belong to the triangle, those on the others do not.
        let bias = |a: Corner, b: Corner| {
            let top_left = (a.y == b.y && b.x > a.x) || b.y < a.y;
            i64::from(!top_left)
        };
        let biases = [bias(b, c), bias(c, a), bias(a, b)];
        let low = |v: [i64; 3], from: usize| (v.into_iter().min().unwrap_or(0).div_euclid(GRID)).max(from as i64);
        let high = |v: [i64; 3], to: usize| (v.into_iter().max().unwrap_or(0).div_euclid(GRID) + 1).min(to as i64);
        let (xs, ys) = ([a.x, b.x, c.x], [a.y, b.y, c.y]);
        let bits = |v: Corner| (v.color.map(f32::to_bits), v.uv.map(f32::to_bits));
        let flat = bits(a) == bits(b) && bits(b) == bits(c);
        let area_of_all = area as f32;
        let mut once = None;
        for y in low(ys, y0)..high(ys, y1) {
            for x in low(xs, x0)..high(xs, x1) {
                let (px, py) = (x * GRID + GRID / 2, y * GRID + GRID / 2);
                let w = [cross(b, c, px, py), cross(c, a, px, py), cross(a, b, px, py)];
                if (0..3).any(|i| w[i] < biases[i]) {
                    continue;
                }
                let source = match once {
                    Some(color) => color,
                    None => {
                        let part = w.map(|w| w as f32 / area_of_all);
                        let mix = |f: &dyn Fn(Corner) -> f32| part[0] * f(a) + part[1] * f(b) + part[2] * f(c);
                        let texel = texture.sample(mix(&|v| v.uv[0]), mix(&|v| v.uv[1]));
                        let color: [f32; 4] = std::array::from_fn(|i| mix(&|v| v.color[i]) * texel[i] / 255.0);
                        if flat {
                            once = Some(color);
                        }
                        color
                    }
                };
                self.blend(x as usize, y as usize, source);
            }
        }
    }

    fn blend(&mut self, x: usize, y: usize, source: [f32; 4]) {
        let pixel = &mut self.pixels[y * self.size[0] + x];
        let below = 1.0 - source[3] / 255.0;
        let mixed = std::array::from_fn(|i| {
            let under = f32::from(pixel.to_array()[i]);
            (source[i] + under * below + 0.5).clamp(0.0, 255.0) as u8
        });
        *pixel = from_array(mixed);
    }
}

#[expect(clippy::disallowed_methods, reason = "a pixel that was computed, not a colour that was chosen")]
fn from_array([r, g, b, a]: [u8; 4]) -> Color32 {
    Color32::from_rgba_premultiplied(r, g, b, a)
}

impl Texture {
    /// Bilinear sample of the four nearest texels; coordinates outside are clamped to the edge.
    fn sample(&self, u: f32, v: f32) -> [f32; 4] {
        let [w, h] = self.size;
        if w == 0 || h == 0 {
            return [255.0; 4];
        }
        let (x, y) = (u * w as f32 - 0.5, v * h as f32 - 0.5);
        let (fx, fy) = (x - x.floor(), y - y.floor());
        let at = |x: f32, y: f32| -> [f32; 4] {
            let (x, y) = ((x.max(0.0) as usize).min(w - 1), (y.max(0.0) as usize).min(h - 1));
            self.pixels.get(y * w + x).map_or([255.0; 4], |c| c.to_array().map(f32::from))
        };
        let (x, y) = (x.floor(), y.floor());
        let (p, q, r, s) = (at(x, y), at(x + 1.0, y), at(x, y + 1.0), at(x + 1.0, y + 1.0));
        std::array::from_fn(|i| {
            let upper = p[i] + (q[i] - p[i]) * fx;
            let lower = r[i] + (s[i] - r[i]) * fx;
            upper + (lower - upper) * fy
        })
    }
}
