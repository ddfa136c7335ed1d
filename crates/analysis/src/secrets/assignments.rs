//! Names with values in a text: `name=value`, `"name": "value"`, `name: value` in lines, `<name>value</name>`,
//! `name="x" value="y"`. Values are not judged here.

/// Maximum length of a name and of a value in bytes.
const NAME: usize = super::names::LONGEST_NAME;
const VALUE: usize = 1_024;
/// Maximum number of blanks between a name and its value.
const BLANKS: usize = 40;

/// A name with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Assignment<'a> {
    pub(super) name: &'a str,
    pub(super) value: &'a str,
    /// True if the value is in quotes or between tags.
    pub(super) is_quoted: bool,
    /// True if the end of the value may be that of an expression.
    pub(super) is_call: bool,
    /// True if other words follow in the same line.
    pub(super) is_sentence: bool,
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.$".contains(&byte)
}

/// First and last position of the name around a position.
pub(super) fn name_around(text: &str, at: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let before = bytes.get(..at)?.iter().rev().take(NAME + 1).take_while(|&&byte| is_of_name(byte)).count();
    let behind = bytes.get(at..)?.iter().take(NAME + 1).take_while(|&&byte| is_of_name(byte)).count();
    (before + behind <= NAME).then_some((at - before, at + behind))
}

/// The value of the name from `start` to `end`.
pub(super) fn value_of(text: &str, (start, end): (usize, usize)) -> Option<Assignment<'_>> {
    let name = text.get(start..end)?.trim_matches(['-', '.', '$']);
    let before = text.get(..start)?;
    let mut rest = text.get(end..)?;
    let tag = before.ends_with('<') && rest.starts_with('>');
    let is_quote = |c: char| c == '"' || c == '\'' || c == '`';
    let name_quote = rest.chars().next().filter(|&c| is_quote(c));
    if let Some(quote) = name_quote {
        rest = rest.strip_prefix(quote)?;
        // `<entry key="name">value</entry>`
        if rest.starts_with('>') {
            return between_tags(name, rest);
        }
        // `<property name="name" value="value"/>`
        if let Some(attribute) = rest.trim_start().strip_prefix("value=") {
            return quoted(name, attribute);
        }
    } else if tag {
        return between_tags(name, rest);
    }
    rest = rest.strip_prefix(']').unwrap_or(rest);
    let blanks = |text: &str| text.len() - text.trim_start_matches([' ', '\t']).len();
    let skipped = blanks(rest);
    rest = rest.get(skipped..).filter(|_| skipped <= BLANKS)?;
    let is_colon = rest.starts_with(':');
    rest = rest.strip_prefix([':', '='])?;
    rest = rest.strip_prefix(if is_colon { '=' } else { '>' }).unwrap_or(rest);
    if rest.starts_with(['=', '~', ':']) {
        return None;
    }
    let skipped = blanks(rest);
    let has_blank = skipped > 0;
    rest = rest.get(skipped..).filter(|_| skipped <= BLANKS)?;
    if rest.starts_with(is_quote) {
        return quoted(name, rest);
    }
    let is_end = |c: char| c.is_whitespace() || "&;,\"'<>(){}[]`|".contains(c);
    let length = head(rest).find(is_end).unwrap_or(head(rest).len());
    let value = rest.get(..length).filter(|value| !value.is_empty() && value.len() <= VALUE)?;
    let behind = rest.get(length..)?;
    let is_blank = |c: char| c.is_whitespace() && c != '\n' && c != '\r';
    let next = head(behind).trim_start_matches(is_blank);
    let is_sentence = is_colon && !(next.is_empty() || next.starts_with(['\n', '\r', '#', ',', ';', '}', ']']));
    // A colon without a blank is in the sources of programs, and between parts of anything.
    let is_call = behind.starts_with(['(', '[', '{']) || is_colon && !has_blank && name_quote.is_none();
    Some(Assignment { name, value, is_quoted: false, is_call, is_sentence })
}

/// The part of a text in which a value must end: a text with a thousand names would be searched a thousand times.
fn head(text: &str) -> &str {
    text.get(..text.floor_char_boundary(VALUE + 1)).unwrap_or(text)
}

fn quoted<'a>(name: &'a str, text: &'a str) -> Option<Assignment<'a>> {
    let quote = text.chars().next().filter(|&c| c == '"' || c == '\'' || c == '`')?;
    let rest = text.strip_prefix(quote)?;
    let length = head(rest).find([quote, '\n'])?;
    let value = rest.get(..length).filter(|value| value.len() <= VALUE)?;
    Some(Assignment { name, value, is_quoted: true, is_call: false, is_sentence: false })
}

fn between_tags<'a>(name: &'a str, text: &'a str) -> Option<Assignment<'a>> {
    let rest = text.strip_prefix('>')?;
    let length = head(rest).find('<').filter(|&length| length <= VALUE)?;
    rest.get(length..)?.starts_with("</").then_some(())?;
    Some(Assignment { name, value: rest.get(..length)?.trim(), is_quoted: true, is_call: false, is_sentence: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<(&str, &str)> {
        let assignment = value_of(text, name_around(text, text.find("word")?)?)?;
        Some((assignment.name, assignment.value))
    }

    #[test]
    fn values_are_found_in_all_notations() {
        let expected = Some(("password", "pa55"));
        for text in [
            "password=pa55",
            "?password=pa55&x=1",
            "password = 'pa55'",
            "{\"password\":\"pa55\"}",
            "{\"password\" : \"pa55\", \"x\": 1}",
            "password: pa55\nx: 1",
            "<password>pa55</password>",
            "<password> pa55\n</password>",
            "<entry key=\"password\">pa55</entry>",
            "<property name=\"password\" value=\"pa55\"/>",
            "--password=pa55",
            "x['password'] = \"pa55\"",
            ":password => 'pa55'",
            "password := `pa55`",
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
        for text in ["password", "password == x", "password::x", "password=", "password.", "<password><x/></password>"]
        {
            assert_eq!(value(text), None, "{text}");
        }
        assert_eq!(value("-Dssl.keyStorePassword=x"), Some(("Dssl.keyStorePassword", "x")));
        let call = value_of("word = f(x)", (0, 4)).expect("a value");
        assert!(call.is_call && !call.is_quoted);
        let sentence = value_of("word: must be set", (0, 4)).expect("a value");
        assert!(sentence.is_sentence && sentence.value == "must");
    }
}
