//! Pixels of a bitmap: raw as in the dump, and decoded for display.

use super::thumbnail::Thumbnail;
use heaplens_heap::{Heap, ObjectId, contents::FileRecords};

/// Maximum number of pixels read: real bitmaps of a device are smaller.
const MOST: u64 = 1 << 28;

/// Layout of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Red, green, blue and alpha, a byte each.
    Argb8888,
    /// Two bytes, little-endian, without alpha.
    Rgb565,
    /// Alpha alone.
    Alpha8,
    /// Red, green, blue and alpha as halves of a float.
    RgbaF16,
}

/// Format of an encoded image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// PNG
    Png,
    /// JPEG
    Jpeg,
    /// WebP
    Webp,
}

/// An encoded image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding {
    /// Its format.
    pub format: Format,
    /// Its size, if its header contains it.
    pub size: Option<(u32, u32)>,
}

/// Pixels of a bitmap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pixels {
    /// Raw pixels in the heap.
    InHeap {
        /// The bytes.
        array: ObjectId,
        /// Layout of a pixel.
        layout: Layout,
        /// True if colours are premultiplied by alpha.
        is_premultiplied: bool,
    },
    /// Encoded image, made for the dump.
    Encoded {
        /// Its bytes.
        array: ObjectId,
        /// Its format.
        format: Format,
    },
}

/// A decoded image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Picture {
    /// Red, green, blue and alpha of each pixel, row by row.
    Rgba {
        /// Pixels of a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Four bytes a pixel.
        pixels: Vec<u8>,
    },
    /// A file of this format.
    Encoded(Format, Vec<u8>),
}

impl Layout {
    /// Android's name of it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Argb8888 => "ARGB_8888",
            Self::Rgb565 => "RGB_565",
            Self::Alpha8 => "ALPHA_8",
            Self::RgbaF16 => "RGBA_F16",
        }
    }

    /// Bytes of a pixel.
    fn bytes(self) -> usize {
        match self {
            Self::Argb8888 => 4,
            Self::Rgb565 => 2,
            Self::Alpha8 => 1,
            Self::RgbaF16 => 8,
        }
    }

    /// Layout of a bitmap whose pixels take this many bytes. The buffer may be larger than needed: a bitmap can be
    /// reconfigured to a smaller size.
    pub fn of((width, height): (u32, u32), bytes: u64) -> Option<Self> {
        let pixels = u64::from(width).checked_mul(height.into()).filter(|pixels| (1..=MOST).contains(pixels))?;
        match bytes / pixels {
            0 => None,
            1 => Some(Self::Alpha8),
            2 | 3 => Some(Self::Rgb565),
            4..=7 => Some(Self::Argb8888),
            _ => Some(Self::RgbaF16),
        }
    }

    /// One pixel from its bytes.
    fn rgba(self, bytes: &[u8], is_premultiplied: bool) -> [u8; 4] {
        match (self, bytes) {
            (Self::Argb8888, &[red, green, blue, alpha]) => {
                let plain = |colour: u8| {
                    let part = (u32::from(colour) * 255 + u32::from(alpha) / 2) / u32::from(alpha).max(1);
                    if is_premultiplied { part.min(255) as u8 } else { colour }
                };
                [plain(red), plain(green), plain(blue), alpha]
            }
            (Self::Rgb565, &[low, high]) => {
                let pixel = u32::from(u16::from_le_bytes([low, high]));
                let wide = |part: u32, most: u32| (part * 255 / most) as u8;
                [wide(pixel >> 11, 31), wide(pixel >> 5 & 63, 63), wide(pixel & 31, 31), 255]
            }
            // Shown as grey: alpha without colour is visible on one background only.
            (Self::Alpha8, &[alpha]) => [alpha, alpha, alpha, 255],
            (Self::RgbaF16, &[r0, r1, g0, g1, b0, b1, a0, a1]) => {
                let alpha = half([a0, a1]);
                let scale = if is_premultiplied && alpha > 0.0 { 1.0 / alpha } else { 1.0 };
                let byte = |of: f32| (of.clamp(0.0, 1.0) * 255.0).round() as u8;
                let colour = |bytes| byte(half(bytes) * scale);
                [colour([r0, r1]), colour([g0, g1]), colour([b0, b1]), byte(alpha)]
            }
            _ => [0; 4],
        }
    }
}

/// A float of sixteen bits.
fn half(bytes: [u8; 2]) -> f32 {
    let bits = u16::from_le_bytes(bytes);
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023) / 1024.0);
    let size = match exponent {
        0 => fraction * 2_f32.powi(-14),
        31 => 1.0,
        _ => (1.0 + fraction) * 2_f32.powi(exponent - 15),
    };
    if bits >> 15 == 1 { -size } else { size }
}

impl Format {
    /// Name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Webp => "WebP",
        }
    }

    /// Format name and file extension.
    pub fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Webp => "webp",
        }
    }
}

impl Encoding {
    /// Format and size from the first bytes.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let number = |at: usize| Some(u32::from_be_bytes(*bytes.get(at..at + 4)?.first_chunk()?));
        if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            return Some(Self { format: Format::Png, size: number(16).zip(number(20)) });
        }
        if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
            return Some(Self { format: Format::Jpeg, size: None });
        }
        let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
        is_webp.then_some(Self { format: Format::Webp, size: None })
    }
}

impl Pixels {
    /// Location of the bytes in the file.
    pub fn array(self) -> ObjectId {
        match self {
            Self::InHeap { array, .. } | Self::Encoded { array, .. } => array,
        }
    }

    /// Name of their form for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::InHeap { .. } => "heap",
            Self::Encoded { format, .. } => format.name(),
        }
    }

    /// Image of a bitmap of this size, at most `most` pixels wide or high, if its pixels are in the heap;
    /// `None` if they are not, or the bytes are missing.
    pub fn small(
        self,
        heap: &Heap,
        contents: &dyn FileRecords,
        (width, height): (u32, u32),
        most: u32,
    ) -> Option<Thumbnail> {
        let Self::InHeap { array, layout, is_premultiplied } = self else { return None };
        let bytes = contents.body(heap, array)?;
        let wanted = u64::from(width).checked_mul(height.into()).filter(|&wanted| wanted <= MOST)? as usize;
        let each = layout.bytes();
        let bytes = bytes.get(..wanted.checked_mul(each)?)?;
        Thumbnail::of((width, height), most, |x, y| {
            let at = (y as usize * width as usize + x as usize) * each;
            bytes.get(at..at + each).map_or([0; 4], |pixel| layout.rgba(pixel, is_premultiplied))
        })
    }

    /// Image of a bitmap of this size; `None` if the bytes are missing.
    pub fn picture(self, heap: &Heap, contents: &dyn FileRecords, (width, height): (u32, u32)) -> Option<Picture> {
        let bytes = contents.body(heap, self.array())?;
        match self {
            Self::Encoded { format, .. } => Some(Picture::Encoded(format, bytes.to_vec())),
            Self::InHeap { layout, is_premultiplied, .. } => {
                let wanted = u64::from(width).checked_mul(height.into()).filter(|&wanted| wanted <= MOST)? as usize;
                let of_pixels = bytes.get(..wanted.checked_mul(layout.bytes())?)?.chunks_exact(layout.bytes());
                let pixels = of_pixels.flat_map(|pixel| layout.rgba(pixel, is_premultiplied)).collect();
                Some(Picture::Rgba { width, height, pixels })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_have_their_colours() {
        assert_eq!(Layout::Argb8888.rgba(&[100, 50, 0, 200], false), [100, 50, 0, 200]);
        assert_eq!(Layout::Argb8888.rgba(&[100, 50, 0, 200], true), [128, 64, 0, 200]);
        assert_eq!(Layout::Argb8888.rgba(&[9, 9, 9, 0], true)[3], 0);
        assert_eq!(Layout::Rgb565.rgba(&[0x00, 0xf8], true), [255, 0, 0, 255]);
        assert_eq!(Layout::Rgb565.rgba(&[0xe0, 0x07], true), [0, 255, 0, 255]);
        assert_eq!(Layout::Alpha8.rgba(&[77], true), [77, 77, 77, 255]);
        // 1.0, 0.5, 0 and 1.0.
        assert_eq!(Layout::RgbaF16.rgba(&[0, 0x3c, 0, 0x38, 0, 0, 0, 0x3c], true), [255, 128, 0, 255]);
    }

    #[test]
    fn the_pixel_layout_follows_from_the_byte_count() {
        let of = |bytes| Layout::of((10, 10), bytes).map(Layout::name);
        assert_eq!(
            (of(400), of(200), of(100), of(800)),
            (Some("ARGB_8888"), Some("RGB_565"), Some("ALPHA_8"), Some("RGBA_F16"))
        );
        assert_eq!((of(99), of(450)), (None, Some("ARGB_8888")));
        assert_eq!((Layout::of((0, 5), 10), Layout::of((u32::MAX, u32::MAX), u64::MAX)), (None, None));
    }

    #[test]
    fn image_formats_are_recognised_by_their_first_bytes() {
        let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        assert_eq!(Encoding::of(&png).map(|of| of.size), Some(None), "cut off");
        png.extend([0, 0, 0, 64, 0, 0, 0, 48]);
        assert_eq!(Encoding::of(&png).map(|of| (of.format, of.size)), Some((Format::Png, Some((64, 48)))));
        assert_eq!(Encoding::of(&[0xff, 0xd8, 0xff, 0xe0]).map(|of| of.format), Some(Format::Jpeg));
        assert_eq!(Encoding::of(b"RIFF\0\0\0\0WEBPVP8 ").map(|of| of.format), Some(Format::Webp));
        assert!(Encoding::of(b"RIFF").is_none() && Encoding::of(b"").is_none());
    }
}
