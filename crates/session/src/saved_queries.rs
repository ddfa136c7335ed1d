//! Queries of the user: those with a name, and the last ones that had an answer.

use serde::{Deserialize, Serialize};

/// Number of queries that are remembered without a name.
const RECENT: usize = 30;

/// Queries that the window offers again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedQueries {
    /// Queries with a name, by name.
    named: Vec<NamedQuery>,
    /// Queries that had an answer, the last one first.
    recent: Vec<String>,
}

/// A query with a name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NamedQuery {
    /// Name.
    pub name: String,
    /// Query.
    pub query: String,
}

impl SavedQueries {
    /// Queries with a name, by name.
    pub fn named(&self) -> &[NamedQuery] {
        &self.named
    }

    /// Queries that had an answer, the last one first.
    pub fn recent(&self) -> &[String] {
        &self.recent
    }

    /// Remembers a query that had an answer.
    pub fn remember(&mut self, query: String) {
        self.recent.retain(|known| *known != query);
        self.recent.insert(0, query);
        self.recent.truncate(RECENT);
    }

    /// Saves a query under a name, instead of one with the same name.
    pub fn save(&mut self, name: String, query: String) {
        self.forget(&name);
        self.named.push(NamedQuery { name, query });
        self.named.sort_by(|a, b| a.name.cmp(&b.name));
    }

    /// Forgets the query with a name.
    pub fn forget(&mut self, name: &str) {
        self.named.retain(|known| known.name != name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_remembered_once_and_saved_under_one_name() {
        let mut queries = SavedQueries::default();
        for query in (0..40).map(|n| n.to_string()).chain(["3".to_owned()]) {
            queries.remember(query);
        }
        assert_eq!(queries.recent()[..2], ["3", "39"]);
        assert_eq!(queries.recent().len(), RECENT);
        for (name, query) in [("b", "1"), ("a", "2"), ("b", "3")] {
            queries.save(name.to_owned(), query.to_owned());
        }
        let saved: Vec<(&str, &str)> = queries.named().iter().map(|q| (&*q.name, &*q.query)).collect();
        assert_eq!(saved, [("a", "2"), ("b", "3")]);
        queries.forget("a");
        assert_eq!(queries.named().len(), 1);
    }
}
