//! Sizes as the person wants to read them: `2.4 MB`, or all digits.

use eframe::egui;
use egui::{Context, Id};

use crate::units::Bytes;

fn id() -> Id {
    Id::unique("sizes with all digits")
}

/// Whether sizes are written with all digits.
pub fn are_exact(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp(id())).unwrap_or(false)
}

/// Chooses how sizes are written in this window.
pub fn set_exact(ctx: &Context, exact: bool) {
    ctx.data_mut(|data| data.insert_temp(id(), exact));
}

/// A size as it is to be read.
pub fn written(ctx: &Context, size: Bytes) -> String {
    if are_exact(ctx) { size.exact() } else { size.to_string() }
}
