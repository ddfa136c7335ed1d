//! Questions that only dumps of Android answer.

pub mod bitmaps;
pub mod pixels;
