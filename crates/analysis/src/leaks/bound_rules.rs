//! What classes of collections say about their growth, as data: `assets/bounds.txt` describes the rules.

use std::sync::LazyLock;

use crate::rule_lines::matches;
use heaplens_heap::{ClassId, Heap};

/// The rules that are built in.
const BUILT_IN: &str = include_str!("../../assets/bounds.txt");
/// Maximum number of superclasses compared.
const SUPERCLASSES: usize = 16;

/// What a rule says about the collections of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoundRule {
    /// Same entries from the construction on.
    Immutable,
    /// An update makes another collection.
    Persistent,
    /// Paths of the field with the limit, and of the field with what counts against it; entries count without one.
    Limit(&'static str, Option<&'static str>),
    /// Paths of an array of the maximum length.
    Filled(&'static str),
    /// Paths of the map that replaces the older entries.
    Generation(&'static str),
}

/// Rules of a text by class pattern, in its order.
struct BoundRules(Vec<(&'static str, BoundRule)>);

static RULES: LazyLock<BoundRules> = LazyLock::new(|| BoundRules(BUILT_IN.lines().filter_map(rule).collect()));

/// The rule of a line; `None` of comments and empty lines.
fn rule(line: &'static str) -> Option<(&'static str, BoundRule)> {
    let words: Vec<&'static str> = line.split_whitespace().collect();
    match *words.as_slice() {
        ["immutable", class] => Some((class, BoundRule::Immutable)),
        ["persistent", class] => Some((class, BoundRule::Persistent)),
        ["limit", class, limit] => Some((class, BoundRule::Limit(limit, None))),
        ["limit", class, limit, "counts", counted] => Some((class, BoundRule::Limit(limit, Some(counted)))),
        ["filled", class, array] => Some((class, BoundRule::Filled(array))),
        ["generation", class, map] => Some((class, BoundRule::Generation(map))),
        _ => None,
    }
}

/// The first rule about a class or one above it, with the class that it names.
pub(super) fn of_class(heap: &Heap, class: ClassId) -> Option<(&str, BoundRule)> {
    let above = |class: &ClassId| heap.classes.get(*class).superclass;
    std::iter::successors(Some(class), above).take(SUPERCLASSES).find_map(|class| {
        let name = &*heap.classes.get(class).name;
        let (_, rule) = RULES.0.iter().find(|(pattern, _)| matches(pattern, name))?;
        Some((name, *rule))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_line_is_a_rule() {
        for line in BUILT_IN.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            assert!(rule(line).is_some(), "{line}");
        }
    }
}
