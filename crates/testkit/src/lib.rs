//! Heaps made for tests and benchmarks, and writers of every dump format. They share no constant with the readers, so a
//! wrong one in either shows.
//!
//! A heap is a [`Sketch`](sketch::Sketch): plain data, which a writer turns into a file, and which a test compares with
//! what a reader found in it.
//!
//! ```no_run
//! use heaplens_testkit::{hprof, notation, phd};
//!
//! let heap = notation::read(
//!     r#"
//!     class shop.Cart
//!       field note: object
//!     cart = shop.Cart note=note
//!     note = "three apples"
//!     root cart thread 1 trace 1
//!     trace 1 thread 1
//!     "#,
//! )?;
//! assert_ne!(heap.id("cart"), 0);
//! for form in hprof::Form::all() {
//!     let file: Vec<u8> = hprof::write(&heap, form);
//!     assert!(file.starts_with(b"JAVA PROFILE"));
//! }
//! let file: Vec<u8> = phd::write(&heap, phd::Form::all()[0]);
//! # Ok::<(), String>(())
//! ```
//!
//! # Modules, in reading order
//!
//! - [`random`]: random numbers from a seed, equal on every machine; [`shapes`]: random graphs without objects; [`files`]: files
//!   that change; [`archives`]: zip and tar files; [`bundle`]: scripts with source maps; [`fixtures`]: where the recorded dumps are.
//! - [`sketch`]: a heap as plain data; [`removals`]: the same heap without some references.
//! - **Heaps.** [`notation`]: a heap as text, for tests of one thing, with [`java_collections`], [`leakcanary`]; [`heaps`]: random heaps; [`program`]: a running
//!   program that reports its changes, on a [`world`]; [`phone`], [`album`]: Android.
//! - **Writers.** [`hprof`], [`art`] and [`perfetto`] (Android), [`phd`], [`ibm_text`], [`hprof_text`], [`v8`] (snapshots of JavaScript), [`rawheap`]
//!   (ArkTS); `Form` is the variant of a file.

pub mod archives;
pub mod bundle;
pub mod files;
pub mod fixtures;
pub mod random;
pub mod shapes;

pub mod removals;
pub mod sketch;

pub mod java_collections;
pub mod leakcanary;
pub mod notation;
pub mod outside;
pub mod phone;

pub mod album;
pub mod art;
pub mod heaps;

pub mod hprof;
pub mod hprof_text;
pub mod ibm_text;
pub mod perfetto;
pub mod phd;
pub mod rawheap;

pub mod v8;

pub mod world;

pub mod program;
