//! Whether numbers, and elements of arrays, are in the order of allocation.
//!
//! A dump may have any values: numbers that fall, years in the future, ids that are used again, arrays that are sorted by
//! name. What is in no order votes for none; what is in the reverse order votes against the others, and nothing is known.

use std::collections::BTreeMap;

use heaplens_heap::ClassId;

/// Sequences with fewer elements tell nothing.
pub(super) const LEAST_ELEMENTS: usize = 8;
/// Rank correlation with the address from which an order counts as one, of what may be in any order.
const IN_ORDER: f64 = 0.7;
/// A `long` within this span before the dump is taken for a time, in milliseconds: six years.
const AGES: u64 = 6 * 365 * 24 * 3600 * 1000;

/// When numbers in a field tell an order.
#[derive(Debug, Clone, Copy)]
pub(super) struct NumberRule {
    /// True if the class is of the runtime.
    pub(super) is_runtime: bool,
    /// Time of the dump, in milliseconds since 1970.
    pub(super) dumped: Option<u64>,
}

impl NumberRule {
    /// Addresses of objects with these numbers in a field, in the order of the numbers. `None` if they tell no order.
    pub(super) fn order(self, mut numbers: Vec<(i64, u64)>) -> Option<Vec<u64>> {
        let are_times = numbers.iter().all(|&(number, _)| self.is_time(number));
        // Some ids may be used again; states and kinds are few.
        let min_length = if are_times { LEAST_ELEMENTS } else { numbers.len() / 10 * 9 };
        numbers.sort_unstable();
        // Equal numbers are in no order.
        numbers.dedup_by_key(|(number, _)| *number);
        let addresses: Vec<u64> = numbers.into_iter().map(|(_, address)| address).collect();
        // Numbers of the runtime are ordinals, hash codes and indices, as a rule.
        let is_order = are_times || !self.is_runtime && is_in_order(&addresses);
        (addresses.len() >= min_length.max(LEAST_ELEMENTS) && is_order).then_some(addresses)
    }

    /// True if a number may be the time at which an object was made.
    fn is_time(self, number: i64) -> bool {
        let both = u64::try_from(number).ok().zip(self.dumped.filter(|&millis| millis > AGES));
        both.is_some_and(|(millis, dumped)| millis <= dumped && millis > dumped - AGES)
    }
}

/// True if addresses mostly rise, or mostly fall.
pub(super) fn is_in_order(addresses: &[u64]) -> bool {
    correlation(addresses).abs() >= IN_ORDER
}

/// The class that most have; of several the first. `None` if there are none.
pub(super) fn most_common(classes: impl Iterator<Item = ClassId>) -> Option<ClassId> {
    let mut counts: BTreeMap<ClassId, usize> = BTreeMap::new();
    classes.for_each(|class| *counts.entry(class).or_default() += 1);
    counts.into_iter().max_by_key(|&(class, count)| (count, std::cmp::Reverse(class))).map(|(class, _)| class)
}

/// Rank correlation of addresses with their order (Spearman), from -1 to 1.
fn correlation(addresses: &[u64]) -> f64 {
    let count = addresses.len() as f64;
    let mut ranks: Vec<usize> = (0..addresses.len()).collect();
    ranks.sort_unstable_by_key(|&at| addresses[at]);
    let square = |(rank, &at): (usize, &usize)| {
        let difference = rank as f64 - at as f64;
        difference * difference
    };
    let squares: f64 = ranks.iter().enumerate().map(square).sum();
    1.0 - 6.0 * squares / (count * (count * count - 1.0)).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Sunday in 2026.
    const DUMPED: i64 = 1_795_000_000_000;
    const OWN: NumberRule = NumberRule { is_runtime: false, dumped: Some(DUMPED as u64) };

    /// Objects at ascending addresses, with the number of each.
    fn fields(number: impl Fn(i64) -> i64) -> Vec<(i64, u64)> {
        (0..100).map(|at| (number(at), 4096 + at as u64 * 32)).collect()
    }

    #[test]
    fn numbers_that_rise_or_fall_tell_an_order_and_others_none() {
        let rising = OWN.order(fields(|at| at * 3)).expect("an order");
        assert!(rising.windows(2).all(|two| two[0] < two[1]));
        // They may count down: the votes of both contradict each other.
        let falling = OWN.order(fields(|at| -at)).expect("an order");
        assert!(falling.windows(2).all(|two| two[0] > two[1]));
        let absurd = OWN.order(fields(|at| if at < 50 { i64::MIN + at } else { i64::MAX - 100 + at }));
        assert_eq!(absurd.map(|addresses| addresses.len()), Some(100), "the smallest and the largest numbers");
        assert_eq!(OWN.order(fields(|at| at * 7919 % 100)), None, "in any order");
        assert_eq!(OWN.order(fields(|at| (at * 7919 % 100) << 56)), None, "hash codes");
        assert_eq!(OWN.order(Vec::new()), None);
        assert_eq!(OWN.order(fields(|at| at)[..LEAST_ELEMENTS - 1].to_vec()), None, "too few");
    }

    #[test]
    fn ids_that_are_used_again_tell_no_order() {
        assert_eq!(OWN.order(fields(|at| at / 2)), None, "each twice");
        assert_eq!(OWN.order(fields(|at| at % 4)), None, "kinds");
        assert_eq!(OWN.order(fields(|_| 7)), None, "one");
        let some = OWN.order(fields(|at| if at == 50 { 49 } else { at }));
        assert_eq!(some.map(|addresses| addresses.len()), Some(99), "one of a hundred twice");
    }

    #[test]
    fn times_tell_an_order_even_if_many_are_equal_but_not_those_of_other_years() {
        let at_once = |at: i64| DUMPED - 10_000 + at / 10;
        assert_eq!(OWN.order(fields(at_once)).map(|addresses| addresses.len()), Some(10));
        let of_runtime = NumberRule { is_runtime: true, ..OWN };
        assert!(of_runtime.order(fields(at_once)).is_some(), "of the runtime, too");
        assert_eq!(of_runtime.order(fields(|at| at)), None, "ordinals");
        for (shift, what) in [(20_000, "after the dump"), (-7 * 365 * 86_400_000, "seven years before")] {
            assert_eq!(OWN.order(fields(|at| at_once(at) + shift)), None, "{what}");
        }
        assert_eq!(OWN.order(fields(|at| if at == 3 { -1 } else { at_once(at) })), None, "one is negative");
        for dumped in [None, Some(0), Some(AGES)] {
            assert_eq!(NumberRule { dumped, ..OWN }.order(fields(at_once)), None, "no time of the dump: {dumped:?}");
        }
        let last = NumberRule { dumped: Some(u64::MAX), ..OWN };
        assert_eq!(last.order(fields(at_once)), None, "an absurd time of the dump");
    }

    #[test]
    fn arrays_sorted_by_name_are_in_no_order() {
        let addresses: Vec<u64> = fields(|at| at).iter().map(|&(_, address)| address).collect();
        let mut by_name = addresses.clone();
        by_name.sort_by_key(|address| address.to_string().chars().rev().collect::<String>());
        assert!(!is_in_order(&by_name));
        let reversed: Vec<u64> = addresses.iter().rev().copied().collect();
        assert!(is_in_order(&addresses) && is_in_order(&reversed));
        assert!(correlation(&[]).is_finite() && correlation(&[1]).is_finite());
        assert!(correlation(&[u64::MAX, 0]).is_finite() && correlation(&[7; 40]).is_finite());
    }

    #[test]
    fn the_class_of_a_list_is_that_of_most_elements_and_not_of_the_last() {
        let class = |number| ClassId::from_raw(number).expect("a class");
        let classes = |numbers: &[u32]| most_common(numbers.iter().map(|&number| class(number)));
        assert_eq!(classes(&[3, 3, 3, 5]), Some(class(3)));
        assert_eq!(classes(&[5, 3]), Some(class(3)), "of two the first, whatever the order");
        assert_eq!(classes(&[]), None);
    }
}
