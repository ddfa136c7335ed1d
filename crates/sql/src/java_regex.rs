//! Regular expressions as Java writes them, for queries in OQL: a whole text must match.

use regex::Regex;

/// Longest expression, in bytes.
const LONGEST: usize = 10_000;
/// Largest compiled expression, in bytes.
const LARGEST: usize = 1 << 20;

/// Compiles an expression of Java that whole texts match.
///
/// # Errors
/// What is wrong, or what Java has and this program has not.
pub(crate) fn full_match(pattern: &str) -> Result<Regex, String> {
    if pattern.len() > LONGEST {
        return Err(format!("the expression is {} bytes long, the maximum is {LONGEST}", pattern.len()));
    }
    let pattern = format!("^(?:{})$", translated(pattern)?);
    // `^` and `$` are the ends of the text: an expression that changes this says so itself.
    regex::RegexBuilder::new(&pattern).size_limit(LARGEST).build().map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "the expression is too large".to_owned(),
        error => error.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned(),
    })
}

/// As Eclipse MAT completes expressions: `$` within one is a letter of a class name, and so is `[]`.
pub(crate) fn completed(pattern: &str) -> String {
    let mut all = String::new();
    let mut chars = pattern.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        match c {
            '$' if before != '\\' && chars.peek().is_some() => all.push_str("\\$"),
            '[' if before != '\\' && chars.peek() == Some(&']') => {
                chars.next();
                all.push_str("\\[\\]");
            }
            c => all.push(c),
        }
        before = c;
    }
    all
}

/// The expression with the meaning that Java gives to its parts.
fn translated(pattern: &str) -> Result<String, String> {
    let mut all = String::new();
    let mut rest = pattern;
    let mut in_class = 0_usize;
    let mut is_after_repetition = false;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let mut length = c.len_utf8();
        let was_after_repetition = std::mem::take(&mut is_after_repetition);
        match c {
            '\\' => {
                let (text, taken) = escaped(after, in_class > 0)?;
                all.push_str(&text);
                length += taken;
            }
            '[' => {
                in_class += 1;
                all.push(c);
            }
            ']' if in_class > 0 => {
                in_class -= 1;
                all.push(c);
            }
            // All line ends of Java, not only `\n`.
            '.' if in_class == 0 => all.push_str("[^\\n\\r\\x{85}\\x{2028}\\x{2029}]"),
            '(' if in_class == 0 && after.starts_with('?') => {
                is_known_group(after)?;
                all.push_str("(?");
                length += 1;
            }
            '+' if in_class == 0 && was_after_repetition => {
                return Err("possessive repetition (x*+) is not known".to_owned());
            }
            '*' | '+' | '?' | '}' if in_class == 0 => {
                is_after_repetition = !was_after_repetition || c == '}';
                all.push(c);
            }
            c => all.push(c),
        }
        rest = &rest[length..];
    }
    Ok(all)
}

/// Refuses groups that mean something else here.
fn is_known_group(after: &str) -> Result<(), String> {
    if after.starts_with("?:") || after.starts_with("?i)") || after.starts_with("?i:") {
        return Ok(());
    }
    Err(match after.get(..2) {
        Some("?=" | "?!" | "?<") => "looking ahead or behind, and named groups, are not known".to_owned(),
        _ => "of the flags of an expression only (?i) is known".to_owned(),
    })
}

/// What an escaped character means, and the bytes it takes after the backslash.
fn escaped(after: &str, in_class: bool) -> Result<(String, usize), String> {
    let Some(c) = after.chars().next() else { return Err("a backslash at the end".to_owned()) };
    let set = |inside: &str| if in_class { inside.to_owned() } else { format!("[{inside}]") };
    // Classes of characters are those of ASCII in Java.
    let text = match c {
        'd' => set("0-9"),
        'w' => set("0-9A-Za-z_"),
        's' => set(" \\t\\n\\x0B\\f\\r"),
        'D' | 'W' | 'S' if in_class => return Err(format!("\\{c} in brackets is not known")),
        'D' => "[^0-9]".to_owned(),
        'W' => "[^0-9A-Za-z_]".to_owned(),
        'S' => "[^ \\t\\n\\x0B\\f\\r]".to_owned(),
        'Q' => {
            let quoted = &after[1..];
            let end = quoted.find("\\E").unwrap_or(quoted.len());
            let taken = 1 + (end + 2).min(quoted.len());
            return Ok((regex::escape(&quoted[..end]), taken));
        }
        't' | 'n' | 'r' | 'f' | 'b' | 'B' | 'A' | 'z' => format!("\\{c}"),
        c if c.is_ascii_alphanumeric() => return Err(format!("\\{c} is not known")),
        c => regex::escape(&c.to_string()),
    };
    Ok((text, c.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_mean_what_they_mean_in_java() {
        for (pattern, text, is_match) in [
            (".*day", "monday", true),
            (".*day", "mondays", false),
            ("java.*", "java.lang", true),
            ("(a|b)c", "bc", true),
            ("a|b", "ab", false),
            ("\\d+", "123", true),
            ("\\d+", "١٢٣", false),
            ("\\w+", "ä", false),
            (".", "\r", false),
            ("a.b", "a\u{2028}b", false),
            ("[a-c[x]]+", "abx", true),
            ("[^\\d]+", "ab", true),
            ("\\Qa.b\\E+", "a.bb", true),
            ("(?i)ABC", "abc", true),
            ("java\\.util\\.HashMap\\$Node", "java.util.HashMap$Node", true),
            ("a{2}", "aa", true),
            ("", "", true),
        ] {
            assert_eq!(full_match(pattern).expect(pattern).is_match(text), is_match, "{pattern} {text}");
        }
        for pattern in ["a*+", "a++b", "(?=a)", "(?<n>a)", "(a)\\1", "[", "(?s).", "\\", "\\p{Lower}", "[\\S]"] {
            assert!(full_match(pattern).is_err(), "{pattern}");
        }
        assert_eq!(completed("a.B$C[]$"), "a.B\\$C\\[\\]$");
    }
}
