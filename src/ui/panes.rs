//! Panes beside the view: their sides, sizes and keyboard focus.

use serde::{Deserialize, Serialize};

use crate::view::View;

/// A part of the window that can have the keyboard focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// The view.
    #[default]
    Main,
    /// Path from a GC root.
    Path,
    /// Details of the object.
    Inspector,
}

/// Side of the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// Left of the view.
    Left,
    /// Right of the view.
    Right,
    /// Below the view.
    Below,
}

/// State of a side pane, saved for the next window.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Dock {
    /// True if it is shown.
    pub shown: bool,
    /// Its side.
    pub side: Side,
    /// Width in points, or height for a pane below the view; `None` for the default.
    pub size: Option<f32>,
}

/// State of both side panes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Docks {
    /// Path from a GC root.
    #[serde(rename = "held_by")]
    pub path: Dock,
    /// Details of the object.
    pub inspector: Dock,
    /// True if the path is shown in Leaks too, where the details of a finding have it already.
    path_in_leaks: bool,
}

impl Default for Docks {
    fn default() -> Self {
        let dock = |side| Dock { shown: true, side, size: None };
        Self { path: dock(Side::Left), inspector: dock(Side::Right), path_in_leaks: false }
    }
}

impl Docks {
    /// The panes as a view shows them; applied to that, the panes as they are stored.
    #[must_use]
    pub fn in_view(mut self, view: View) -> Self {
        if view == View::Leaks {
            std::mem::swap(&mut self.path.shown, &mut self.path_in_leaks);
        }
        self
    }

    /// State of a side pane; `None` for the view itself.
    pub fn of(&mut self, pane: Pane) -> Option<&mut Dock> {
        match pane {
            Pane::Main => None,
            Pane::Path => Some(&mut self.path),
            Pane::Inspector => Some(&mut self.inspector),
        }
    }

    /// True if both are below the view, and so side by side.
    pub fn are_both_below(&self) -> bool {
        [self.path, self.inspector].iter().all(|dock| dock.shown && dock.side == Side::Below)
    }

    /// True if the pane can have the focus.
    pub fn is_shown(&self, pane: Pane) -> bool {
        match pane {
            Pane::Main => true,
            Pane::Path => self.path.shown,
            Pane::Inspector => self.inspector.shown,
        }
    }

    /// Effect of a pane's key: shows the pane, focuses it, or hides it if it has the focus.
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

    /// Moves a pane to another side. Its size is reset if it changes between width and height.
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

/// A tab of the inspector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InspectorTab {
    /// Fields, elements or entries.
    #[default]
    Contents,
    /// Entries of a collection added and removed since the baseline.
    Changes,
    /// Fields of a collection, for which [`InspectorTab::Contents`] shows the entries.
    Fields,
    /// Elements of a primitive array as bytes.
    Bytes,
    /// Incoming references.
    Incoming,
    /// Outgoing references.
    Outgoing,
    /// Objects it immediately dominates.
    Dominated,
    /// Stack of a thread.
    Stack,
    /// Allocation stack.
    Site,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_shows_a_pane_then_hides_it_from_within() {
        let (mut docks, mut focus) = (Docks::default(), Pane::Main);
        docks.step(Pane::Path, &mut focus);
        assert_eq!((focus, docks.path.shown), (Pane::Path, true));
        docks.step(Pane::Path, &mut focus);
        assert_eq!((focus, docks.path.shown), (Pane::Main, false));
        docks.step(Pane::Path, &mut focus);
        assert_eq!((focus, docks.path.shown), (Pane::Path, true));
        // In Leaks it is hidden until it is asked for, and other views do not change.
        let mut in_leaks = docks.in_view(View::Leaks);
        assert!(!in_leaks.path.shown);
        in_leaks.step(Pane::Path, &mut focus);
        docks = in_leaks.in_view(View::Leaks);
        assert!(docks.path.shown && docks.in_view(View::Leaks).path.shown);
        docks.inspector.size = Some(300.0);
        docks.put(Pane::Inspector, Side::Left);
        assert_eq!(docks.inspector.size, Some(300.0));
        docks.put(Pane::Inspector, Side::Below);
        assert_eq!(docks.inspector, Dock { shown: true, side: Side::Below, size: None });
    }
}
