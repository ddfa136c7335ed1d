//! The clipboard of the desktop. egui hands a copied text to the desktop and never says whether it arrived, so a copy
//! is read back, and reported only after the desktop returned the same text or picture.

use std::sync::Arc;

use eframe::egui;
use egui::{ColorImage, Context, Event, ViewportCommand};

use heaplens_base::Bytes;
use heaplens_platform::desktop::{Session, session};

/// Largest text in bytes that one X11 request carries. X.Org limits a request
/// to 2^22 - 1 units of four bytes, and the `arboard` crate sends a text in one.
const X11_LIMIT: usize = 16_000_000;

/// Seconds until a copy that did not come back is reported as failed. A Wayland
/// compositor announces a new selection only after a round trip.
const PATIENCE: f64 = 1.5;
/// Seconds between two attempts to read a copy back.
const PAUSE: f64 = 0.05;

/// How far the clipboard of the desktop can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Desktop {
    /// No desktop, as in pictures and tests: egui takes every copy.
    #[default]
    Absent,
    /// A desktop that returns what it was given, up to `limit` bytes.
    Present {
        /// Largest text in bytes; `None` if there is no limit.
        limit: Option<usize>,
    },
    /// A desktop whose clipboard does not answer: every copy fails.
    Unreachable,
}

impl Desktop {
    /// The desktop of this process.
    pub fn of_process() -> Self {
        let limit = match session() {
            Session::Wayland => return Self::Present { limit: None },
            Session::X11 => Some(X11_LIMIT),
            Session::Own => None,
        };
        // Without this connection egui-winit would keep copies inside the process.
        arboard::Clipboard::new().map_or(Self::Unreachable, |_| Self::Present { limit })
    }
}

/// Content of a copy.
#[derive(Debug, Clone)]
pub enum Content {
    /// A text.
    Text(String),
    /// A picture.
    Picture(Arc<ColorImage>),
}

/// Why a copy failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyError {
    /// The clipboard of the desktop does not answer.
    Unreachable,
    /// The text is longer than the desktop takes: its length and the limit, in bytes.
    TooLong(usize, usize),
    /// The clipboard does not hold the copy.
    NotHeld,
}

impl std::fmt::Display for CopyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Unreachable => f.write_str("the clipboard of the desktop does not respond"),
            Self::TooLong(length, limit) => {
                let [length, limit] = [length, limit].map(|bytes| Bytes(bytes as u64));
                write!(f, "{length} exceeds the limit of the X11 clipboard ({limit}); export the table instead")
            }
            Self::NotHeld => f.write_str("the desktop did not accept it; copy again or export the table"),
        }
    }
}

/// A finished copy: its name in messages, and its result.
pub type Copied = (String, Result<(), CopyError>);

/// A copy that the desktop has not returned yet.
struct Pending {
    content: Content,
    name: String,
    /// Time of the frame, in seconds, from when on the copy has failed.
    deadline: f64,
    /// Time of the frame, in seconds, of the next attempt to read it back.
    next_attempt: f64,
}

/// Copies to the desktop, one at a time: a new copy takes the place of one that is pending.
#[derive(Default)]
pub struct Clipboard {
    desktop: Desktop,
    pending: Option<Pending>,
}

impl Clipboard {
    /// A clipboard of this desktop.
    pub fn new(desktop: Desktop) -> Self {
        Self { desktop, pending: None }
    }

    /// Hands `content` to the desktop; `name` names it in messages. Returns the result at once if nothing can be
    /// verified, else [`Self::poll`] does.
    pub fn copy(&mut self, ctx: &Context, content: Content, name: String) -> Option<Copied> {
        self.pending = None;
        let limit = match self.desktop {
            Desktop::Unreachable => return Some((name, Err(CopyError::Unreachable))),
            Desktop::Present { limit } => limit,
            Desktop::Absent => None,
        };
        match &content {
            Content::Text(text) => {
                if let Some(limit) = limit.filter(|&limit| text.len() > limit) {
                    return Some((name, Err(CopyError::TooLong(text.len(), limit))));
                }
                ctx.copy_text(text.clone());
            }
            Content::Picture(picture) => ctx.copy_image(ColorImage::clone(picture)),
        }
        // Reading back an empty text looks the same as an empty clipboard.
        let is_empty = matches!(&content, Content::Text(text) if text.is_empty());
        if self.desktop == Desktop::Absent || is_empty {
            return Some((name, Ok(())));
        }
        let now = ctx.input(|i| i.time);
        self.pending = Some(Pending { content, name, deadline: now + PATIENCE, next_attempt: now + PAUSE });
        ctx.send_viewport_cmd(ViewportCommand::RequestPaste);
        ctx.request_repaint();
        None
    }

    /// Checks the content returned by the desktop, before any text field receives it. Call once per frame.
    pub fn poll(&mut self, ctx: &Context) -> Option<Copied> {
        let mut pending = self.pending.take()?;
        let (now, returned) = ctx.input_mut(|i| (i.time, take_paste(&mut i.events)));
        if returned.is_some_and(|event| is_same(&event, &pending.content)) {
            return Some((pending.name, Ok(())));
        }
        if now > pending.deadline {
            return Some((pending.name, Err(CopyError::NotHeld)));
        }
        if now >= pending.next_attempt {
            pending.next_attempt = now + PAUSE;
            ctx.send_viewport_cmd(ViewportCommand::RequestPaste);
        }
        ctx.request_repaint_after(std::time::Duration::from_secs_f64(PAUSE));
        self.pending = Some(pending);
        None
    }
}

/// Takes the first pasted text or picture out of the events of a frame.
fn take_paste(events: &mut Vec<Event>) -> Option<Event> {
    let at = events.iter().position(|event| matches!(event, Event::Paste(_) | Event::PasteImage(_)))?;
    Some(events.remove(at))
}

fn is_same(returned: &Event, content: &Content) -> bool {
    match (returned, content) {
        (Event::Paste(returned), Content::Text(text)) => lines(returned).eq(lines(text)),
        // Desktops return colours with another alpha, so the size is compared.
        (Event::PasteImage(returned), Content::Picture(picture)) => returned.size == picture.size,
        _ => false,
    }
}

/// The text without the difference between line ends, which desktops rewrite.
fn lines(text: &str) -> impl Iterator<Item = u8> {
    let bytes = text.bytes();
    let after = text.bytes().skip(1).map(Some).chain([None]);
    bytes
        .zip(after)
        .filter(|&pair| pair != (b'\r', Some(b'\n')))
        .map(|(byte, _)| if byte == b'\r' { b'\n' } else { byte })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_do_not_matter() {
        let same = |a: &str, b: &str| lines(a).eq(lines(b));
        assert!(same("a\r\nb\rc\n", "a\nb\nc\n"));
        assert!(same("", ""));
        assert!(!same("a\n\nb", "a\r\nb"));
        assert!(!same("ab", "a"));
    }

    #[test]
    fn one_paste_is_taken_per_frame() {
        let paste = |text: &str| Event::Paste(text.to_owned());
        let mut events = vec![Event::Copy, paste("ours"), paste("typed")];
        assert_eq!(take_paste(&mut events), Some(paste("ours")));
        assert_eq!(events, vec![Event::Copy, paste("typed")]);
    }
}
