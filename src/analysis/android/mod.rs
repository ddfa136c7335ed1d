//! What only dumps of Android answer: leaks as LeakCanary finds them (`shark`),
//! what KOOM reports (`koom`), who owns whom (`owners`), and bitmaps (`bitmaps`,
//! `pixels`, `shrink`). Classes, fields and texts of Android are read
//! through `phone`, by name: what a dump lacks is unknown, never an error.

pub mod bitmaps;
pub mod koom;
pub mod owners;
mod phone;
pub mod pixels;
pub mod shark;
pub mod shrink;

/// The format of dumps that this is about.
pub const FORMAT: &str = "hprof-android";
