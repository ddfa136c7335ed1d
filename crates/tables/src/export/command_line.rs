//! Command line that prints the current view: built word by word, quoted for
//! a POSIX shell. Names and files may contain anything; nothing in them is executed.

use std::ffi::{OsStr, OsString};
use std::fmt::{self, Write};
use std::path::Path;

use super::printable::is_order;
use heaplens_core::heap::classes::Strength;
use heaplens_core::heap::origin::SizeModel;
use heaplens_core::heap::rules::VmRoots;
use heaplens_session::open_settings::OpenSettings;

/// A command with its arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommandLine(Vec<OsString>);

impl CommandLine {
    /// `heaplens COMMAND FILE`, with the options that say how the file was opened.
    pub fn new(command: &str, opened: &OpenSettings) -> Self {
        let mut line = Self(vec!["heaplens".into(), command.into(), not_an_option(&opened.file)]);
        if opened.sizes != SizeModel::default() {
            line = line.option("sizes", opened.sizes.name());
        }
        if opened.rules.min_strength != Strength::Phantom {
            line = line.option("strength", opened.rules.min_strength.name());
        }
        if opened.rules.keep_unreachable {
            line = line.flag("keep-unreachable");
        }
        if opened.rules.vm_roots != VmRoots::Count {
            line = line.option("vm-roots", opened.rules.vm_roots.name());
        }
        if opened.redacted {
            line = line.flag("redact");
        }
        line.some("mapping", opened.mapping.as_deref())
    }

    /// Appends an argument.
    #[must_use]
    pub fn argument(mut self, word: impl Into<OsString>) -> Self {
        self.0.push(word.into());
        self
    }

    /// Appends `--name`.
    #[must_use]
    pub fn flag(self, name: &str) -> Self {
        self.argument(format!("--{name}"))
    }

    /// Appends `--name value`.
    #[must_use]
    pub fn option(self, name: &str, value: impl AsRef<OsStr>) -> Self {
        let value = value.as_ref();
        if value.as_encoded_bytes().first() == Some(&b'-') {
            let mut word = OsString::from(format!("--{name}="));
            word.push(value);
            return self.argument(word);
        }
        self.flag(name).argument(value)
    }

    /// Appends `--name value` if there is a value.
    #[must_use]
    pub fn some(self, name: &str, value: Option<impl AsRef<OsStr>>) -> Self {
        match value {
            Some(value) => self.option(name, value),
            None => self,
        }
    }

    /// Its words, as arguments of a process.
    pub fn words(&self) -> &[OsString] {
        &self.0
    }
}

/// A file name that looks like an option gets a `./` prefix.
fn not_an_option(file: &Path) -> OsString {
    if file.as_os_str().as_encoded_bytes().first() == Some(&b'-') {
        Path::new(".").join(file).into_os_string()
    } else {
        file.as_os_str().to_owned()
    }
}

/// Formats the line for a shell.
impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, word) in self.0.iter().enumerate() {
            f.write_str(if at > 0 { " " } else { "" })?;
            f.write_str(&quoted(word))?;
        }
        Ok(())
    }
}

/// Quotes a word for a POSIX shell.
///
/// ```
/// use heaplens_tables::export::command_line::quoted;
/// assert_eq!(quoted("app.hprof".as_ref()), "app.hprof");
/// assert_eq!(quoted("my app's.hprof".as_ref()), r"'my app'\''s.hprof'");
/// assert_eq!(quoted("a\n".as_ref()), r"$'a\012'");
/// ```
pub fn quoted(word: &OsStr) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=,@%+".contains(c);
    match word.to_str() {
        Some(text) if !text.is_empty() && text.chars().all(is_plain) => text.to_owned(),
        Some(text) if !text.chars().any(is_order) => format!("'{}'", text.replace('\'', r"'\''")),
        // Control characters and invalid UTF-8 as octal bytes.
        _ => {
            let mut out = String::from("$'");
            for chunk in word.as_encoded_bytes().utf8_chunks() {
                for c in chunk.valid().chars() {
                    match c {
                        '\'' | '\\' => out.extend(['\\', c]),
                        c if is_order(c) => octal(&mut out, c.encode_utf8(&mut [0; 4]).as_bytes()),
                        c => out.push(c),
                    }
                }
                octal(&mut out, chunk.invalid());
            }
            out.push('\'');
            out
        }
    }
}

fn octal(out: &mut String, bytes: &[u8]) {
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(out, "\\{byte:03o}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heaplens_core::heap::rules::Rules;

    #[test]
    fn only_options_that_change_the_answer_are_printed() {
        let mut opened = OpenSettings { file: "-dump.hprof".into(), ..OpenSettings::default() };
        assert_eq!(CommandLine::new("summary", &opened).to_string(), "heaplens summary ./-dump.hprof");
        opened.sizes = SizeModel::Mat;
        opened.rules = Rules { min_strength: Strength::Soft, keep_unreachable: true, vm_roots: VmRoots::Ignore };
        opened.redacted = true;
        let line = CommandLine::new("histogram", &opened).option("filter", "-x|y");
        let words = "--sizes mat --strength soft --keep-unreachable --vm-roots ignore --redact '--filter=-x|y'";
        assert_eq!(line.to_string(), format!("heaplens histogram ./-dump.hprof {words}"));
    }

    #[test]
    fn names_are_quoted_for_the_shell() {
        for (word, written) in [
            ("", "''"),
            ("$(rm -r ~)", "'$(rm -r ~)'"),
            ("`id`; id", "'`id`; id'"),
            ("it's", r"'it'\''s'"),
            ("a\u{202e}b'", r"$'a\342\200\256b\''"),
            ("\u{1b}[2J\\", r"$'\033[2J\\'"),
            ("naïve €", "'naïve €'"),
        ] {
            assert_eq!(quoted(word.as_ref()), written);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_name_that_is_not_utf8_keeps_its_bytes() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(quoted(OsStr::from_bytes(b"a\xff.hprof")), r"$'a\377.hprof'");
    }
}
