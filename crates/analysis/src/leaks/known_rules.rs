//! Known leaks of libraries as data: patterns over findings, with what to do.
//!
//! ```text
//! jdk-timer-tasks
//!   path      java.util.TaskQueue#queue
//!   title     Timer tasks that are never cancelled
//!   do        Call TimerTask.cancel() when the task is no longer needed.
//!   source    java.util.Timer, API documentation
//! ```
//!
//! An entry begins with its name; the indented lines below it belong to it. `docs/known-leaks.md` defines the words.

use std::sync::{Arc, LazyLock};

use super::kinds::{Group, Kind};
use serde::{Deserialize, Serialize};

/// The entries that are built in.
const BUILT_IN: &str = include_str!("../../assets/known-leaks.txt");

/// What is known about a leak: a finding matches an entry of the built-in list or of the user's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Hash)]
pub struct KnownLeak {
    /// Name of the entry: `jdk-timer-tasks`.
    pub id: String,
    /// What leaks, in one line.
    pub title: String,
    /// What to do, in one or two sentences.
    pub advice: String,
    /// Versions of the library that have the defect; empty if the way it is used leaks in all versions.
    pub versions: String,
    /// Where the leak is described; may be empty in an entry of the user.
    pub source: String,
    /// True if the entry is from a file of the user, false if it is built in.
    pub is_of_user: bool,
}

/// One object on a path, and the reference from it: `CLASS` or `CLASS#FIELD`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct PathElement {
    /// Index in [`KnownLeaks::classes`].
    pub(super) class: usize,
    /// Pattern of the field; `None` for any object of the class.
    pub(super) field: Option<String>,
}

/// An entry: which findings it matches.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub(super) struct KnownPattern {
    pub(super) leak: KnownLeak,
    /// Paths, of which one must match, or one of the accumulated classes or names. Each is a sequence of elements, with
    /// any steps between.
    pub(super) paths: Vec<Vec<PathElement>>,
    /// Accumulated classes, as indices in [`KnownLeaks::classes`].
    pub(super) accumulated: Vec<usize>,
    /// Patterns of the finding's name.
    pub(super) names: Vec<String>,
    /// Kinds of the finding, by key, of which one must match; empty for any.
    pub(super) kinds: Vec<&'static str>,
    /// Classes of which one must be in the dump; empty for any dump.
    pub(super) present: Vec<String>,
    /// True if objects of the application may lie between the reference and the accumulated objects.
    pub(super) is_between_any: bool,
    /// The group of a matching finding, if the entry decides it.
    pub(super) group: Option<Group>,
    /// True if nearly every program has a finding that matches: the entry explains it, and is no evidence for a leak.
    pub(super) is_general: bool,
}

/// Known leaks in order of precedence: files read last come first.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KnownLeaks {
    pub(super) patterns: Vec<KnownPattern>,
    /// Distinct class patterns of all entries.
    pub(super) classes: Vec<String>,
}

impl Default for KnownLeaks {
    /// The built-in entries.
    fn default() -> Self {
        let mut known = Self { patterns: Vec::new(), classes: Vec::new() };
        // A test reads them entry by entry.
        let _checked = known.read(BUILT_IN, false);
        known
    }
}

impl KnownLeaks {
    /// The built-in entries, read once.
    pub fn built_in() -> Arc<Self> {
        static ENTRIES: LazyLock<Arc<KnownLeaks>> = LazyLock::new(Arc::default);
        Arc::clone(&ENTRIES)
    }

    /// Adds the entries of a text before all existing ones.
    ///
    /// # Errors
    /// A message with the number of the invalid line. Nothing is added then.
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        let mut added = Self { patterns: Vec::new(), classes: self.classes.clone() };
        added.read(text, true)?;
        added.patterns.append(&mut self.patterns);
        *self = added;
        Ok(())
    }

    /// What is known, entry by entry, in order of precedence.
    pub fn all(&self) -> impl Iterator<Item = &KnownLeak> {
        self.patterns.iter().map(|pattern| &pattern.leak)
    }

    fn read(&mut self, text: &str, is_of_user: bool) -> Result<(), String> {
        let mut entry: Option<(usize, KnownPattern)> = None;
        for (number, line) in (1..).zip(text.lines()) {
            let content = line.trim();
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            if !line.starts_with(char::is_whitespace) {
                self.end(entry.take())?;
                entry = Some((number, begin(number, content, is_of_user)?));
                continue;
            }
            let Some((_, pattern)) = &mut entry else {
                return Err(format!("line {number}: an indented line must follow the name of an entry"));
            };
            let (word, value) = content.split_once(char::is_whitespace).unwrap_or((content, ""));
            self.add_line(pattern, word, value.trim()).map_err(|why| format!("line {number}: {why}"))?;
        }
        self.end(entry)
    }

    /// Adds a complete entry.
    fn end(&mut self, entry: Option<(usize, KnownPattern)>) -> Result<(), String> {
        let Some((number, pattern)) = entry else { return Ok(()) };
        let KnownLeak { id, title, advice, .. } = &pattern.leak;
        if self.patterns.iter().any(|other| other.leak.id == *id) {
            return Err(format!("line {number}: '{id}' is there twice"));
        }
        if title.is_empty() || advice.is_empty() {
            return Err(format!("line {number}: '{id}' needs a title and what to do: lines 'title' and 'do'"));
        }
        if pattern.paths.is_empty() && pattern.accumulated.is_empty() && pattern.names.is_empty() {
            return Err(format!("line {number}: '{id}' matches every finding: add a line 'path', 'class' or 'name'"));
        }
        self.patterns.push(pattern);
        Ok(())
    }

    fn add_line(&mut self, pattern: &mut KnownPattern, word: &str, value: &str) -> Result<(), String> {
        if value.is_empty() {
            return Err(format!("'{word}' needs a value"));
        }
        let leak = &mut pattern.leak;
        match word {
            "path" => {
                let elements: Result<Vec<PathElement>, String> = value.split(" > ").map(|e| self.element(e)).collect();
                pattern.paths.push(elements?);
            }
            "class" => pattern.accumulated.push(self.class(value)),
            "name" => pattern.names.push(value.to_owned()),
            "with" => pattern.present.push(value.to_owned()),
            "kind" => pattern.kinds.push(kind_key(value)?),
            "between" if value == "any" => pattern.is_between_any = true,
            "between" => return Err(format!("'{value}' is unknown: use between any")),
            "evidence" if value == "none" => pattern.is_general = true,
            "evidence" => return Err(format!("'{value}' is unknown: use evidence none")),
            "group" if value == Group::Leak.key() => pattern.group = Some(Group::Leak),
            "group" => return Err(format!("'{value}' is unknown: use group leak")),
            "title" => put(&mut leak.title, value),
            "do" => put(&mut leak.advice, value),
            "versions" => put(&mut leak.versions, value),
            "source" => put(&mut leak.source, value),
            _ => {
                let words = "path, class, name, kind, with, between, evidence, group, title, do, versions or source";
                return Err(format!("'{word}' is unknown: use {words}"));
            }
        }
        Ok(())
    }

    /// `CLASS` or `CLASS#FIELD`
    fn element(&mut self, text: &str) -> Result<PathElement, String> {
        let (class, field) = text.trim().split_once('#').map_or((text.trim(), None), |(c, f)| (c, Some(f)));
        if class.is_empty() || field.is_some_and(str::is_empty) {
            return Err(format!("'{text}' is not a class or CLASS#FIELD"));
        }
        Ok(PathElement { class: self.class(class), field: field.map(str::to_owned) })
    }

    /// Index of a class pattern.
    fn class(&mut self, name: &str) -> usize {
        let there = self.classes.iter().position(|class| class == name);
        there.unwrap_or_else(|| {
            self.classes.push(name.to_owned());
            self.classes.len() - 1
        })
    }
}

/// A new entry of this name.
fn begin(number: usize, id: &str, is_of_user: bool) -> Result<KnownPattern, String> {
    if id.contains(char::is_whitespace) {
        return Err(format!("line {number}: '{id}' is not the name of an entry; lines of an entry are indented"));
    }
    let leak = KnownLeak { id: id.to_owned(), is_of_user, ..KnownLeak::default() };
    Ok(KnownPattern { leak, ..KnownPattern::default() })
}

/// Continues a text by another line.
fn put(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}

/// The key of a kind of findings.
fn kind_key(text: &str) -> Result<&'static str, String> {
    let keys = Kind::HOLDING.map(Kind::key);
    let unknown = || format!("'{text}' is not a kind of finding: use one of {}", keys.join(", "));
    keys.into_iter().find(|key| *key == text).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        let mut known = KnownLeaks::default();
        let before = known.clone();
        let why = known.add(text).expect_err("refused");
        assert_eq!(known, before, "nothing is added");
        why
    }

    #[test]
    fn built_in_entries_are_complete_and_say_where_they_come_from() {
        let mut known = KnownLeaks { patterns: Vec::new(), classes: Vec::new() };
        known.read(BUILT_IN, false).expect("valid entries");
        assert_eq!(known, KnownLeaks::default());
        assert!(known.patterns.len() > 100, "{}", known.patterns.len());
        for leak in known.all() {
            assert!(!leak.source.is_empty() && !leak.source.contains("://"), "{}: source", leak.id);
            assert!(leak.title.chars().count() <= 80 && !leak.title.ends_with('.'), "{}: title", leak.id);
            assert!(leak.advice.ends_with('.') && leak.advice.chars().count() <= 320, "{}: do", leak.id);
        }
    }

    #[test]
    fn entries_of_the_user_come_first_and_later_files_before_earlier_ones() {
        let mut known = KnownLeaks::default();
        let entry = |id: &str| format!("# mine\n{id}\n  path a.B#f > a.C\n  title T\n  do First.\n  do Second.\n");
        known.add(&entry("one")).expect("valid");
        known.add(&entry("two")).expect("valid");
        let first: Vec<&KnownLeak> = known.all().take(3).collect();
        assert_eq!((&*first[0].id, &*first[1].id, first[2].is_of_user), ("two", "one", false));
        assert_eq!(first[0].advice, "First. Second.");
        let path = &known.patterns[1].paths[0];
        assert_eq!((&*known.classes[path[0].class], path[0].field.as_deref()), ("a.B", Some("f")));
        assert_eq!((&*known.classes[path[1].class], path[1].field.as_deref()), ("a.C", None));
    }

    #[test]
    fn invalid_lines_are_refused_with_their_number() {
        for (text, why) in [
            ("  path a.B", "line 1: an indented line"),
            ("one\n  path a.B#f\n  title T\n", "line 1: 'one' needs a title and what to do"),
            ("one\n  title T\n  do D.\n", "line 1: 'one' matches every finding"),
            ("one\n  path a.B#f\n  what T", "line 3: 'what' is unknown: use path, class"),
            ("one\n  path #f", "line 2: '#f' is not a class or CLASS#FIELD"),
            ("one\n  path a.B# > a.C", "line 2: 'a.B#' is not a class"),
            ("one\n  kind caches", "line 2: 'caches' is not a kind of finding: use one of cache, "),
            ("one\n  title", "line 2: 'title' needs a value"),
            ("one\n  between all", "line 2: 'all' is unknown: use between any"),
            ("one\n  evidence strong", "line 2: 'strong' is unknown: use evidence none"),
            ("one\n  group normal", "line 2: 'normal' is unknown: use group leak"),
            ("one two", "line 1: 'one two' is not the name of an entry"),
            ("one\n class C\n title T\n do D.\none\n class C\n title T\n do D.", "line 5: 'one' is there twice"),
        ] {
            let message = refused(text);
            assert!(message.starts_with(why), "{text:?}: {message}");
        }
    }
}
