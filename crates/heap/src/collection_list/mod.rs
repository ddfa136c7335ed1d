//! List of collections of libraries: which fields of which classes have the entries. The built-in list is
//! `crates/heap/assets/collections.txt`, where its format is described; lines of the user come first.
//!
//! A rule applies to a class only if the class has the fields that it names: another version of a library is no
//! collection, not a wrong one. Copies of a library in another package (`org.acme.shaded.com.google.common.…`) follow
//! its rules.

mod parse;
mod rule;

use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use self::parse::Line;
pub use self::rule::{
    EntryShape, FieldPath, FieldRole, ListedCollection, ListedNode, PathChoice, PathStep, RoleFields, SlotTest,
};

/// The built-in list.
const BUILT_IN: &str = include_str!("../../assets/collections.txt");

/// Fewest dots in the name of a class whose relocated copies are recognized: `Cache` ends the names of many.
const DOTS: usize = 2;

/// Rules by class.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CollectionList {
    collections: Vec<ListedCollection>,
    nodes: Vec<ListedNode>,
    by_class: ClassIndex,
    nodes_by_class: ClassIndex,
}

/// Indices of rules by class name, and of patterns by the two parts with which they begin.
#[derive(Debug, Default, PartialEq, Eq)]
struct ClassIndex {
    exact: FxHashMap<Box<str>, Vec<u32>>,
    patterns: FxHashMap<Box<str>, Vec<(Box<str>, u32)>>,
}

/// By the rules alone: the indices follow from them.
impl Hash for CollectionList {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (&self.collections, &self.nodes).hash(hasher);
    }
}

impl CollectionList {
    /// The built-in list.
    pub fn built_in() -> Arc<Self> {
        static LIST: LazyLock<Arc<CollectionList>> = LazyLock::new(|| {
            // A test parses every line.
            Arc::new(CollectionList::of(&[BUILT_IN]).unwrap_or_default())
        });
        LIST.clone()
    }

    /// The lines of the user, then the built-in ones.
    ///
    /// # Errors
    /// A message with the number of the first wrong line.
    pub fn with(text: &str) -> Result<Self, String> {
        Self::of(&[text, BUILT_IN])
    }

    fn of(texts: &[&str]) -> Result<Self, String> {
        let mut list = Self::default();
        for text in texts {
            for line in parse::lines(text)? {
                match line {
                    Line::Collection(rule) => {
                        list.by_class.add(&rule.class, list.collections.len() as u32);
                        list.collections.push(rule);
                    }
                    Line::Node(rule) => {
                        list.nodes_by_class.add(&rule.class, list.nodes.len() as u32);
                        list.nodes.push(rule);
                    }
                }
            }
        }
        Ok(list)
    }

    /// Indices of the rules for a class, in the order of the list.
    pub fn of_class(&self, class: &str) -> Vec<u32> {
        self.by_class.of(class)
    }

    /// Index of the rule for a class of nodes.
    pub fn node_of_class(&self, class: &str) -> Option<u32> {
        self.nodes_by_class.of(class).first().copied()
    }

    /// Rule at an index.
    pub fn collection(&self, at: u32) -> Option<&ListedCollection> {
        self.collections.get(at as usize)
    }

    /// Rule for nodes at an index.
    pub fn node(&self, at: u32) -> Option<&ListedNode> {
        self.nodes.get(at as usize)
    }
}

impl ClassIndex {
    fn add(&mut self, class: &str, at: u32) {
        if class.contains('*') {
            self.patterns.entry(first_parts(class).into()).or_default().push((class.into(), at));
        } else {
            self.exact.entry(class.into()).or_default().push(at);
        }
    }

    fn of(&self, class: &str) -> Vec<u32> {
        let mut rules: Vec<u32> = Vec::new();
        let mut tail = Some(class);
        while let Some(name) = tail {
            // A tail with too few parts is not the name of a relocated class.
            let is_name = name.len() == class.len() || name.bytes().filter(|&byte| byte == b'.').count() >= DOTS;
            if !is_name {
                break;
            }
            rules.extend(self.exact.get(name).into_iter().flatten());
            let patterns = self.patterns.get(first_parts(name)).into_iter().flatten();
            rules.extend(patterns.filter(|(pattern, _)| is_like(name, pattern)).map(|&(_, at)| at));
            tail = name.split_once('.').map(|(_, tail)| tail);
        }
        rules.sort_unstable();
        rules
    }
}

/// `it.unimi` of `it.unimi.dsi.fastutil.*`.
fn first_parts(class: &str) -> &str {
    let second = class.match_indices('.').nth(1).map_or(class.len(), |(at, _)| at);
    class.get(..second).unwrap_or(class)
}

/// True if a name matches a pattern, where `*` is any text.
fn is_like(name: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let mut last = None;
    for part in parts {
        if let Some(part) = last {
            let Some((_, after)) = rest.split_once(part) else { return false };
            rest = after;
        }
        last = Some(part);
    }
    last.is_none_or(|part| rest.ends_with(part)) && (last.is_some() || rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_built_in_list_is_right() {
        for (number, line) in (1..).zip(BUILT_IN.lines()) {
            let parsed = parse::lines(line);
            assert!(parsed.is_ok(), "line {number} of the list: {parsed:?}");
        }
        let list = CollectionList::of(&[BUILT_IN]).expect("it can be parsed");
        assert!(list.collections.len() > 100, "{}", list.collections.len());
        assert_eq!(*CollectionList::built_in(), list);
    }

    #[test]
    fn every_trie_of_the_built_in_list_has_nodes() {
        let list = CollectionList::built_in();
        for rule in list.collections.iter().filter(|rule| rule.shape == EntryShape::Trie) {
            let package = rule.class.rsplit_once('.').map_or("", |(package, _)| package);
            assert!(list.nodes.iter().any(|node| node.class.starts_with(package)), "{}", rule.class);
        }
    }

    #[test]
    fn the_lines_of_the_user_come_first() {
        let list = CollectionList::with("com.google.common.cache.LocalCache list array elements=mine").expect("a line");
        let first = list.of_class("com.google.common.cache.LocalCache")[0];
        assert_eq!(list.collection(first).map(|rule| rule.shape), Some(EntryShape::Array));
        assert!(list.of_class("com.google.common.cache.LocalCache").len() > 1);
    }

    #[test]
    fn patterns_and_relocated_classes_follow_a_rule() {
        let list = CollectionList::of(&["org.acme.fast.*2*Map map pairs table=t\norg.acme.Cache list empty"]);
        let list = list.expect("two lines");
        for (class, is_listed) in [
            ("org.acme.fast.Int2ObjectMap", true),
            ("org.acme.fast.deep.Int2Map", true),
            ("shop.shaded.org.acme.fast.Int2LongMap", true),
            ("org.acme.fast.Int2Map$Node", false),
            ("org.acme.fast.IntMap", false),
            ("org.acme.Cache", true),
            ("shop.org.acme.Cache", true),
            ("acme.Cache", false),
        ] {
            assert_eq!(!list.of_class(class).is_empty(), is_listed, "{class}");
        }
    }

    #[test]
    fn a_rule_fits_only_a_class_with_its_fields() {
        let list = CollectionList::of(&["org.acme.Cache map chains table=data|t.x size=count next=n key=k"]);
        let list = list.expect("a line");
        let fits = |fields: &[&str]| list.collections[0].fits(|field| fields.contains(&field));
        assert!(fits(&["data", "count"]) && fits(&["t", "count"]));
        assert!(!fits(&["data"]) && !fits(&["count", "n", "k"]));
    }
}
