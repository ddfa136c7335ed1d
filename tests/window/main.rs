//! The window, driven by accessible names without a display.

#![cfg(feature = "gui")]

mod journeys;
mod monkey;
