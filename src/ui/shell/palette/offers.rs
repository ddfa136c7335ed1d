//! Results of the palette: rows in groups, and the query.

use crate::ui::{Command, DumpKey, Verb};
use heaplens_tables::search::hits::{Hit, HitTarget, Hits};
use heaplens_tables::search::matching::{Fit, Tier};

/// Kind of result. Groups of equal rank appear in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Recently selected or visited.
    Recent,
    /// Objects by address-free name.
    Names,
    /// Objects by id.
    Objects,
    /// Objects with a star or a note.
    Stars,
    /// Commands and views.
    Commands,
    /// Fixes of other dumps.
    Fixes,
    /// Classes.
    Classes,
    /// Fields, statics and variables.
    Variables,
    /// Threads.
    Threads,
    /// Open dumps.
    Dumps,
    /// Recently opened dumps.
    Files,
    /// A pasted link.
    Links,
    /// What to remove, by its name.
    Removals,
    /// Strings by content; always last, because they arrive late.
    Strings,
}

impl Kind {
    /// Heading of the group, and the kind of a single row.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Recent => ("Recent", "Recent"),
            Self::Names => ("Objects by name", "Object"),
            Self::Objects => ("Objects", "Object"),
            Self::Stars => ("Starred", "Starred"),
            Self::Commands => ("Commands", "Command"),
            Self::Fixes => ("Fixes", "Fix"),
            Self::Classes => ("Classes", "Class"),
            Self::Variables => ("Variables", "Variable"),
            Self::Threads => ("Threads", "Thread"),
            Self::Dumps => ("Open dumps", "Open dump"),
            Self::Files => ("Files", "File"),
            Self::Links => ("Links", "Link"),
            Self::Removals => ("What if", "Removal"),
            Self::Strings => ("Strings", "String"),
        }
    }

    /// Heading of the group.
    pub fn heading(self) -> &'static str {
        self.words().0
    }

    /// Kind of a single row, for screen readers.
    pub fn one(self) -> &'static str {
        self.words().1
    }
}

/// A result, with the command that runs when it is selected.
pub type Offer = Hit<Command>;

/// A result of a search in the dump `of`.
pub fn offer(of: DumpKey, hit: Hit) -> Offer {
    hit.lead(|target| match target {
        HitTarget::Object(object) => Command::select(of, object),
        HitTarget::Class(class) => Command::on_class(Verb::ObjectsOfClass, of, class),
    })
}

/// Results of one kind.
#[derive(Debug, Clone)]
pub struct Group {
    /// Kind of its results.
    pub kind: Kind,
    /// The best results.
    pub offers: Vec<Offer>,
    /// Number of all results.
    pub total: u64,
    /// Message instead of or below the rows.
    pub note: Option<String>,
    /// Progress of a running search.
    pub running: Option<heaplens_base::Progress>,
    /// True for commands whose words were typed: only exact matches of other kinds come before them.
    pub is_named: bool,
}

impl Group {
    /// A group with all its results.
    pub fn of(kind: Kind, offers: Vec<Offer>) -> Self {
        Self { kind, total: offers.len() as u64, offers, note: None, running: None, is_named: false }
    }

    /// The results of a search in the dump `of`.
    pub fn of_hits(kind: Kind, of: DumpKey, Hits { hits, total, note, running }: Hits) -> Self {
        let offers = hits.into_iter().map(|hit| offer(of, hit)).collect();
        Self { kind, offers, total, note, running, is_named: false }
    }

    /// True if there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.offers.is_empty() && self.note.is_none() && self.running.is_none()
    }

    /// The best match.
    pub fn best(&self) -> Option<Fit> {
        self.offers.iter().map(|offer| offer.fit).min()
    }

    /// Sort key: the best match, then the kind.
    pub fn rank(&self) -> (bool, Option<Fit>, Kind) {
        let named = Fit { tier: Tier::Exact, skipped: u16::MAX };
        let best = self.best().map(|fit| if self.is_named { fit.min(named) } else { fit });
        // Groups whose results arrive late come last, because they would move others.
        (self.kind == Kind::Strings || best.is_none(), best, self.kind)
    }
}

/// Parsed query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Query<'a> {
    /// The only kind to search for.
    pub only: Option<Kind>,
    /// Text without the prefix.
    pub text: &'a str,
}

/// Prefixes that narrow a search, in the order of the buttons.
pub const SIGNS: [(&str, Kind); 6] = [
    (">", Kind::Commands),
    ("#", Kind::Classes),
    (".", Kind::Variables),
    ("\"", Kind::Strings),
    ("0x", Kind::Objects),
    ("@", Kind::Threads),
];

impl<'a> Query<'a> {
    /// Parses the typed text.
    pub fn parse(typed: &'a str) -> Self {
        let typed = typed.trim_start();
        let narrowed = SIGNS.iter().find_map(|&(sign, kind)| Some((kind, typed.strip_prefix(sign)?)));
        let Some((kind, rest)) = narrowed else { return Self { only: None, text: typed.trim_end() } };
        // A string may begin or end with a space; a closing quote is not part of it.
        let text = if kind == Kind::Strings { rest.strip_suffix('"').unwrap_or(rest) } else { rest.trim() };
        Self { only: Some(kind), text }
    }

    /// True if this kind is searched for.
    pub fn wants(&self, kind: Kind) -> bool {
        self.only.is_none_or(|only| only == kind)
    }
}

/// The typed node id in the notation of JavaScript engines: `@12345`.
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
            (".deep_chain", Some(Kind::Variables), "deep_chain"),
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
