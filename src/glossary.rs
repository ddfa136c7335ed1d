//! Terms of the field with their definitions, read from `docs/glossary.md`: one text for the manual, the help window,
//! the palette and tooltips. Needs nothing but the page.

use std::sync::LazyLock;

/// The page, as it is in the manual.
const PAGE: &str = include_str!("../docs/glossary.md");
/// Beginning of a line with names in other tools.
const ALSO: &str = "Also called: ";
/// Beginning of a line with short forms.
const SHORT: &str = "In titles: ";

/// One term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The term in sentence case: `Retained size`.
    pub name: &'static str,
    /// The part of the page that it belongs to: `Sizes`.
    pub topic: &'static str,
    /// One to three sentences, without line breaks.
    pub definition: String,
    /// The same thing in other tools, in lower case where it is no name.
    pub also: Vec<&'static str>,
    /// Short forms that titles of columns and figures use for it, in lower case: `retained`.
    pub short: Vec<&'static str>,
}

impl Term {
    /// The first sentence of the definition, for places with little room.
    pub fn first_sentence(&self) -> &str {
        // A sentence ends before a space and a capital letter: `vm`, `MB` and file names have none behind their dot.
        let ends = self.definition.match_indices(". ").map(|(at, _)| at);
        let is_end = |&at: &usize| self.definition[at + 2..].starts_with(|c: char| c.is_uppercase() || c == '`');
        let end = ends.into_iter().find(is_end).unwrap_or(self.definition.len());
        self.definition[..end].trim_end_matches('.')
    }
}

static TERMS: LazyLock<Vec<Term>> = LazyLock::new(|| read(PAGE));

/// All terms, in the order of the page.
pub fn terms() -> &'static [Term] {
    &TERMS
}

/// The term of this name, in any case of letters; `None` if the glossary does not define it.
pub fn find(name: &str) -> Option<&'static Term> {
    terms().iter().find(|term| term.name.eq_ignore_ascii_case(name))
}

/// The terms that occur in a title, in any case of letters and with or without the `s` of the plural, in the order of
/// the title. Where one term contains another (*class loader*, *class*), the longer one counts.
pub fn terms_in(title: &str) -> Vec<&'static Term> {
    let title = title.to_lowercase();
    let mut positions: Vec<(usize, usize, &Term)> = NAMES
        .iter()
        .filter_map(|(name, term)| place_of(&title, name).map(|(start, end)| (start, end, &TERMS[*term])))
        .collect();
    positions.sort_by_key(|&(start, end, _)| (start, std::cmp::Reverse(end)));
    let mut terms: Vec<&Term> = Vec::new();
    let mut covered = 0;
    for (start, end, term) in positions {
        if start >= covered {
            covered = end;
            if !terms.iter().any(|other| other.name == term.name) {
                terms.push(term);
            }
        }
    }
    terms
}

/// Names and short forms in lower case, each with the index of its term.
static NAMES: LazyLock<Vec<(String, usize)>> = LazyLock::new(|| {
    let names = |(at, term): (usize, &Term)| {
        let short = term.short.iter().map(move |&short| (short.to_owned(), at));
        std::iter::once((term.name.to_lowercase(), at)).chain(short).collect::<Vec<_>>()
    };
    TERMS.iter().enumerate().flat_map(names).collect()
});

/// Byte range of the first occurrence of `name` in `title` as whole words, a plural ending included.
fn place_of(title: &str, name: &str) -> Option<(usize, usize)> {
    title.match_indices(name).find_map(|(start, _)| {
        let is_start = !title[..start].ends_with(char::is_alphanumeric);
        let rest = &title[start + name.len()..];
        let ending = ["es", "s", ""]
            .into_iter()
            .find(|&ending| rest.strip_prefix(ending).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)));
        ending.filter(|_| is_start).map(|ending| (start, start + name.len() + ending.len()))
    })
}

fn read(page: &'static str) -> Vec<Term> {
    let mut terms: Vec<Term> = Vec::new();
    let mut topic = "";
    for line in page.lines() {
        if let Some(name) = line.strip_prefix("### ") {
            terms.push(Term { name, topic, definition: String::new(), also: Vec::new(), short: Vec::new() });
        } else if let Some(name) = line.strip_prefix("## ") {
            topic = name;
        } else if let Some(term) = terms.last_mut() {
            if let Some(names) = line.strip_prefix(ALSO) {
                term.also = names.split(", ").collect();
            } else if let Some(names) = line.strip_prefix(SHORT) {
                term.short = names.split(", ").collect();
            } else if !line.is_empty() {
                let gap = if term.definition.is_empty() { "" } else { " " };
                term.definition.push_str(gap);
                term.definition.push_str(line);
            }
        }
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_has_a_topic_a_definition_and_one_place() {
        assert!(terms().len() > 50);
        for (at, term) in terms().iter().enumerate() {
            assert!(!term.topic.is_empty() && term.definition.ends_with('.'), "{}", term.name);
            assert!(term.first_sentence().len() <= 160, "{}: too long for a tooltip", term.name);
            assert!(!terms()[..at].iter().any(|other| other.name.eq_ignore_ascii_case(term.name)), "{}", term.name);
            let is_own_name = |also: &&str| also.eq_ignore_ascii_case(term.name);
            assert!(!term.also.iter().any(is_own_name), "{} is also called itself", term.name);
        }
    }

    #[test]
    fn a_term_is_found_in_any_case() {
        let term = find("retained SIZE").expect("a term");
        assert_eq!(term.topic, "Sizes");
        assert!(term.also.contains(&"retained heap"));
        assert_eq!(find("Mapping").map(Term::first_sentence).map(str::is_empty), Some(false));
        assert_eq!(find("no such term"), None);
    }

    #[test]
    fn titles_lead_to_their_terms() {
        let names = |title| terms_in(title).into_iter().map(|term| term.name).collect::<Vec<_>>();
        assert_eq!(names("Retained size"), ["Retained size"]);
        assert_eq!(names("Δ retained"), ["Retained size"]);
        assert_eq!(names("Retained native"), ["Retained size", "Native memory"]);
        assert_eq!(names("Class loaders"), ["Class loader"]);
        assert_eq!(names("GC roots"), ["GC root"]);
        assert_eq!(names("Classes by retained size"), ["Class", "Retained size"]);
        assert!(names("Index").is_empty() && names("Subclass").is_empty());
    }

    #[test]
    fn the_first_sentence_ends_at_its_own_full_stop() {
        let term = Term { definition: "A `vm.x` of 2.5 MB. Then more.".to_owned(), ..terms()[0].clone() };
        assert_eq!(term.first_sentence(), "A `vm.x` of 2.5 MB");
    }
}
