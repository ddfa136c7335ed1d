//! Linux and Windows, whose windows have menus of their own.

use super::menu::{ActionState, Menu};

/// There is none.
pub(super) enum Bar {}

pub(super) fn install(
    _program: (&str, &str),
    _menus: &[Menu],
    _chosen: impl Fn(usize) + Send + Sync + 'static,
) -> Option<Bar> {
    None
}

impl Bar {
    pub(super) fn update(&self, _state: impl Fn(usize) -> ActionState) {
        match *self {}
    }
}
