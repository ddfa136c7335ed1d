//! Row filters: rows whose text contains a word, or matches a regular expression, in one heap or all of them.

use std::ops::Range;

use rayon::prelude::*;
use regex::{Regex, RegexBuilder};

use crate::answers::DumpData;
use heaplens_base::{Cancelled, Count, Task, Unit};
use heaplens_heap::{Heap, ObjectId};

/// Maximum length of a filter in bytes: an expression takes a hundred times as much memory.
const LONGEST: usize = 10_000;
/// Labels read between two checkpoints: each may touch a page of the file.
const LABELS: usize = 1 << 10;

/// A filter over text. Letters match in either case.
///
/// ```
/// # use heaplens_analysis::filter::TextFilter;
/// let arrays = TextFilter::parse("/\\[\\]$/").expect("an expression");
/// assert!(arrays.matches("byte[]") && !arrays.matches("java.util.List"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct TextFilter {
    regex: Option<Regex>,
    /// Android heap of `heap:NAME`, and the rest of the filter.
    heap: Option<Box<(String, TextFilter)>>,
}

/// Prefix of a heap name.
const HEAP: &str = "heap:";

/// Splits `heap:NAME REST`; a name with blanks is quoted.
pub fn heap_and_rest(text: &str) -> Option<(&str, &str)> {
    let after = text.trim_start().strip_prefix(HEAP)?;
    let (name, rest) = match after.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
        None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
    };
    Some((name, rest.trim()))
}

/// Filter text for a heap; `None` for all heaps.
pub fn in_heap(name: Option<&str>, rest: &str) -> String {
    let rest = rest.trim();
    match name {
        None => rest.to_owned(),
        Some(name) => {
            let quote = if name.contains(char::is_whitespace) { "\"" } else { "" };
            format!("{HEAP}{quote}{name}{quote} {rest}").trim_end().to_owned()
        }
    }
}

impl TextFilter {
    /// Parses user input: `/re/` is a regular expression, anything else
    /// is searched literally, and an empty filter passes everything.
    ///
    /// # Errors
    /// A description of the error in the regular expression.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self::default());
        }
        if text.len() > LONGEST {
            let (length, most) = (Count(text.len() as u64), Count(LONGEST as u64));
            return Err(format!("the text is {length} bytes long, the maximum is {most}"));
        }
        let expression = text.strip_prefix('/').and_then(|t| t.strip_suffix('/')).filter(|e| !e.is_empty());
        let pattern = expression.map_or_else(|| regex::escape(text), str::to_owned);
        let heap = match heap_and_rest(text) {
            Some((name, rest)) => Some(Box::new((name.to_owned(), Self::parse(rest)?))),
            None => None,
        };
        let regex = RegexBuilder::new(&pattern).case_insensitive(true).size_limit(1 << 20).build();
        // The last line of the library's message is the error, the lines before it mark the position.
        let why = |error: regex::Error| error.to_string().lines().last().unwrap_or_default().trim().to_owned();
        regex
            .map(|r| Self { regex: Some(r), heap })
            .map_err(|error| format!("invalid regular expression: {}", why(error)))
    }

    /// Heap of `heap:app`, and the rest of the filter: in tables of objects and classes, rows must
    /// be in the heap and pass the rest. Other tables use the whole as text.
    pub fn heap(&self) -> Option<(&str, &Self)> {
        self.heap.as_deref().map(|(name, rest)| (&**name, rest))
    }

    /// Filter for tables with heaps: the rest after `heap:app`, or all of it.
    pub fn words(&self) -> &Self {
        self.heap().map_or(self, |(_, rest)| rest)
    }

    /// True if an object is in the filter's heap, if it names one.
    pub fn in_its_heap(&self, heap: &Heap, object: ObjectId) -> bool {
        self.heap().is_none_or(|(name, _)| heap.region_name(object) == Some(name))
    }

    /// True if an object passes by heap, and by class or label.
    pub fn passes_object(&self, dump: DumpData<'_>, object: ObjectId) -> bool {
        let heap = dump.heap;
        self.in_its_heap(heap, object)
            && self.words().matches_object(&heap.class(object).name, || dump.contents.label(heap, object))
    }

    /// True if everything passes.
    pub fn is_empty(&self) -> bool {
        self.regex.is_none()
    }

    /// True if an object of this class passes, by class or by label. Labels are
    /// read from the file, so only when the class does not pass.
    pub fn matches_object(&self, class: &str, label: impl FnOnce() -> Option<String>) -> bool {
        self.matches(class) || label().is_some_and(|label| self.matches(&label))
    }

    /// Objects that pass by heap, and by id or label, in the same order. Reads every label: the task reports progress.
    pub fn passing(&self, dump: DumpData<'_>, objects: &[ObjectId], task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
        let heap = dump.heap;
        let words = self.words();
        let matches = |text: &str| words.matches(text);
        let passes = |&o: &ObjectId| {
            self.in_its_heap(heap, o)
                && (words.is_empty()
                    || matches(&heap.id_text(o))
                    || dump.contents.label(heap, o).is_some_and(|label| matches(&label)))
        };
        passing_objects(objects, LABELS, passes, task)
    }

    /// First match in `text`; `None` if there is none, and for the empty filter.
    pub fn first_in(&self, text: &str) -> Option<Range<usize>> {
        self.regex.as_ref()?.find(text).map(|hit| hit.range())
    }

    /// Excerpt of at most `characters` of `text` around the first match, and the range of the match in it.
    pub fn excerpt(&self, text: &str, characters: usize) -> (String, Range<usize>) {
        let hit = self.first_in(text).unwrap_or(0..0);
        let back =
            |from: usize, by: usize| text[..from].char_indices().rev().nth(by.max(1) - 1).map_or(0, |(at, _)| at);
        let begin =
            if text[..hit.start].chars().count() < characters / 2 { 0 } else { back(hit.start, characters / 4) };
        let end = text[begin..].char_indices().nth(characters).map_or(text.len(), |(at, _)| begin + at);
        let before = if begin > 0 { "…" } else { "" };
        let after = if end < text.len() { "…" } else { "" };
        let in_excerpt = |at: usize| at.clamp(begin, end) - begin + before.len();
        (format!("{before}{}{after}", &text[begin..end]), in_excerpt(hit.start)..in_excerpt(hit.end))
    }

    /// True if `text` passes.
    pub fn matches(&self, text: &str) -> bool {
        self.regex.as_ref().is_none_or(|r| r.is_match(text))
    }
}

/// Objects that pass, in the same order; `block` of them are tested between two checkpoints.
pub fn passing_objects(
    objects: &[ObjectId],
    block: usize,
    passes: impl Fn(&ObjectId) -> bool + Sync,
    task: &Task,
) -> Result<Vec<ObjectId>, Cancelled> {
    task.step("Filtering", Unit::Objects, objects.len() as u64);
    let blocks = objects.par_chunks(block.max(1)).map(|block| {
        task.advance_checked(block.len() as u64)?;
        Ok(block.iter().copied().filter(&passes).collect())
    });
    Ok(blocks.collect::<Result<Vec<Vec<ObjectId>>, Cancelled>>()?.concat())
}

/// Objects that pass a filter by heap and class: each class is checked once.
pub struct ObjectFilter<'a> {
    heap: &'a Heap,
    filter: &'a TextFilter,
    classes: Option<Vec<bool>>,
}

impl<'a> ObjectFilter<'a> {
    /// Classes that pass in a heap.
    pub fn new(heap: &'a Heap, filter: &'a TextFilter) -> Self {
        let words = filter.words();
        let passing = || heap.classes.iter().map(|(_, class)| words.matches(&class.name)).collect();
        Self { heap, filter, classes: (!words.is_empty()).then(passing) }
    }

    /// True if an object passes.
    pub fn has(&self, object: ObjectId) -> bool {
        let class = self.heap.class_id(object).index();
        self.classes.as_ref().is_none_or(|passing| passing.get(class) == Some(&true))
            && self.filter.in_its_heap(self.heap, object)
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, TextFilter, heap_and_rest, in_heap};

    #[test]
    fn a_filter_has_a_maximum_length() {
        assert!(TextFilter::parse(&"a".repeat(LONGEST)).is_ok());
        let why = TextFilter::parse(&"a".repeat(10_000_000)).err();
        assert_eq!(why.as_deref(), Some("the text is 10,000,000 bytes long, the maximum is 10,000"));
    }

    #[test]
    fn words_and_expressions() {
        let matches = |filter: &str, text: &str| TextFilter::parse(filter).expect("a filter").matches(text);
        assert!(matches("", "anything"));
        assert!(matches("string", "java.lang.String"));
        assert!(matches("[]", "byte[]"));
        assert!(!matches("map$", "java.util.HashMap"));
        assert!(matches("/map$/", "java.util.HashMap"));
        assert!(matches("/", "a/b"));
        let first_in = |filter: &str, text: &str| TextFilter::parse(filter).expect("a filter").first_in(text);
        assert_eq!(first_in("Б", "aбб"), Some(1..3));
        assert_eq!(first_in("", "a"), None);
        let excerpt = |filter: &str, text: &str| TextFilter::parse(filter).expect("a filter").excerpt(text, 8);
        assert_eq!(excerpt("c", "abc"), ("abc".to_owned(), 2..3));
        assert_eq!(excerpt("", "abcdefghij"), ("abcdefgh…".to_owned(), 0..0));
        let (text, range) = excerpt("Ж", "0123456789ж9876543210");
        assert_eq!((&*text, &text[range]), ("…89ж98765…", "ж"));
        assert!(TextFilter::parse("/(/").is_err());
    }

    #[test]
    fn a_heap_filter_comes_before_the_words() {
        let filter = TextFilter::parse(" heap:app  /^a.*b$/ ").expect("a filter");
        let (name, rest) = filter.heap().expect("a heap");
        assert_eq!(name, "app");
        assert!(rest.matches("axb") && !rest.matches("ax"));
        assert!(TextFilter::parse("heap:app /(/").is_err());
        for (text, name, rest) in
            [("heap:app", "app", ""), ("heap:\"my heap\" x y", "my heap", "x y"), ("heap:", "", "")]
        {
            assert_eq!(heap_and_rest(text), Some((name, rest)), "{text}");
            assert_eq!(heap_and_rest(&in_heap(Some(name), rest)), Some((name, rest)), "{text}");
        }
        assert_eq!((heap_and_rest("a heap:app"), in_heap(None, " x ").as_str()), (None, "x"));
    }
}
