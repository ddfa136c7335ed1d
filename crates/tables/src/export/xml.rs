//! Text in XML 1.0.

use super::printable::is_order;

/// Escapes text for an element or a quoted attribute. Control characters, which XML forbids, and marks that change the
/// text direction become U+FFFD; line breaks stay.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\n' => out.push('\n'),
            // U+FFFE and U+FFFF are no characters of XML, either.
            c if is_order(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn any_text_is_valid_in_xml() {
        assert_eq!(escaped("a<b>&\"c\"'\n"), "a&lt;b&gt;&amp;&quot;c&quot;&apos;\n");
        assert_eq!(
            escaped("\u{0}\u{1b}\u{85}\u{202e}\u{ffff}]]>é😀"),
            "\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}]]&gt;é😀"
        );
    }
}
