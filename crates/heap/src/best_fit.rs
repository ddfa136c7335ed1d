//! Best fit of an object among sets of names: the largest set of which it has all names, the first of equals.

use std::{cmp::Reverse, hash::Hash};

use rustc_hash::{FxHashMap, FxHashSet};

/// Sets of names, to be matched against many objects.
pub struct BestFit<N> {
    sets: Vec<Vec<N>>,
    /// Sets by the name under which each is searched: one of its rarest names.
    by_name: FxHashMap<N, Vec<usize>>,
}

impl<N: Clone + Eq + Hash + Ord> BestFit<N> {
    /// Takes sets of distinct names, in the order that breaks ties.
    pub fn new(sets: Vec<Vec<N>>) -> Self {
        let mut usage: FxHashMap<&N, u32> = FxHashMap::default();
        sets.iter().flatten().for_each(|name| *usage.entry(name).or_default() += 1);
        let mut by_name: FxHashMap<N, Vec<usize>> = FxHashMap::default();
        for (number, set) in sets.iter().enumerate() {
            let rarest = set.iter().min_by_key(|name| (usage.get(name), *name));
            rarest.into_iter().for_each(|name| by_name.entry(name.clone()).or_default().push(number));
        }
        Self { sets, by_name }
    }

    /// Set that fits an object with these names; `None` if none fits.
    pub fn of(&self, names: &[N]) -> Option<usize> {
        let has: FxHashSet<&N> = names.iter().collect();
        let possible = names.iter().filter_map(|name| self.by_name.get(name)).flatten().copied();
        let fits = |&number: &usize| self.sets[number].iter().all(|name| has.contains(name));
        possible.filter(fits).min_by_key(|&number| (Reverse(self.sets[number].len()), number))
    }
}
