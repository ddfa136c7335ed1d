//! How the window looks: one table of colours and sizes ([`mod@tokens`]), the
//! fonts it carries, and small drawn icons. Nothing outside this folder makes
//! a colour.

pub mod fonts;
pub mod icons;
pub mod style;
pub mod tokens;

#[cfg(test)]
mod contrast;

pub use tokens::{Tokens, sizes, tokens};
