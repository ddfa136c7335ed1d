//! Markdown syntax that GitHub, GitLab and Jira support alike.

use heaplens_base::invisible::visible_line;

/// Escapes text: no emphasis, links, code, HTML or cell ends.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible_line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Braces are macros in Jira, `@` and `#` are links in GitHub.
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '|' | '~' | '#' | '!' | '@' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

/// One row of a table.
pub fn line(cells: impl IntoIterator<Item = String>) -> String {
    format!("| {} |\n", cells.into_iter().collect::<Vec<_>>().join(" | "))
}

/// Line below the headings; true for columns of numbers.
pub fn rule(numbers: impl IntoIterator<Item = bool>) -> String {
    line(numbers.into_iter().map(|number| if number { "---:" } else { "---" }.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn names_are_escaped_in_markdown() {
        assert_eq!(escaped("a|b`c*<i>@you\n\u{202e}#1"), "a\\|b\\`c\\*&lt;i&gt;\\@you \\\\u\\{202e\\}\\#1");
    }
}
