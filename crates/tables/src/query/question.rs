//! A question as plain data: a command with its arguments and options by name. One type for the words of the command
//! line, the command that a view copies, a saved question and a request; free of any dump, objects and classes are text.
//! The command line reads it with the declarations of its options.

use std::ffi::{OsStr, OsString};
use std::fmt;

use serde::ser::{Error as _, Serializer};
use serde::{Deserialize, Serialize, de::Deserializer};

use crate::export::command_line::quoted;
use heaplens_base::Named;
use heaplens_heap::{SizeModel, SoftLinks, Strength, VmRoots};
use heaplens_session::OpenSettings;

/// A command with its arguments and options by name, free of any dump: what the user types, a view copies, or a file
/// stores.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Question {
    /// Name of the command: `histogram`; empty to open files in the window.
    pub command: String,
    /// Arguments in their order; the first is the dump.
    pub arguments: Vec<Word>,
    /// Options that say how dumps are opened, in the order given.
    pub opening: Vec<QuestionOption>,
    /// All other options, in the order given.
    pub options: Vec<QuestionOption>,
}

/// Name of an option, without dashes, and its value; flags have none.
pub type QuestionOption = (String, Option<Word>);

/// A word of a command line. Names of files may be no text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Word(pub OsString);

impl Question {
    /// Question to one dump, with the options that say how it was opened.
    pub fn new(command: &str, opened: &OpenSettings) -> Self {
        let mut question = Self { command: command.to_owned(), ..Self::default() }.argument(&opened.file);
        let option = |name: &str, value: &'static str| (name.to_owned(), Some(Word(value.into())));
        let flag = |name: &str| (name.to_owned(), None);
        let rules = opened.rules;
        let sizes = (opened.sizes != SizeModel::default()).then(|| option("sizes", opened.sizes.word()));
        let strength = Some(rules.min_strength).filter(|&strength| strength != Strength::Phantom);
        let vm_roots = Some(rules.vm_roots).filter(|&vm_roots| vm_roots != VmRoots::default());
        let mapping = opened.mapping.as_ref().map(|file| ("mapping".to_owned(), Some(Word(file.into()))));
        let options = [
            sizes,
            strength.map(|strength| option("strength", strength.word())),
            rules.keep_unreachable.then(|| flag("keep-unreachable")),
            vm_roots.map(|vm_roots| option("vm-roots", vm_roots.word())),
            opened.redacted.then(|| flag("redact")),
            mapping,
        ];
        question.opening.extend(options.into_iter().flatten());
        let removed = opened.cuts.iter().map(|cut| ("cut".to_owned(), Some(Word(cut.into()))));
        question.opening.extend(removed);
        if opened.owner_rules { question.flag("owner-rules") } else { question }
    }

    /// Appends an argument.
    #[must_use]
    pub fn argument(mut self, word: impl Into<OsString>) -> Self {
        self.arguments.push(Word(word.into()));
        self
    }

    /// Appends `--name`.
    #[must_use]
    pub fn flag(mut self, name: &str) -> Self {
        self.options.push((name.to_owned(), None));
        self
    }

    /// Appends `--name value`.
    #[must_use]
    pub fn option(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.options.push((name.to_owned(), Some(Word(value.as_ref().to_owned()))));
        self
    }

    /// Appends `--name value` if there is a value.
    #[must_use]
    pub fn some(self, name: &str, value: Option<impl AsRef<OsStr>>) -> Self {
        match value {
            Some(value) => self.option(name, value),
            None => self,
        }
    }

    /// Appends the option for soft links, if not the default.
    #[must_use]
    pub fn soft(self, soft: SoftLinks) -> Self {
        if soft == SoftLinks::default() { self } else { self.option("soft", soft.name()) }
    }

    /// Its command line, as arguments of a process.
    pub fn words(&self) -> Vec<OsString> {
        let command = Some(&self.command).filter(|command| !command.is_empty());
        let mut words: Vec<OsString> =
            [Some("heaplens".into()), command.map(Into::into)].into_iter().flatten().collect();
        let mut arguments = self.arguments.iter().map(|Word(word)| word);
        words.extend(arguments.next().map(|file| not_an_option(file)));
        self.opening.iter().for_each(|option| write_option(&mut words, option));
        words.extend(arguments.cloned());
        self.options.iter().for_each(|option| write_option(&mut words, option));
        words
    }
}

/// A file name that looks like an option gets a `./` prefix.
fn not_an_option(file: &OsStr) -> OsString {
    let mut word = OsString::from(if begins_with_dash(file) { "./" } else { "" });
    word.push(file);
    word
}

fn begins_with_dash(word: &OsStr) -> bool {
    word.as_encoded_bytes().first() == Some(&b'-')
}

fn write_option(words: &mut Vec<OsString>, (name, value): &QuestionOption) {
    let mut word = OsString::from(format!("--{name}"));
    match value {
        Some(Word(value)) if begins_with_dash(value) => {
            word.push("=");
            word.push(value);
            words.push(word);
        }
        Some(Word(value)) => words.extend([word, value.clone()]),
        None => words.push(word),
    }
}

/// Formats the command line for a shell.
impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, word) in self.words().iter().enumerate() {
            f.write_str(if at > 0 { " " } else { "" })?;
            f.write_str(&quoted(word))?;
        }
        Ok(())
    }
}

/// As text; a file name that is no Unicode is an error.
impl Serialize for Word {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.0.to_str().ok_or_else(|| S::Error::custom("file name is no Unicode"))?;
        serializer.serialize_str(text)
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(String::deserialize(deserializer)?.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heaplens_heap::Rules;

    #[test]
    fn only_options_that_change_the_answer_are_printed() {
        let mut opened = OpenSettings { file: "-dump.hprof".into(), ..OpenSettings::default() };
        assert_eq!(Question::new("summary", &opened).to_string(), "heaplens summary ./-dump.hprof");
        opened.sizes = SizeModel::Mat;
        opened.rules = Rules { min_strength: Strength::Soft, keep_unreachable: true, vm_roots: VmRoots::Ignore };
        opened.redacted = true;
        let question = Question::new("histogram", &opened).option("filter", "-x|y");
        let words = "--sizes mat --strength soft --keep-unreachable --vm-roots ignore --redact '--filter=-x|y'";
        assert_eq!(question.to_string(), format!("heaplens histogram ./-dump.hprof {words}"));
        let by_owners = OpenSettings { file: "a.hprof".into(), owner_rules: true, ..OpenSettings::default() };
        let question = Question::new("dominators", &by_owners).option("top", "5");
        assert_eq!(question.to_string(), "heaplens dominators a.hprof --owner-rules --top 5");
        assert_eq!(Question::new("leaks", &by_owners).to_string(), "heaplens leaks a.hprof --owner-rules");
    }

    #[test]
    fn a_question_is_plain_data() {
        let opened = OpenSettings { file: "a.hprof".into(), redacted: true, ..OpenSettings::default() };
        let question = Question::new("references", &opened).argument("0x10").flag("in").option("top", "5");
        let text = serde_json::to_string(&question).expect("json");
        let expected = r#"{"command":"references","arguments":["a.hprof","0x10"],"opening":[["redact",null]],"options":[["in",null],["top","5"]]}"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<Question>(&text).expect("a question"), question);
    }
}
