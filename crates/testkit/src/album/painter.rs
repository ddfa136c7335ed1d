//! Small pictures with colour gradients, shapes and transparent areas: red, green, blue and alpha of each pixel, with
//! premultiplied alpha as on Android.

/// A picture.
#[derive(Debug, Clone)]
pub(super) struct Canvas {
    pub(super) width: i32,
    pub(super) height: i32,
    pixels: Vec<[u8; 4]>,
}

impl Canvas {
    /// Creates a vertical gradient.
    pub(super) fn new(width: i32, height: i32, top: [u8; 3], bottom: [u8; 3]) -> Self {
        let row = |y: i32| {
            let [red, green, blue] = between(top, bottom, y, height - 1);
            std::iter::repeat_n([red, green, blue, 255], width as usize)
        };
        Self { width, height, pixels: (0..height).flat_map(row).collect() }
    }

    /// Creates a transparent picture.
    pub(super) fn clear(width: i32, height: i32) -> Self {
        Self { width, height, pixels: vec![[0; 4]; (width * height) as usize] }
    }

    /// Fills the area for which `is_in` is true, by column and row, with a vertical colour gradient.
    pub(super) fn fill(&mut self, top: [u8; 3], bottom: [u8; 3], is_in: impl Fn(i32, i32) -> bool) {
        let rows: Vec<i32> = (0..self.height).filter(|&y| (0..self.width).any(|x| is_in(x, y))).collect();
        let (Some(&first), Some(&last)) = (rows.first(), rows.last()) else { return };
        for y in first..=last {
            let [red, green, blue] = between(top, bottom, y - first, last - first);
            for x in (0..self.width).filter(|&x| is_in(x, y)) {
                self.pixels[(y * self.width + x) as usize] = [red, green, blue, 255];
            }
        }
    }

    /// Draws a disc with an anti-aliased edge on empty ground.
    pub(super) fn disc(&mut self, (x, y): (i32, i32), radius: i32, top: [u8; 3], bottom: [u8; 3]) {
        self.fill(top, bottom, |px, py| (px - x).pow(2) + (py - y).pow(2) <= radius.pow(2));
    }

    /// Draws a hill with its top at a position.
    pub(super) fn hill(&mut self, (x, y): (i32, i32), wide: i32, top: [u8; 3], bottom: [u8; 3]) {
        self.fill(top, bottom, |px, py| py >= y + (px - x).pow(2) / wide);
    }

    /// Draws a tree or mountain with its top at a position.
    pub(super) fn cone(&mut self, (x, y): (i32, i32), height: i32, top: [u8; 3], bottom: [u8; 3]) {
        self.fill(top, bottom, |px, py| py >= y && py < y + height && (px - x).abs() * 2 <= py - y);
    }

    /// Four bytes a pixel.
    pub(super) fn argb_8888(&self) -> Vec<u8> {
        self.pixels.concat()
    }

    /// Two bytes a pixel.
    pub(super) fn rgb_565(&self) -> Vec<u8> {
        let pixel = |&[red, green, blue, _]: &[u8; 4]| {
            let packed = u16::from(red >> 3) << 11 | u16::from(green >> 2) << 5 | u16::from(blue >> 3);
            packed.to_le_bytes()
        };
        self.pixels.iter().flat_map(pixel).collect()
    }

    /// A byte a pixel.
    pub(super) fn alpha_8(&self) -> Vec<u8> {
        self.pixels.iter().map(|pixel| pixel[3]).collect()
    }
}

fn between(from: [u8; 3], to: [u8; 3], at: i32, of: i32) -> [u8; 3] {
    let part = |n: usize| {
        let (from, to) = (i32::from(from[n]), i32::from(to[n]));
        (from + (to - from) * at / of.max(1)) as u8
    };
    [part(0), part(1), part(2)]
}
