//! Quotes words of a command line for a POSIX shell. Names and files may contain anything; nothing in them is executed.

use std::{ffi::OsStr, fmt::Write};

use heaplens_base::invisible::is_invisible;

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
        Some(text) if !text.chars().any(is_invisible) => format!("'{}'", text.replace('\'', r"'\''")),
        // Invisible characters and invalid UTF-8 as octal bytes.
        _ => {
            let mut out = String::from("$'");
            for chunk in word.as_encoded_bytes().utf8_chunks() {
                for c in chunk.valid().chars() {
                    match c {
                        '\'' | '\\' => out.extend(['\\', c]),
                        c if is_invisible(c) => octal(&mut out, c.encode_utf8(&mut [0; 4]).as_bytes()),
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

    #[test]
    fn a_file_name_that_is_not_utf8_keeps_its_bytes() {
        // Some systems have text for names.
        let Some(name) = heaplens_platform::paths::of_bytes(b"a\xff.hprof".to_vec()) else { return };
        assert_eq!(quoted(name.as_os_str()), r"$'a\377.hprof'");
    }
}
