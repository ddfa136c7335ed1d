//! Sizes in the units selected by the user: `2.4 MB`, or exact bytes.

use eframe::egui;
use egui::{Context, Id};

use heaplens_base::Bytes;

fn id() -> Id {
    Id::unique("sizes with all digits")
}

/// True if sizes are shown as exact bytes.
pub fn are_exact(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp(id())).unwrap_or(false)
}

/// Sets whether sizes are shown as exact bytes.
pub fn set_exact(ctx: &Context, exact: bool) {
    ctx.data_mut(|data| data.insert_temp(id(), exact));
}

/// Text of a size.
pub fn written(ctx: &Context, size: Bytes) -> String {
    if are_exact(ctx) { size.exact() } else { size.to_string() }
}
