//! Text in XML 1.0.

use heaplens_base::invisible::visible;

/// Escapes text for an element or a quoted attribute. Invisible characters, some of which XML forbids, become escapes; line
/// breaks stay.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
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
            "\\u{0}\\u{1b}\\u{85}\\u{202e}\\u{ffff}]]&gt;é😀"
        );
    }
}
