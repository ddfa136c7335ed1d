//! The page for a terminal: a title for each part, and its sentences wrapped below it.

use std::io::{self, Write};

use super::{drawn, title};
use crate::export::identity::Identity;
use crate::story::{Story, StoryPart};

/// Width of a line.
const WIDTH: usize = 100;
/// What a sentence begins with, and its further lines.
const MARK: &str = "  - ";
const BELOW: &str = "    ";

/// Writes the page as text.
///
/// # Errors
/// If writing fails.
pub fn write_story_text(mut out: impl Write, identity: &Identity, story: &Story) -> io::Result<()> {
    writeln!(out, "{}", title(identity))?;
    for section in &story.sections {
        writeln!(out, "\n{}", section.part.title())?;
        if section.part == StoryPart::Path && !story.path.is_empty() {
            for line in drawn(&story.path) {
                writeln!(out, "    {line}")?;
            }
            continue;
        }
        for claim in &section.claims {
            let mut mark = MARK;
            for line in wrapped(&claim.text, WIDTH - MARK.len()) {
                writeln!(out, "{mark}{line}")?;
                mark = BELOW;
            }
        }
    }
    Ok(())
}

/// A text in lines, broken between words. A longer word has a line of its own.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().map_or(0, |line| line.chars().count());
        if line > 0 && line + 1 + word.chars().count() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("a averylongword b", 5), ["a", "averylongword", "b"]);
        assert_eq!(wrapped("", 5), [""]);
    }
}
