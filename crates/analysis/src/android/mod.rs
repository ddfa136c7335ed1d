//! Analyses of Android dumps only: leaks as LeakCanary finds them ([`shark`]), KOOM's report ([`koom`]), owners of
//! views ([`owners`]), and bitmaps ([`bitmaps`], their pixels in [`pixels`], scaled down in [`thumbnail`]).
//!
//! Classes and fields of Android are read by name, and missing data is unknown, never an error: fields change from one
//! version to the next, croppers leave things out, and names may be obfuscated.

mod android_heap;
pub mod bitmaps;
pub mod koom;
pub mod owners;
pub mod pixels;
pub mod shark;
pub mod thumbnail;
