//! Rules on class names: a list of prefixes in a text file.

/// A rule for a prefix of class names, or for a whole name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Rule {
    prefix: Box<str>,
    is_member: bool,
    is_exact: bool,
}

/// A set of classes by prefixes of their names. One prefix per line: `org.acme.platform.`; `!` before it marks an
/// exception, `=` a whole name. The longest prefix decides, a whole name before all; text after `#` is a comment.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub(crate) struct ClassPrefixes {
    rules: Vec<Rule>,
}

impl ClassPrefixes {
    /// Adds the rules of a text; a rule for a known prefix replaces it.
    pub(crate) fn read(&mut self, text: &str) {
        for line in lines(text) {
            let (prefix, is_member) = line.strip_prefix('!').map_or((line, true), |prefix| (prefix.trim(), false));
            let (prefix, is_exact) = prefix.strip_prefix('=').map_or((prefix, false), |name| (name, true));
            let rule = Rule { prefix: prefix.into(), is_member, is_exact };
            let key = (prefix, is_exact);
            match self.rules.binary_search_by(|rule| (rule.prefix.as_ref(), rule.is_exact).cmp(&key)) {
                Ok(at) => self.rules[at] = rule,
                Err(at) => self.rules.insert(at, rule),
            }
        }
    }

    /// True if a class of this name is in the set; arrays follow their elements.
    pub(crate) fn contains(&self, class: &str) -> bool {
        let element = class.trim_end_matches("[]");
        // A prefix sorts before its extensions: the longest match is the last one.
        let before = self.rules.partition_point(|rule| rule.prefix.as_ref() <= element);
        let first = |rule: &&Rule| rule.prefix.as_bytes().first() == element.as_bytes().first();
        let near = self.rules[..before].iter().rev().take_while(first);
        let is_meant =
            |rule: &&Rule| if rule.is_exact { element == &*rule.prefix } else { element.starts_with(&*rule.prefix) };
        near.into_iter().find(is_meant).is_some_and(|rule| rule.is_member)
    }
}

/// Lines without comments; empty ones are left out.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split('#').next().unwrap_or("").trim()).filter(|line| !line.is_empty())
}
