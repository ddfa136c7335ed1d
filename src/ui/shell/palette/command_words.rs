//! Whether the typed words are words of a command: of its name, of its menus, or of its names in other tools.

use super::synonyms;
use crate::ui::verb::Entry;

/// Words that tell no commands apart.
const FILLERS: [&str; 20] = [
    "a", "an", "and", "are", "as", "by", "do", "for", "i", "in", "is", "it", "my", "of", "on", "that", "the", "this",
    "to", "with",
];

/// The typed words, without fillers.
pub struct TypedWords<'a>(Vec<&'a str>);

/// A command that has all typed words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordMatch {
    /// True if the words name the command: one is of its name, or they are all words of a synonym.
    pub names_it: bool,
    /// Synonym with a word that the command itself does not have.
    pub synonym: Option<&'static str>,
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty() && !FILLERS.iter().any(|filler| filler.eq_ignore_ascii_case(word)))
}

fn has(text: &str, word: &str) -> bool {
    words(text).any(|of| of.eq_ignore_ascii_case(word))
}

fn has_beginning(text: &str, beginning: &str) -> bool {
    let begins = |of: &str| of.get(..beginning.len()).is_some_and(|head| head.eq_ignore_ascii_case(beginning));
    words(text).any(begins)
}

impl<'a> TypedWords<'a> {
    /// The words of a text.
    pub fn of(typed: &'a str) -> Self {
        Self(words(typed).collect())
    }

    /// How the typed words match a command; `None` unless it has all of them. The last of several may be incomplete.
    pub fn find_in(&self, entry: &Entry) -> Option<WordMatch> {
        let (last, before) = self.0.split_last()?;
        let own = [entry.name, entry.submenu.unwrap_or_default(), entry.menu.name()];
        let synonyms = synonyms::of(entry.verb);
        let is_incomplete = |text: &str| !before.is_empty() && has_beginning(text, last);
        let is_last = |text: &str| has(text, last) || is_incomplete(text);
        let in_any = |test: &dyn Fn(&str) -> bool| own.into_iter().chain(synonyms.iter().copied()).any(test);
        if !before.iter().all(|word| in_any(&|text| has(text, word))) || !in_any(&is_last) {
            return None;
        }
        let is_of_name = self.0.iter().any(|word| has(entry.name, word) || has(own[1], word));
        let is_typed = |of: &str| self.0.iter().any(|word| word.eq_ignore_ascii_case(of));
        let complete = synonyms.iter().copied().find(|synonym| words(synonym).all(is_typed));
        let is_foreign = |word: &&str| !own.into_iter().any(|text| has(text, word));
        let foreign = self.0.iter().copied().filter(is_foreign);
        let of_foreign =
            || foreign.clone().find_map(|word| synonyms.iter().copied().find(|synonym| has(synonym, word)));
        Some(WordMatch { names_it: is_of_name || complete.is_some(), synonym: complete.or_else(of_foreign) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::Verb;
    use crate::view::View;

    fn named(typed: &str) -> Vec<Verb> {
        let words = TypedWords::of(typed);
        let entries = crate::ui::verb::TABLE.iter();
        entries.filter(|entry| words.find_in(entry).is_some_and(|by| by.names_it)).map(|entry| entry.verb).collect()
    }

    #[test]
    fn words_of_a_command_name_it_in_any_order() {
        for (typed, verb) in [
            ("theme light", Verb::ThemeLight),
            ("light theme", Verb::ThemeLight),
            ("theme li", Verb::ThemeLight),
            ("csv", Verb::ExportTable),
            ("csv export", Verb::ExportTable),
            ("incoming", Verb::Incoming),
            ("retainers", Verb::Incoming),
            ("why is this alive", Verb::PathPane),
            ("undo cut", Verb::Undo),
            ("cuts", Verb::Undo),
            ("path of the gc root", Verb::PathPane),
            ("suspects leak", Verb::Show(View::Leaks)),
        ] {
            assert!(named(typed).contains(&verb), "{typed}: {:?}", named(typed));
        }
    }

    #[test]
    fn words_of_classes_name_no_command() {
        for typed in ["", "is this", "user", "cache", "HMN", "hist", "zzz light", "string builder"] {
            assert!(named(typed).is_empty(), "{typed}: {:?}", named(typed));
        }
    }
}
