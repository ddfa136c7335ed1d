//! Which rows a person wants to see: those whose text contains some words, or
//! matches a regular expression.

use std::ops::Range;

use rayon::prelude::*;
use regex::{Regex, RegexBuilder};

use crate::heap::contents::Contents;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::task::{Cancelled, Task, Unit};

/// Labels read between two checkpoints: each may be a page of the file.
const LABELS: usize = 1 << 10;

/// A filter over text. Letters match in either case.
///
/// ```
/// use heaplens::analysis::filter::TextFilter;
/// let arrays = TextFilter::parse("/\\[\\]$/").expect("an expression");
/// assert!(arrays.matches("byte[]") && !arrays.matches("java.util.List"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct TextFilter {
    regex: Option<Regex>,
    /// The heap of Android that `heap:NAME` asks for.
    heap: Option<Box<str>>,
}

impl TextFilter {
    /// From what a person typed: `/re/` is a regular expression, anything else
    /// is looked for as it is, nothing lets everything through.
    ///
    /// # Errors
    /// What is wrong with the regular expression.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self::default());
        }
        let expression = text.strip_prefix('/').and_then(|t| t.strip_suffix('/')).filter(|e| !e.is_empty());
        let pattern = expression.map_or_else(|| regex::escape(text), str::to_owned);
        let heap = text.strip_prefix("heap:").map(|name| name.trim().into());
        let regex = RegexBuilder::new(&pattern).case_insensitive(true).size_limit(1 << 20).build();
        // The last line of the library's message says what is wrong, those before draw it.
        let why = |error: regex::Error| error.to_string().lines().last().unwrap_or_default().trim().to_owned();
        regex
            .map(|r| Self { regex: Some(r), heap })
            .map_err(|error| format!("not a regular expression: {}", why(error)))
    }

    /// The heap that `heap:app` asks for: of tables of objects those pass that are in it.
    pub fn heap(&self) -> Option<&str> {
        self.heap.as_deref()
    }

    /// Whether everything passes.
    pub fn is_empty(&self) -> bool {
        self.regex.is_none()
    }

    /// Whether an object of this class passes, by class or by label. Labels are
    /// read from the file, so only when the class does not pass.
    pub fn matches_object(&self, class: &str, label: impl FnOnce() -> Option<String>) -> bool {
        self.matches(class) || label().is_some_and(|label| self.matches(&label))
    }

    /// Those of `objects` that pass by id or by label, in the same order. Reads every label: the task says how
    /// far it is.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn passing(
        &self,
        heap: &Heap,
        contents: &dyn Contents,
        objects: &[ObjectId],
        task: &Task,
    ) -> Result<Vec<ObjectId>, Cancelled> {
        task.step("Filtering", Unit::Objects, objects.len() as u64);
        let passes = |&o: &ObjectId| {
            self.matches(&heap.id_text(o)) || contents.label(heap, o).is_some_and(|label| self.matches(&label))
        };
        let blocks = objects.par_chunks(LABELS).map(|block| {
            task.advance_checked(block.len() as u64)?;
            Ok(block.iter().copied().filter(passes).collect())
        });
        Ok(blocks.collect::<Result<Vec<Vec<ObjectId>>, Cancelled>>()?.into_iter().flatten().collect())
    }

    /// Where in `text` it is found first; `None` where it does not pass, and for the filter that lets all through.
    pub fn first_in(&self, text: &str) -> Option<Range<usize>> {
        self.regex.as_ref()?.find(text).map(|found| found.range())
    }

    /// At most `characters` of `text`, so that what is found first stands in it, and where it stands there.
    pub fn excerpt(&self, text: &str, characters: usize) -> (String, Range<usize>) {
        let found = self.first_in(text).unwrap_or(0..0);
        let back =
            |from: usize, by: usize| text[..from].char_indices().rev().nth(by.max(1) - 1).map_or(0, |(at, _)| at);
        let begin =
            if text[..found.start].chars().count() < characters / 2 { 0 } else { back(found.start, characters / 4) };
        let end = text[begin..].char_indices().nth(characters).map_or(text.len(), |(at, _)| begin + at);
        let before = if begin > 0 { "…" } else { "" };
        let after = if end < text.len() { "…" } else { "" };
        let place = |at: usize| at.clamp(begin, end) - begin + before.len();
        (format!("{before}{}{after}", &text[begin..end]), place(found.start)..place(found.end))
    }

    /// Whether `text` passes.
    pub fn matches(&self, text: &str) -> bool {
        self.regex.as_ref().is_none_or(|r| r.is_match(text))
    }
}

#[cfg(test)]
mod tests {
    use super::TextFilter;

    #[test]
    fn words_and_expressions() {
        let matches = |filter: &str, text: &str| TextFilter::parse(filter).expect("a filter").matches(text);
        assert!(matches("", "anything"));
        assert!(matches("string", "java.lang.String"));
        assert!(matches("[]", "byte[]"));
        assert!(!matches("map$", "java.util.HashMap"));
        assert!(matches("/map$/", "java.util.HashMap"));
        assert!(matches("/", "a/b"));
        let found = |filter: &str, text: &str| TextFilter::parse(filter).expect("a filter").first_in(text);
        assert_eq!(found("Б", "aбб"), Some(1..3));
        assert_eq!(found("", "a"), None);
        let excerpt = |filter: &str, text: &str| TextFilter::parse(filter).expect("a filter").excerpt(text, 8);
        assert_eq!(excerpt("c", "abc"), ("abc".to_owned(), 2..3));
        assert_eq!(excerpt("", "abcdefghij"), ("abcdefgh…".to_owned(), 0..0));
        let (text, place) = excerpt("Ж", "0123456789ж9876543210");
        assert_eq!((&*text, &text[place]), ("…89ж98765…", "ж"));
        assert!(TextFilter::parse("/(/").is_err());
    }
}
