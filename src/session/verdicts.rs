//! What the user says of leaks: that they are expected, or leaking, and why.
//! Kept as rules in the platform's folder for settings, in the words of
//! `assets/leak-rules.txt`, by names that are the same in the next dump.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::leaks::{LeakRules, read_rules};
use crate::analysis::leaks::Group;
use crate::storage::folder::{replace, settings_folder};

/// The name of the file.
const FILE: &str = "verdicts.txt";

/// What a new file says first.
const HEAD: &str = "\
# What you said of leaks in heaplens: a word, a pattern, and behind # the reason. The first line that fits decides.
#
#   expected  desk.Catalog.ITEMS    # loaded once, at the start
#   leaking   desk.Session          # must not outlive its request
#
# The window and `heaplens leaks` read this file when they start; docs/command-line.md says how patterns are matched.

";

/// Something the user says of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// What it is about, as a rule says it.
    pub pattern: String,
    /// Expected, or a leak; nothing takes back what was said.
    pub group: Option<Group>,
    /// Why.
    pub reason: String,
}

/// Where verdicts are kept, if the user has a home.
pub fn user_file() -> Option<PathBuf> {
    settings_folder().map(|folder| folder.join(FILE))
}

/// The rules that are built in, with the verdicts of a file that may not be there yet.
///
/// # Errors
/// When it cannot be read or has a line that is no rule, in words for people.
pub fn read(file: Option<&Path>) -> Result<LeakRules, String> {
    let files: Vec<PathBuf> = file.filter(|file| file.exists()).map(Path::to_owned).into_iter().collect();
    read_rules(&files)
}

/// Keeps what was said, and reads all of it again. What was said of the same pattern before is gone; other lines of
/// the file stay as they are.
///
/// # Errors
/// When the file cannot be read or written or is none of rules, in words for people. It is as it was then.
pub fn keep(file: &Path, said: &Said) -> Result<LeakRules, String> {
    let described = |error: std::io::Error| format!("{}: {error}", file.display());
    // Nothing is written over a file that makes no sense.
    read(Some(file))?;
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => HEAD.to_owned(),
        Err(error) => return Err(described(error)),
    };
    replace(file, with(&text, said).as_bytes()).map_err(described)?;
    read(Some(file))
}

/// The rules that are built in, with these verdicts and no file.
///
/// # Errors
/// When what is said is no rule, in words for people.
pub fn rules_of(said: &[Said]) -> Result<LeakRules, String> {
    let text = said.iter().fold(String::new(), |text, said| with(&text, said));
    let mut rules = LeakRules::default();
    rules.add(&text)?;
    Ok(rules)
}

/// A list of rules in which something was said: above all other rules, below the comment the list begins with.
fn with(text: &str, said: &Said) -> String {
    let is_about_it = |line: &str| {
        let rule = line.split_once('#').map_or(line, |(rule, _)| rule).trim();
        rule.split_once(char::is_whitespace).is_some_and(|(_, pattern)| pattern.trim() == said.pattern)
    };
    let is_comment = |line: &&str| line.trim_start().starts_with('#') || line.trim().is_empty();
    let (head, rules): (Vec<&str>, Vec<&str>) = {
        let lines: Vec<&str> = text.lines().collect();
        let head = lines.iter().take_while(|line| is_comment(line)).count();
        (lines[..head].to_vec(), lines[head..].to_vec())
    };
    let word = match said.group {
        Some(Group::Expected) => Some("expected"),
        Some(Group::Normal) => Some("normal"),
        Some(_) => Some("leaking"),
        None => None,
    };
    let reason: String = said.reason.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let reason = if reason.is_empty() { String::new() } else { format!("  # {reason}") };
    let line = word.map(|word| format!("{word:<9} {}{reason}", said.pattern));
    let kept = rules.into_iter().filter(|line| !is_about_it(line)).map(str::to_owned);
    let lines = head.into_iter().map(str::to_owned).chain(line).chain(kept);
    lines.map(|line| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(group: Option<Group>, pattern: &str, reason: &str) -> Said {
        Said { pattern: pattern.to_owned(), group, reason: reason.to_owned() }
    }

    #[test]
    fn what_was_said_last_of_a_pattern_holds() {
        let first = with(HEAD, &said(Some(Group::Expected), "desk.Catalog.ITEMS", "loaded once\nat the start"));
        assert_eq!(first, format!("{HEAD}expected  desk.Catalog.ITEMS  # loaded once at the start\n"));
        let second = with(&first, &said(Some(Group::Leak), "desk.Session", ""));
        assert_eq!(
            second,
            format!("{HEAD}leaking   desk.Session\nexpected  desk.Catalog.ITEMS  # loaded once at the start\n")
        );
        let turned = with(&second, &said(Some(Group::Leak), "desk.Catalog.ITEMS", "not any more"));
        assert_eq!(turned, format!("{HEAD}leaking   desk.Catalog.ITEMS  # not any more\nleaking   desk.Session\n"));
        let taken_back = with(&turned, &said(None, "desk.Catalog.ITEMS", ""));
        assert_eq!(with(&taken_back, &said(None, "desk.Session", "")), HEAD);
    }

    #[test]
    fn what_is_said_is_a_rule_whatever_is_in_it() {
        let all = [
            said(Some(Group::Expected), "thread \"pool-*-thread-*\".<local of a.B.run: byte[]>", "# why"),
            said(Some(Group::Expected), "duplicate strings", "they say: 100 % \u{202e}fine"),
        ];
        assert!(rules_of(&all).is_ok());
    }
}
