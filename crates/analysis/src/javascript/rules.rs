//! User rules for JavaScript leaks: lines of a text file, as for `leaks --rules` with other dumps.
//!
//! ```text
//! expected        shop.Catalog        # loaded once
//! leaking         (string)            # of this program even texts matter
//! ignore-edge     __reactFiber*       # paths through these are not ours
//! least-retained  10kB
//! ```

use crate::rule_lines::{RuleLine, matches, rule_lines};

/// Rules for leaks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// Expected classes, unless in the next list, and expected names in traces.
    expected: Vec<String>,
    /// Classes that are always reported.
    leaking: Vec<String>,
    /// Ignored edges: objects held through one are not reported.
    ignored_edges: Vec<String>,
    /// Minimum retained size of reported leaks, in bytes.
    pub least_retained: u64,
}

impl Rules {
    /// Adds the rules of a text; lines for other dumps are skipped.
    ///
    /// # Errors
    /// A message with the number of the invalid line.
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        let mut added = self.clone();
        for RuleLine { number, word, pattern, .. } in rule_lines(text) {
            if pattern.is_empty() {
                return Err(format!("line {number}: '{word}' needs a pattern, such as Session"));
            }
            match word {
                "normal" | "expected" => added.expected.push(pattern.to_owned()),
                "leaking" => added.leaking.push(pattern.to_owned()),
                "ignore-edge" => added.ignored_edges.push(pattern.to_owned()),
                "least-retained" => {
                    let bytes = bytes(pattern);
                    let wrong = || format!("line {number}: '{pattern}' is not a size such as 500kB");
                    added.least_retained = bytes.ok_or_else(wrong)?;
                }
                _ => {
                    let words = "normal, expected, leaking, ignore-edge or least-retained";
                    return Err(format!("line {number}: '{word}' is not a rule: use {words}"));
                }
            }
        }
        *self = added;
        Ok(())
    }

    /// True if objects of a class are always reported.
    pub fn is_leaking(&self, class: &str) -> bool {
        self.leaking.iter().any(|pattern| matches(pattern, class))
    }

    /// True if a class or a name in a trace is expected.
    pub fn is_expected(&self, name: &str) -> bool {
        self.expected.iter().any(|pattern| matches(pattern, name))
    }

    /// True if objects held through an edge are not reported.
    pub fn is_ignored(&self, edge: &str) -> bool {
        self.ignored_edges.iter().any(|pattern| matches(pattern, edge))
    }
}

/// `500kB`, `10MB`, `4096`.
fn bytes(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let times = match unit.trim() {
        "" | "B" => 1,
        "kB" | "KB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_line_by_line() {
        let mut rules = Rules::default();
        let text = "# none\nexpected Cat*  # why\nleaking (string)\nignore-edge __react*\nleast-retained 10kB\n";
        rules.add(text).expect("rules");
        assert!(rules.is_expected("Catalog") && !rules.is_expected("Dog") && rules.is_leaking("(string)"));
        assert!(rules.is_ignored("__reactFiber$1") && rules.least_retained == 10_000);
        let before = rules.clone();
        assert_eq!(rules.add("least-retained much").map_err(|why| why.contains("line 1")), Err(true));
        assert!(rules.add("expected A\nfine B").is_err_and(|why| why.starts_with("line 2: 'fine'")));
        assert_eq!(rules, before, "rules with a wrong line are not half read");
    }
}
