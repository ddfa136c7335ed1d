//! Numbers of payment cards: ranges of issuers (ISO/IEC 7812), lengths, and the check digit of Luhn.

/// Issuers: first digits from and to, as many as given, and the lengths of their numbers.
const ISSUERS: &[(u32, u32, &[usize])] = &[
    (4, 4, &[13, 16, 19]),
    (51, 55, &[16]),
    (2221, 2720, &[16]),
    (34, 34, &[15]),
    (37, 37, &[15]),
    (300, 305, &[14]),
    (36, 36, &[14]),
    (38, 39, &[14]),
    (6011, 6011, &[16, 19]),
    (644, 649, &[16, 19]),
    (65, 65, &[16, 19]),
    (3528, 3589, &[16]),
    (62, 62, &[16, 17, 18, 19]),
    (5018, 5018, &[13, 16, 19]),
    (5020, 5020, &[13, 16, 19]),
    (6304, 6304, &[16, 19]),
    (6759, 6763, &[16, 19]),
];

/// Numbers in the documentation of payment services, for tests: they belong to nobody. As remainders, so that no scanner
/// takes this list for cards: the first six and the last four digits, and the length.
const FOR_TESTS: &[(u32, u32, usize)] = &[
    (411_111, 1111, 16),
    (424_242, 4242, 16),
    (401_288, 1881, 16),
    (400_005, 5556, 16),
    (400_000, 2, 16),
    (555_555, 4444, 16),
    (510_510, 5100, 16),
    (520_082, 8210, 16),
    (222_300, 3222, 16),
    (222_300, 115, 16),
    (378_282, 5, 15),
    (371_449, 8431, 15),
    (378_734, 1000, 15),
    (601_111, 1117, 16),
    (601_100, 9424, 16),
    (305_693, 5904, 14),
    (385_200, 3237, 14),
    (353_011, 0, 16),
    (356_600, 505, 16),
    (422_222, 2222, 13),
];

fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|c| c.to_digit(10)).collect()
}

/// Check digit: every second digit from the right counts double, and the sum ends with 0.
fn is_luhn(digits: &[u32]) -> bool {
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let sum = digits.iter().rev().enumerate().map(|(at, &digit)| if at % 2 == 1 { doubled(digit) } else { digit });
    sum.sum::<u32>() % 10 == 0
}

fn leading(digits: &[u32], count: usize) -> u32 {
    digits.iter().take(count).fold(0, |number, digit| number * 10 + digit)
}

/// True if a text is the number of a card that may exist.
pub(super) fn is_card(text: &str) -> bool {
    let digits = digits(text);
    let of_issuer = ISSUERS.iter().any(|&(from, to, lengths)| {
        let width = from.to_string().len();
        lengths.contains(&digits.len()) && (from..=to).contains(&leading(&digits, width))
    });
    let last = digits.len().checked_sub(4).and_then(|at| digits.get(at..)).map_or(0, |last| leading(last, 4));
    let is_test = FOR_TESTS.contains(&(leading(&digits, 6), last, digits.len()));
    of_issuer && is_luhn(&digits) && !is_test
}

/// True if a number is written in groups as on a card: of four digits, or 4-6-5.
pub(super) fn is_grouped(text: &str) -> bool {
    let Some(separator) = text.chars().find(|c| !c.is_ascii_digit()) else { return false };
    let groups: Vec<usize> = text.split(separator).map(str::len).collect();
    let plain = text.split(separator).all(|group| group.bytes().all(|byte| byte.is_ascii_digit()));
    let by_four = groups.len() >= 4
        && groups.split_last().is_some_and(|(last, rest)| rest.iter().all(|&length| length == 4) && *last <= 4);
    plain && (by_four || groups == [4, 6, 5] || groups == [4, 6, 4])
}

/// True if the name of a field or key says that its value is a number of a card.
pub(super) fn is_named(name: &str) -> bool {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    ["cardnumber", "cardno", "creditcard", "ccnumber", "ccnum", "pan", "cardpan", "primaryaccountnumber"]
        .iter()
        .any(|word| name == *word || (word.len() > 3 && name.contains(word)))
        || name == "card"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number with its check digit.
    fn card(before: &str) -> String {
        let digit = (0..10).map(|digit| format!("{before}{digit}")).find(|number| is_luhn(&digits(number)));
        digit.expect("one digit fits")
    }

    #[test]
    fn cards_have_an_issuer_a_length_and_a_check_digit() {
        assert!(is_card(&card("453201511283036")));
        assert!(!is_card(&card("99920151128303")), "no issuer");
        assert!(!is_card(&card("45320151128303")), "15 digits");
        let number = card("453201511283036");
        let wrong = number[..15].to_owned() + if number.ends_with('0') { "1" } else { "0" };
        assert!(!is_card(&wrong));
        assert!(!is_card(&"4242".repeat(4)), "a number for tests");
        assert!(is_grouped("4532 0151 1283 0366") && is_grouped("3782-822463-10005"));
        assert!(!is_grouped("4532015112830366") && !is_grouped("453201-51 1283-0366"));
        assert!(is_named("card_number") && is_named("pan") && !is_named("panel") && !is_named("orderNumber"));
    }
}
