//! Analyses of Android dumps only: leaks as LeakCanary finds them (`shark`),
//! KOOM's report (`koom`), owners of views (`owners`), and bitmaps (`bitmaps`,
//! `pixels`, `shrink`). Classes, fields and texts of Android are read
//! through `phone`, by name: missing data is unknown, never an error.

mod android_heap;
pub mod bitmaps;
pub mod koom;
pub mod owners;
pub mod pixels;
pub mod shark;
pub mod thumbnail;
