//! The user's verdicts: findings that are expected or leaking, with a reason. Stored as rules in the settings folder,
//! in the syntax of `crates/analysis/assets/leak-rules.txt`, with patterns that match later dumps, too.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::leaks::{LeakRules, read_rules};
use heaplens_analysis::leaks::Group;
use heaplens_base::invisible::visible_line;
use heaplens_base::storage::folder::{replace, settings_folder};

/// The name of the file.
const FILE: &str = "verdicts.txt";

/// Comment at the head of a new file.
const HEAD: &str = "\
# Your verdicts on leaks in heaplens. Each line: a verdict, a pattern, and the reason after #. The first match wins.
#
#   expected  desk.Catalog.ITEMS    # loaded once, at the start
#   leaking   desk.Session          # must not outlive its request
#
# The window and `heaplens leaks` read this file at startup. For patterns, see docs/command-line.md.

";

/// A verdict to be saved, or taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserVerdict {
    /// The pattern of the rule.
    pub pattern: String,
    /// Expected or leaking; `None` removes the verdict on this pattern.
    pub group: Option<Group>,
    /// The reason; may be empty.
    pub reason: String,
}

/// Path of the verdicts file, if the user has a home folder.
pub fn user_file() -> Option<PathBuf> {
    settings_folder().map(|folder| folder.join(FILE))
}

/// The built-in rules, with the verdicts of a file that may be missing.
///
/// # Errors
/// A message if the file cannot be read or has a line that is not a rule.
pub fn read(file: Option<&Path>) -> Result<LeakRules, String> {
    let files: Vec<PathBuf> = file.filter(|file| file.exists()).map(Path::to_owned).into_iter().collect();
    read_rules(&files)
}

/// Saves a verdict and reads the file again. An earlier verdict on the same pattern is replaced; other lines are kept.
///
/// # Errors
/// A message if the file cannot be read or written, or has a line that is not a rule. The file is unchanged then.
pub fn keep(file: &Path, verdict: &UserVerdict) -> Result<LeakRules, String> {
    let described = |error: std::io::Error| format!("{}: {error}", file.display());
    // A file that cannot be parsed is not overwritten.
    read(Some(file))?;
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => HEAD.to_owned(),
        Err(error) => return Err(described(error)),
    };
    replace(file, with(&text, verdict).as_bytes()).map_err(described)?;
    read(Some(file))
}

/// The built-in rules with these verdicts, without a file.
///
/// # Errors
/// A message if a verdict is not a rule.
pub fn rules_of(verdicts: &[UserVerdict]) -> Result<LeakRules, String> {
    let text = verdicts.iter().fold(String::new(), |text, verdict| with(&text, verdict));
    let mut rules = LeakRules::default();
    rules.add(&text)?;
    Ok(rules)
}

/// The text of a file with a verdict added: before all other rules, after the comment at the head.
fn with(text: &str, verdict: &UserVerdict) -> String {
    let is_about_it = |line: &str| {
        let rule = line.split_once('#').map_or(line, |(rule, _)| rule).trim();
        rule.split_once(char::is_whitespace).is_some_and(|(_, pattern)| pattern.trim() == verdict.pattern)
    };
    let is_comment = |line: &&str| line.trim_start().starts_with('#') || line.trim().is_empty();
    let lines: Vec<&str> = text.lines().collect();
    let (head, rules) = lines.split_at(lines.iter().take_while(|line| is_comment(line)).count());
    let word = match verdict.group {
        Some(Group::Expected) => Some("expected"),
        Some(Group::Normal) => Some("normal"),
        Some(_) => Some("leaking"),
        None => None,
    };
    let reason = visible_line(verdict.reason.trim());
    let reason = if reason.is_empty() { String::new() } else { format!("  # {reason}") };
    let line = word.map(|word| format!("{word:<9} {}{reason}", verdict.pattern));
    let others = rules.iter().copied().filter(|line| !is_about_it(line)).map(str::to_owned);
    let lines = head.iter().copied().map(str::to_owned).chain(line).chain(others);
    lines.map(|line| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use heaplens_analysis::WasteKind;

    fn verdict(group: Option<Group>, pattern: &str, reason: &str) -> UserVerdict {
        UserVerdict { pattern: pattern.to_owned(), group, reason: reason.to_owned() }
    }

    #[test]
    fn the_last_verdict_on_a_pattern_applies() {
        let first = with(HEAD, &verdict(Some(Group::Expected), "desk.Catalog.ITEMS", "loaded once\nat the start"));
        assert_eq!(first, format!("{HEAD}expected  desk.Catalog.ITEMS  # loaded once at the start\n"));
        let second = with(&first, &verdict(Some(Group::Leak), "desk.Session", ""));
        assert_eq!(
            second,
            format!("{HEAD}leaking   desk.Session\nexpected  desk.Catalog.ITEMS  # loaded once at the start\n")
        );
        let turned = with(&second, &verdict(Some(Group::Leak), "desk.Catalog.ITEMS", "not any more"));
        assert_eq!(turned, format!("{HEAD}leaking   desk.Catalog.ITEMS  # not any more\nleaking   desk.Session\n"));
        let taken_back = with(&turned, &verdict(None, "desk.Catalog.ITEMS", ""));
        assert_eq!(with(&taken_back, &verdict(None, "desk.Session", "")), HEAD);
    }

    #[test]
    fn any_verdict_is_written_as_a_valid_rule() {
        let all = [
            verdict(Some(Group::Expected), "thread \"pool-*-thread-*\".<local of a.B.run: byte[]>", "# why"),
            verdict(Some(Group::Expected), "duplicate strings", "they say: 100 % \u{202e}fine"),
        ];
        assert!(rules_of(&all).is_ok());
    }

    #[test]
    fn files_of_earlier_versions_are_kept_and_changed() {
        let old = "\
# What you said of leaks in heaplens: a word, a pattern, and behind # the reason. The first line that fits decides.
#
#   expected  desk.Catalog.ITEMS    # loaded once, at the start

expected  duplicate strings  # interned by the parser
leaking   unused room of string builders
expected  desk.SessionCache.ENTRIES  # warm on purpose
";
        let mut rules = LeakRules::default();
        rules.add(old).expect("rules");
        let group = |rules: &LeakRules, pattern: &str| rules.of_pattern(pattern).map(|verdict| verdict.group);
        assert_eq!(group(&rules, "duplicate strings"), Some(Group::Expected));
        assert_eq!(group(&rules, "unused room of string builders"), Some(Group::Leak));
        let changed = with(old, &verdict(Some(Group::Leak), WasteKind::DuplicateStrings.key(), "since 2.0"));
        let mut rules = LeakRules::default();
        rules.add(&changed).expect("rules");
        assert_eq!(group(&rules, "duplicate strings"), Some(Group::Leak));
        assert_eq!(changed.matches("duplicate strings").count(), 1, "{changed}");
        assert!(changed.starts_with("# What you said of leaks in heaplens"), "the head of the file is kept");
    }
}
