//! The panes beside the view: which there are, on which side each stands, and
//! to which of them keys go.

use serde::{Deserialize, Serialize};

/// A part of the window that keys can go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// The view.
    #[default]
    Main,
    /// The path from a GC root.
    HeldBy,
    /// The inside of the object.
    Inspector,
}

/// A side of the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// At its left.
    Left,
    /// At its right.
    Right,
    /// Below it.
    Below,
}

/// How a side pane stands; kept for the next window.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Dock {
    /// Whether it is shown.
    pub shown: bool,
    /// Where.
    pub side: Side,
    /// Points across, or down if it stands below; `None` until somebody has drawn its edge.
    pub size: Option<f32>,
}

/// Both side panes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Docks {
    /// The path from a GC root.
    pub held_by: Dock,
    /// The inside of the object.
    pub inspector: Dock,
}

impl Default for Docks {
    fn default() -> Self {
        let dock = |side| Dock { shown: true, side, size: None };
        Self { held_by: dock(Side::Left), inspector: dock(Side::Right) }
    }
}

impl Docks {
    /// The dock of a side pane; none of the view itself.
    pub fn of(&mut self, pane: Pane) -> Option<&mut Dock> {
        match pane {
            Pane::Main => None,
            Pane::HeldBy => Some(&mut self.held_by),
            Pane::Inspector => Some(&mut self.inspector),
        }
    }

    /// Whether both stand below the view, and so side by side.
    pub fn are_both_below(&self) -> bool {
        [self.held_by, self.inspector].iter().all(|dock| dock.shown && dock.side == Side::Below)
    }

    /// Whether keys can go to a pane.
    pub fn is_shown(&self, pane: Pane) -> bool {
        match pane {
            Pane::Main => true,
            Pane::HeldBy => self.held_by.shown,
            Pane::Inspector => self.inspector.shown,
        }
    }

    /// What a key for a pane does: shows it, goes to it, or hides it if keys go there already.
    pub fn step(&mut self, pane: Pane, focus: &mut Pane) {
        let Some(dock) = self.of(pane) else {
            *focus = pane;
            return;
        };
        if !dock.shown {
            dock.shown = true;
            *focus = pane;
        } else if *focus == pane {
            dock.shown = false;
            *focus = Pane::Main;
        } else {
            *focus = pane;
        }
    }

    /// Moves a pane to another side; the size it had was of the other direction.
    pub fn put(&mut self, pane: Pane, side: Side) {
        if let Some(dock) = self.of(pane) {
            *dock = Dock {
                shown: true,
                side,
                size: dock.size.filter(|_| (dock.side == Side::Below) == (side == Side::Below)),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_shows_a_pane_then_hides_it_from_within() {
        let (mut docks, mut focus) = (Docks::default(), Pane::Main);
        docks.step(Pane::HeldBy, &mut focus);
        assert_eq!((focus, docks.held_by.shown), (Pane::HeldBy, true));
        docks.step(Pane::HeldBy, &mut focus);
        assert_eq!((focus, docks.held_by.shown), (Pane::Main, false));
        docks.step(Pane::HeldBy, &mut focus);
        assert_eq!((focus, docks.held_by.shown), (Pane::HeldBy, true));
        docks.inspector.size = Some(300.0);
        docks.put(Pane::Inspector, Side::Left);
        assert_eq!(docks.inspector.size, Some(300.0));
        docks.put(Pane::Inspector, Side::Below);
        assert_eq!(docks.inspector, Dock { shown: true, side: Side::Below, size: None });
    }
}
