//! Distinguishes classes of the runtime and its libraries from those of the application by an editable list of
//! prefixes. Names, owners and findings of the overview depend on it.

/// Built-in list.
const BUILT_IN: &str = include_str!("../assets/runtime-classes.txt");

/// A rule for a prefix of class names, or for a whole name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    prefix: Box<str>,
    is_runtime: bool,
    whole: bool,
}

/// The rules, by prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeClasses {
    rules: Vec<Rule>,
}

impl Default for RuntimeClasses {
    /// The built-in rules.
    fn default() -> Self {
        let mut rules = Self { rules: Vec::new() };
        rules.read(BUILT_IN);
        rules
    }
}

impl RuntimeClasses {
    /// Built-in rules extended by those of `text`; a line `replace` drops the built-in ones. Each other line is a
    /// prefix of class names: `org.acme.platform.`; `!` before it marks application classes, `=` a
    /// whole name. The longest prefix decides, a whole name before all; text after `#` is a comment.
    pub fn with(text: &str) -> Self {
        let replaces = lines(text).any(|line| line == "replace");
        let mut rules = if replaces { Self { rules: Vec::new() } } else { Self::default() };
        rules.read(text);
        rules
    }

    fn read(&mut self, text: &str) {
        for line in lines(text).filter(|&line| line != "replace") {
            let (prefix, is_runtime) = line.strip_prefix('!').map_or((line, true), |prefix| (prefix.trim(), false));
            let (prefix, whole) = prefix.strip_prefix('=').map_or((prefix, false), |name| (name, true));
            let rule = Rule { prefix: prefix.into(), is_runtime, whole };
            let key = (prefix, whole);
            match self.rules.binary_search_by(|rule| (rule.prefix.as_ref(), rule.whole).cmp(&key)) {
                Ok(at) => self.rules[at] = rule,
                Err(at) => self.rules.insert(at, rule),
            }
        }
    }

    /// True if a class of this name belongs to the runtime; arrays follow their elements, and primitives belong to it.
    pub fn contains(&self, class: &str) -> bool {
        let element = class.trim_end_matches("[]");
        if !element.contains('.') && is_primitive(element) {
            return true;
        }
        // A prefix sorts before its extensions: the longest match is the last one.
        let before = self.rules.partition_point(|rule| rule.prefix.as_ref() <= element);
        let first = |rule: &&Rule| rule.prefix.as_bytes().first() == element.as_bytes().first();
        let near = self.rules[..before].iter().rev().take_while(first);
        let is_meant =
            |rule: &&Rule| if rule.whole { element == &*rule.prefix } else { element.starts_with(&*rule.prefix) };
        near.into_iter().find(is_meant).is_some_and(|rule| rule.is_runtime)
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split('#').next().unwrap_or("").trim()).filter(|line| !line.is_empty())
}

fn is_primitive(name: &str) -> bool {
    ["boolean", "byte", "char", "short", "int", "long", "float", "double"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_decides() {
        let rules = RuntimeClasses::with("org.acme.   # ours\n!org.acme.shop.\norg.acme.shop.gen.\n!java.lang.Foo");
        for (class, runtime) in [
            ("java.util.HashMap$Node[]", true),
            ("byte[][]", true),
            ("javafx.scene.Node", true),
            ("javassist.Pool", false),
            ("org.acme.Bean", true),
            ("org.acme.shop.Cart", false),
            ("org.acme.shop.gen.Cart", true),
            ("java.lang.Foo", false),
            ("desk.Session", false),
            ("", false),
            ("Map", true),
            ("Mapping", false),
            ("system / Context", true),
            ("(array)", true),
            ("{id, name}", true),
            ("é", false),
        ] {
            assert_eq!(rules.contains(class), runtime, "{class}");
        }
    }

    #[test]
    fn a_list_can_replace_the_built_in_one() {
        let rules = RuntimeClasses::with("replace\nshop.");
        assert!(rules.contains("shop.Cart") && !rules.contains("java.lang.String") && rules.contains("int[]"));
        assert_eq!(RuntimeClasses::with("# nothing\n"), RuntimeClasses::default());
    }
}
