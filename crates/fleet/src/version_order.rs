//! Versions in their order, as text that every database sorts alike.

/// Digits that a number of a version is padded to: version codes and times have up to 17.
const DIGITS: usize = 20;

/// The version with its numbers padded, so that `1.10` comes after `1.9`. A pre-release comes
/// before its release: `2.0-rc1` before `2.0`, as in "Semantic Versioning 2.0.0", item 11; what follows a `+` is left out.
pub fn version_order(version: &str) -> String {
    let version = version.split('+').next().unwrap_or(version);
    let mut order = String::new();
    let mut rest = version;
    while let Some(first) = rest.chars().next() {
        let is_digit = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
        let (part, left) = rest.split_at(end);
        if is_digit {
            let number = part.trim_start_matches('0');
            (number.len()..DIGITS).for_each(|_| order.push('0'));
            order.push_str(number);
        } else {
            // Sorts before the end of a version, and that before a dot.
            order.push_str(&part.replace('-', "!"));
        }
        rest = left;
    }
    order.push('#');
    order
}

#[cfg(test)]
mod tests {
    use super::version_order;

    #[test]
    fn versions_sort_as_people_count() {
        let versions = [
            "0.9",
            "1.0-alpha",
            "1.0-rc2",
            "1.0-rc10",
            "1.0",
            "1.0.1",
            "1.9",
            "1.10",
            "2.0",
            "10.0",
            "99999999",
            "202611261200",
            "unknown",
        ];
        for pair in versions.windows(2) {
            assert!(version_order(pair[0]) < version_order(pair[1]), "{pair:?}");
        }
        assert_eq!(version_order("1.0+build7"), version_order("1.0"));
    }
}
