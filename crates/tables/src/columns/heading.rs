//! Heading of a column: its key for programs, its title and definition for people, and where it appears. A
//! [`Column`](crate::columns::Column) is a heading with a type and a value.

use crate::{TableContext, columns::Value};
use heaplens_analysis::namesakes;
use heaplens_heap::{Figure, RegionKind, parts::Part};

/// Heading of a column.
#[derive(Debug, Clone, Copy)]
pub struct Heading {
    /// Key in CSV and JSON: `shallow_bytes`. Never changes.
    pub key: &'static str,
    /// Title for people: `Shallow size`.
    pub title: &'static str,
    /// Definition in one sentence for readers who see the column for the first time; empty where the title says it.
    pub about: &'static str,
    /// Condition under which a table has the column.
    pub when: Condition,
    /// Place in text forms.
    pub text: TextPlace,
    /// Further key to sort by, for the command line.
    pub alias: Option<&'static str>,
    /// Changes the cell for text forms, which people read.
    pub for_people: Option<fn(Value<'_>) -> Value<'_>>,
}

/// Condition under which a table has a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// In every dump.
    Always,
    /// Only a sort key: a table never shows the column.
    SortKey,
    /// Only an entry of rows in JSON.
    Json,
    /// Objects are named.
    Named,
    /// Owners were requested.
    Owners,
    /// Owners of the objects of each class were requested.
    ClassOwners,
    /// Previews were requested.
    Previews,
    /// Ages were requested.
    Ages,
    /// Inferred roots were requested.
    InferredRoots,
    /// The comparison has a dump with this number, from 0.
    Dump(usize),
    /// The dump has several heaps, as Android's has.
    Heaps,
    /// The dump has this figure of Android.
    Figure(Figure),
    /// The rows have bytes in this heap of Android.
    InHeap(RegionKind),
    /// The tools of the format show the distance of a class.
    ClassDistances,
    /// Several class loaders have defined classes of one name.
    Namesakes,
    /// The dump is compared with a baseline: only the window has such columns.
    Baseline,
}

/// Place of a column in text forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextPlace {
    /// As in CSV.
    Same,
    /// Omitted.
    Omitted,
    /// After the column with this key.
    After(&'static str),
}

/// A heading with its definition, which must fit a tooltip: 160 bytes at most, checked when a constant is compiled.
///
/// # Panics
/// If the definition is empty or too long: then the program does not compile.
pub const fn heading(key: &'static str, title: &'static str, about: &'static str) -> Heading {
    assert!(!about.is_empty() && about.len() <= 160, "a definition has 1 to 160 bytes");
    Heading { about, ..Heading::plain(key, title) }
}

impl Heading {
    /// A heading that needs no definition.
    pub const fn plain(key: &'static str, title: &'static str) -> Self {
        let (when, text) = (Condition::Always, TextPlace::Same);
        Self { key, title, about: "", when, text, alias: None, for_people: None }
    }

    /// With a condition.
    #[must_use]
    pub const fn when(self, when: Condition) -> Self {
        Self { when, ..self }
    }

    /// With another place in text forms.
    #[must_use]
    pub const fn in_text(self, text: TextPlace) -> Self {
        Self { text, ..self }
    }

    /// With a further key to sort by.
    #[must_use]
    pub const fn alias(self, alias: &'static str) -> Self {
        Self { alias: Some(alias), ..self }
    }

    /// With another cell in text forms.
    #[must_use]
    pub const fn for_people(self, change: fn(Value<'_>) -> Value<'_>) -> Self {
        Self { for_people: Some(change), ..self }
    }

    /// True if the command line calls the column so.
    pub(crate) fn is_named(&self, key: &str) -> bool {
        self.key == key || self.alias == Some(key)
    }
}

impl Condition {
    /// The condition for readers of `docs/tables.md`; empty if there is none.
    pub(crate) fn about(self) -> &'static str {
        match self {
            Self::Always => "",
            Self::SortKey => "only to sort by",
            Self::Json => "only in JSON",
            Self::Named => "where objects are named",
            Self::Owners => "with `--owner`",
            Self::ClassOwners => "with `--owners`",
            Self::Previews => "with `--preview`",
            Self::Ages => "with `--age`",
            Self::InferredRoots => "with `--ownership`",
            Self::Dump(_) => "one for each dump, up to 24",
            Self::Heaps => "Android: dumps with several heaps",
            Self::InHeap(_) => "Android: if the heap has such objects",
            Self::Figure(Figure::Native | Figure::Retained(Part::Native)) => "dumps with much native memory of objects",
            Self::Figure(_) => "Android: if the dump has it",
            Self::ClassDistances => "formats whose tools show it",
            Self::Namesakes => "dumps with classes of one name from several loaders",
            Self::Baseline => "in a comparison",
        }
    }

    /// True if it depends on the query, not on the dump.
    pub(crate) fn is_of_query(self) -> bool {
        matches!(self, Self::Always | Self::Dump(_))
    }

    /// True if the dump meets it; what was requested is known by the table only.
    pub fn holds(self, dump: TableContext<'_>) -> bool {
        match self {
            Self::Always
            | Self::Owners
            | Self::ClassOwners
            | Self::Previews
            | Self::InferredRoots
            | Self::Dump(_)
            | Self::Baseline => true,
            Self::SortKey | Self::Json => false,
            Self::Named => dump.namer.is_some(),
            Self::Ages => dump.ages.is_some(),
            Self::Heaps | Self::InHeap(_) => dump.heap.regions().is_some(),
            Self::Figure(figure) => dump.analysis.figures().any(|of| of == figure),
            Self::ClassDistances => dump.analysis.has_class_distances(),
            Self::Namesakes => namesakes::has_any(dump.data()),
        }
    }
}
