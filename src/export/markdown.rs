//! The words of Markdown that GitHub, GitLab and Jira take alike.

use super::printable::is_order;

/// Text that means just itself: no emphasis, no links, no code, no html, no cell's end.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if is_order(c) => out.push(' '),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Jira opens braces, GitHub calls people and closes issues.
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

/// What stands below the headings: whether each column is one of numbers.
pub fn rule(numbers: impl IntoIterator<Item = bool>) -> String {
    line(numbers.into_iter().map(|number| if number { "---:" } else { "---" }.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_in_a_name_is_markup() {
        assert_eq!(escaped("a|b`c*<i>@you\n\u{202e}#1"), "a\\|b\\`c\\*&lt;i&gt;\\@you  \\#1");
    }
}
