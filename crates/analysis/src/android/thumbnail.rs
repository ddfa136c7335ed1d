//! Scales an image down for display: memory depends on the displayed size, whatever size the dump claims.

/// Sample points per row or column of source pixels.
const POINTS: u64 = 3;

/// A small image: red, green, blue and alpha of each pixel, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thumbnail {
    /// Pixels of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Four bytes a pixel.
    pub pixels: Vec<u8>,
}

impl Thumbnail {
    /// Scales an image of `width` × `height` so that its longer side has at most `most` pixels; `pixel` reads one by
    /// column and row.
    pub fn of((width, height): (u32, u32), most: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Option<Self> {
        let longer = width.max(height);
        let side = |side: u32| (u64::from(side) * u64::from(most)).div_ceil(u64::from(longer.max(most).max(1))) as u32;
        let (to_width, to_height) = (side(width), side(height));
        if to_width == 0 || to_height == 0 {
            return None;
        }
        let mut pixels = Vec::with_capacity(to_width as usize * to_height as usize * 4);
        for row in 0..to_height {
            for column in 0..to_width {
                let across = points(column, to_width, width);
                let down = points(row, to_height, height);
                pixels.extend(mean(down.flat_map(|y| across.clone().map(move |x| (x, y))).map(|(x, y)| pixel(x, y))));
            }
        }
        Some(Self { width: to_width, height: to_height, pixels })
    }

    /// True if any pixel is not opaque.
    pub fn is_transparent(&self) -> bool {
        self.pixels.chunks_exact(4).any(|pixel| pixel.last() != Some(&255))
    }
}

/// Sample points of the pixels that become the one at a position.
fn points(index: u32, parts: u32, pixels: u32) -> impl Iterator<Item = u32> + Clone {
    let (index, parts, pixels) = (u64::from(index), u64::from(parts), u64::from(pixels));
    let (first, end) = (index * pixels / parts, ((index + 1) * pixels / parts).max(index * pixels / parts + 1));
    let count = (end - first).min(POINTS);
    (0..count).map(move |nth| (first + (end - first) * (2 * nth + 1) / (2 * count)).min(pixels - 1) as u32)
}

/// Colours are weighted by alpha.
fn mean(pixels: impl Iterator<Item = [u8; 4]>) -> [u8; 4] {
    let (mut sums, mut alphas, mut count) = ([0_u32; 3], 0_u32, 0_u32);
    for [red, green, blue, alpha] in pixels {
        for (sum, colour) in sums.iter_mut().zip([red, green, blue]) {
            *sum += u32::from(colour) * u32::from(alpha);
        }
        alphas += u32::from(alpha);
        count += 1;
    }
    let colour = |sum: u32| ((sum + alphas / 2) / alphas.max(1)) as u8;
    let [red, green, blue] = sums.map(colour);
    [red, green, blue, ((alphas + count / 2) / count.max(1)) as u8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_side_is_cut_and_a_small_picture_stays_as_it_is() {
        let of = |size, most| Thumbnail::of(size, most, |_, _| [7, 8, 9, 255]).map(|small| (small.width, small.height));
        assert_eq!(of((3, 2), 8), Some((3, 2)));
        assert_eq!(of((4_000, 1_000), 400), Some((400, 100)));
        assert_eq!(of((u32::MAX, 1), 64), Some((64, 1)), "a row that is very long");
        assert_eq!((of((0, 5), 64), of((5, 0), 64)), (None, None));
        let stripes = Thumbnail::of((4, 1), 4, |x, _| [x as u8, 0, 0, 255]).map(|small| small.pixels);
        assert_eq!(stripes, Some(vec![0, 0, 0, 255, 1, 0, 0, 255, 2, 0, 0, 255, 3, 0, 0, 255]));
    }

    #[test]
    fn shrunken_pixels_are_means() {
        let half = Thumbnail::of((2, 1), 1, |x, _| if x == 0 { [200, 0, 0, 255] } else { [0, 0, 100, 255] });
        assert_eq!(half.map(|small| small.pixels), Some(vec![100, 0, 50, 255]));
        let through = Thumbnail::of((2, 1), 1, |x, _| if x == 0 { [200, 0, 0, 255] } else { [0, 0, 100, 0] });
        let through = through.expect("a picture");
        assert_eq!(through.pixels, [200, 0, 0, 128]);
        assert!(through.is_transparent());
    }
}
