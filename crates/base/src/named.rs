//! Stable names of values: the words of options on the command line, of JSON and of saved questions. An enum declares
//! them once, with [`named!`](crate::named!); parsing and help derive from the declaration.

/// A value that people and programs choose by a stable word.
pub trait Named: Copy + PartialEq + Send + Sync + 'static {
    /// All values that can be chosen, in the order of the help.
    const NAMES: &'static [Name<Self>];

    /// Stable word of the value; empty if it cannot be chosen.
    fn word(self) -> &'static str {
        Self::NAMES.iter().find(|name| name.value == self).map_or("", |name| name.word)
    }

    /// Value of a word or alias.
    fn of_word(word: &str) -> Option<Self> {
        Self::NAMES.iter().find(|name| name.word == word || name.alias == Some(word)).map(|name| name.value)
    }
}

/// Name of one value.
#[derive(Debug, Clone, Copy)]
pub struct Name<T> {
    /// The value.
    pub value: T,
    /// Word that never changes.
    pub word: &'static str,
    /// Another accepted word.
    pub alias: Option<&'static str>,
    /// Explanation in the help of the command line.
    pub help: &'static str,
}

impl<T> Name<T> {
    /// Name without an alias.
    pub const fn new(value: T, word: &'static str, help: &'static str) -> Self {
        Self { value, word, alias: None, help }
    }

    /// Adds another accepted word.
    #[must_use]
    pub const fn or(mut self, alias: &'static str) -> Self {
        self.alias = Some(alias);
        self
    }
}

/// Declares the names of an enum without fields: `Variant = "word", "Help"`, or `Variant = "word" | "alias", "Help"`.
/// Also gives the enum a method `name`.
#[macro_export]
macro_rules! named {
    ($type:ty { $($variant:ident = $word:literal $(| $alias:literal)?, $help:literal;)+ }) => {
        impl $type {
            /// Stable word on the command line and in JSON.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl $crate::named::Named for $type {
            const NAMES: &'static [$crate::named::Name<Self>] =
                &[$($crate::named::Name::new(Self::$variant, $word, $help)$(.or($alias))?),+];
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Fruit {
        Apple,
        Pear,
    }

    impl Named for Fruit {
        const NAMES: &'static [Name<Self>] =
            &[Name::new(Self::Apple, "apple", ""), Name::new(Self::Pear, "pear", "").or("pyrus")];
    }

    #[test]
    fn values_have_words_and_aliases() {
        assert_eq!([Fruit::Apple, Fruit::Pear].map(Named::word), ["apple", "pear"]);
        assert_eq!(["apple", "pyrus", "plum"].map(Fruit::of_word), [Some(Fruit::Apple), Some(Fruit::Pear), None]);
    }
}
