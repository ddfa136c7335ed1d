//! The text in a filter field and the last valid filter in it: words, or a regular expression between slashes, and
//! conditions on numbers.

use super::{Conditions, NumberCondition, RowFilter, number_keys};
use crate::columns::{Columns, Condition, Record};
use heaplens_analysis::TextFilter;
use heaplens_analysis::filter::{heap_and_rest, in_heap};

/// Typed text and its filter.
#[derive(Debug, Clone, Default)]
pub struct TypedFilter {
    text: String,
    /// Texts of the words and of the conditions of the current filter; they differ from the typed text while that is
    /// invalid.
    understood: [String; 2],
    filter: RowFilter,
    /// Error in the text.
    error: Option<String>,
    /// Error of a condition that names no column of the table.
    no_column: Option<String>,
}

impl TypedFilter {
    /// Typed text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Text of the current filter, as the command line accepts it.
    pub fn understood(&self) -> String {
        self.understood.join(" ").trim().to_owned()
    }

    /// Words of the current filter, as the command line accepts them.
    pub fn words(&self) -> &str {
        &self.understood[0]
    }

    /// Conditions of the current filter, as the command line accepts them.
    pub fn numbers(&self) -> &str {
        &self.understood[1]
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

    /// Sets the Android heap of the filter, or removes it; the other words and the conditions stay.
    pub fn choose_heap(&mut self, name: Option<&str>) {
        let [words, numbers] = match RowFilter::parse_as_typed(&self.text, str::to_owned) {
            Ok((_, texts)) => texts,
            Err(_) => [self.text.clone(), String::new()],
        };
        let rest = heap_and_rest(&words).map_or(&*words, |(_, rest)| rest);
        self.set(format!("{} {numbers}", in_heap(name, rest)).trim());
    }

    /// Error message of the typed text, if it is invalid.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref().or(self.no_column.as_deref())
    }

    /// Words or regular expression of the current filter.
    pub fn pattern(&self) -> &TextFilter {
        &self.filter.text
    }

    /// The conditions on numbers, each with the place of its column among those with these keys (empty for columns
    /// without numbers). A condition without a column is an error of the typed text, and left out.
    pub fn conditions(&mut self, keys: &[&str]) -> Vec<(usize, NumberCondition)> {
        self.no_column = self.filter.numbers.iter().find_map(|condition| condition.position(keys).err());
        let placed = |condition: &NumberCondition| Some((condition.position(keys).ok()?, condition.clone()));
        self.filter.numbers.iter().filter_map(placed).collect()
    }

    /// The same with their columns; `has` is true of the conditions under which the table has a column.
    pub(crate) fn conditions_of<K: Record>(
        &mut self,
        columns: Columns<K>,
        has: impl Fn(Condition) -> bool,
    ) -> Conditions<K> {
        Conditions::new(columns, self.conditions(&number_keys(columns, has)))
    }

    /// The filter without conditions that name no column with one of these keys, which are errors.
    pub fn checked(&mut self, keys: &[&str]) -> RowFilter {
        let numbers = self.conditions(keys).into_iter().map(|(_, condition)| condition).collect();
        RowFilter { text: self.filter.text.clone(), numbers }
    }

    /// Replaces the typed text.
    pub fn set(&mut self, text: &str) {
        // The same text stays checked.
        if self.text == text {
            return;
        }
        text.clone_into(&mut self.text);
        self.no_column = None;
        match RowFilter::parse_as_typed(&self.text, closed) {
            Ok((filter, texts)) => (self.filter, self.understood, self.error) = (filter, texts, None),
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
        assert_eq!((filter.text(), filter.words(), filter.heap()), ("heap:app /^a", "heap:app /^a/", Some("app")));
        filter.choose_heap(Some("my heap"));
        assert_eq!((filter.text(), filter.heap()), ("heap:\"my heap\" /^a", Some("my heap")));
        filter.choose_heap(None);
        assert_eq!((filter.text(), filter.heap()), ("/^a", None));
        filter.set("n>1 heap:app /^a");
        filter.choose_heap(Some("zygote"));
        assert_eq!((filter.understood().as_str(), filter.heap()), ("heap:zygote /^a/ n>1", Some("zygote")));
    }

    #[test]
    fn a_condition_without_a_column_is_an_error_until_there_is_one() {
        let mut filter = TypedFilter::default();
        filter.set("n>1 map size<5");
        assert_eq!(filter.conditions(&["n"]).len(), 1);
        assert!(filter.error().is_some_and(|error| error.contains("'size'")));
        assert_eq!((filter.conditions(&["n", "size_bytes"]).len(), filter.error()), (2, None));
        assert_eq!(filter.checked(&["size"]).numbers.len(), 1);
        filter.set("map");
        assert_eq!((filter.words(), filter.numbers(), filter.error()), ("map", "", None));
    }
}
