//! When tooltips of the views may appear: not below what lies over the window, nor after a key, which may have changed
//! what is below the pointer, until the pointer moves. egui keeps a tooltip as long as the pointer is on its widget,
//! whatever is drawn over the widget.

use eframe::egui;
use egui::{Context, Event, Id, LayerId, Popup, PopupAnchor, Pos2};

/// Whether tooltips may appear.
#[derive(Default)]
pub struct Tooltips {
    /// Position of the pointer at the last key press, until the pointer moves.
    rests_at: Option<Pos2>,
}

impl Tooltips {
    /// Hides the tooltips of this frame if the window is covered, or if a key was pressed since the pointer moved. To be
    /// called before anything is drawn.
    pub fn begin(&mut self, ctx: &Context, is_covered: bool) {
        let (mut has_typed, mut has_pointed) = (false, false);
        let at = ctx.input(|i| {
            for event in &i.events {
                match event {
                    Event::Key { pressed: true, .. } | Event::Text(_) => has_typed = true,
                    Event::PointerButton { .. } | Event::MouseWheel { .. } => has_pointed = true,
                    _ => {}
                }
            }
            i.pointer.latest_pos()
        });
        if has_pointed || self.rests_at != at {
            self.rests_at = None;
        }
        if has_typed {
            self.rests_at = at;
        }
        if is_covered || self.rests_at.is_some() {
            hide(ctx);
        }
    }
}

/// True if tooltips of the views are hidden in this frame.
pub fn are_hidden(ctx: &Context) -> bool {
    ctx.any_popup_open()
}

/// Hides the tooltips of all views. egui shows none in a layer with an open popup; this one has no position, so that it
/// is not drawn.
fn hide(ctx: &Context) {
    let id = Id::unique("no tooltips");
    Popup::new(id, ctx.clone(), PopupAnchor::PointerFixed, LayerId::background()).show(|_| ());
}
