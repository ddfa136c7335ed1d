//! Rules of a text file: memory that is large but normal, and the user's verdicts on findings.
//!
//! ```text
//! normal    java.lang.Module*          # the module graph
//! expected  desk.Catalog.ITEMS         # loaded once, at the start
//! leaking   desk.Session               # must not outlive its request
//! ```
//!
//! A pattern is matched against the name of the finding (`desk.SessionCache.ENTRIES`), the class of its holder, and
//! the accumulated class; `*` stands for any characters. A prefix of the name up to a dot or a bracket matches, too.
//! The name of a waste finding is [`WasteKind::key`](crate::waste::WasteKind::key).

use std::sync::Arc;

use super::{kinds::Group, known_rules::KnownLeaks};
use crate::rule_lines::{RuleLine, matches, rule_lines};
use serde::{Deserialize, Serialize};

/// The rules that are built in.
const BUILT_IN: &str = include_str!("../../assets/leak-rules.txt");

/// A rule: how it judges the findings that its pattern matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Group of the matching findings.
    pub group: Group,
    /// The reason given in the file; may be empty.
    pub reason: String,
    /// The pattern that matched.
    pub pattern: String,
    /// True if it is from a file of the user, false if it is built in.
    pub is_of_user: bool,
}

/// Rules in order of precedence: those read last come first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeakRules {
    pub(super) rules: Vec<Verdict>,
    known: Arc<KnownLeaks>,
}

impl Verdict {
    /// True if the user said that the memory is as it should be.
    pub(super) fn hides(&self) -> bool {
        self.is_of_user && self.group != Group::Leak
    }
}

impl Default for LeakRules {
    /// The built-in rules.
    fn default() -> Self {
        let mut rules = Self { rules: Vec::new(), known: KnownLeaks::built_in() };
        // A test reads them line by line.
        let _checked = rules.read(BUILT_IN, false);
        rules
    }
}

impl LeakRules {
    /// Adds the rules of a text before all existing ones.
    ///
    /// # Errors
    /// A message with the number of the line that is not a rule. Nothing is added then.
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        let mut added = Self { rules: Vec::new(), known: Arc::clone(&self.known) };
        added.read(text, true)?;
        added.rules.append(&mut self.rules);
        *self = added;
        Ok(())
    }

    /// Known leaks of libraries.
    pub fn known(&self) -> &Arc<KnownLeaks> {
        &self.known
    }

    /// The same rules with other known leaks.
    #[must_use]
    pub fn with_known(self, known: Arc<KnownLeaks>) -> Self {
        Self { known, ..self }
    }

    fn read(&mut self, text: &str, is_of_user: bool) -> Result<(), String> {
        for RuleLine { number, word, pattern, reason } in rule_lines(text) {
            let group = match word {
                "normal" => Group::Normal,
                "expected" => Group::Expected,
                "leaking" => Group::Leak,
                // Of leaks between snapshots of JavaScript, which read the same files.
                "ignore-edge" | "least-retained" => continue,
                _ => return Err(format!("line {number}: '{word}' is not a rule: use normal, expected or leaking")),
            };
            if pattern.is_empty() {
                return Err(format!("line {number}: '{word}' needs a pattern, such as shop.Cache.ALL"));
            }
            let (reason, pattern) = (reason.to_owned(), pattern.to_owned());
            self.rules.push(Verdict { group, reason, pattern, is_of_user });
        }
        Ok(())
    }
}

/// True if the pattern matches the name or a prefix of it up to a step.
pub(super) fn is_within(pattern: &str, name: &str) -> bool {
    let max_listed_at_end = name.match_indices(['.', '[', '{']).map(|(at, _)| at).chain([name.len()]);
    max_listed_at_end.into_iter().any(|end| end > 0 && matches(pattern, &name[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_names_and_their_parts() {
        for (pattern, name, is_match) in [
            ("desk.Cache.ALL", "desk.Cache.ALL", true),
            ("desk.Cache.ALL", "desk.Cache.ALL[\"x\"].cart", true),
            ("desk.Cache", "desk.Cache.ALL", true),
            ("desk.Cache.AL", "desk.Cache.ALL", false),
            ("desk.*.ALL", "desk.b.Cache.ALL", true),
            ("*Cache*", "desk.SessionCache.ENTRIES", true),
            ("*.ENTRIES", "desk.SessionCache.ENTRIES", true),
            ("a*b*c", "abbc", true),
            ("a*b*c", "acb", false),
            ("", "desk", false),
        ] {
            assert_eq!(is_within(pattern, name), is_match, "{pattern} {name}");
        }
    }

    #[test]
    fn rules_are_read_line_by_line() {
        let mut rules = LeakRules { rules: Vec::new(), known: Arc::default() };
        rules.add("# nothing\n\nexpected desk.Catalog.*  # loaded once\nleaking  desk.Session").expect("rules");
        assert_eq!(rules.rules.len(), 2);
        assert_eq!((rules.rules[0].group, rules.rules[0].reason.as_str()), (Group::Expected, "loaded once"));
        let wrong = rules.add("normal a.B\nfine a.C");
        assert_eq!(wrong, Err("line 2: 'fine' is not a rule: use normal, expected or leaking".to_owned()));
        assert!(rules.add("leaking  # what?").is_err_and(|why| why.starts_with("line 1: 'leaking' needs")));
        assert_eq!(rules.rules.len(), 2, "rules with a wrong line are not half read");
    }

    #[test]
    fn every_built_in_line_is_a_rule() {
        let mut rules = LeakRules { rules: Vec::new(), known: Arc::default() };
        assert_eq!(rules.read(BUILT_IN, false), Ok(()));
        assert!(!rules.rules.is_empty() && rules.rules.iter().all(|rule| !rule.reason.is_empty()));
    }
}
