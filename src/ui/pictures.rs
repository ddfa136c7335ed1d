//! Pictures of bitmaps on screen: decoded in the background, small enough to be
//! shown whatever size the dump says, kept as long as there is room for them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use eframe::egui;
use egui::{ColorImage, Context, TextureHandle, TextureOptions};

use super::view_context::OpenDump;
use crate::analysis::android::bitmaps::Bitmap;
use crate::analysis::android::pixels::{Format, Picture, Pixels};
use crate::analysis::android::shrink::Thumbnail;
use crate::export::png::{png, read_png};
use crate::heap::ids::ObjectId;
use crate::session::jobs::{JobError, Jobs};
use crate::session::slot::Slot;

/// Pixels of the longer side of what is shown, at most.
const SIDE: u32 = 384;
/// Bytes of pictures that are kept beside those on screen.
const KEPT: usize = 64 << 20;
/// Bytes that a picture may take while it is decoded: 32 million pixels.
const MOST: usize = 128 << 20;
/// How long one batch decodes before it shows what it has.
const BATCH: Duration = Duration::from_millis(80);

/// What is shown of a bitmap.
pub enum BitmapImage {
    /// Its picture, and whether anything can be seen through it.
    Picture(TextureHandle, bool),
    /// Nothing, and why.
    Nothing(&'static str),
}

/// What was made of one, before it is a texture.
enum Made {
    Picture(ColorImage, bool),
    Nothing(&'static str),
}

struct Kept {
    shown: BitmapImage,
    bytes: usize,
    /// The pass in which it was drawn last.
    drawn: u64,
}

/// A bitmap that is to be decoded.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    object: ObjectId,
    size: (u32, u32),
    pixels: Pixels,
}

/// Pictures by object.
#[derive(Default)]
pub struct Pictures {
    kept: BTreeMap<ObjectId, Kept>,
    bytes: usize,
    wanted: Vec<Wanted>,
    slot: Slot<Vec<(ObjectId, Made)>>,
}

impl Pictures {
    /// What is shown of a bitmap in the pass `now`; `None` while it is decoded.
    pub fn of(&mut self, bitmap: &Bitmap, now: u64) -> Option<&BitmapImage> {
        const RECYCLED: BitmapImage = BitmapImage::Nothing("Recycled");
        const UNKNOWN: BitmapImage = BitmapImage::Nothing("Pixels not recorded");
        let (Some(size), Some(pixels)) = (bitmap.size, bitmap.pixels) else {
            return Some(if bitmap.is_recycled { &RECYCLED } else { &UNKNOWN });
        };
        if !self.kept.contains_key(&bitmap.object) {
            self.wanted.push(Wanted { object: bitmap.object, size, pixels });
        }
        let kept = self.kept.get_mut(&bitmap.object)?;
        kept.drawn = now;
        Some(&kept.shown)
    }

    /// Takes in what was decoded and asks for what is wanted. Once a frame, after all was drawn.
    pub fn tick(&mut self, ctx: &Context, answers: &OpenDump, jobs: &Jobs) {
        let now = ctx.cumulative_pass_nr();
        if self.slot.poll()
            && let Some(made) = self.slot.take()
        {
            for (object, made) in made {
                self.keep(ctx, object, made, now);
            }
            self.forget(now);
            ctx.request_repaint();
        }
        if self.wanted.is_empty() || self.slot.is_running() || self.slot.error().is_some() {
            self.wanted.clear();
            return;
        }
        let (wanted, answers) = (std::mem::take(&mut self.wanted), answers.clone());
        self.slot.ask(jobs, "pictures of bitmaps", move |task| {
            let begun = Instant::now();
            let mut made = Vec::with_capacity(wanted.len());
            for wanted in wanted {
                task.checkpoint()?;
                made.push((wanted.object, make(&answers, wanted)));
                if begun.elapsed() > BATCH {
                    // What is still on screen is asked for again.
                    break;
                }
            }
            Ok(made)
        });
    }

    fn keep(&mut self, ctx: &Context, object: ObjectId, made: Made, now: u64) {
        let (shown, bytes) = match made {
            Made::Picture(image, is_transparent) => {
                let ([width, height], bytes) = (image.size, image.pixels.len() * 4);
                // A small picture is shown larger: its pixels stay what they are.
                let options = if width.max(height) < 64 {
                    TextureOptions { magnification: egui::TextureFilter::Nearest, ..TextureOptions::LINEAR }
                } else {
                    TextureOptions::LINEAR
                };
                let texture = ctx.load_texture(format!("bitmap {}", object.raw()), image, options);
                (BitmapImage::Picture(texture, is_transparent), bytes)
            }
            Made::Nothing(why) => (BitmapImage::Nothing(why), 0),
        };
        self.bytes += bytes;
        if let Some(before) = self.kept.insert(object, Kept { shown, bytes, drawn: now }) {
            self.bytes = self.bytes.saturating_sub(before.bytes);
        }
    }

    /// Forgets what was not drawn for the longest time, until there is room; what is on screen stays.
    fn forget(&mut self, now: u64) {
        while self.bytes > KEPT {
            let old = self.kept.iter().filter(|(_, kept)| kept.bytes > 0 && kept.drawn + 2 < now);
            let Some(oldest) = old.min_by_key(|(_, kept)| kept.drawn).map(|(&object, _)| object) else { return };
            if let Some(gone) = self.kept.remove(&oldest) {
                self.bytes = self.bytes.saturating_sub(gone.bytes);
            }
        }
    }

    /// Whether anything is being decoded.
    pub fn is_running(&self) -> bool {
        self.slot.is_at_work() || !self.wanted.is_empty()
    }
}

fn make(answers: &OpenDump, Wanted { size, pixels, .. }: Wanted) -> Made {
    const UNREADABLE: Made = Made::Nothing("Cannot read the pixels");
    let (heap, contents) = (&answers.heap, &*answers.contents);
    let small = match pixels {
        Pixels::InHeap { .. } => pixels.small(heap, contents, size, SIDE),
        Pixels::Encoded { array, format: Format::Png } => contents.body(heap, array).and_then(|file| {
            let (width, height, pixels) = read_png(file, MOST)?;
            Thumbnail::of((width, height), SIDE, |x, y| {
                let at = (y as usize * width as usize + x as usize) * 4;
                pixels.get(at..).and_then(|pixel| pixel.first_chunk().copied()).unwrap_or([0; 4])
            })
        }),
        Pixels::Encoded { format: Format::Jpeg, .. } => return Made::Nothing("JPEG: save it to view it"),
        Pixels::Encoded { format: Format::Webp, .. } => return Made::Nothing("WebP: save it to view it"),
    };
    let small = small.filter(|small| !small.pixels.is_empty());
    small.map_or(UNREADABLE, |small| {
        let size = [small.width as usize, small.height as usize];
        Made::Picture(ColorImage::from_rgba_unmultiplied(size, &small.pixels), small.is_transparent())
    })
}

/// A bitmap as a file: PNG, or as the dump has it encoded; `None` where its pixels are not recorded.
pub fn file(answers: &OpenDump, bitmap: &Bitmap) -> Option<Vec<u8>> {
    let size = bitmap.size?;
    match bitmap.pixels?.picture(&answers.heap, &*answers.contents, size)? {
        Picture::Rgba { width, height, pixels } => png(width, height, &pixels),
        Picture::Encoded(_, bytes) => Some(bytes),
    }
}

/// How the name of such a file ends.
pub fn ending(bitmap: &Bitmap) -> &'static str {
    match bitmap.pixels {
        Some(Pixels::Encoded { format, .. }) => format.name(),
        _ => Format::Png.name(),
    }
}

/// A bitmap in its whole size, for the clipboard.
///
/// # Errors
/// Why there is none.
pub fn image(answers: &OpenDump, bitmap: &Bitmap) -> Result<ColorImage, JobError> {
    let not = |why: &str| JobError::Failed(why.to_owned());
    let (size, pixels) = bitmap.size.zip(bitmap.pixels).ok_or_else(|| not("its pixels are not recorded"))?;
    if bitmap.count().is_none_or(|count| count > (MOST / 4) as u64) {
        return Err(not("it is too large for the clipboard; save it instead"));
    }
    let picture = pixels.picture(&answers.heap, &*answers.contents, size);
    let (width, height, pixels) = match picture {
        Some(Picture::Rgba { width, height, pixels }) => Some((width, height, pixels)),
        Some(Picture::Encoded(Format::Png, file)) => read_png(&file, MOST),
        Some(Picture::Encoded(format, _)) => return Err(not(&format!("it is a {}; save it instead", format.title()))),
        None => None,
    }
    .ok_or_else(|| not("its pixels cannot be read"))?;
    Ok(ColorImage::from_rgba_unmultiplied([width as usize, height as usize], &pixels))
}
