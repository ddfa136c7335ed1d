//! Appearance of the window: colours and sizes ([`mod@tokens`]), embedded fonts, and drawn icons. Colours are created
//! only in this folder.

pub mod fonts;
pub mod icons;
pub mod style;
pub mod tokens;

#[cfg(test)]
mod contrast;

pub use self::icons::Icon;
pub use tokens::{Tokens, sizes, tokens};
