//! What the palette offers: rows under headings, and what is looked for.

use std::ops::Range;

use super::matching::{Fit, Tier};
use crate::ui::command::Command;

/// A kind of thing that can be gone to. Groups of equal rank stand in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Chosen or looked at lately.
    Recent,
    /// Objects by their names without addresses.
    Names,
    /// Objects by their id.
    Objects,
    /// Objects with a star or a note.
    Stars,
    /// Commands and views.
    Commands,
    /// Classes.
    Classes,
    /// Threads.
    Threads,
    /// Dumps that are open.
    Dumps,
    /// Dumps that were open once.
    Files,
    /// Strings by what they say; always last, as they come late.
    Strings,
}

impl Kind {
    /// The heading of the group.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Recent => "Recent",
            Self::Names => "Objects by name",
            Self::Objects => "Objects",
            Self::Stars => "Starred",
            Self::Commands => "Commands",
            Self::Classes => "Classes",
            Self::Threads => "Threads",
            Self::Dumps => "Open dumps",
            Self::Files => "Files",
            Self::Strings => "Strings",
        }
    }

    /// What one of its rows is, for screen readers.
    pub fn one(self) -> &'static str {
        match self {
            Self::Recent => "Recent",
            Self::Names | Self::Objects => "Object",
            Self::Stars => "Starred",
            Self::Commands => "Command",
            Self::Classes => "Class",
            Self::Threads => "Thread",
            Self::Dumps => "Open dump",
            Self::Files => "File",
            Self::Strings => "String",
        }
    }
}

/// One row.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// What it is called.
    pub title: String,
    /// Bytes of the title that matter less: the package of a class.
    pub package: usize,
    /// The parts of the title that were looked for.
    pub found: Vec<Range<usize>>,
    /// Whether the title is a text of the heap, which is shown in quotes.
    pub quoted: bool,
    /// What stands behind it: the id of an object, what a command does.
    pub aside: String,
    /// What stands at the right: keys, counts, bytes.
    pub more: String,
    /// How well it fits.
    pub fit: Fit,
    /// What choosing it does.
    pub command: Command,
}

impl Offer {
    /// A row that is not compared with anything.
    pub fn plain(title: impl Into<String>, command: Command) -> Self {
        Self {
            title: title.into(),
            package: 0,
            found: Vec::new(),
            quoted: false,
            aside: String::new(),
            more: String::new(),
            fit: Fit { tier: Tier::Exact, skipped: 0 },
            command,
        }
    }
}

/// Rows of one kind.
#[derive(Debug, Clone)]
pub struct Group {
    /// Of what.
    pub kind: Kind,
    /// The best of them.
    pub offers: Vec<Offer>,
    /// How many there are altogether.
    pub total: u64,
    /// What there is to say instead of rows, or of them.
    pub note: Option<String>,
    /// How far a search is that is still going on.
    pub running: Option<crate::task::Progress>,
}

impl Group {
    /// A group of all these.
    pub fn of(kind: Kind, offers: Vec<Offer>) -> Self {
        Self { kind, total: offers.len() as u64, offers, note: None, running: None }
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.offers.is_empty() && self.note.is_none() && self.running.is_none()
    }

    /// By what it is placed: the best of its rows, and then what it is.
    pub fn rank(&self) -> (bool, Option<Fit>, Kind) {
        let best = self.offers.iter().map(|offer| offer.fit).min();
        // What is still being read goes below what stands already, or it would push that away.
        (self.kind == Kind::Strings || best.is_none(), best, self.kind)
    }
}

/// What is looked for, and among what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Query<'a> {
    /// The only kind that is looked for.
    pub only: Option<Kind>,
    /// The text, without the sign that says so.
    pub text: &'a str,
}

/// The signs that narrow a search, in the order in which they are offered.
pub const SIGNS: [(&str, Kind); 5] =
    [(">", Kind::Commands), ("#", Kind::Classes), ("\"", Kind::Strings), ("0x", Kind::Objects), ("@", Kind::Threads)];

impl<'a> Query<'a> {
    /// From what was typed.
    pub fn parse(typed: &'a str) -> Self {
        let typed = typed.trim_start();
        let narrowed = SIGNS.iter().find_map(|&(sign, kind)| Some((kind, typed.strip_prefix(sign)?)));
        let Some((kind, rest)) = narrowed else { return Self { only: None, text: typed.trim_end() } };
        // A text may begin or end with a space; what closes the quotes does not belong to it.
        let text = if kind == Kind::Strings { rest.strip_suffix('"').unwrap_or(rest) } else { rest.trim() };
        Self { only: Some(kind), text }
    }

    /// Whether this kind is looked for.
    pub fn wants(&self, kind: Kind) -> bool {
        self.only.is_none_or(|only| only == kind)
    }
}

/// The node id that was typed, as JavaScript engines write it: `@12345`.
pub fn node_id(typed: &str) -> Option<&str> {
    let typed = typed.trim();
    let digits = typed.strip_prefix('@')?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(typed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_id_is_a_sign_and_digits() {
        assert_eq!(node_id(" @80433 "), Some("@80433"));
        assert_eq!(node_id("@worker-1"), None);
        assert_eq!(node_id("@"), None);
    }

    #[test]
    fn a_sign_narrows_the_search() {
        for (typed, only, text) in [
            ("session", None, "session"),
            (" > dark ", Some(Kind::Commands), "dark"),
            ("#HMN", Some(Kind::Classes), "HMN"),
            ("\"user 1", Some(Kind::Strings), "user 1"),
            ("\"user \"", Some(Kind::Strings), "user "),
            ("0xFE0", Some(Kind::Objects), "FE0"),
            ("@main", Some(Kind::Threads), "main"),
            ("", None, ""),
        ] {
            assert_eq!(Query::parse(typed), Query { only, text }, "{typed}");
        }
    }
}
