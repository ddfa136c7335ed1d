//! Filter of rows as it is typed: conditions on numbers, then words or a regular expression.
//!
//! `retained>1MB objects>=100 map` passes rows whose text contains `map` and whose numbers meet both conditions.
//! Conditions come before or after the words; a heap of Android (`heap:app`) comes first.

use crate::TableContext;
use crate::columns::{Column, Columns, Record};
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

    /// Parses a filter whose words `finish` completes first; with the completed text.
    pub(crate) fn parse_as_typed(text: &str, finish: impl Fn(&str) -> String) -> Result<(Self, String), String> {
        let (conditions, rest) = split(text);
        let mut finished = match heap_and_rest(&rest) {
            Some((name, rest)) => in_heap(Some(name), &finish(rest)),
            None => finish(&rest),
        };
        let text = TextFilter::parse(&finished)?;
        for (word, _) in &conditions {
            finished.extend([" ", word]);
        }
        let numbers = conditions.into_iter().map(|(_, condition)| condition).collect();
        Ok((Self { text, numbers }, finished.trim().to_owned()))
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

    /// The conditions with the columns that they name.
    ///
    /// # Errors
    /// [`TableError::InvalidQuery`] if a condition names no column of numbers; with those it may name.
    pub fn conditions<K: Record>(&self, columns: Columns<K>) -> Result<Vec<ColumnCondition<K>>, TableError> {
        let all: Vec<&'static Column<K>> = columns.iter().copied().flatten().collect();
        let keys = number_keys(columns);
        let condition = |condition: &NumberCondition| {
            let place = condition.place(&keys).map_err(TableError::InvalidQuery)?;
            Ok(ColumnCondition { column: all[place], condition: condition.clone() })
        };
        self.numbers.iter().map(condition).collect()
    }
}

/// Keys of the columns of numbers, each at its place in the table; empty for other columns.
pub(crate) fn number_keys<K: Record>(columns: Columns<K>) -> Vec<&'static str> {
    let key = |column: &'static Column<K>| if column.kind().is_number() { column.heading.key } else { "" };
    columns.iter().copied().flatten().map(key).collect()
}

/// A condition with its column.
pub struct ColumnCondition<K: Record> {
    column: &'static Column<K>,
    condition: NumberCondition,
}

impl<K: Record> ColumnCondition<K> {
    /// True if a row meets it.
    pub fn is_met<'a>(&self, row: K::Row<'a>, from: TableContext<'a>) -> bool {
        let number = Quantity::of_cell(&self.column.cell(row, from), from.analysis.shown.shallow);
        number.is_some_and(|number| self.condition.admits(number))
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
        let (_, finished) = RowFilter::parse_as_typed("n>1 heap", finish).expect("a filter");
        assert_eq!(finished, "heap! n>1");
    }
}
