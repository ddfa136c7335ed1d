//! What credentials look like, as data: `assets/secret-rules.txt` says how it is read.

use std::sync::OnceLock;

use regex::Regex;

use super::checks::Check;

const FILE: &str = include_str!("../../assets/secret-rules.txt");

pub(super) const PRIVATE_KEY: &str = "private-key";
pub(super) const PASSWORD: &str = "password";
pub(super) const SECRET: &str = "secret";
pub(super) const SESSION: &str = "session-cookie";
pub(super) const CARD: &str = "payment-card";
pub(super) const TOKEN: &str = "token";

/// On which texts a pattern is tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RuleScope {
    /// Those with one of these words, in any case.
    Words(Vec<&'static str>),
    /// Short ones.
    ShortTexts,
    /// Those with at least as many digits as the number of a payment card.
    Digits,
}

/// A form of a credential.
#[derive(Debug)]
pub(super) struct SecretRule {
    /// Kind in CSV and JSON.
    pub(super) kind: &'static str,
    pub(super) checks: Vec<Check>,
    pub(super) scope: RuleScope,
    pattern: &'static str,
    /// Most patterns are never needed for a dump: each is compiled when it is.
    compiled: OnceLock<Option<Regex>>,
}

impl SecretRule {
    /// The compiled pattern; `None` if it is no regular expression.
    pub(super) fn pattern(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| Regex::new(self.pattern).ok()).as_ref()
    }
}

/// The rules in order of precedence. A test reads every line; a line that cannot be read is left out.
pub(super) fn rules() -> Vec<SecretRule> {
    lines().filter_map(|line| rule(line).ok()).collect()
}

fn lines() -> impl Iterator<Item = &'static str> {
    FILE.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn rule(line: &'static str) -> Result<SecretRule, String> {
    let mut parts = line.splitn(4, " | ").map(str::trim);
    let mut part = |name: &str| parts.next().filter(|part| !part.is_empty()).ok_or(format!("no {name}: {line}"));
    let (kind, checks, words, pattern) = (part("kind")?, part("checks")?, part("words")?, part("pattern")?);
    let checks = checks.split(',').map(|name| Check::named(name).ok_or(format!("no such check: {name}")));
    let scope = match words {
        "-" => RuleScope::ShortTexts,
        "#" => RuleScope::Digits,
        words => RuleScope::Words(words.split(',').collect()),
    };
    let checks = checks.collect::<Result<Vec<Check>, String>>()?;
    Ok(SecretRule { kind, checks, scope, pattern, compiled: OnceLock::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_rule() {
        let rules: Vec<SecretRule> = lines().map(|line| rule(line).expect(line)).collect();
        assert_eq!(rules.len(), super::rules().len());
        for rule in &rules {
            assert!(rule.pattern().is_some(), "{}", rule.pattern);
            assert!(!rule.pattern.contains(r"\d") && !rule.pattern.contains(r"\w]{"), "in ASCII: {}", rule.pattern);
        }
    }
}
