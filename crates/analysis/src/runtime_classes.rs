//! Distinguishes classes of the runtime and its libraries from those of the application by an editable list of
//! prefixes. Names, owners and findings of the overview depend on it.

use crate::class_prefixes::{ClassPrefixes, lines};

/// Built-in list.
const BUILT_IN: &str = include_str!("../assets/runtime-classes.txt");

/// The rules, by prefix.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RuntimeClasses {
    rules: ClassPrefixes,
}

impl Default for RuntimeClasses {
    /// The built-in rules.
    fn default() -> Self {
        let mut rules = ClassPrefixes::default();
        rules.read(BUILT_IN);
        Self { rules }
    }
}

impl RuntimeClasses {
    /// Built-in rules extended by those of `text`; a line `replace` drops the built-in ones. Each other line is a
    /// prefix of class names: `org.acme.platform.`; `!` before it marks application classes, `=` a
    /// whole name. The longest prefix decides, a whole name before all; text after `#` is a comment.
    pub fn with(text: &str) -> Self {
        let replaces = lines(text).any(|line| line == "replace");
        let mut rules = if replaces { ClassPrefixes::default() } else { Self::default().rules };
        let text: Vec<&str> = lines(text).filter(|&line| line != "replace").collect();
        rules.read(&text.join("\n"));
        Self { rules }
    }

    /// True if a class of this name belongs to the runtime; arrays follow their elements, and primitives belong to it.
    pub fn contains(&self, class: &str) -> bool {
        let element = class.trim_end_matches("[]");
        (!element.contains('.') && is_primitive(element)) || self.rules.contains(element)
    }
}

/// True of the name of a primitive type.
pub(crate) fn is_primitive(name: &str) -> bool {
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
