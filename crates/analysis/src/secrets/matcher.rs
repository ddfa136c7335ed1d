//! Matches the rules against texts.

use regex::{Regex, RegexSet};

use super::rules::{CARD, RULES, TOKEN};
use super::{cards, values};

/// Length of the shortest text that may contain a credential, in bytes.
const SHORTEST: usize = 8;

/// A credential in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SecretMatch {
    pub(super) kind: &'static str,
    pub(super) value: String,
    /// True if it counts only if its holder says what it is: other numbers have a valid check digit, too.
    pub(super) needs_name: bool,
}

/// The rules, compiled.
pub(super) struct Matcher {
    /// All patterns, to find those of a text in one pass.
    set: RegexSet,
    /// Index of the rule, and its pattern.
    patterns: Vec<Regex>,
}

impl Matcher {
    /// Compiles the rules.
    pub(super) fn new() -> Self {
        // A test compiles every pattern.
        let patterns = RULES.iter().map(|rule| Regex::new(rule.pattern)).collect::<Result<_, _>>().unwrap_or_default();
        let set = RegexSet::new(RULES.iter().map(|rule| rule.pattern)).unwrap_or_else(|_| RegexSet::empty());
        Self { set, patterns }
    }

    /// The credentials in a text, by rule and position.
    pub(super) fn find(&self, text: &str) -> Vec<SecretMatch> {
        let mut found: Vec<SecretMatch> = Vec::new();
        if text.len() < SHORTEST {
            return found;
        }
        for at in self.set.matches(text) {
            let (Some(rule), Some(pattern)) = (RULES.get(at), self.patterns.get(at)) else { continue };
            for captures in pattern.captures_iter(text) {
                let Some(value) = captures.get(1).or_else(|| captures.get(0)).map(|value| value.as_str()) else {
                    continue;
                };
                if !(rule.is_one)(value) || found.iter().any(|known| known.value.contains(value)) {
                    continue;
                }
                let needs_name = rule.kind == CARD && !cards::is_grouped(value);
                found.push(SecretMatch { kind: rule.kind, value: value.to_owned(), needs_name });
            }
        }
        if found.is_empty() && values::is_random(text) {
            found.push(SecretMatch { kind: TOKEN, value: text.to_owned(), needs_name: false });
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        let matcher = Matcher::new();
        assert_eq!(matcher.patterns.len(), RULES.len());
        assert_eq!(matcher.set.len(), RULES.len());
    }

    #[test]
    fn connection_strings_have_passwords() {
        let value = |text: &str| Matcher::new().find(text).first().map(|found| (found.kind, found.value.clone()));
        let password = |value: &str| Some(("password", value.to_owned()));
        assert_eq!(value("jdbc:x://h/db?user=a&password=pa55wort&ssl=1"), password("pa55wort"));
        assert_eq!(value("Server=h;Uid=a;Pwd=pa55wort;"), password("pa55wort"));
        assert_eq!(value("amqp://ann:pa55@host/"), Some(("url-password", "pa55".to_owned())));
        assert_eq!(value("amqp://ann@host/"), None);
        assert_eq!(value("https://host:8080/a@b"), None);
        assert_eq!(value("password=${db.password}"), None);
        assert_eq!(value("Password:"), None);
    }
}
