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

/// The type of a private key: `EC PRIVATE KEY`.
pub(super) fn key_type(pem: &str) -> String {
    let name = pem.strip_prefix("-----BEGIN ").and_then(|rest| rest.split_once("-----"));
    name.map_or_else(|| "PRIVATE KEY".to_owned(), |(name, _)| name.to_owned())
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
