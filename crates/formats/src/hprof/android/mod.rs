//! HPROF dumps of Android, as far as they differ from HotSpot's: 1.0.3 of ART and Dalvik, and 1.0.2 of `hprof-conv`.
//! The file is read in the same two passes; this module covers additional records of ART, sizes of objects on the
//! device, and dumps cropped by tools.

pub(super) mod conversion;
mod conversion_output;
pub(super) mod heaps;
pub(super) mod native;
pub(super) mod sizes;

mod koom;
mod tailor;

use super::records::{ANDROID_VERSION, Index};
use crate::cursor::Cursor;

/// Prefixes of class names found only on Android. They use dots there, not slashes.
const OWN: [&[u8]; 3] = [b"dalvik.", b"android.", b"libcore."];

/// True if a dump is from Android, by its version or, since `hprof-conv` changes that, by its classes.
pub(super) fn is_android(file: &[u8], index: &Index) -> bool {
    let is_own = |name: &u64| {
        let text = index.strings.get(name).and_then(|&(at, length)| Cursor::new(file, at).take(length.into()));
        text.is_some_and(|text| OWN.iter().any(|own| text.starts_with(own)))
    };
    index.version == ANDROID_VERSION || index.loaded.iter().map(|loaded| &loaded.name).any(is_own)
}
