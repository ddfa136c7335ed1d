//! Characters that people do not see but programs read: controls, marks of direction, characters without width, joiners,
//! tags, variation selectors, separators of lines, characters for private use and those that no version of Unicode
//! assigns. A name or a string of a dump may hide text in them, or look like another one. Wherever people or assistants
//! read text, they are written as escapes such as `\u{200b}`.
//!
//! Categories are those of the standard library (`Cc Cf Co Cn Zl Zp`, version [`char::UNICODE_VERSION`]). The letters and
//! marks without a shape are `Default_Ignorable_Code_Point` of `DerivedCoreProperties.txt`, Unicode 17.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::iter;

/// Ignorable characters in categories of visible ones, and the blank of Braille.
const WITHOUT_SHAPE: [(char, char); 12] = [
    ('\u{34f}', '\u{34f}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// True for characters that are not seen. Spaces are seen, as gaps.
pub fn is_invisible(c: char) -> bool {
    match c {
        ' '..='~' | '\u{ae}'..='\u{2ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => false,
        c => {
            c.is_control()
                || WITHOUT_SHAPE.iter().any(|&(first, last)| (first..=last).contains(&c))
                || is_unprintable(c)
        }
    }
}

/// True if the category of the character is none of visible characters or spaces.
fn is_unprintable(c: char) -> bool {
    let is_line_end = matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}');
    if c.is_whitespace() {
        return is_line_end;
    }
    // The standard library escapes what cannot be printed. After a letter, it leaves marks as they are.
    let mut bytes = [b'a'; 5];
    let Some((_, rest)) = bytes.split_first_mut() else { return false };
    let len = 1 + c.encode_utf8(rest).len();
    let text = bytes.get(..len).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default();
    text.escape_debug().nth(1) == Some('\\')
}

/// Text with escapes in place of invisible characters. Tabs and line feeds stay, and so do joiners within an emoji or a
/// word of a script that needs them.
pub fn visible(text: &str) -> Cow<'_, str> {
    replaced(text, |c| matches!(c, '\n' | '\t').then_some(c))
}

/// The same in one line: tabs, line feeds and carriage returns become spaces.
pub fn visible_line(text: &str) -> Cow<'_, str> {
    replaced(text, |c| matches!(c, '\n' | '\t' | '\r').then_some(' '))
}

/// [`visible_line`] as a text of its own.
pub fn one_line(text: &str) -> String {
    visible_line(text).into_owned()
}

/// JSON whose texts hold nothing invisible, nor any of `more`: such characters are written as JSON writes them. Its values
/// are unchanged.
pub fn visible_json(json: &str, more: &[char]) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        // Between texts, line feeds lay out the JSON; within them there are none.
        if more.contains(&c) || is_invisible(c) && c != '\n' {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(c);
        }
    }
    text
}

/// Text with escapes; `layout` gives what takes the place of a character that lays out text.
fn replaced(text: &str, layout: impl Fn(char) -> Option<char>) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut before = None;
    let next = text.chars().map(Some).skip(1).chain(iter::once(None));
    for (c, next) in text.chars().zip(next) {
        match layout(c) {
            Some(other) => out.push(other),
            None if is_invisible(c) && !is_part_of_sign(before, c, next) => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            None => out.push(c),
        }
        before = Some(c);
    }
    Cow::Owned(out)
}

/// True of a joiner or a selector of a shape that makes its neighbours look as they should: `👩‍🚀`, `☀️`, `می‌خواهم`.
fn is_part_of_sign(before: Option<char>, c: char, next: Option<char>) -> bool {
    let (Some(before), next) = (before, next.unwrap_or(' ')) else { return false };
    match c {
        '\u{fe0e}' | '\u{fe0f}' => is_pictograph(before) || next == '\u{20e3}',
        '\u{200d}' if is_pictograph(next) => is_pictograph(before) || before == '\u{fe0f}',
        '\u{200c}' | '\u{200d}' => [before, next].into_iter().all(is_joined_letter),
        _ => false,
    }
}

/// True in the blocks of emoji.
fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{a9}' | '\u{ae}' | '\u{203c}'..='\u{3299}' | '\u{1f000}'..='\u{1faff}') && !is_invisible(c)
}

/// True in the blocks from Arabic to Sinhala, whose letters change their shape beside others.
fn is_joined_letter(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{dff}') && !is_invisible(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_escaped() {
        for c in "\u{0}\u{7}\u{1b}\u{7f}\u{80}\u{85}\u{9b}\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{17b4}\u{180e}\u{200b}\u{200c}\
                  \u{200d}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202e}\u{2060}\u{2064}\u{2065}\u{2066}\u{2069}\u{206f}\
                  \u{2800}\u{3164}\u{e000}\u{f8ff}\u{fe00}\u{fe0f}\u{feff}\u{ffa0}\u{fff0}\u{fff9}\u{ffff}\u{378}\u{110bd}\
                  \u{13430}\u{1bca0}\u{1d173}\u{e0001}\u{e0041}\u{e007f}\u{e0100}\u{e01ef}\u{f0000}\u{10ffff}"
            .chars()
        {
            assert!(is_invisible(c), "{c:?}");
            let text = format!("x{c}y");
            assert_eq!(visible_line(&text), format!("x\\u{{{:x}}}y", u32::from(c)));
            assert_eq!(visible(&text), visible_line(&text));
        }
    }

    #[test]
    fn what_is_seen_stays() {
        for text in [
            "",
            "plain ~",
            "naïve €",
            "Ωμέγα",
            "привет",
            "日本語",
            "한국어",
            "e\u{301}",
            "a\u{a0}b\u{3000}c",
            "•…−×↓├─",
            "✓😀",
            "שלום",
            "नमस्ते",
        ] {
            assert_eq!(visible_line(text), text);
        }
        assert_eq!(visible("a\tb\nc\rd"), "a\tb\nc\\u{d}d");
        assert_eq!(visible_line("a\tb\nc\rd"), "a b c d");
    }

    #[test]
    fn joiners_stay_within_signs_and_words() {
        for text in
            ["👩\u{200d}🚀", "☀\u{fe0f}", "❤\u{fe0f}\u{200d}🔥", "1\u{fe0f}\u{20e3}", "می\u{200c}خواهم", "क्\u{200d}ष"]
        {
            assert_eq!(visible_line(text), text);
        }
        for (text, shown) in [
            ("a\u{200d}b", "a\\u{200d}b"),
            ("\u{200d}😀", "\\u{200d}😀"),
            ("😀\u{200d}", "😀\\u{200d}"),
            ("☀\u{fe0f}\u{fe0f}", "☀\u{fe0f}\\u{fe0f}"),
            ("ad\u{200c}min", "ad\\u{200c}min"),
            ("x\u{fe0f}", "x\\u{fe0f}"),
        ] {
            assert_eq!(visible_line(text), shown);
        }
    }
}
