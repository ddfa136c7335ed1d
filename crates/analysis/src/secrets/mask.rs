//! What is shown of a credential.

/// Number of characters shown, and length from which on they are: of a shorter value they would be too much of it.
const SHOWN: usize = 4;
const LONG: usize = 12;

/// The first characters and the length: `AKIA… (20 characters)`.
pub(super) fn masked(value: &str) -> String {
    let length = value.chars().count();
    let shown: String = value.chars().take(if length >= LONG { SHOWN } else { length / 4 }).collect();
    format!("{shown}… ({length} characters)")
}

/// The type of a private key: `EC PRIVATE KEY`, which is before its text or in the first line of the value.
pub(super) fn key_type(key: &str) -> String {
    let of_pem = key.strip_prefix("-----BEGIN ").and_then(|rest| rest.split_once("-----"));
    let name = of_pem.or_else(|| key.split_once('\n')).map(|(name, _)| name).filter(|name| name.ends_with("KEY"));
    name.or_else(|| of_pem.map(|(name, _)| name)).unwrap_or("PRIVATE KEY").to_owned()
}

/// Length of a value in characters, without the line that says the type of a private key.
pub(super) fn length(value: &str) -> u64 {
    let key = value.split_once('\n').filter(|(name, _)| name.ends_with(" PRIVATE KEY") || *name == "PRIVATE KEY");
    key.map_or(value, |(_, key)| key).chars().count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_of_a_value_is_shown() {
        assert_eq!(masked("abcdefghijkl"), "abcd… (12 characters)");
        assert_eq!(masked("hunter2!"), "hu… (8 characters)");
        assert_eq!(masked("abc"), "… (3 characters)");
        assert_eq!(key_type("-----BEGIN EC PRIVATE KEY-----\nMHc"), "EC PRIVATE KEY");
    }
}
