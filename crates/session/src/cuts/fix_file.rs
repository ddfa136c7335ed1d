//! Files with a fix: text, one removal in a line as the command line takes it. They may come from anywhere, so size, number
//! and lengths are limited, and a file without its last line is refused: the beginning of a name may be the name of another
//! reference.
//!
//! ```text
//! fix: bounded cache
//!
//! # Ann clears it at night
//! desk.SessionCache.ENTRIES
//! off: desk.OrderDesk.orders
//! end
//! ```

use std::path::Path;

use super::fix::Fix;
use super::saved_cut::{CUTS, SavedCut};
use crate::files::file_name;
use crate::lists::read_list;
use heaplens_base::invisible::one_line;

/// Extension of the files.
pub const FIX_EXTENSION: &str = "heapfix";
/// Maximum number of characters of a name.
pub const LONGEST_NAME: usize = 120;
/// Maximum number of bytes of a line.
const LONGEST_LINE: usize = 32 << 10;
/// Beginnings of lines: the name, the dump that ids are of, a removal that is off, one that could be read as another line.
const NAME: &str = "fix:";
const DUMP: &str = "dump:";
const OFF: &str = "off:";
const ON: &str = "on:";
const NOTE: &str = "#";
/// The last line.
const END: &str = "end";
/// Beginning of a line that continues the removal above it.
const CONTINUED: &str = "    ";
/// First line.
const ABOUT: &str = "# References to remove from a heap dump (what if): heaplens leaks DUMP --fix FILE";

impl Fix {
    /// Reads a file. A fix without a name is called like its file.
    ///
    /// # Errors
    /// A message with the file, and the number of the line if one is wrong.
    pub fn read(path: &Path) -> Result<Self, String> {
        let fix = Self::parse(&read_list(path, "removals")?).map_err(|why| format!("{}: {why}", path.display()))?;
        Ok(if fix.name.is_empty() { Self { name: name_for(path), ..fix } } else { fix })
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// A message with the number of the line that is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (mut fix, mut state) = (Self::default(), LineReader::default());
        let mut lines = 0;
        for line in text.strip_prefix('\u{feff}').unwrap_or(text).lines() {
            lines += 1;
            state.line(&mut fix, line).map_err(|why| format!("line {lines}: {why}"))?;
        }
        if !state.has_name {
            return Err(format!("line {}: expected: {NAME} NAME", lines.max(1)));
        }
        if !state.has_ended {
            return Err(format!("line {}: expected: {END}; the file is truncated", lines + 1));
        }
        Ok(fix)
    }

    /// Text of a file.
    pub fn text(&self) -> String {
        let dump = self.dump.as_ref().map(|dump| format!("{DUMP} {}", one_line(dump)));
        let name = format!("{NAME} {}", one_line(self.name.trim()));
        let head = [Some(ABOUT.to_owned()), Some(name), dump, Some(String::new())];
        let removals = self.removals.iter().flat_map(|removal| {
            let note = Some(removal.note.trim()).filter(|note| !note.is_empty());
            [note.map(|note| format!("{NOTE} {}", one_line(note))), Some(line_of(removal))]
        });
        let lines = head.into_iter().chain(removals).flatten().chain([END.to_owned()]);
        lines.map(|line| line + "\n").collect()
    }
}

/// A removal as a line; one that reads like another line has a beginning of its own.
fn line_of(removal: &SavedCut) -> String {
    let cut = removal.cut.trim();
    let is_special = [NAME, DUMP, OFF, ON, NOTE].iter().any(|begin| cut.starts_with(begin)) || cut == END;
    let cut = cut.replace('\n', &format!("\n{CONTINUED}"));
    match (removal.is_off, is_special) {
        (true, _) => format!("{OFF} {cut}"),
        (false, true) => format!("{ON} {cut}"),
        (false, false) => cut,
    }
}

/// A name for a fix that is saved to a file, or was in one.
pub fn name_for(path: &Path) -> String {
    let name = file_name(&path.with_extension(""));
    one_line(&name).chars().take(LONGEST_NAME).collect()
}

/// What the lines so far say of the next one.
#[derive(Default)]
struct LineReader {
    has_name: bool,
    has_ended: bool,
    /// Note of the next removal.
    note: String,
    /// True if the line above is a removal, which the next may continue.
    is_open: bool,
}

impl LineReader {
    fn line(&mut self, fix: &mut Fix, line: &str) -> Result<(), String> {
        if line.len() > LONGEST_LINE {
            return Err(format!("longer than {} kB", LONGEST_LINE >> 10));
        }
        if line.contains(|c: char| c.is_control() && c != '\t') {
            return Err("control characters; this is no file with a fix".to_owned());
        }
        if let (true, Some(more), Some(last)) = (self.is_open, line.strip_prefix(CONTINUED), fix.removals.last_mut()) {
            last.cut.push('\n');
            last.cut.push_str(more);
            return Ok(());
        }
        let was_open = std::mem::take(&mut self.is_open);
        let line = line.trim();
        if line.is_empty() {
            self.note.clear();
        } else if let Some(note) = line.strip_prefix(NOTE) {
            let gap = if self.note.is_empty() { "" } else { " " };
            self.note = format!("{}{gap}{}", self.note, one_line(note.trim()));
        } else if self.has_ended {
            return Err(format!("text after \"{END}\""));
        } else if !self.has_name {
            self.name(fix, line)?;
        } else if line == END {
            self.has_ended = true;
        } else if let Some(dump) = line.strip_prefix(DUMP) {
            if was_open || !fix.removals.is_empty() {
                return Err(format!("\"{DUMP}\" after a removal"));
            }
            fix.dump = Some(dump.trim().to_owned());
        } else {
            self.removal(fix, line)?;
        }
        Ok(())
    }

    fn name(&mut self, fix: &mut Fix, line: &str) -> Result<(), String> {
        let name = line.strip_prefix(NAME).ok_or_else(|| format!("expected: {NAME} NAME"))?;
        if name.chars().count() > LONGEST_NAME {
            return Err(format!("the name is longer than {LONGEST_NAME} characters"));
        }
        fix.name = one_line(name.trim());
        self.has_name = true;
        self.note.clear();
        Ok(())
    }

    fn removal(&mut self, fix: &mut Fix, line: &str) -> Result<(), String> {
        let off = line.strip_prefix(OFF);
        let cut = off.or(line.strip_prefix(ON)).unwrap_or(line).trim();
        if cut.is_empty() {
            return Err("no reference after the colon".to_owned());
        }
        if fix.removals.len() == CUTS {
            return Err(format!("more than {CUTS} removals"));
        }
        let note = std::mem::take(&mut self.note);
        fix.removals.push(SavedCut { cut: cut.to_owned(), is_off: off.is_some(), note });
        self.is_open = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn removal(cut: &str, is_off: bool, note: &str) -> SavedCut {
        SavedCut { cut: cut.to_owned(), is_off, note: note.to_owned() }
    }

    fn bounded_cache() -> Fix {
        let removals = vec![
            removal("desk.SessionCache.ENTRIES", false, "Ann clears it at night"),
            removal("desk.OrderDesk.orders", true, ""),
            removal("desk.Cache.ENTRIES[\"user #1: off\"].value", true, "# not ours"),
            removal("0x7f01:0x7f02", false, ""),
        ];
        Fix { name: "bounded cache".to_owned(), dump: Some("hprof 17 1 2 3".to_owned()), removals }
    }

    #[test]
    fn what_is_written_is_read() {
        let fix = bounded_cache();
        assert_eq!(Fix::parse(&fix.text()), Ok(fix.clone()));
        let with_windows_lines = format!("\u{feff}{}", fix.text().replace('\n', "\r\n"));
        assert_eq!(Fix::parse(&with_windows_lines), Ok(fix));
        // Texts that look like other lines, or have several.
        for text in
            ["end", "#private.field", "off: a", "on: a", "fix: a", "dump: a", "query SELECT id\n  FROM x\n\nEND"]
        {
            for is_off in [false, true] {
                let fix =
                    Fix { removals: vec![removal(text, is_off, "why"), removal("b", false, "")], ..bounded_cache() };
                assert_eq!(Fix::parse(&fix.text()), Ok(fix), "{text}");
            }
        }
    }

    #[test]
    fn a_file_is_written_as_the_manual_shows_it() {
        let fix = Fix { dump: None, removals: bounded_cache().removals[..2].to_vec(), ..bounded_cache() };
        let text = "fix: bounded cache\n\n# Ann clears it at night\ndesk.SessionCache.ENTRIES\noff: desk.OrderDesk.orders\nend\n";
        assert_eq!(fix.text(), format!("{ABOUT}\n{text}"));
        assert_eq!(Fix::parse(text), Ok(fix));
        // A comment that belongs to no removal.
        let apart = Fix::parse("fix: a\n# all of March\n\nx.Y.z\nend").expect("a fix");
        assert_eq!(apart.removals, [removal("x.Y.z", false, "")]);
        let long = Fix::parse("fix: a\n# one\n#  two \nx.Y.z\nend").expect("a fix");
        assert_eq!(long.removals, [removal("x.Y.z", false, "one two")]);
    }

    #[test]
    fn every_truncated_file_is_refused_with_the_number_of_a_line() {
        let text = bounded_cache().text();
        let complete = text.trim_end().len();
        for length in (0..complete).filter(|&length| text.is_char_boundary(length)) {
            let error = Fix::parse(&text[..length]).expect_err("a truncated file");
            assert!(error.starts_with("line "), "{length}: {error}");
        }
    }

    #[test]
    fn wrong_lines_are_named() {
        let many = format!("fix: a\n{}end", "x.Y.z\n".repeat(CUTS + 1));
        let long = format!("fix: a\n{}\nend", "x".repeat(LONGEST_LINE + 1));
        let name = format!("fix: {}\nend", "x".repeat(LONGEST_NAME + 1));
        for (text, error) in [
            ("", "line 1: expected: fix: NAME"),
            ("# only\n\n", "line 2: expected: fix: NAME"),
            ("desk.Cache.ENTRIES\nend", "line 1: expected: fix: NAME"),
            ("fix: a\nx.Y.z\n", "line 3: expected: end; the file is truncated"),
            ("fix: a\noff:\nend", "line 2: no reference after the colon"),
            ("fix: a\nend\nx.Y.z", "line 3: text after \"end\""),
            ("fix: a\nx.Y.z\ndump: b\nend", "line 3: \"dump:\" after a removal"),
            ("fix: a\nx\0y\nend", "line 2: control characters; this is no file with a fix"),
            ("PK\u{3}\u{4}", "line 1: control characters; this is no file with a fix"),
            (&many, "line 502: more than 500 removals"),
            (&long, "line 2: longer than 32 kB"),
            (&name, "line 1: the name is longer than 120 characters"),
        ] {
            assert_eq!(Fix::parse(text).expect_err("a wrong line"), error);
        }
    }

    #[test]
    fn a_name_hides_nothing_and_is_that_of_the_file_if_there_is_none() {
        let fix = Fix::parse("fix: a\u{202e}b\n# c\u{200b}d\nx.Y.z\nend").expect("a fix");
        assert_eq!((&*fix.name, &*fix.removals[0].note), ("a\\u{202e}b", "c\\u{200b}d"));
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("bounded cache.heapfix");
        std::fs::write(&path, "fix:\nx.Y.z\nend\n").expect("disk space");
        assert_eq!(Fix::read(&path).expect("a fix").name, "bounded cache");
        std::fs::write(&path, "fix: a\nx.Y.z").expect("disk space");
        let error = Fix::read(&path).expect_err("no last line");
        assert_eq!(error, format!("{}: line 3: expected: end; the file is truncated", path.display()));
        std::fs::write(&path, [b'f', 0xff]).expect("disk space");
        assert!(Fix::read(&path).is_err());
        std::fs::write(&path, vec![b'x'; 2 << 20]).expect("disk space");
        assert!(Fix::read(&path).expect_err("a large file").contains("too many for a list of removals"));
        assert!(Fix::read(folder.path()).is_err());
    }
}
