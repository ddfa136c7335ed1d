//! Filter of rows as it is typed: conditions on numbers, then words or a regular expression.
//!
//! `retained>1MB objects>=100 map` passes rows whose text contains `map` and whose numbers meet both conditions.
//! Conditions come before or after the words; a heap of Android (`heap:app`) comes first.

use crate::TableContext;
use crate::columns::{Column, Columns, Condition, Record};
use crate::query::number_condition::{NumberCondition, Quantity};
use crate::query::table_error::TableError;
use heaplens_analysis::TextFilter;
use heaplens_analysis::filter::{heap_and_rest, in_heap};

/// A filter of rows.
#[derive(Debug, Clone, Default)]
pub struct RowFilter {
    /// Words or a regular expression.
    pub text: TextFilter,
    /// Conditions on numbers: all must be met.
    pub numbers: Vec<NumberCondition>,
}

/// The conditions at both ends of a text, each with its word, and the text between them.
fn split(text: &str) -> (Vec<(&str, NumberCondition)>, String) {
    let (heap, mut rest) = match heap_and_rest(text) {
        Some((name, rest)) => (Some(name), rest),
        None => (None, text.trim()),
    };
    let mut conditions = Vec::new();
    while let Some((word, after)) = first_word(rest)
        && let Ok(condition) = word.parse()
    {
        conditions.push((word, condition));
        rest = after;
    }
    while let Some((before, word)) = last_word(rest)
        && let Ok(condition) = word.parse()
    {
        conditions.push((word, condition));
        rest = before;
    }
    (conditions, in_heap(heap, rest))
}

fn first_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (!text.is_empty()).then(|| (&text[..end], text[end..].trim_start()))
}

fn last_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let begin =
        text.rfind(char::is_whitespace).map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    (!text.is_empty()).then(|| (text[..begin].trim_end(), &text[begin..]))
}

impl RowFilter {
    /// Parses a filter.
    ///
    /// # Errors
    /// A description of the error in the regular expression.
    pub fn parse(text: &str) -> Result<Self, String> {
        Ok(Self::parse_as_typed(text, str::to_owned)?.0)
    }

    /// The text of a filter without its conditions on numbers: words or a regular expression, after the heap if it names
    /// one.
    pub fn words_of(text: &str) -> String {
        split(text).1
    }

    /// Parses a filter whose words `finish` completes first; with the texts of its words and of its conditions.
    pub(crate) fn parse_as_typed(text: &str, finish: impl Fn(&str) -> String) -> Result<(Self, [String; 2]), String> {
        let (conditions, rest) = split(text);
        let words = match heap_and_rest(&rest) {
            Some((name, rest)) => in_heap(Some(name), &finish(rest)),
            None => finish(&rest),
        };
        let text = TextFilter::parse(&words)?;
        let typed: Vec<&str> = conditions.iter().map(|(word, _)| *word).collect();
        let texts = [words, typed.join(" ")];
        Ok((Self { text, numbers: conditions.into_iter().map(|(_, condition)| condition).collect() }, texts))
    }

    /// True if all rows pass.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.numbers.is_empty()
    }

    /// True if the numbers of a row meet all conditions; `number` gives the number in the column that a condition
    /// names, `None` if the row has none.
    pub fn admits(&self, number: impl Fn(&NumberCondition) -> Option<Quantity>) -> bool {
        self.numbers.iter().all(|condition| number(condition).is_some_and(|number| condition.admits(number)))
    }

    /// The conditions with the columns that they name; `has` is true of the conditions under which a table has a column.
    ///
    /// # Errors
    /// [`TableError::InvalidQuery`] if a condition names no column of numbers; with those it may name.
    pub fn conditions<K: Record>(
        &self,
        columns: Columns<K>,
        has: impl Fn(Condition) -> bool,
    ) -> Result<Conditions<K>, TableError> {
        let keys = number_keys(columns, has);
        let column = |condition: &NumberCondition| Ok((condition.position(&keys)?, condition.clone()));
        let placed = self.numbers.iter().map(column).collect::<Result<_, String>>();
        Ok(Conditions::new(columns, placed.map_err(TableError::InvalidQuery)?))
    }
}

/// Keys of the columns of numbers that a table has, each at its place; empty for other columns. Sort keys, which no
/// table shows, are among them.
pub(crate) fn number_keys<K: Record>(columns: Columns<K>, has: impl Fn(Condition) -> bool) -> Vec<&'static str> {
    let is_there = |column: &Column<K>| {
        let when = column.heading.when;
        column.kind().is_number() && (when == Condition::SortKey || has(when))
    };
    let key = |column: &'static Column<K>| if is_there(column) { column.heading.key } else { "" };
    columns.iter().copied().flatten().map(key).collect()
}

/// Conditions with their columns; all must be met.
pub struct Conditions<K: Record>(Vec<(&'static Column<K>, NumberCondition)>);

impl<K: Record> Conditions<K> {
    /// Conditions with the places of their columns.
    pub(crate) fn new(columns: Columns<K>, placed: Vec<(usize, NumberCondition)>) -> Self {
        let all: Vec<&'static Column<K>> = columns.iter().copied().flatten().collect();
        let column = |(index, condition): (usize, NumberCondition)| Some((*all.get(index)?, condition));
        Self(placed.into_iter().filter_map(column).collect())
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if a row meets them. A row without a number does not meet a condition on it.
    pub fn are_met<'a>(&self, row: K::Row<'a>, dump: TableContext<'a>) -> bool {
        self.0.iter().all(|(column, condition)| {
            let number = Quantity::of_cell(&column.cell(row, dump), dump.analysis.shown.shallow);
            number.is_some_and(|number| condition.admits(number))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_come_before_or_after_the_words() {
        for (text, words, conditions) in [
            ("retained>1MB map", "map", 1),
            ("map objects>=5 share<5%", "map", 2),
            ("heap:app >1k /a b>1 c/ n=1..2", "a b>1 c", 2),
            ("a>b c", "a>b c", 0),
            ("  ", "anything", 0),
        ] {
            let filter = RowFilter::parse(text).expect("a filter");
            assert!(filter.text.words().matches(words) && filter.numbers.len() == conditions, "{text}");
        }
        assert!(!RowFilter::parse("map n>1").expect("a filter").text.matches("n>1"));
        assert!(RowFilter::parse("n>1 /(/").is_err());
        let finish = |text: &str| format!("{text}!");
        let (_, texts) = RowFilter::parse_as_typed("n>1 heap", finish).expect("a filter");
        assert_eq!(texts, ["heap!", "n>1"]);
    }
}
