//! Lines of rules files, `WORD PATTERN # reason`, and their patterns, in which `*` matches any text.

/// A line with a rule.
pub(super) struct RuleLine<'a> {
    /// Number of the line, from 1.
    pub(super) number: usize,
    /// What the rule says: `expected`, `leaking`, …
    pub(super) word: &'a str,
    /// Pattern or value; empty if missing.
    pub(super) pattern: &'a str,
    /// Text after `#`; may be empty.
    pub(super) reason: &'a str,
}

/// The lines of a rules file, without those that are empty or only a comment.
pub(super) fn rule_lines(text: &str) -> impl Iterator<Item = RuleLine<'_>> {
    (1..).zip(text.lines()).filter_map(|(number, line)| {
        let (rule, reason) = line.split_once('#').unwrap_or((line, ""));
        let rule = rule.trim();
        let (word, pattern) = rule.split_once(char::is_whitespace).unwrap_or((rule, ""));
        (!rule.is_empty()).then(|| RuleLine { number, word, pattern: pattern.trim(), reason: reason.trim() })
    })
}

/// True if a pattern matches the whole text.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut last = None;
    for part in parts {
        if let Some(before) = last.replace(part) {
            match rest.find(before) {
                Some(at) => rest = &rest[at + before.len()..],
                None => return false,
            }
        }
    }
    last.map_or(rest.is_empty(), |last| rest.ends_with(last))
}
