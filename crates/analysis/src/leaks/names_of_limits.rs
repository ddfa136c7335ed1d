//! Which numbers may be limits: by the words in the name of their field, and by their digits.

/// Words of limits.
const LIMITS: [&str; 12] = [
    "max",
    "maximum",
    "limit",
    "capacity",
    "bound",
    "cap",
    "most",
    "quota",
    "ceiling",
    "maxsize",
    "maxentries",
    "upto",
];
/// Words of other numbers, which are no limit even if one is named.
const OTHERS: [&str; 42] = [
    "seen",
    "used",
    "current",
    "peak",
    "highest",
    "largest",
    "reached",
    "observed",
    "id",
    "index",
    "seq",
    "sequence",
    "next",
    "last",
    "version",
    "position",
    "offset",
    "hash",
    "threshold",
    "time",
    "millis",
    "ms",
    "seconds",
    "timeout",
    "age",
    "idle",
    "wait",
    "ttl",
    "port",
    "retries",
    "mod",
    "init",
    "initial",
    "min",
    "default",
    "core",
    "active",
    "depth",
    "live",
    "open",
    "pending",
    "running",
];

/// True of the names of limits: `maxEntries`, `MAX_ENTRIES`, `val$max`, `#max`; not of `size`, `maxSeen`, `timeoutMillis`.
pub(super) fn is_limit(name: &str) -> bool {
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&&**word));
    has(&LIMITS) && !has(&OTHERS)
}

/// The words of a name in small letters.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_after_small = false;
    for letter in name.chars() {
        if !letter.is_alphabetic() {
            words.push(String::new());
        } else if letter.is_uppercase() && is_after_small {
            words.push(letter.to_lowercase().collect());
        } else {
            if words.is_empty() {
                words.push(String::new());
            }
            words.iter_mut().last().into_iter().for_each(|word| word.extend(letter.to_lowercase()));
        }
        is_after_small = letter.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// True of numbers that people choose: powers of two, and those with at most two digits before zeros.
pub(super) fn is_round(number: u64) -> bool {
    number >= 8 && (number.is_power_of_two() || digits_before_zeros(number) < 100 && number.is_multiple_of(5))
}

/// True of round numbers that few counts are by accident: powers of two, one digit before zeros, 15 and 25 before them.
pub(super) fn is_very_round(number: u64) -> bool {
    let digits = digits_before_zeros(number);
    number >= 64 && (number.is_power_of_two() || number >= 100 && (digits < 10 || [15, 25].contains(&digits)))
}

/// The number without the zeros at its end.
fn digits_before_zeros(mut number: u64) -> u64 {
    while number > 0 && number.is_multiple_of(10) {
        number /= 10;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_limits_from_counts() {
        for name in ["max", "maxEntries", "MAX_SIZE", "val$limit", "_maxsize", "capacity"] {
            assert!(is_limit(name), "{name}");
        }
        for name in
            ["size", "modCount", "maxSeen", "maxActive", "initialCapacity", "maxIdleMillis", "nextId", "keep", "$0"]
        {
            assert!(!is_limit(name), "{name}");
        }
    }

    #[test]
    fn round_numbers_are_those_that_people_choose() {
        for number in [8, 10, 50, 64, 100, 256, 1_000, 1_024, 1_500, 25_000, 1 << 20] {
            assert!(is_round(number), "{number}");
        }
        for number in [0, 5, 7, 33, 101, 1_234, 5_301, 12_345] {
            assert!(!is_round(number) && !is_very_round(number), "{number}");
        }
        assert!(is_very_round(100) && is_very_round(64) && is_very_round(2_500) && !is_very_round(50));
        assert!(![610, 4_500, 7_400].into_iter().any(is_very_round));
    }
}
