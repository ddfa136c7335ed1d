//! Which rows a person wants to see: those whose text contains some words, or
//! matches a regular expression.

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
pub struct TextFilter(Option<Regex>);

impl TextFilter {
    /// From what a person typed: `/re/` is a regular expression, anything else
    /// is looked for as it is, nothing lets everything through.
    ///
    /// # Errors
    /// What is wrong with the regular expression.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self(None));
        }
        let expression = text.strip_prefix('/').and_then(|t| t.strip_suffix('/')).filter(|e| !e.is_empty());
        let pattern = expression.map_or_else(|| regex::escape(text), str::to_owned);
        let regex = RegexBuilder::new(&pattern).case_insensitive(true).size_limit(1 << 20).build();
        // The last line of the library's message says what is wrong, those before draw it.
        let why = |error: regex::Error| error.to_string().lines().last().unwrap_or_default().trim().to_owned();
        regex.map(|r| Self(Some(r))).map_err(|error| format!("not a regular expression: {}", why(error)))
    }

    /// Whether everything passes.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
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

    /// Whether `text` passes.
    pub fn matches(&self, text: &str) -> bool {
        self.0.as_ref().is_none_or(|r| r.is_match(text))
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
        assert!(TextFilter::parse("/(/").is_err());
    }
}
