//! The text in a filter field and the last valid filter in it: words, or a regular expression between slashes, and
//! conditions on numbers.

use super::{NumberCondition, RowFilter};
use crate::dump::object_filter::ObjectConditions;
use heaplens_analysis::TextFilter;
use heaplens_analysis::filter::{heap_and_rest, in_heap};

/// Typed text and its filter.
#[derive(Debug, Clone, Default)]
pub struct TypedFilter {
    text: String,
    /// Text of the current filter; differs from the typed text while that is invalid.
    understood: String,
    filter: RowFilter,
    error: Option<String>,
}

impl TypedFilter {
    /// Typed text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Text of the current filter, as the command line accepts it.
    pub fn understood(&self) -> &str {
        &self.understood
    }

    /// True if all rows match.
    pub fn is_empty(&self) -> bool {
        self.filter.is_empty()
    }

    /// True if `text` has the words; conditions on numbers are not checked.
    pub fn passes(&self, text: &str) -> bool {
        self.filter.text.matches(text)
    }

    /// Android heap that the filter names.
    pub fn heap(&self) -> Option<&str> {
        self.filter.text.heap().map(|(name, _)| name)
    }

    /// Sets the Android heap of the filter, or removes it; the other words stay.
    pub fn choose_heap(&mut self, name: Option<&str>) {
        let rest = heap_and_rest(&self.text).map_or(&*self.text, |(_, rest)| rest);
        let text = in_heap(name, rest);
        self.set(&text);
    }

    /// Error message of the typed text, if it is invalid.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Words or regular expression of the current filter.
    pub fn pattern(&self) -> &TextFilter {
        &self.filter.text
    }

    /// The current filter.
    pub fn filter(&self) -> &RowFilter {
        &self.filter
    }

    /// The conditions on numbers, each with the place of its column among those with these keys (empty for columns
    /// without numbers). A condition without a column is an error of the typed text, and left out.
    pub fn conditions(&mut self, keys: &[&str]) -> Vec<(usize, NumberCondition)> {
        let mut found = Vec::new();
        for condition in &self.filter.numbers {
            match condition.place(keys) {
                Ok(place) => found.push((place, condition.clone())),
                Err(error) => self.error = Some(error),
            }
        }
        found
    }

    /// The conditions on the numbers of objects, as [`conditions`](Self::conditions) gives those of a table.
    pub fn object_conditions(&mut self) -> ObjectConditions {
        ObjectConditions::new(&self.filter).unwrap_or_else(|error| {
            self.error = Some(error.to_string());
            ObjectConditions::default()
        })
    }

    /// Replaces the typed text.
    pub fn set(&mut self, text: &str) {
        text.clone_into(&mut self.text);
        self.read();
    }

    fn read(&mut self) {
        match RowFilter::parse_as_typed(&self.text, closed) {
            Ok((filter, text)) => (self.filter, self.understood, self.error) = (filter, text, None),
            // The last valid filter stays.
            Err(error) => self.error = Some(error),
        }
    }
}

/// Adds the closing slash of a regular expression, which is missing while it is typed.
fn closed(text: &str) -> String {
    let mut text = text.trim().to_owned();
    if text.starts_with('/') && !(text.len() > 1 && text.ends_with('/')) {
        text.push('/');
    }
    if text == "//" {
        text.clear();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_expressions() {
        let mut filter = TypedFilter::default();
        assert!(filter.is_empty() && filter.passes("anything"));
        filter.set("hash.map[");
        assert!(filter.passes("x.Hash.Map[]") && !filter.passes("java.util.HashMap"));
        filter.set("/^java.*Map$/");
        assert!(filter.passes("java.util.HashMap") && !filter.passes("my.java.util.Map"));
        filter.set("/^java.*S");
        assert!(filter.passes("java.util.Set"), "an expression that is not closed yet");
        filter.set("/^java.*Map$/");
        filter.set("/(/");
        assert!(filter.passes("java.util.HashMap"), "what was understood last stays");
        filter.set("");
        assert!(filter.is_empty());
    }

    #[test]
    fn a_heap_filter_combines_with_the_typed_filter() {
        let mut filter = TypedFilter::default();
        filter.set("/^a");
        filter.choose_heap(Some("app"));
        assert_eq!((filter.text(), filter.understood(), filter.heap()), ("heap:app /^a", "heap:app /^a/", Some("app")));
        filter.choose_heap(Some("my heap"));
        assert_eq!((filter.text(), filter.heap()), ("heap:\"my heap\" /^a", Some("my heap")));
        filter.choose_heap(None);
        assert_eq!((filter.text(), filter.heap()), ("/^a", None));
    }
}
