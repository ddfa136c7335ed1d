//! Thumbnails of bitmaps: decoded in the background, limited in size, and cached up to a memory limit.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use eframe::egui;
use egui::{ColorImage, Context, TextureHandle, TextureOptions};

use heaplens_analysis::android::bitmaps::Bitmap;
use heaplens_analysis::android::pixels::{Format, Picture, Pixels};
use heaplens_analysis::android::thumbnail::Thumbnail;
use heaplens_heap::ObjectId;
use heaplens_session::{JobError, Jobs, OpenDump, Slot};
use heaplens_tables::export::png::{png, read_png};

/// Maximum length of the longer side of a thumbnail, in pixels.
const SIDE: u32 = 384;
/// Maximum size in bytes of cached thumbnails, besides those on screen.
const CACHE_LIMIT: usize = 64 << 20;
/// Maximum size in bytes of a decoded picture: 32 million pixels.
const MAX_BYTES: usize = 128 << 20;
/// Maximum duration of one batch, so that its results show early.
const BATCH: Duration = Duration::from_millis(80);

/// Thumbnail of a bitmap.
pub enum BitmapImage {
    /// The picture, and true if it has transparent pixels.
    Picture(TextureHandle, bool),
    /// No picture, and the reason.
    Nothing(&'static str),
}

/// A decoded thumbnail before it is uploaded as a texture, as in [`BitmapImage`].
type DecodedImage = Result<(ColorImage, bool), &'static str>;

struct CachedImage {
    shown: BitmapImage,
    bytes: usize,
    /// Number of the pass in which it was drawn last.
    drawn: u64,
}

/// A bitmap to decode.
#[derive(Debug, Clone, Copy)]
struct DecodeRequest {
    object: ObjectId,
    size: (u32, u32),
    pixels: Pixels,
}

/// Thumbnails by object.
#[derive(Default)]
pub struct Pictures {
    cached: BTreeMap<ObjectId, CachedImage>,
    bytes: usize,
    requested: Vec<DecodeRequest>,
    slot: Slot<Vec<(ObjectId, DecodedImage)>>,
}

impl Pictures {
    /// Thumbnail of a bitmap, drawn in the pass `now`; `None` while it is decoded.
    pub fn of(&mut self, bitmap: &Bitmap, now: u64) -> Option<&BitmapImage> {
        const RECYCLED: BitmapImage = BitmapImage::Nothing("Recycled");
        const UNKNOWN: BitmapImage = BitmapImage::Nothing("Pixels not recorded");
        let (Some(size), Some(pixels)) = (bitmap.size, bitmap.pixels) else {
            return Some(if bitmap.is_recycled { &RECYCLED } else { &UNKNOWN });
        };
        if !self.cached.contains_key(&bitmap.object) {
            self.requested.push(DecodeRequest { object: bitmap.object, size, pixels });
        }
        let cached = self.cached.get_mut(&bitmap.object)?;
        cached.drawn = now;
        Some(&cached.shown)
    }

    /// Takes over decoded pictures and starts the next batch. Call once per frame, after drawing.
    pub fn tick(&mut self, ctx: &Context, dump: &OpenDump, jobs: &Jobs) {
        let now = ctx.cumulative_pass_nr();
        if let Some(decoded) = self.slot.take_new() {
            for (object, decoded) in decoded {
                self.keep(ctx, object, decoded, now);
            }
            self.forget(now);
            ctx.request_repaint();
        }
        if self.requested.is_empty() || self.slot.is_running() || self.slot.error().is_some() {
            self.requested.clear();
            return;
        }
        let (requested, dump) = (std::mem::take(&mut self.requested), dump.clone());
        self.slot.ask(jobs, "pictures of bitmaps", move |task| {
            let begun = Instant::now();
            let mut decoded = Vec::with_capacity(requested.len());
            for requested in requested {
                task.checkpoint()?;
                decoded.push((requested.object, decode(&dump, requested)));
                if begun.elapsed() > BATCH {
                    // Remaining bitmaps are requested again while they are on screen.
                    break;
                }
            }
            Ok(decoded)
        });
    }

    fn keep(&mut self, ctx: &Context, object: ObjectId, decoded: DecodedImage, now: u64) {
        let (shown, bytes) = match decoded {
            Ok((image, is_transparent)) => {
                let ([width, height], bytes) = (image.size, image.pixels.len() * 4);
                // A small picture is enlarged without smoothing.
                let options = if width.max(height) < 64 {
                    TextureOptions { magnification: egui::TextureFilter::Nearest, ..TextureOptions::LINEAR }
                } else {
                    TextureOptions::LINEAR
                };
                let texture = ctx.load_texture(format!("bitmap {}", object.raw()), image, options);
                (BitmapImage::Picture(texture, is_transparent), bytes)
            }
            Err(why) => (BitmapImage::Nothing(why), 0),
        };
        self.bytes += bytes;
        if let Some(before) = self.cached.insert(object, CachedImage { shown, bytes, drawn: now }) {
            self.bytes = self.bytes.saturating_sub(before.bytes);
        }
    }

    /// Drops the least recently drawn thumbnails until the limit is met; those on screen stay.
    fn forget(&mut self, now: u64) {
        while self.bytes > CACHE_LIMIT {
            let old = self.cached.iter().filter(|(_, cached)| cached.bytes > 0 && cached.drawn + 2 < now);
            let Some(oldest) = old.min_by_key(|(_, cached)| cached.drawn).map(|(&object, _)| object) else { return };
            if let Some(removed) = self.cached.remove(&oldest) {
                self.bytes = self.bytes.saturating_sub(removed.bytes);
            }
        }
    }

    /// True while thumbnails are being decoded.
    pub fn is_running(&self) -> bool {
        self.slot.is_at_work() || !self.requested.is_empty()
    }
}

fn decode(dump: &OpenDump, DecodeRequest { size, pixels, .. }: DecodeRequest) -> DecodedImage {
    let (heap, contents) = (&dump.heap, &*dump.contents);
    let small = match pixels {
        Pixels::InHeap { .. } => pixels.small(heap, contents, size, SIDE),
        Pixels::Encoded { array, format: Format::Png } => contents.body(heap, array).and_then(|file| {
            let (width, height, pixels) = read_png(file, MAX_BYTES)?;
            Thumbnail::of((width, height), SIDE, |x, y| {
                let at = (y as usize * width as usize + x as usize) * 4;
                pixels.get(at..).and_then(|pixel| pixel.first_chunk().copied()).unwrap_or([0; 4])
            })
        }),
        Pixels::Encoded { format: Format::Jpeg, .. } => return Err("JPEG: save it to view it"),
        Pixels::Encoded { format: Format::Webp, .. } => return Err("WebP: save it to view it"),
    };
    let small = small.filter(|small| !small.pixels.is_empty()).ok_or("Cannot read the pixels")?;
    let size = [small.width as usize, small.height as usize];
    Ok((ColorImage::from_rgba_unmultiplied(size, &small.pixels), small.is_transparent()))
}

/// A bitmap as a file: PNG, or as it is encoded in the dump; `None` if its pixels are not recorded.
pub fn file(dump: &OpenDump, bitmap: &Bitmap) -> Option<Vec<u8>> {
    let size = bitmap.size?;
    match bitmap.pixels?.picture(&dump.heap, &*dump.contents, size)? {
        Picture::Rgba { width, height, pixels } => png(width, height, &pixels),
        Picture::Encoded(_, bytes) => Some(bytes),
    }
}

/// Extension of such a file.
pub fn extension(bitmap: &Bitmap) -> &'static str {
    match bitmap.pixels {
        Some(Pixels::Encoded { format, .. }) => format.name(),
        _ => Format::Png.name(),
    }
}

/// A bitmap in full size, for the clipboard.
///
/// # Errors
/// The reason if there is none.
pub fn image(dump: &OpenDump, bitmap: &Bitmap) -> Result<ColorImage, JobError> {
    let failed = |why: &str| JobError::Failed(why.to_owned());
    let (size, pixels) = bitmap.size.zip(bitmap.pixels).ok_or_else(|| failed("its pixels are not recorded"))?;
    if bitmap.count().is_none_or(|count| count > (MAX_BYTES / 4) as u64) {
        return Err(failed("it is too large for the clipboard; save it instead"));
    }
    let picture = pixels.picture(&dump.heap, &*dump.contents, size);
    let (width, height, pixels) = match picture {
        Some(Picture::Rgba { width, height, pixels }) => Some((width, height, pixels)),
        Some(Picture::Encoded(Format::Png, file)) => read_png(&file, MAX_BYTES),
        Some(Picture::Encoded(format, _)) => {
            return Err(failed(&format!("it is a {}; save it instead", format.title())));
        }
        None => None,
    }
    .ok_or_else(|| failed("its pixels cannot be read"))?;
    Ok(ColorImage::from_rgba_unmultiplied([width as usize, height as usize], &pixels))
}
