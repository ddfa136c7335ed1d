//! What is big but normal, and what the user says of a finding: lines of a text
//! file, so that anybody can add to them.
//!
//! ```text
//! normal    java.lang.Module*          # the module graph
//! expected  desk.Catalog.ITEMS         # loaded once, at the start
//! leaking   desk.Session               # must not outlive its request
//! ```
//!
//! The pattern is matched with the name of the finding (`desk.SessionCache.ENTRIES`), the class of who holds it, and
//! the class that accumulates; `*` stands for any letters. A name is matched too by what it begins with, up to a dot or a bracket.

mod said;

use super::fingerprint::general;
use super::{Finding, Group};
use crate::analysis::wildcard::matches;

/// The rules that are built in.
const BUILT_IN: &str = include_str!("../../../assets/leak-rules.txt");

/// What a rule says of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Where the finding belongs.
    pub group: Group,
    /// Why, as the rule says.
    pub reason: String,
    /// The pattern that matched.
    pub pattern: String,
    /// Whether the user said so, and not a rule that is built in.
    pub is_of_user: bool,
}

/// The rules, those read last first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeakRules {
    rules: Vec<Verdict>,
}

impl Default for LeakRules {
    /// Those that are built in.
    fn default() -> Self {
        let mut rules = Self { rules: Vec::new() };
        // A test reads them line by line.
        let _checked = rules.read(BUILT_IN, false);
        rules
    }
}

impl LeakRules {
    /// Adds the rules of a text: they go before all that are there.
    ///
    /// # Errors
    /// With the line that is no rule, in words.
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        let mut added = Self { rules: Vec::new() };
        added.read(text, true)?;
        added.rules.append(&mut self.rules);
        *self = added;
        Ok(())
    }

    fn read(&mut self, text: &str, is_of_user: bool) -> Result<(), String> {
        for (number, line) in (1..).zip(text.lines()) {
            let (rule, reason) = line.split_once('#').unwrap_or((line, ""));
            let rule = rule.trim();
            if rule.is_empty() {
                continue;
            }
            let (word, pattern) = rule.split_once(char::is_whitespace).unwrap_or((rule, ""));
            let group = match word {
                "normal" => Group::Normal,
                "expected" => Group::Expected,
                "leaking" => Group::Leak,
                // Of leaks between snapshots of JavaScript, which read the same files.
                "ignore-edge" | "least-retained" => continue,
                _ => return Err(format!("line {number}: '{word}' is none of normal, expected and leaking")),
            };
            let pattern = pattern.trim();
            if pattern.is_empty() {
                return Err(format!("line {number}: behind '{word}' stands what it is about, such as shop.Cache.ALL"));
            }
            let (reason, pattern) = (reason.trim().to_owned(), pattern.to_owned());
            self.rules.push(Verdict { group, reason, pattern, is_of_user });
        }
        Ok(())
    }

    /// What the rules say of a finding: the user's first; of rules for what is normal none counts where objects of the
    /// application accumulate, for then it is the application's memory whoever holds it.
    pub(super) fn verdict(&self, finding: &Finding) -> Option<Verdict> {
        let holder = finding.holder.as_ref().map_or("", |holder| &holder.class);
        let class = finding.accumulated.as_ref().map_or("", |accumulated| &accumulated.class);
        // Patterns that were made of a finding of another dump leave out what differs.
        let name = general(&finding.name);
        let direct = |is_of_user: bool| {
            self.rules.iter().filter(move |rule| rule.is_of_user == is_of_user).find(|rule| {
                let says = |text: &str| !text.is_empty() && matches(&rule.pattern, text);
                let named = is_within(&rule.pattern, &finding.name) || is_within(&rule.pattern, &name) || says(holder);
                if rule.is_of_user { named || says(class) } else { named && finding.group == Group::Normal }
            })
        };
        let said = direct(true).or_else(|| self.explaining(&finding.explained_by));
        said.or_else(|| direct(false)).cloned()
    }
}

/// Whether a name is one that the pattern means, or lies within it.
fn is_within(pattern: &str, name: &str) -> bool {
    let ends = name.match_indices(['.', '[', '{']).map(|(at, _)| at).chain([name.len()]);
    ends.into_iter().any(|end| end > 0 && matches(pattern, &name[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_names_and_what_lies_within() {
        for (pattern, name, found) in [
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
            assert_eq!(is_within(pattern, name), found, "{pattern} {name}");
        }
    }

    #[test]
    fn rules_are_read_line_by_line() {
        let mut rules = LeakRules { rules: Vec::new() };
        rules.add("# nothing\n\nexpected desk.Catalog.*  # loaded once\nleaking  desk.Session").expect("rules");
        assert_eq!(rules.rules.len(), 2);
        assert_eq!((rules.rules[0].group, rules.rules[0].reason.as_str()), (Group::Expected, "loaded once"));
        let wrong = rules.add("normal a.B\nfine a.C");
        assert_eq!(wrong, Err("line 2: 'fine' is none of normal, expected and leaking".to_owned()));
        assert!(rules.add("leaking  # what?").is_err_and(|why| why.starts_with("line 1: behind 'leaking'")));
        assert_eq!(rules.rules.len(), 2, "rules with a wrong line are not half read");
    }

    #[test]
    fn every_line_that_is_built_in_is_a_rule() {
        let mut rules = LeakRules { rules: Vec::new() };
        assert_eq!(rules.read(BUILT_IN, false), Ok(()));
        assert!(!rules.rules.is_empty() && rules.rules.iter().all(|rule| !rule.reason.is_empty()));
    }
}
