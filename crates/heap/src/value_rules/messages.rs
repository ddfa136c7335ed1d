//! Notes about a dump without the values that they repeat: names of classes, paths in an archive, text before the dump.

use std::borrow::Cow;

use super::all_blank;
use super::names::{each_word, name};

/// Divides the entry of an archive that is opened from the other dumps in it, in a note.
pub const OTHER_DUMPS: &str = " file is opened; other dumps in it are not shown: ";
/// Follows the number of bytes in front of a dump, and precedes their text, in a note.
pub const LEADING_TEXT: &str = " in front of the dump skipped";
/// Divides the names in a list.
const COMMA: &str = ", ";
/// Maximum number of names in a note; what follows them is hidden.
const MOST_NAMES: usize = 64;

/// A sentence about a dump as others may see it. Names are in parentheses or quotation marks; other quotes remain.
pub fn message(text: &str) -> Cow<'_, str> {
    let short = leading_text(text).or_else(|| entries(text)).map_or(Cow::Borrowed(text), Cow::Owned);
    let out = names(&short);
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

/// The note about text in front of a dump, without the text.
fn leading_text(text: &str) -> Option<String> {
    let (bytes, _) = text.split_once(LEADING_TEXT)?;
    Some(format!("{bytes}{LEADING_TEXT}"))
}

/// The note about dumps in an archive, with names of files only.
fn entries(text: &str) -> Option<String> {
    let (opened, others) = text.split_once(OTHER_DUMPS)?;
    let others: Vec<&str> = others.split(COMMA).map(entry).collect();
    Some(format!("{}{OTHER_DUMPS}{}", entry(opened), others.join(COMMA)))
}

/// An entry of an archive without its folders.
fn entry(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A note without the values in its names. A name may contain anything, so that its end is not known: whatever may
/// begin one is taken for a name up to the end of the note.
fn names(text: &str) -> String {
    let (text, end) = text.strip_suffix(')').map_or((text, ""), |text| (text, ")"));
    let mut rest = String::with_capacity(text.len());
    each_word(&mut rest, text, false);
    let mut out = String::with_capacity(text.len());
    let mut count = 0;
    while let Some(at) = next_name(&rest, count > 0) {
        let behind = rest.split_off(at);
        out.push_str(&rest);
        rest = if count < MOST_NAMES { name(&behind).into_owned() } else { all_blank(&behind) };
        count += 1;
    }
    out.push_str(&rest);
    out.push_str(end);
    out
}

/// Where the next name may begin: behind a parenthesis or a quotation mark, and in a list behind a comma.
fn next_name(text: &str, is_list: bool) -> Option<usize> {
    let opening = text.char_indices().find(|&(_, c)| matches!(c, '(' | '“')).map(|(at, c)| at + c.len_utf8());
    let comma = text.find(COMMA).filter(|_| is_list).map(|at| at + COMMA.len());
    opening.into_iter().chain(comma).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_keeps_its_quotes() {
        let original = "numbers in \"nodes\" of 1 (Script https://ann:pw@shop.test/a?b=1)";
        assert_eq!(message(original), "numbers in \"nodes\" of 1 (Script https://___:____________/_?___)");
        for same in [
            "1 of 2 objects / 3 classes",
            "malformed numbers in \"nodes\": parsed up to the first invalid character",
            "sizes of classes (HotSpot): 2 measured (a.B, [Ljava/lang/String;, …), 0 inferred from the layout, 0 assumed",
            "wrong length in the heap dump record (it wraps above 4 GiB): the end was found by parsing its contents",
        ] {
            assert!(matches!(message(same), Cow::Borrowed(_)), "{same}: {}", message(same));
        }
    }

    #[test]
    fn a_message_has_no_values() {
        for (original, shown) in [
            ("1 assumed (Detached <input value=\"hunter2\">)", "1 assumed (Detached <input value=\"_______\">)"),
            ("1 assumed (Text hunter2)", "1 assumed (Text _______)"),
            ("1 assumed (Text :) hunter2)", "1 assumed (Text __ _______)"),
            ("(HotSpot): 2 measured (a.B, #comment hunter2)", "(HotSpot): 2 measured (a.B, #comment _______)"),
            ("1 assumed (say \"hunter2b\" now)", "1 assumed (say \"________\" now)"),
            ("of “say \"hunter2b\" now”", "of “say \"________\" now”"),
            ("9 bytes in front of the dump skipped: “hunter2 x”", "9 bytes in front of the dump skipped"),
            (
                "ann/a.hprof of the zip file is opened; other dumps in it are not shown: ann/b.hprof, c and 2 more",
                "a.hprof of the zip file is opened; other dumps in it are not shown: b.hprof, c and 2 more",
            ),
        ] {
            assert_eq!(message(original), shown);
            assert_eq!(message(shown), shown, "again");
        }
        let many = format!("({})", ["Text"; 100].join(", ") + " hunter2");
        assert!(!message(&many).contains("hunter2"));
    }
}
